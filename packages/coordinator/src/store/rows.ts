import type { StoredEventRow } from "./generated/rows.ts";

export type {
  ApprovalState,
  ExecutionMode,
  HookState,
  Json,
  PinnedHook,
  PinnedHooks,
  RunKind,
} from "./column-types.ts";
export type {
  AgentRow,
  ApprovalRow,
  HookRow,
  NamedHookRow,
  RunnerRow,
  RunRow,
  SessionRow,
} from "./generated/rows.ts";

export interface EventRow extends StoredEventRow {
  /** Of its run, only where events are read for the stream. */
  readonly agent_name?: string | null;
}
