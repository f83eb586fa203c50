import { ownField } from "@tenterhook/internal";
import type { ChartSeries } from "./chart-data.ts";

/** Calls of hooks by outcome, as `GET /insights` has them. */
export type Decisions = Readonly<Record<string, number>>;

export interface OutcomeGroup extends ChartSeries {
  /** The outcomes that it sums up; none for the group of all others. */
  readonly outcomes: readonly string[];
}

/** The outcomes of calls as people ask about them, in the order of a column from its foot. */
export const OUTCOME_GROUPS: readonly OutcomeGroup[] = [
  { key: "passed", label: "Passed", color: "gray", outcomes: ["passed", "started_in_background"] },
  { key: "changed", label: "Changed", color: "blue", outcomes: ["changed", "added_context", "recovered"] },
  {
    key: "blocked",
    label: "Blocked",
    color: "orange",
    outcomes: ["blocked", "stopped", "skipped", "kept_running"],
  },
  { key: "asked", label: "Asked", color: "purple", outcomes: ["asked"] },
  { key: "failed", label: "Failed", color: "strong", outcomes: ["failed"] },
  {
    key: "would",
    label: "Would have acted",
    color: "green",
    outcomes: ["would_block", "would_change", "would_ask", "would_stop", "would_skip", "would_recover"],
  },
  { key: "other", label: "Other", color: "brown", outcomes: [] },
];

const GROUPED = new Set(OUTCOME_GROUPS.flatMap(({ outcomes }) => outcomes));

/** The outcomes of a group that occurred. Newer runners may report outcomes that are not known here: those are in the last group. */
export function outcomesIn({ outcomes }: OutcomeGroup, decisions: Decisions): readonly string[] {
  const isIn = (outcome: string) =>
    outcomes.length === 0 ? !GROUPED.has(outcome) : outcomes.includes(outcome);
  return Object.keys(decisions).filter((outcome) => isIn(outcome) && (decisions[outcome] ?? 0) > 0);
}

export function countGroup(group: OutcomeGroup, decisions: Decisions): number {
  return outcomesIn(group, decisions).reduce((sum, outcome) => sum + (decisions[outcome] ?? 0), 0);
}

/** The values of a row of a chart by outcome. */
export function groupValues(decisions: Decisions): Readonly<Record<string, number>> {
  return Object.fromEntries(OUTCOME_GROUPS.map((group) => [group.key, countGroup(group, decisions)]));
}

/** `kept running` of `kept_running`, `would have blocked` of `would_block`. */
export function outcomeLabel(outcome: string): string {
  return ownField(WOULD_HAVE, outcome) ?? outcome.replaceAll("_", " ");
}

const WOULD_HAVE: Readonly<Record<string, string>> = {
  would_block: "would have blocked",
  would_change: "would have changed",
  would_ask: "would have asked",
  would_stop: "would have stopped",
  would_skip: "would have skipped",
  would_recover: "would have recovered",
};
