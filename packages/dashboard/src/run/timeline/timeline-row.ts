import type { Approval, HookRecord } from "@tenterhook/protocol/runs";

/** What came of something, in the words of the timeline. `unknown`: it is over, but its end was not told. */
export type Outcome =
  | "done"
  | "going_on"
  | "waiting"
  | "asking"
  | "blocked"
  | "failed"
  | "stopped"
  | "skipped"
  | "unknown";

export type PhaseName =
  | "queued"
  | "preparing"
  | "ready"
  | "claimed"
  | "running"
  | "stopping"
  | "finishing"
  | "after";

/** What a hook on the runner did. */
export interface HookAct {
  readonly hook: string | null;
  readonly event: string;
  readonly action: string;
  readonly reason: string | undefined;
  readonly changed: readonly string[];
  readonly failed: boolean;
}

export interface PhaseDetail {
  readonly type: "phase";
  readonly phase: PhaseName;
  readonly runnerId?: string | undefined;
  readonly attempt?: number | undefined;
  /** Why it ended as it did, where that was told. */
  reason?: string | undefined;
}

export interface StepDetail {
  readonly type: "step";
  readonly step: number;
  said: string;
  reasoning: string;
}

export interface ToolDetail {
  readonly type: "tool";
  readonly toolUseId: string;
  input: unknown;
  result?: unknown;
  reason?: string | undefined;
  readonly acts: HookAct[];
}

/** What the details of a row show. */
export type RowDetail =
  | PhaseDetail
  | StepDetail
  | ToolDetail
  | { readonly type: "hook"; readonly hook: HookRecord }
  | { readonly type: "approval"; readonly approval: Approval }
  | { readonly type: "act"; readonly act: HookAct }
  | { readonly type: "note"; readonly text: string };

/** Something that took time. Times are milliseconds since 1970; `to` is null while it goes on. */
export interface TimelineNode {
  readonly id: string;
  readonly label: string;
  /** Beside the label, when there is room. */
  about?: string | undefined;
  from: number;
  /** When the waiting before it was over: what comes before is drawn fainter. */
  begun?: number | undefined;
  to: number | null;
  outcome: Outcome;
  readonly detail: RowDetail;
  readonly children: TimelineNode[];
}

/** A line of the timeline. */
export interface TimelineRow extends Omit<Readonly<TimelineNode>, "children"> {
  readonly depth: number;
  readonly childCount: number;
}

/** Everything that took time in a run, those within others right behind them. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  readonly from: number;
  /** The last moment that is known. */
  readonly to: number;
  /** Whether something still goes on. */
  readonly isOpen: boolean;
}
