import { ownField } from "@tenterhook/internal";
import { dim, green, plain, red, type Style, yellow } from "../terminal.ts";

/** Outcomes of calls that a person reads as one. */
export interface DecisionColumn {
  readonly title: string;
  readonly outcomes: readonly string[];
  readonly style: Style;
}

const COLUMNS: readonly DecisionColumn[] = [
  { title: "passed", outcomes: ["passed", "started_in_background"], style: green },
  { title: "changed", outcomes: ["changed", "added_context", "skipped", "recovered"], style: plain },
  { title: "blocked", outcomes: ["blocked", "stopped", "kept_running", "objected_late"], style: red },
  { title: "asked", outcomes: ["asked"], style: yellow },
  { title: "failed", outcomes: ["failed"], style: yellow },
  {
    title: "would have",
    outcomes: ["would_block", "would_change", "would_ask", "would_stop", "would_skip", "would_recover"],
    style: yellow,
  },
];

const NAMED = new Set(COLUMNS.flatMap(({ outcomes }) => outcomes));

/** The columns for some decisions, without those that would be 0 everywhere. Outcomes that this version does not know are `other`. */
export function chooseColumns(decisions: Readonly<Record<string, number>>): readonly DecisionColumn[] {
  const unknown = Object.keys(decisions).filter((outcome) => !NAMED.has(outcome));
  return [...COLUMNS, { title: "other", outcomes: unknown, style: dim }].filter(
    (column) => countIn(decisions, column) > 0,
  );
}

export function countIn(
  decisions: Readonly<Record<string, number>>,
  { outcomes }: Pick<DecisionColumn, "outcomes">,
): number {
  return outcomes.reduce((sum, outcome) => sum + (ownField(decisions, outcome) ?? 0), 0);
}

/** An outcome as a person reads it: `blocked`, `kept running`, `would have blocked`. */
export function formatOutcome(outcome: string): string {
  return outcome.startsWith("would_")
    ? `would ${outcome.slice("would_".length)}`
    : outcome.replaceAll("_", " ");
}

/** The sums of each outcome; one that only a newer version knows may have any name. */
export function addDecisions(each: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const decisions of each)
    for (const [outcome, times] of Object.entries(decisions))
      sums.set(outcome, (sums.get(outcome) ?? 0) + times);
  return Object.fromEntries(sums);
}
