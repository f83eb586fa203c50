import { z } from "zod";
import { NOT_BY } from "../outcomes.ts";
import { blueprint } from "./blueprint.ts";
import { COORDINATOR_EVENT_TYPES, RUNNER_EVENT_TYPES } from "./events/event-types.ts";
import { eventDataIssues } from "./events/run-event.ts";
import { runKind, runState } from "./run-records.ts";
import { runnerName, runnerTags } from "./runner-name.ts";
import { firstNumber, knownNumber, record } from "./shared-schemas.ts";

/** Carries the lease of requests that have no body. */
export const LEASE_HEADER = "Tenterhook-Lease";

export const leaseToken = z.uuid().describe("proves that the run is still this runner's");

export const registerRequest = z.strictObject({
  runner_id: z
    .string()
    .max(100)
    .optional()
    .describe("of an earlier registration, to be the same runner again"),
  name: runnerName,
  tags: runnerTags.default([]),
  concurrency: z.int().min(1).max(1_000).default(1),
  info: record.default({}).describe("version, host, what it can do; shown to people"),
});

export const registerResponse = z.object({
  runner_id: z.string(),
  lease_seconds: z.number().describe("be silent for longer, and the runs are lost"),
  heartbeat_seconds: z.number(),
});

/** A run for a runner to execute. */
export const assignedRun = z.object({
  run_id: z.string(),
  session_id: z.string(),
  parent_session_id: z.string().nullable(),
  agent_name: z.string(),
  kind: runKind,
  attempt: z.int(),
  lease_token: leaseToken,
  parameters: record,
  blueprint,
  has_tool_hook: z.boolean().describe("ask the coordinator before every tool call"),
  withhold_text: z
    .boolean()
    .describe("a result hook checks the answer, so its text is not reported as it comes"),
});

export const assignment = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), run: assignedRun }),
  z.object({ type: z.literal("stop"), run_id: z.string(), lease_token: leaseToken }),
]);

export const heartbeatRequest = z.strictObject({
  runner_id: z.string(),
  runs: z.array(z.strictObject({ run_id: z.string(), lease_token: leaseToken })).max(1_000),
  leaving: z.literal(true).optional().describe("the runner was told to end: it is gone now, and not lost"),
});

export const heartbeatResponse = z.object({
  /** These are no longer this runner's: stop them, and report nothing. */
  lost: z.array(z.string()),
  stop: z.array(z.string()),
  is_draining: z.boolean(),
});

export const startedReport = z.strictObject({ lease_token: leaseToken });
export const completedReport = z.strictObject({
  lease_token: leaseToken,
  result_text: z.string().nullable().default(null),
  result_data: record.nullable().default(null),
});
export const failedReport = z.strictObject({
  lease_token: leaseToken,
  error: z.string(),
  error_code: z.string().max(100).optional(),
});
export const stoppedReport = z.strictObject({ lease_token: leaseToken, reason: z.string().optional() });

/** What a report made of the run. */
export const reportResponse = z.strictObject({ status: runState });

/** Events of the coordinator begin like this: they report what happened to runs, hooks, approvals, sessions and runners. */
const COORDINATOR_PREFIXES = ["run_", "hook_", "approval_", "session_", "runner_"];

/** Whether only the coordinator may record an event. A runner reports what it sees, also types that are new to this version. */
export function isCoordinatorEvent(type: string): boolean {
  if (Object.hasOwn(COORDINATOR_EVENT_TYPES, type)) return true;
  if (Object.hasOwn(RUNNER_EVENT_TYPES, type)) return false;
  return COORDINATOR_PREFIXES.some((prefix) => type.startsWith(prefix));
}

const reportedType = z
  .string()
  .regex(/^[a-z][a-z_]{0,62}$/)
  .refine((type) => !isCoordinatorEvent(type), {
    error: ({ input }) => `"${input}" is an event of the coordinator, and a runner cannot report it`,
  });

/** What is wrong with the data of an event, and with the event of a subagent in it. */
function reportedDataIssues(type: string, data: unknown): readonly z.core.$ZodIssue[] {
  const issues = eventDataIssues(type, data);
  if (type !== "subagent" || issues.length > 0) return issues;
  const { event } = data as { readonly event: { readonly event_type: string } };
  const inner = reportedType.safeParse(event.event_type).error?.issues;
  return (
    inner?.map((issue) => ({ ...issue, path: ["event_type"] })) ?? reportedDataIssues(event.event_type, event)
  ).map((issue) => ({ ...issue, path: ["event", ...issue.path] }));
}

/** Something that happened in a run. */
export const reportedEvent = z
  .strictObject({
    event_type: reportedType,
    data: record.describe("the fields of its type"),
    ms_ago: z
      .int()
      .min(0)
      .max(86_400_000)
      .default(0)
      .describe("how long before this report it happened; clocks of two machines need not agree"),
  })
  .superRefine(({ event_type, data }, context) => {
    for (const { path, message } of reportedDataIssues(event_type, data)) {
      context.addIssue({ code: "custom", path: ["data", ...path], message });
    }
  });

/** So many events fit into one report. */
export const MAX_REPORTED_EVENTS = 500;

export const eventsReport = z.strictObject({
  lease_token: leaseToken,
  first: firstNumber.describe(
    "the runner's number of the first of these; numbers begin at 1 in every attempt",
  ),
  events: z.array(reportedEvent).min(1).max(MAX_REPORTED_EVENTS),
});

/** Of a report with events that were refused: the others are stored, and an `events_dropped` event is in the place of each. */
export const eventsResponse = z.strictObject({
  refused: z.array(
    z.strictObject({
      index: z.int().describe("its place in the report, from 0"),
      detail: z.string().describe("what is wrong with it"),
    }),
  ),
});

/** What happened to an agent's conversation: messages were added, or others replaced all before. */
export const conversationEntry = z.strictObject({
  type: z.enum(["messages", "replaced"]),
  messages: z.array(record),
});

export const conversationQuery = z.strictObject({
  after: knownNumber.describe("`next_after` of the page before"),
});

/** The conversation of a run's session, as far as earlier runs have brought it. */
export const conversationPage = z.strictObject({
  entries: z.array(conversationEntry),
  next_after: z.int().nullable().describe("for the next page; null when this was the last"),
});

export const conversationReport = z.strictObject({
  lease_token: leaseToken,
  first: firstNumber.describe("the number of the first of these; numbers begin at 1 in every attempt"),
  entries: z.array(conversationEntry).min(1).max(500),
});

export const toolCallRequest = z.strictObject({
  lease_token: leaseToken,
  tool_use_id: z.string().min(1).max(200),
  tool_name: z.string(),
  tool_input: record,
});

export const toolCallResponse = z.discriminatedUnion("action", [
  z.object({ action: z.literal("continue"), tool_input: record.optional() }),
  z.object({ action: z.literal("block"), block_reason: z.string() }),
  z.object({ action: z.literal("wait") }).describe("not decided yet: ask again"),
]);

export const approvalRequest = z.strictObject({
  lease_token: leaseToken,
  key: z.string().min(1).max(200).describe("of the question, so that asking again is not asking twice"),
  hook: z.string(),
  reason: z.string(),
  not_by: z.literal(NOT_BY).optional().describe("who may not decide it"),
  subject: record,
});

export const approvalResponse = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("reject"), reason: z.string().optional() }),
  z.object({ type: z.literal("edit"), value: record }),
  z.object({ type: z.literal("wait") }).describe("not decided yet: ask again"),
]);

/** The answer may exist already, when the question has been asked before. */
export const approvalTicket = z.strictObject({ approval_id: z.string(), answer: approvalResponse });

export type RegisterRequest = z.input<typeof registerRequest>;
export type RegisterResponse = z.infer<typeof registerResponse>;
export type AssignedRun = z.infer<typeof assignedRun>;
export type Assignment = z.infer<typeof assignment>;
export type HeartbeatResponse = z.infer<typeof heartbeatResponse>;
export type ToolCallResponse = z.infer<typeof toolCallResponse>;
export type ConversationEntry = z.infer<typeof conversationEntry>;
export type ConversationPage = z.infer<typeof conversationPage>;
export type ApprovalTicket = z.infer<typeof approvalTicket>;
export type ApprovalResponse = z.infer<typeof approvalResponse>;
