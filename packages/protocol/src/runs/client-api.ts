import { z } from "zod";
import { agentName } from "./blueprint.ts";
import { runEvent } from "./events/run-event.ts";
import { hookKey, hookResultOutcome } from "./hook-results.ts";
import { MAX_TALLIED_NAME } from "./hook-tallies.ts";
import {
  approval,
  approvalState,
  executionMode,
  type run,
  runKind,
  runState,
  runStatus,
  runSummary,
} from "./run-records.ts";
import { knownNumber, NOT_A_TIME, nextCursor, record, time } from "./shared-schemas.ts";

/** Names the run whose agent sends a request, so that the runs that it starts belong to its chain. */
export const RUN_HEADER = "Tenterhook-Run";

const sessionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, "must be 1 to 100 letters, digits or _ . : -");

/** Every error has this shape; `code` is stable, the texts are for people. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  field: z.string().optional().describe("where in the request, as `hooks.on_run_start.agent_name`"),
  hint: z.string().optional().describe("what to do about it"),
  error_id: z.string().optional().describe("of an unexpected error, to find it in the coordinator's log"),
});

export const runRequest = z.strictObject({
  agent_name: agentName,
  parameters: record.default({}),
  session_id: sessionId.optional().describe("an idle session of the same agent, or a new one"),
  parent_session_id: sessionId.optional(),
  execution_mode: executionMode
    .default("async_poll")
    .describe("sync waits for the end; async_callback resumes the parent session with the result"),
});

export const resumeRequest = z.strictObject({
  parameters: record.default({}),
  execution_mode: executionMode.default("async_poll"),
});

export const retryBody = z.strictObject({
  parameters: record.optional().describe("default: those that the run was first given"),
});

export const stopRequest = z.strictObject({ reason: z.string().max(2_000).optional() });

/** How many runs can be stopped or retried at once. */
export const MAX_AT_ONCE = 100;

const runIds = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(MAX_AT_ONCE)
  .describe("of runs; one that is named twice counts once");

export const stopRunsRequest = z.strictObject({ ids: runIds, reason: stopRequest.shape.reason });
export const retryRunsRequest = z.strictObject({ ids: runIds });

const outcome = z.strictObject({
  run_id: z.string().describe("as in the request"),
  run: runSummary.nullable().describe("the run as it is now, or the new run of a retry"),
  problem: problem.nullable().describe("why it was refused"),
});

/** What came of each run, in the order of the request. */
export const runOutcomes = z.strictObject({ outcomes: z.array(outcome) });

/** A person's decision. */
export const approvalDecision = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("approve") }),
  z.strictObject({ decision: z.literal("edit"), value: record.describe("replaces the editable field") }),
  z.strictObject({ decision: z.literal("reject"), reason: z.string().min(1).max(2_000).optional() }),
]);

/** How many at most are on one page. */
export const MAX_PER_PAGE = 200;

const paging = {
  limit: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(50),
  // Of a list by name it contains a name, which may be long.
  cursor: z.string().max(2_000).optional().describe("`next_cursor` of the page before"),
};

/** A time that the store can compare with: in a year of four digits, with an offset that exists. */
const comparable = z.iso.datetime({ offset: true, error: NOT_A_TIME }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}, "must be a time of the years 1 to 9999, with an offset of less than a day");

/** `a,b` as a list of words. */
function parseWords<T extends z.ZodType<unknown, string>>(word: T) {
  return z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(word).max(MAX_PER_PAGE))
    .describe("one or more, separated by commas");
}

export const pageQuery = z.strictObject(paging);

/** Which time of a run `from` and `to` are about. */
export const runTime = z
  .enum(["created", "started", "ended", "active"])
  .describe(
    "what `from` and `to` are about. created (default): when it was created; started: its first start; ended: its end; active: what happened in it, with `decision` or `model` that of it",
  );
export type RunTime = z.infer<typeof runTime>;

/** Several names of the longest kind, with what separates them. */
const MAX_NAMES = 4_000;
const names = z.string().max(MAX_NAMES);
const ANY_BUT = "`!a,b` for any but these; in a name, a comma has a backslash before it";

const runFilters = {
  id: parseWords(z.string().max(100)).optional(),
  status: parseWords(runStatus)
    .optional()
    .describe(
      "one or more, separated by commas: states, `blocked` for the failed runs that a hook or a person refused (they have a `block_reason`), `needs_approval` for runs for which a person has to decide something",
    ),
  kind: parseWords(runKind).optional(),
  agent: names.optional().describe(`a name; ${ANY_BUT}`),
  session: z.string().max(100).optional(),
  runner: z.string().max(100).optional().describe("what a runner is carrying out now"),
  has_hooks: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }).optional(),
  hook: hookKey
    .optional()
    .describe("runs in which a call of this hook has ended, or in which it acted on the runner"),
  hook_outcome: parseWords(hookResultOutcome)
    .optional()
    .describe("with `hook`: how the call ended, one or more, separated by commas"),
  time: runTime.optional(),
  from: comparable.optional().describe("created at this time or later; see `time`"),
  to: comparable.optional().describe("created before this time; see `time`"),
  decision: parseWords(z.string().min(1).max(MAX_TALLIED_NAME))
    .optional()
    .describe(
      "runs in which a call of a hook had one of these outcomes, as `GET /insights` counts them, separated by commas; with `hook` of that hook",
    ),
  tool: names
    .optional()
    .describe(`with \`decision\`: about this tool; \`-\` for decisions that are about no tool, ${ANY_BUT}`),
  model: names
    .min(1)
    .optional()
    .describe(
      `runs that called this model; \`*\` for any, \`-\` for one that the runner did not name, ${ANY_BUT}`,
    ),
  executed_by: names
    .min(1)
    .optional()
    .describe(`the name of a runner that executed it, now or earlier; \`*\` for any, ${ANY_BUT}`),
  search: z
    .string()
    .max(500)
    .optional()
    .describe(
      "the beginning of an id, a part of an agent's name, or words and their beginnings in parameters, results and errors",
    ),
};

export const runsQuery = z.strictObject({ ...paging, ...runFilters });

export const runCountQuery = z.strictObject(runFilters);

export const hooksInUseQuery = z.strictObject({
  ...paging,
  hook: hookKey.optional().describe("only this one"),
  from: comparable.optional().describe("results in runs that were created at this time or later"),
  to: comparable.optional().describe("results in runs that were created before this time"),
});

export const sessionsQuery = z.strictObject({
  ...paging,
  agent: z.string().max(63).optional(),
  kind: z.enum(["client", "hook"]).optional(),
  parent: z.string().max(100).optional().describe("`none` for sessions without one"),
  search: z.string().max(100).optional().describe("the beginning of an id, or a part of an agent's name"),
});

export const approvalsQuery = z.strictObject({
  ...paging,
  state: parseWords(approvalState).optional(),
  run: z.string().max(100).optional(),
  agent: z.string().max(200).optional().describe("the agent of the run"),
  hook: z.string().max(200).optional().describe("who asked, as `asked_by` of an approval"),
});

export const sessionSummary = z.strictObject({
  session_id: z.string(),
  agent_name: z.string(),
  kind: z.enum(["client", "hook"]),
  parent_session_id: z.string().nullable(),
  parent_link: z
    .enum(["hook", "chained", "callback", "client"])
    .nullable()
    .describe(
      "how it came of its parent: as a hook, after a finish hook, to call back when it has ended, or by a client",
    ),
  child_count: z.int().describe("sessions that came of it"),
  active_run_id: z.string().nullable(),
  run_count: z.int(),
  last_status: runState.nullable(),
  last_waiting_for: runSummary.shape.waiting_for.describe("what the last run waits for, if it does"),
  last_block_reason: z.string().nullable().describe("why the last run was refused, if it was"),
  created_at: time,
  updated_at: time,
});

export const sessionDetail = z.strictObject({
  ...sessionSummary.shape,
  runs: z.array(runSummary).describe("the latest, newest first"),
  children: z.array(sessionSummary).describe("the sessions that it started, the newest first"),
});

export const sessionResult = z.strictObject({
  session_id: z.string(),
  run_id: z.string(),
  status: runState,
  result_text: z.string().nullable(),
  result_data: record.nullable(),
  error: z.string().nullable(),
  finished_at: time.nullable(),
});

export const runEventsQuery = z.strictObject({
  limit: paging.limit,
  after: knownNumber.describe("the number of the last event that is known"),
});

/** How many of the latest events can be read at once. */
export const MAX_LATEST = 1_000;

export const latestEventsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_LATEST).default(200),
});

export const health = z.strictObject({ status: z.literal("ok") });

export const runsPage = z.strictObject({ runs: z.array(runSummary), ...nextCursor });
export const runCount = z.strictObject({
  count: z.int().describe("at most 1,000"),
  more: z.boolean().describe("there are more than that"),
  decisions: z.int().optional().describe("with `decision`: how many of them these runs have"),
});
export const sessionsPage = z.strictObject({ sessions: z.array(sessionSummary), ...nextCursor });
export const approvalsPage = z.strictObject({ approvals: z.array(approval), ...nextCursor });
export const runEventsPage = z.strictObject({
  events: z.array(runEvent),
  next_after: z.int().nullable().describe("for the next page; null when this was the last"),
});

export const latestEvents = z.strictObject({ events: z.array(runEvent).describe("the newest last") });

export type ProblemBody = z.infer<typeof problem>;
export type RunRequestBody = z.input<typeof runRequest>;
export type ApprovalDecisionBody = z.infer<typeof approvalDecision>;
export type SessionSummary = z.infer<typeof sessionSummary>;
export type SessionDetail = z.infer<typeof sessionDetail>;
export type SessionResult = z.infer<typeof sessionResult>;
export type RunsPage = z.infer<typeof runsPage>;
export type RunCount = z.infer<typeof runCount>;
export type SessionsPage = z.infer<typeof sessionsPage>;
export type ApprovalsPage = z.infer<typeof approvalsPage>;
export type RunEventsPage = z.infer<typeof runEventsPage>;
export type LatestEvents = z.infer<typeof latestEvents>;
export type RunOutcomes = z.infer<typeof runOutcomes>;
/** What `POST /runs` answers. */
export type StartedRun = z.infer<typeof run>;
