import { z } from "zod";
import { NOT_BY } from "../../outcomes.ts";
import { RUN_HOOK_TYPES } from "../blueprint.ts";
import { executionMode, hookWaitReason, runKind } from "../run-records.ts";
import { wouldHaveDone } from "../shared-schemas.ts";
import { declareEvents } from "./declaration.ts";
import type { CoordinatorEventType } from "./event-types.ts";

const milliseconds = z.int().min(0);

const by = z.string().optional().describe("the name of the person or token that did it");

const end = {
  error: z.string().optional(),
  error_code: z.string().optional(),
  block_reason: z.string().optional().describe("why a hook or a person refused it"),
  stop_reason: z.string().optional(),
  by: z.string().optional().describe("the name of the person or token that requested a stop"),
};

const hook = {
  hook_id: z.string(),
  hook_type: z.enum(RUN_HOOK_TYPES),
  hook_name: z.string().optional().describe("of the named definition that it came from"),
  target_type: z.enum(["agent", "http"]),
  target_name: z.string().describe("the agent, or the host of the address"),
  child_run_id: z.string().optional().describe("the run that executes it"),
};

const tallied = z
  .literal(true)
  .optional()
  .describe("a person has decided; the call is counted by its approval_requested event");

const failedHook = {
  ...hook,
  // A hook that is set aside has a definition that may be unreadable.
  target_type: hook.target_type.optional(),
  target_name: hook.target_name.optional(),
  duration_ms: milliseconds.optional(),
  error: z.string(),
  on_error_behavior: z.enum(["block", "continue"]).optional(),
};

/** The events that the coordinator records itself. */
export const COORDINATOR_EVENTS = declareEvents<CoordinatorEventType>()({
  run_created: {
    when: "A run was created and waits for a runner.",
    fields: {
      agent_name: z.string(),
      kind: runKind,
      execution_mode: executionMode.optional(),
      parent_session_id: z.string().nullable().optional(),
      parent_run_id: z.string().nullable(),
      retry_of: z.string().optional().describe("the run that it repeats"),
      by,
      trial: z.literal(true).optional().describe("a person tries the hook that its agent serves"),
    },
  },
  run_preparing: { when: "Its on_run_start hook is asked first.", fields: {} },
  run_ready: {
    when: "Its on_run_start hook let it proceed; it waits for a runner.",
    fields: { parameters_changed: z.boolean() },
  },
  run_claimed: {
    when: "A runner got the run.",
    fields: { runner_id: z.string(), attempt: z.int() },
  },
  run_started: {
    when: "The runner began to execute it.",
    fields: { runner_id: z.string() },
  },
  run_released: {
    when: "The runner never began; the run waits for a runner again.",
    fields: { reason: z.string() },
  },
  run_retried: {
    when: "Its runner was lost; the run waits for another attempt.",
    fields: { reason: z.string(), attempt: z.int(), max_attempts: z.int() },
  },
  run_stopping: {
    when: "A stop was requested; the runner is ordered to end it.",
    fields: { reason: z.string(), by },
  },
  run_finishing: {
    when: "The runner has finished; hooks check the result or are waited for.",
    fields: { status: z.enum(["completed", "failed", "stopped"]).optional().describe("how it will end") },
  },
  run_completed: { when: "It ended with a result.", fields: end },
  run_failed: { when: "It failed, or a hook refused it.", fields: end },
  run_stopped: { when: "It was stopped.", fields: end },
  session_deleted: {
    when: "An administrator deleted the session with everything in it.",
    fields: { by },
  },
  hook_waiting: {
    when: "A hook of the run waits to be called: for its next attempt, or for a free slot.",
    fields: {
      ...hook,
      reason: hookWaitReason,
      detail: z.string(),
      until: z.string().optional().describe("when a pause ends"),
    },
  },
  hook_start: { when: "A hook of the run was called.", fields: hook },
  hook_complete: {
    when: "The hook answered.",
    fields: {
      ...hook,
      duration_ms: milliseconds.optional(),
      action: z.enum(["continue", "block"]).optional().describe("of a hook that decides"),
      changed: z.literal(true).optional().describe("it changed what it was asked about"),
      not_enforced: wouldHaveDone.optional().describe("the hook is not enforced, and would have done this"),
      reason: z.string().optional().describe("of a hook that is not enforced"),
      tallied,
    },
  },
  hook_blocked: {
    when: "The hook, or the person it asked, refused.",
    fields: { ...hook, duration_ms: milliseconds.optional(), block_reason: z.string(), tallied },
  },
  hook_failed: {
    when: "The hook gave no usable answer; its on_error decides.",
    fields: failedHook,
  },
  hook_timeout: {
    when: "The hook did not answer in time; hook_failed follows.",
    fields: failedHook,
  },
  hook_trial: {
    when: "A person tried a hook, with an input of their own or of a past run. The event belongs to no run.",
    fields: {
      trial_id: z.string(),
      hook_type: z.enum(RUN_HOOK_TYPES),
      hook_name: z.string().optional().describe("of a named hook"),
      agent_name: z.string().optional().describe("the agent whose hook was tried"),
      target_type: z.enum(["agent", "http"]),
      target_name: z.string(),
      child_run_id: z.string().optional().describe("the run of the hook's agent"),
      outcome: z
        .enum(["proceed", "block", "ask", "failed", "abandoned"])
        .describe("abandoned: the client went away"),
      reason: z.string().optional(),
      error: z.string().optional(),
      duration_ms: milliseconds,
      by: z.string().describe("the name of the token or person"),
    },
  },
  approval_requested: {
    when: "A person is asked.",
    fields: {
      approval_id: z.string(),
      reason: z.string(),
      hook_type: z.enum(RUN_HOOK_TYPES).optional().describe("of the run's hook that asks"),
      hook: z.string().optional().describe("the hook on the runner that asks"),
      hook_name: hook.hook_name,
      target_name: hook.target_name.optional(),
      duration_ms: milliseconds.optional().describe("how long the call took in which the run's hook asked"),
      not_by: z.literal(NOT_BY).optional().describe("who may not decide"),
    },
  },
  approval_decided: {
    when: "A person decided, the question expired, or its run ended.",
    fields: {
      approval_id: z.string(),
      decision: z.enum(["approve", "edit", "reject", "expire", "cancel"]),
      by,
      decided_by: z.string().optional().describe("the same as `by`"),
      reason: z.string().optional().describe("why it was cancelled"),
    },
  },
  agent_saved: {
    when: "A blueprint was saved as an agent's next revision. It belongs to no run.",
    fields: { agent_name: z.string(), revision: z.int(), by },
  },
  agent_deleted: {
    when: "An agent was deleted. It belongs to no run.",
    fields: { agent_name: z.string(), by },
  },
  named_hook_saved: {
    when: "A hook was saved under a name, as its next revision. It belongs to no run.",
    fields: { hook_name: z.string(), revision: z.int().optional(), by },
  },
  named_hook_deleted: {
    when: "A named hook was deleted. It belongs to no run.",
    fields: { hook_name: z.string(), by },
  },
  runner_drained: {
    when: "A runner gets no more runs, until it is undrained. It belongs to no run.",
    fields: { runner_id: z.string(), runner_name: z.string(), by },
  },
  runner_undrained: {
    when: "A runner that was drained gets runs again. It belongs to no run.",
    fields: { runner_id: z.string(), runner_name: z.string(), by },
  },
});
