import type { NotBy } from "@tenterhook/protocol/internal";
import type { Blueprint, RunHookType } from "@tenterhook/protocol/runs";
import type { FinalState, RunState } from "../domain/run-state.ts";
import type {
  ApprovalState,
  ExecutionMode,
  HookState,
  HookWait,
  Json,
  PinnedHook,
  PinnedHooks,
  RawResult,
  Requester,
  RunKind,
} from "./column-types.ts";

export type {
  ApprovalState,
  ExecutionMode,
  HookState,
  Json,
  PinnedHook,
  PinnedHooks,
  RunKind,
} from "./column-types.ts";

// Rows as statements return them. `schema/` says what each column is for; a type test compares them with it.

export interface AgentRow {
  readonly name: string;
  readonly revision: number;
  readonly blueprint: Blueprint;
  readonly etag: string;
  readonly updated_at: string;
  readonly updated_by: string | null;
}

export interface SessionRow {
  readonly id: string;
  readonly agent_name: string;
  readonly kind: "client" | "hook";
  readonly parent_session_id: string | null;
  readonly active_run_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** `events_since` is left out: only statements use it. */
export interface RunRow {
  readonly id: string;
  readonly number: number;
  readonly session_id: string;
  readonly agent_name: string;
  readonly revision: number;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly waiting_for: "hook" | "approval" | null;
  readonly execution_mode: ExecutionMode;
  readonly parameters: Json;
  readonly original_parameters: Json | null;
  readonly result_text: string | null;
  readonly result_data: Json | null;
  readonly raw_result: RawResult | null;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly block_reason: string | null;
  readonly stop_reason: string | null;
  readonly hook_id: string | null;
  readonly parent_run_id: string | null;
  readonly depth: number;
  readonly hooks: PinnedHooks;
  readonly has_hooks: boolean;
  readonly is_plain: boolean;
  readonly needs_preparation: boolean;
  readonly tags: readonly string[];
  readonly timeout_seconds: number | null;
  readonly max_attempts: number;
  readonly attempt: number;
  readonly runner_id: string | null;
  readonly lease_token: string | null;
  readonly lease_until: string | null;
  readonly unstarted_claims: number;
  readonly stop_requested_at: string | null;
  readonly stopped_by: string | null;
  readonly stop_told_at: string | null;
  readonly ends_as: FinalState | null;
  readonly timed_out: boolean;
  readonly reported_count: number;
  readonly deadline_at: string | null;
  readonly event_count: number;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly requesters: readonly Requester[];
  readonly retry_of: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface HookRow {
  readonly id: string;
  readonly run_id: string;
  readonly hook_type: RunHookType;
  readonly subject: string;
  readonly definition: PinnedHook;
  readonly name: string | null;
  readonly mode: "sync" | "async";
  readonly state: HookState;
  readonly input: Json;
  readonly output: unknown;
  readonly error: string | null;
  readonly child_run_id: string | null;
  readonly attempt: number;
  readonly target: string;
  readonly due_at: string;
  readonly calls: number;
  readonly waiting: HookWait | null;
  readonly lease_token: string | null;
  readonly lease_until: string | null;
  readonly deadline_at: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface ApprovalRow {
  readonly id: string;
  readonly run_id: string;
  readonly hook_id: string | null;
  readonly hook_type: string;
  readonly asked_by: string;
  readonly reason: string;
  readonly not_by: NotBy | null;
  readonly subject: Json;
  readonly state: ApprovalState;
  readonly decision: Json | null;
  readonly decided_by: string | null;
  readonly expires_at: string;
  readonly created_at: string;
  readonly decided_at: string | null;
}

export interface RunnerRow {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly concurrency: number;
  readonly is_draining: boolean;
  readonly info: Json;
  readonly registered_with: string | null;
  readonly registered_at: string;
  readonly seen_at: string;
  readonly gone_at: string | null;
}

export interface EventRow {
  readonly id: number;
  readonly xid: string;
  readonly run_id: string | null;
  readonly session_id: string | null;
  readonly number: number | null;
  readonly type: string;
  readonly data: Json;
  readonly created_at: string;
  /** Of its run, only where events are read for the stream. */
  readonly agent_name?: string | null;
}
