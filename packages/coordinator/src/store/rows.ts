import type { RunHookDefinition, RunHookType } from "@tenterhook/protocol/runs";
import type { RunState } from "../domain/run-state.ts";

export type Json = Readonly<Record<string, unknown>>;
export type RunKind = "client" | "hook" | "chained" | "callback";
export type ExecutionMode = "sync" | "async_poll" | "async_callback";
export type PinnedHooks = { readonly [T in RunHookType]?: PinnedHook };

/** A hook as a run was created with: named ones resolved. */
export type PinnedHook = RunHookDefinition & { readonly mode: "sync" | "async"; readonly name?: string };

/** A run as it is stored. */
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
  readonly raw_result: { readonly result_text: string | null; readonly result_data: Json | null } | null;
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
  readonly unstarted_claims: number;
  readonly runner_id: string | null;
  readonly lease_token: string | null;
  readonly lease_until: string | null;
  readonly stop_requested_at: string | null;
  readonly stop_told_at: string | null;
  readonly ends_as: "completed" | "failed" | "stopped" | null;
  readonly timed_out: boolean;
  readonly reported_count: number;
  readonly deadline_at: string | null;
  readonly event_count: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export type HookState =
  | "pending"
  | "running"
  | "waiting"
  | "asking"
  | "done"
  | "failed"
  | "blocked"
  | "cancelled";

/** A hook of a run as it is stored. */
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
  readonly subject: Json;
  readonly state: "pending" | "approved" | "rejected" | "expired" | "cancelled";
  readonly decision: Json | null;
  readonly decided_by: string | null;
  readonly expires_at: string;
  readonly created_at: string;
  readonly decided_at: string | null;
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
  /** Of its run; only where events are read for the stream. */
  readonly agent_name?: string | null;
}
