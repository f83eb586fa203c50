import type { Approval, HookRecord, RunDetail, RunEvent } from "@tenterhook/protocol/runs";

const BEGIN = Date.parse("2026-11-15T10:00:00.000Z");

/** The time of an offset in milliseconds after the run was created. */
export function moment(ms: number): string {
  return new Date(BEGIN + ms).toISOString();
}

export function since(time: number): number {
  return time - BEGIN;
}

/** `[type, milliseconds, fields]`. */
export type EventSpec = readonly [string, number, object?];

/** Events in order. */
export function eventsOf(...specs: readonly EventSpec[]): RunEvent[] {
  return specs.map(([event_type, ms, fields = {}], index) => ({
    id: `1-${index}`,
    event_type,
    session_id: "ses_1",
    run_id: "run_1",
    number: index + 1,
    timestamp: moment(ms),
    ...fields,
  }));
}

export function detailOf(fields: Partial<RunDetail> = {}): RunDetail {
  return {
    run_id: "run_1",
    session_id: "ses_1",
    agent_name: "worker",
    revision: 1,
    kind: "client",
    status: "running",
    waiting_for: null,
    execution_mode: "async_poll",
    error: null,
    error_code: null,
    block_reason: null,
    stop_reason: null,
    stopped_by: null,
    stop_requested_at: null,
    has_hooks: false,
    attempt: 1,
    max_attempts: 1,
    runner_id: "runner_1",
    parent_run_id: null,
    retry_of: null,
    created_by: null,
    trial: false,
    created_at: moment(0),
    started_at: null,
    finished_at: null,
    input_line: null,
    result_line: null,
    usage: null,
    parameters: {},
    original_parameters: null,
    result_text: null,
    result_data: null,
    hooks: [],
    approvals: [],
    child_runs: [],
    event_count: 0,
    waiting: null,
    ...fields,
  };
}

export function hookOf(
  fields: Partial<HookRecord> & { readonly hook_type: HookRecord["hook_type"] },
): HookRecord {
  return {
    hook_id: `hook_${fields.hook_type}`,
    name: null,
    target_type: "agent",
    target_name: "judge",
    mode: "sync",
    on_error: "block",
    enforce: true,
    state: "done",
    tool_use_id: null,
    input: {},
    output: null,
    error: null,
    child_run_id: "run_2",
    waiting: null,
    attempt: 1,
    timeout_seconds: 300,
    created_at: moment(0),
    started_at: null,
    finished_at: null,
    duration_ms: null,
    ...fields,
  };
}

export function approvalOf(fields: Partial<Approval> = {}): Approval {
  return {
    approval_id: "apr_1",
    run_id: "run_1",
    agent_name: "worker",
    hook_id: null,
    hook_type: "on_run_start",
    asked_by: "four-eyes",
    reason: "production",
    subject: {},
    editable: "parameters",
    not_by: null,
    requested_by: ["ana"],
    barred: null,
    state: "pending",
    decision: null,
    decided_by: null,
    created_at: moment(0),
    expires_at: moment(60_000),
    decided_at: null,
    ...fields,
  };
}
