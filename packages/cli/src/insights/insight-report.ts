import type { Insights, InsightTotals } from "@tenterhook/protocol/runs";

/** The calls of hooks in a period: the part of a coordinator's insights that the decision log of a machine has, too. */
export interface DecisionInsights {
  readonly since: string;
  readonly until: string;
  /** From when there are numbers; null when there are none. */
  readonly recorded_since: string | null;
  readonly current: Pick<InsightTotals, "decisions" | "hook_duration" | "hook_ms">;
  readonly hooks: Insights["hooks"];
  readonly decisions_by_agent: Insights["decisions_by_agent"];
  readonly decisions_by_tool: Insights["decisions_by_tool"];
  readonly reasons: readonly Omit<Insights["reasons"][number], "example_runs">[];
}

/** A call in which a hook did more than let something pass. */
export interface LatestDecision {
  readonly time: string;
  readonly agent: string;
  readonly session: string | null;
  readonly event: string;
  readonly tool: string;
  /** The command or the file that it was about. */
  readonly subject: string | null;
  readonly outcome: string;
  readonly reason: string | null;
}

/** A sentence about a hook that a person should look at. */
export interface HookFinding {
  readonly hook: string;
  readonly finding: "never_fired" | "always_passes" | "slow" | "failing" | "not_enforced";
  readonly text: string;
}

/** What `tenterhook log --summary` prints. */
export interface InsightReport extends DecisionInsights {
  readonly source: {
    readonly type: "decision_log";
    readonly file: string;
    readonly unreadable_lines: number;
  };
  readonly findings: readonly HookFinding[];
  /** Of one hook: the newest first. */
  readonly latest?: readonly LatestDecision[];
}
