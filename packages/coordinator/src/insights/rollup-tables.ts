import { STEPS, type Step } from "./slots.ts";

const RUN_COUNTS = ["created", "started", "completed", "failed", "stopped"];
const USAGE = ["calls", "input_tokens", "output_tokens", "unpriced_calls"];
const HOOK = ["hook", "kind", "event"];

/** A table of roll-ups: its keys beside the slot, and the columns that are added up. */
export interface RollupTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly counts: readonly string[];
  /** Numbers that are not whole. */
  readonly amounts?: readonly string[];
  readonly histograms?: readonly string[];
}

/** The tables of roll-ups, without that of reasons. */
export const TABLES = {
  totals: {
    name: "total_rollups",
    keys: [],
    counts: [...RUN_COUNTS, ...USAGE, "busy_ms"],
    amounts: ["cost", "hook_ms"],
    histograms: ["waits", "durations", "hook_durations"],
  },
  decisions: { name: "decision_rollups", keys: ["outcome"], counts: ["count"] },
  agentDecisions: { name: "agent_decision_rollups", keys: ["agent", "outcome"], counts: ["count"] },
  toolDecisions: { name: "tool_decision_rollups", keys: ["tool", "outcome"], counts: ["count"] },
  hookTotals: {
    name: "hook_total_rollups",
    keys: [...HOOK, "outcome"],
    counts: ["count"],
    amounts: ["duration_ms"],
    histograms: ["durations"],
  },
  runs: { name: "run_rollups", keys: ["agent"], counts: RUN_COUNTS, histograms: ["waits", "durations"] },
  hooks: {
    name: "hook_rollups",
    keys: [...HOOK, "agent", "tool", "outcome"],
    counts: ["count"],
    amounts: ["duration_ms"],
    histograms: ["durations"],
  },
  models: { name: "model_rollups", keys: ["agent", "model"], counts: USAGE, amounts: ["cost"] },
  runners: { name: "runner_rollups", keys: ["runner"], counts: ["busy_ms", "attempts"] },
} as const satisfies Record<string, RollupTable>;

export const REASONS = "reason_rollups";

/** Runs that have been removed, which is no event: see `count-removed.ts`. */
export const REMOVED = "removed_rollups";

/** The names of all tables of roll-ups. */
export const ROLLUP_TABLES: readonly string[] = [
  ...Object.values(TABLES).map(({ name }) => name),
  REASONS,
  REMOVED,
];

/** An hour has nearly as many rows of these as its four quarters have. */
const WITHOUT_HOURS: ReadonlySet<string> = new Set([TABLES.hooks.name, REASONS]);

/** The lengths of the slots that a table has. */
export function stepsOf(table: string): readonly Step[] {
  return WITHOUT_HOURS.has(table) ? STEPS.filter((step) => step !== 60) : STEPS;
}
