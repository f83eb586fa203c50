import { z } from "zod";
import { NOT_BY } from "../outcomes.ts";
import { approvalBar } from "./approval-bar.ts";
import { RUN_HOOK_TYPES } from "./blueprint.ts";
import { record, time } from "./shared-schemas.ts";

/** The life of a run, in order; the last three are final. */
export const runState = z.enum([
  "pending",
  "preparing",
  "ready",
  "claimed",
  "running",
  "stopping",
  "finishing",
  "completed",
  "failed",
  "stopped",
]);

/** What lists of runs are filtered by: the states, and two conditions that people look for. */
export const runStatus = z.enum([...runState.options, "blocked", "needs_approval"]);
export type RunStatus = z.infer<typeof runStatus>;

export const executionMode = z.enum(["sync", "async_poll", "async_callback"]);
export const runKind = z
  .enum(["client", "hook", "chained", "callback"])
  .describe(
    "who started it: a client, a hook that waits for it, a finish hook, or the end of an async_callback run",
  );

/** What model calls used, all of one model together. */
export const modelUsage = z.strictObject({
  model: z.string().nullable().describe("null when it was not reported"),
  input_tokens: z.number(),
  output_tokens: z.number(),
});

/** Where a search found a run. */
export const foundText = z.strictObject({
  field: z.enum([
    "error",
    "block_reason",
    "stop_reason",
    "parameters",
    "original_parameters",
    "result_text",
    "result_data",
  ]),
  parts: z
    .array(z.strictObject({ text: z.string(), is_match: z.boolean() }))
    .describe(
      "a passage of the text on one line, about 200 characters, in parts: those that were searched for, and those between them",
    ),
});

const summary = {
  run_id: z.string(),
  session_id: z.string(),
  agent_name: z.string(),
  revision: z.int().describe("of the blueprint that it was created with"),
  kind: runKind,
  status: runState,
  waiting_for: z
    .enum(["hook", "approval"])
    .nullable()
    .describe("hook: it continues when a hook has answered; approval: when a person has decided"),
  hook_waiting: z
    .string()
    .nullable()
    .optional()
    .describe("why a hook of it is not called yet; in lists only, a run's own page has it with each hook"),
  execution_mode: executionMode,
  error: z.string().nullable().describe("null unless it failed"),
  error_code: z.string().nullable(),
  stop_reason: z.string().nullable().describe("why it was stopped"),
  stopped_by: z.string().nullable().describe("the name of the person or token that stopped it"),
  stop_requested_at: time.nullable(),
  block_reason: z
    .string()
    .nullable()
    .describe("why a hook, or a person, did not let it happen; a run that failed with it is blocked"),
  has_hooks: z.boolean(),
  attempt: z.int(),
  max_attempts: z.int(),
  runner_id: z.string().nullable(),
  parent_run_id: z.string().nullable(),
  retry_of: z.string().nullable().describe("the run that it repeats"),
  trial: z.boolean().describe("a run of a hook's agent that a person started to try the hook"),
  created_at: time,
  created_by: z
    .string()
    .nullable()
    .describe("the name of the person or token that started or retried it; null for runs that hooks start"),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  input_line: z
    .string()
    .nullable()
    .describe(
      "the first line of its message or prompt, or of its only parameter, at most 200 characters; otherwise the beginning of its parameters as JSON. Null without parameters, and when they are very large",
    ),
  result_line: z
    .string()
    .nullable()
    .describe("the first line of its result, at most 200 characters, or the beginning of the result's data"),
  usage: z
    .array(modelUsage)
    .nullable()
    .describe(
      "the tokens of its model calls so far, by model, with its subagents; null when none were reported",
    ),
  found: foundText
    .nullable()
    .optional()
    .describe(
      "the passage that a search by words found; only in a list with `search`, null when the id or the agent's name was found",
    ),
};

/** A run as lists show it. */
export const runSummary = z.strictObject(summary);

/** A run with what went in and what came out. */
export const run = z.strictObject({
  ...summary,
  parameters: record.describe("what the agent gets"),
  original_parameters: record.nullable().describe("what the client sent, when a hook or a person changed it"),
  result_text: z.string().nullable(),
  result_data: record.nullable(),
});

export const hookState = z.enum([
  "pending",
  "running",
  "waiting",
  "asking",
  "done",
  "failed",
  "blocked",
  "cancelled",
]);

/** Why a hook that is due to be called is not called yet. */
export const hookWaitReason = z
  .enum(["retry", "target_limit", "call_limit"])
  .describe(
    "retry: a pause after a call that failed; target_limit: as many calls of its host are active as there may be; call_limit: as many calls of the coordinator are",
  );

/** A hook of a run: what it was given, what it answered, how long it took. */
export const hookRecord = z.strictObject({
  hook_id: z.string(),
  hook_type: z.enum(RUN_HOOK_TYPES),
  name: z.string().nullable().describe("of the named definition that it came from"),
  target_type: z.enum(["agent", "http"]),
  target_name: z.string(),
  mode: z.enum(["sync", "async"]),
  on_error: z.enum(["block", "continue"]),
  enforce: z.boolean().describe("false: its output is what it would have done, and had no effect"),
  state: hookState,
  tool_use_id: z.string().nullable().describe("the tool call that it is about"),
  input: record.describe("of a result hook without the result, which is hidden until the hook checked it"),
  output: z.unknown(),
  error: z.string().nullable(),
  child_run_id: z.string().nullable().describe("the run that carries it out"),
  attempt: z.int(),
  waiting: z
    .strictObject({
      reason: hookWaitReason,
      detail: z.string(),
      until: time.nullable().describe("when a pause ends"),
    })
    .nullable()
    .describe("why it is not called yet; null when it was, or is about to be"),
  timeout_seconds: z.int().nullable().describe("null for none"),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  duration_ms: z.int().nullable(),
});

export const approvalState = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);

/** A question to a person. */
export const approval = z.strictObject({
  approval_id: z.string(),
  run_id: z.string(),
  agent_name: z.string().nullable(),
  hook_id: z.string().nullable(),
  hook_type: z.string(),
  asked_by: z.string(),
  reason: z.string(),
  subject: record.describe("what is to be decided about"),
  editable: z.string().nullable().describe("the field of the subject that an edit replaces"),
  not_by: z
    .literal(NOT_BY)
    .nullable()
    .describe("who may not decide it; null: every token with the permission may"),
  requested_by: z.array(z.string()).describe("the names of the tokens and people that requested the run"),
  barred: approvalBar
    .nullable()
    .describe(
      "why your token may not decide it, whatever its scope: see `not_by`; null when that does not bar it",
    ),
  state: approvalState,
  decision: record.nullable(),
  decided_by: z.string().nullable().describe("the name of the person or token that decided it"),
  created_at: time,
  expires_at: time,
  decided_at: time.nullable(),
});

/** Why a run is in the queue. */
export const waiting = z.strictObject({
  reason: z
    .enum(["no_runner", "no_runner_with_tags", "session_busy", "slots_busy", "position"])
    .describe("what must change before a runner gets it; position: a slot is free, and its turn comes"),
  detail: z.string().describe("the same in words"),
  position: z
    .int()
    .min(1)
    .describe("in the queue of the runners that can execute it; counting stops at 1,000"),
  more: z.boolean().describe("whether counting stopped, and its position is higher"),
  tags: z.array(z.string()).describe("the tags that its runner must have"),
  run_id: z.string().describe("the run in the queue: itself, or the run of the hook that it waits for"),
});

/** Everything about one run but its events. */
export const runDetail = z.strictObject({
  ...run.shape,
  hooks: z.array(hookRecord),
  approvals: z.array(approval),
  child_runs: z.array(runSummary).describe("runs that its hooks started"),
  event_count: z.int(),
  waiting: waiting.nullable().describe("why it waits for a runner; null when it does not"),
});

export type RunSummary = z.infer<typeof runSummary>;
export type ModelUsage = z.infer<typeof modelUsage>;
export type FoundText = z.infer<typeof foundText>;
export type Run = z.infer<typeof run>;
export type HookRecord = z.infer<typeof hookRecord>;
export type Approval = z.infer<typeof approval>;
export type Waiting = z.infer<typeof waiting>;
export type RunDetail = z.infer<typeof runDetail>;
