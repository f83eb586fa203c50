import { z } from "zod";
import { hookTally, MAX_TALLIES } from "../hook-tallies.ts";
import { wouldHaveDone } from "../shared-schemas.ts";

import { declareEvents } from "./declaration.ts";
import type { RunnerEventType } from "./event-types.ts";

const WOULD_HAVE_DONE = wouldHaveDone.options.map((verdict) => `\`${verdict}\``).join(", ");

/** The longest name, word or reason in an event. Pieces of output are as long as a report may be. */
const MAX_REPORTED_TEXT = 10_000;

const step = z.int().min(0).describe("counted from 1");
const milliseconds = z.int().min(0);
const tokens = z.number().min(0);
const text = z.string().max(MAX_REPORTED_TEXT);
const toolInput = z
  .union([z.record(z.string(), z.unknown()), z.string()])
  .describe("the beginning of its JSON, as text, when it is long");
const call = { step, tool_use_id: text, tool_name: text };
const piece = {
  step: step.optional().describe("absent for text of no agent"),
  text: z.string(),
};

/** The events that runners report. */
export const RUNNER_EVENTS = declareEvents<RunnerEventType>()({
  step_start: { when: "The agent begins a step: one call of its model.", fields: { step } },
  step_end: {
    when: "The step and its tool calls have ended.",
    fields: {
      step,
      status: z.enum(["completed", "skipped", "failed", "stopped"]),
      usage: z
        .looseObject({ model: z.string().optional(), input_tokens: tokens, output_tokens: tokens })
        .optional()
        .describe("what its model calls used, if the model says so; subagents have steps of their own"),
    },
  },
  tool_start: { when: "A tool call begins.", fields: { ...call, tool_input: toolInput } },
  tool_end: {
    when: "A tool call has ended, or was refused.",
    fields: {
      ...call,
      status: z.enum(["completed", "skipped", "failed", "blocked"]),
      tool_input: toolInput.optional().describe("of a call that never began"),
      result: z.unknown().optional(),
      reason: text.optional().describe("why it failed or was refused"),
      duration_ms: milliseconds,
    },
  },
  hook_acted: {
    when: "A hook on the runner refused, changed or failed something, or would have if it were enforced.",
    fields: {
      event: text.describe("the agent's event that the hook is on"),
      hook: text.nullable().describe("null when the host itself decided"),
      action: text.describe("of the event table; newer runners may know more"),
      reason: text.optional(),
      changed: z.array(text).readonly().optional().describe("the fields that it changed"),
      tool_use_id: text.optional(),
      failed: z.literal(true).optional(),
      tallied: z.literal(true).optional().describe("the call is also counted in a hook_tallies event"),
      not_enforced: z
        .string()
        .regex(/^[a-z_]{1,40}$/)
        .optional()
        .describe(
          `the hook is not enforced, and would have done this: ${WOULD_HAVE_DONE}; newer runners may know more. \`changed\` is what it would have changed`,
        ),
    },
  },
  hook_tallies: {
    when: "Hooks on the runner were called so often since the last such event, whatever they answered.",
    fields: { tallies: z.array(hookTally).max(MAX_TALLIES).readonly() },
  },
  subagent: {
    when: "Something happened in a subagent.",
    fields: {
      subagent: text,
      tool_use_id: text.describe("the call that runs it"),
      event: z.looseObject({ event_type: z.string() }).describe("its event, with the fields of that type"),
    },
  },
  retry: {
    when: "A call of the model failed and is repeated after a pause.",
    fields: { step, attempt: z.int(), delay_ms: z.number(), error: text },
  },
  compacted: {
    when: "A long conversation was shortened.",
    fields: { messages_before: z.int(), messages_after: z.int() },
  },
  agent_usage: {
    when: "The agent has ended; this is what it used.",
    fields: {
      steps: z.int(),
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
      duration_ms: milliseconds,
    },
  },
  text: { when: "A piece of the agent's answer.", fields: piece },
  reasoning: { when: "A piece of the model's reasoning.", fields: piece },
  answer_buffered: {
    when: "The answer comes in one piece, because hooks may change it.",
    fields: { step, reason: text },
  },
  answer_discarded: {
    when: "The text of this step so far does not count.",
    fields: { step, reason: text },
  },
  log: {
    when: "A program, a hook or the runner printed a line.",
    fields: { source: text.optional().describe("stderr, hooks or runner"), text: z.string() },
  },
  events_dropped: {
    when: "Events did not reach the coordinator, or it refused them.",
    fields: { count: z.int(), reason: text.optional().describe("why the coordinator refused it") },
  },
});
