import type { Approval, CallUsage, HookRecord } from "@tenterhook/protocol/runs";

/** The state of a row. `unknown`: it has ended, but its end was not reported. */
export type RowState =
  | "done"
  | "in_progress"
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

/** The effect of a hook on the runner. */
export interface HookAct {
  readonly hook: string | null;
  readonly event: string;
  readonly action: string;
  readonly reason: string | undefined;
  readonly changed: readonly string[];
  readonly failed: boolean;
  /** What a hook that is not enforced would have done. */
  readonly notEnforced?: string | undefined;
}

export interface PhaseDetail {
  readonly type: "phase";
  readonly phase: PhaseName;
  readonly runnerId?: string | undefined;
  readonly attempt?: number | undefined;
  /** Why it ended, if reported. */
  reason?: string | undefined;
}

export interface StepDetail {
  readonly type: "step";
  readonly step: number;
  text: string;
  reasoning: string;
  /** What its model calls used, if reported. */
  usage?: CallUsage | undefined;
}

export interface ToolDetail {
  readonly type: "tool";
  readonly toolUseId: string;
  input: unknown;
  result?: unknown;
  reason?: string | undefined;
  readonly acts: HookAct[];
}

/** The details of a row. */
export type RowDetail =
  | PhaseDetail
  | StepDetail
  | ToolDetail
  | { readonly type: "hook"; readonly hook: HookRecord }
  | { readonly type: "approval"; readonly approval: Approval }
  | { readonly type: "act"; readonly act: HookAct }
  | { readonly type: "note"; readonly text: string };

/** A period of the run. Times are milliseconds since 1970; `to` is null while it lasts. */
export interface TimelineNode {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label, if there is room. */
  about?: string | undefined;
  from: number;
  /** When the waiting ended and the work started; the time before is drawn fainter. */
  started?: number | undefined;
  to: number | null;
  state: RowState;
  readonly detail: RowDetail;
  readonly children: TimelineNode[];
}

/** A row of the timeline. */
export interface TimelineRow extends Omit<Readonly<TimelineNode>, "children"> {
  readonly depth: number;
  readonly childCount: number;
}

/** The rows of a run in display order: children follow their parent. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  readonly from: number;
  /** The last known time. */
  readonly to: number;
  /** Whether a row is still open. */
  readonly isOpen: boolean;
}
