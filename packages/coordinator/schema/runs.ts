import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { FinalState, RunState } from "../src/domain/run-state.ts";
import type {
  ExecutionMode,
  Json,
  ModelUsage,
  PinnedHooks,
  RawResult,
  Requester,
  RunKind,
} from "../src/store/column-types.ts";
import { created, id, time, xid8 } from "./columns.ts";

// Indexes for lists are ascending and are read backwards. An index that is declared `desc` has nulls last, which is not the
// order of `order by … desc`, and it grows at its left end, where a page that is split stays half empty. Ids are not in them:
// rows of the same microsecond are few, and sorted as they are read.
export const sessions = pgTable(
  "sessions",
  {
    id: id("id").primaryKey(),
    agentName: text("agent_name").notNull(),
    /** `client`, or `hook` for the sessions of hook agents. */
    kind: text("kind").$type<"client" | "hook">().notNull(),
    parentSessionId: id("parent_session_id"),
    /** The one run that may be active. */
    activeRunId: id("active_run_id"),
    createdAt: created(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("sessions_by_time").on(table.createdAt),
    index("sessions_by_agent").on(table.agentName, table.createdAt),
    index("sessions_of_hooks").on(table.createdAt).where(sql`kind = 'hook'`),
    index("sessions_by_parent")
      .on(table.parentSessionId, table.createdAt)
      .where(sql`parent_session_id is not null`),
  ],
);

export const runs = pgTable(
  "runs",
  {
    id: id("id").primaryKey(),
    /** Runs are claimed in this order. */
    number: bigserial("number", { mode: "number" }).notNull(),
    sessionId: id("session_id").notNull(),
    agentName: text("agent_name").notNull(),
    revision: integer("revision").notNull(),
    /** `client`, `hook` (executes a hook, has no hooks itself), `chained` (started by a finish hook) or `callback`. */
    kind: text("kind").$type<RunKind>().notNull(),
    state: text("state").$type<RunState>().notNull(),
    /** `hook` or `approval`, while preparing or finishing. */
    waitingFor: text("waiting_for").$type<"hook" | "approval">(),
    executionMode: text("execution_mode").$type<ExecutionMode>().notNull(),
    /** The agent's input. */
    parameters: jsonb("parameters").$type<Json>().notNull(),
    /** The client's own parameters, when a hook changed them. */
    originalParameters: jsonb("original_parameters").$type<Json>(),
    resultText: text("result_text"),
    resultData: jsonb("result_data").$type<Json>(),
    /** The result that the runner reported, hidden until a result hook has answered. */
    rawResult: jsonb("raw_result").$type<RawResult>(),
    error: text("error"),
    errorCode: text("error_code"),
    blockReason: text("block_reason"),
    /** Why it was stopped; `error` is for runs that failed. */
    stopReason: text("stop_reason"),
    /** The hook that a `hook` run executes. */
    hookId: id("hook_id"),
    parentRunId: id("parent_run_id"),
    /** The number of links between this run and a client's: finish hooks, and what agents in their chain started or resumed. */
    depth: integer("depth").notNull().default(0),
    /** The hooks of its blueprint, named ones resolved, as they were when it was created. */
    hooks: jsonb("hooks").$type<PinnedHooks>().notNull().default({}),
    hasHooks: boolean("has_hooks").notNull().default(false),
    /** Nothing but its state changes when it is completed: no hooks, no schema, and no hook or session that waits for it. */
    isPlain: boolean("is_plain").notNull().default(false),
    /** It has a start hook that has not been called yet. */
    needsPreparation: boolean("needs_preparation").notNull().default(false),
    tags: text("tags").array().notNull().default(sql`'{}'::text[]`),
    timeoutSeconds: integer("timeout_seconds"),
    maxAttempts: integer("max_attempts").notNull().default(1),
    attempt: integer("attempt").notNull().default(0),
    runnerId: id("runner_id"),
    leaseToken: uuid("lease_token"),
    leaseUntil: time("lease_until"),
    /** How many claims ended without a start, with their lease or with the run's timeout. */
    unstartedClaims: integer("unstarted_claims").notNull().default(0),
    stopRequestedAt: time("stop_requested_at"),
    /** The name of the person or the token that requested the stop. */
    stoppedBy: text("stopped_by"),
    /** When the runner was given the order to stop. */
    stopToldAt: time("stop_told_at"),
    /** The final state that it will have, while its end hooks run. */
    endsAs: text("ends_as").$type<FinalState>(),
    timedOut: boolean("timed_out").notNull().default(false),
    /** How many events its runner has reported in this attempt. */
    reportedCount: integer("reported_count").notNull().default(0),
    deadlineAt: time("deadline_at"),
    /** The tokens of its model calls, by model. Null when none were reported, and for runs of earlier versions. */
    usage: jsonb("usage").$type<readonly ModelUsage[]>(),
    /** The number of the run's latest event. */
    eventCount: integer("event_count").notNull().default(0),
    /**
     * No event of the run has a smaller xid: every transaction before this one had ended when the run was created. Unknown for
     * runs of the first version.
     */
    eventsSince: xid8("events_since"),
    createdAt: created(),
    /** The name of the person or the token that started it; null for runs that hooks or callbacks start. */
    createdBy: text("created_by"),
    /**
     * Those who requested it: with a retry, a chained run, a callback or a session that is continued also those of the run before.
     * Empty for runs of earlier versions, and for those that the coordinator's own process started.
     */
    requesters: jsonb("requesters").$type<readonly Requester[]>().notNull().default([]),
    /** The run that it repeats. */
    retryOf: id("retry_of"),
    startedAt: time("started_at"),
    finishedAt: time("finished_at"),
  },
  (table) => [
    // For claims: only waiting runs, however many are stored, and of those only the tags that the runner has.
    index("runs_claimable")
      .on(table.tags, table.number)
      .where(sql`state in ('pending', 'ready') and kind in ('client', 'chained')`),
    index("hook_runs_claimable")
      .on(table.tags, table.number)
      .where(sql`state in ('pending', 'ready') and kind = 'hook'`),
    // By session, so that one busy session is one step, however many callbacks wait for it.
    index("callbacks_claimable")
      .on(table.sessionId, table.tags, table.number)
      .where(sql`state in ('pending', 'ready') and kind = 'callback'`),
    // Leased runs, for sweeps and for stop orders; few, however many runs are stored.
    index("runs_held").on(table.runnerId).where(sql`lease_until is not null`),
    index("runs_by_time").on(table.createdAt),
    // Nearly all are completed; those are found by time. Waiting and leased runs have the indexes above.
    index("runs_ended_otherwise").on(table.state, table.createdAt).where(sql`state in ('failed', 'stopped')`),
    index("runs_by_agent").on(table.agentName, table.createdAt),
    index("runs_by_session").on(table.sessionId, table.createdAt),
    // Nearly all are of clients.
    index("runs_of_other_kinds").on(table.kind, table.createdAt).where(sql`kind <> 'client'`),
    index("runs_with_hooks").on(table.createdAt).where(sql`has_hooks`),
    index("runs_blocked").on(table.createdAt).where(sql`block_reason is not null`),
  ],
);

/**
 * The conversations of sessions, for the runners that continue them. The entries of a run are valid when the run has
 * ended: a lost run may be tried again, and must not find its own entries in the conversation.
 */
export const conversationEntries = pgTable(
  "conversation_entries",
  {
    id: bigserial("id", { mode: "number" }).notNull(),
    sessionId: id("session_id").notNull(),
    runId: id("run_id").notNull(),
    attempt: integer("attempt").notNull(),
    /** Counts the entries of an attempt, so that reports may be repeated. */
    number: integer("number").notNull(),
    entry: jsonb("entry").notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.attempt, table.number] }),
    index("conversation_by_session").on(table.sessionId, table.id),
  ],
);
