import type { Blueprint, RunHookType } from "@tenterhook/protocol/runs";
import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FinalState, RunState } from "../domain/run-state.ts";
import type {
  ApprovalState,
  ExecutionMode,
  HookState,
  Json,
  PinnedHook,
  PinnedHooks,
  RawResult,
  RunKind,
} from "./column-types.ts";

/** The id of a transaction; 64 bits, which only text carries through every driver unharmed. */
const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** The id of something. By bytes and not by a language's rules: the beginning of one is a range of an index then. */
const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** The words of a text, for PostgreSQL's text search. */
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

const time = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true, mode: "string" });
const created = () => time("created_at").notNull().defaultNow();

export const agents = pgTable("agents", {
  name: text("name").primaryKey(),
  revision: integer("revision").notNull(),
  blueprint: jsonb("blueprint").$type<Blueprint>().notNull(),
  etag: text("etag").notNull(),
  updatedAt: time("updated_at").notNull().defaultNow(),
  /** The name of the person or the token that saved it; unknown for what was saved by the first versions. */
  updatedBy: text("updated_by"),
});

/** Every blueprint that a run was ever pinned to. */
export const blueprints = pgTable(
  "blueprints",
  {
    name: text("name").notNull(),
    revision: integer("revision").notNull(),
    blueprint: jsonb("blueprint").notNull(),
    createdAt: created(),
    createdBy: text("created_by"),
  },
  (table) => [primaryKey({ columns: [table.name, table.revision] })],
);

export const namedHooks = pgTable("named_hooks", {
  name: text("name").primaryKey(),
  definition: jsonb("definition").notNull(),
  etag: text("etag").notNull(),
  updatedAt: time("updated_at").notNull().defaultNow(),
  updatedBy: text("updated_by"),
});

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
    /** What the agent gets. */
    parameters: jsonb("parameters").$type<Json>().notNull(),
    /** What the client sent, kept when a hook changed it. */
    originalParameters: jsonb("original_parameters").$type<Json>(),
    resultText: text("result_text"),
    resultData: jsonb("result_data").$type<Json>(),
    /** What the runner reported, private until a result hook has answered. */
    rawResult: jsonb("raw_result").$type<RawResult>(),
    error: text("error"),
    errorCode: text("error_code"),
    blockReason: text("block_reason"),
    /** Why it was stopped; `error` is for runs that failed. */
    stopReason: text("stop_reason"),
    /** The hook that a `hook` run executes. */
    hookId: id("hook_id"),
    parentRunId: id("parent_run_id"),
    /** How many finish hooks lie between this run and a client's. */
    depth: integer("depth").notNull().default(0),
    /** The hooks of its blueprint, named ones resolved, as they were when it was created. */
    hooks: jsonb("hooks").$type<PinnedHooks>().notNull().default({}),
    hasHooks: boolean("has_hooks").notNull().default(false),
    /** Nothing but its state changes when it is completed: no hooks, no schema, and no hook or session that waits for it. */
    isPlain: boolean("is_plain").notNull().default(false),
    /** It has a start hook that has not been asked yet. */
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
    /** How it will have ended, while finish hooks are still at work. */
    endsAs: text("ends_as").$type<FinalState>(),
    timedOut: boolean("timed_out").notNull().default(false),
    /** How many events its runner has reported in this attempt. */
    reportedCount: integer("reported_count").notNull().default(0),
    deadlineAt: time("deadline_at"),
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
    /** The run that it repeats. */
    retryOf: id("retry_of"),
    startedAt: time("started_at"),
    finishedAt: time("finished_at"),
  },
  (table) => [
    // What a claim reads: only what waits, however many runs are stored, and of that only the tags that the runner has.
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
    // What runners hold, for sweeps and for stop orders; few, however many runs are stored.
    index("runs_held").on(table.runnerId).where(sql`lease_until is not null`),
    index("runs_by_time").on(table.createdAt),
    // Nearly all are completed; those are found by time. What waits and what is held has indexes above.
    index("runs_ended_otherwise").on(table.state, table.createdAt).where(sql`state in ('failed', 'stopped')`),
    index("runs_by_agent").on(table.agentName, table.createdAt),
    index("runs_by_session").on(table.sessionId, table.createdAt),
    // Nearly all are of clients.
    index("runs_of_other_kinds").on(table.kind, table.createdAt).where(sql`kind <> 'client'`),
    index("runs_with_hooks").on(table.createdAt).where(sql`has_hooks`),
    index("runs_blocked").on(table.createdAt).where(sql`block_reason is not null`),
  ],
);

/** The words by which runs are found, written shortly after the runs themselves: see `search/`. */
export const runTexts = pgTable(
  "run_texts",
  {
    runId: id("run_id").primaryKey(),
    /** Of the run. */
    createdAt: time("created_at").notNull(),
    /** The number of a `run_text_parts`. */
    part: integer("part").notNull(),
    /** Each with the number of the part before it: `7/invoice`. */
    words: tsvector("words").notNull(),
    /** The run's `event_count` when it was read, so that a slower writer does not bring old words back. */
    eventCount: integer("event_count").notNull(),
  },
  (table) => [
    // New words are collected in a list first, which every search reads to its end: a short one.
    index("run_texts_by_word").using("gin", table.words).with({ gin_pending_list_limit: 256 }),
  ],
);

/** The parts of the index of words: each has the runs of a time, up to the beginning of the next part. The oldest begins at `-infinity`. */
export const runTextParts = pgTable("run_text_parts", {
  number: integer("number").primaryKey().generatedAlwaysAsIdentity(),
  since: time("since").notNull().unique(),
  /** How many runs were added to it. */
  runs: integer("runs").notNull().default(0),
});

/**
 * The conversations of sessions, for the runners that continue them. What a run adds counts when the run has
 * ended: one that was lost is perhaps tried again, and must not find its own half in the conversation.
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

export const runHooks = pgTable(
  "run_hooks",
  {
    id: id("id").primaryKey(),
    runId: id("run_id").notNull(),
    hookType: text("hook_type").$type<RunHookType>().notNull(),
    /** `""`, or the tool call that it is about: there is one row for each. */
    subject: text("subject").notNull().default(""),
    definition: jsonb("definition").$type<PinnedHook>().notNull(),
    /** The named definition that it came from. */
    name: text("name"),
    mode: text("mode").$type<"sync" | "async">().notNull(),
    state: text("state").$type<HookState>().notNull(),
    input: jsonb("input").$type<Json>().notNull(),
    output: jsonb("output"),
    error: text("error"),
    /** The run that carries it out. */
    childRunId: id("child_run_id"),
    attempt: integer("attempt").notNull().default(0),
    leaseToken: uuid("lease_token"),
    leaseUntil: time("lease_until"),
    /** When it has failed for taking too long; counted from its claim, with a bound on waiting for one. */
    deadlineAt: time("deadline_at"),
    createdAt: created(),
    startedAt: time("started_at"),
    finishedAt: time("finished_at"),
  },
  (table) => [
    uniqueIndex("run_hooks_once").on(table.runId, table.hookType, table.subject),
    uniqueIndex("run_hooks_by_child").on(table.childRunId),
    index("run_hooks_due").on(table.createdAt).where(sql`state = 'pending'`),
    index("run_hooks_open").on(table.deadlineAt).where(sql`finished_at is null`),
    index("run_hooks_leased").on(table.leaseUntil).where(sql`lease_until is not null`),
    index("run_hooks_by_name").on(table.name, table.createdAt).where(sql`name is not null`),
  ],
);

export const approvals = pgTable(
  "approvals",
  {
    id: id("id").primaryKey(),
    runId: id("run_id").notNull(),
    hookId: id("hook_id"),
    hookType: text("hook_type").notNull(),
    /** Who asked: the hook's name or target. */
    askedBy: text("asked_by").notNull(),
    reason: text("reason").notNull(),
    /** What is to be decided about, and what an edit replaces. */
    subject: jsonb("subject").$type<Json>().notNull(),
    state: text("state").$type<ApprovalState>().notNull(),
    decision: jsonb("decision").$type<Json>(),
    decidedBy: text("decided_by"),
    expiresAt: time("expires_at").notNull(),
    createdAt: created(),
    decidedAt: time("decided_at"),
  },
  (table) => [
    index("approvals_by_state").on(table.state, table.createdAt),
    index("approvals_by_run").on(table.runId),
    index("approvals_by_time").on(table.createdAt),
  ],
);

/** The stream. Ids commit out of order, so readers go by the transaction first: see `events/`. */
export const events = pgTable(
  "events",
  {
    id: bigserial("id", { mode: "number" }).notNull(),
    xid: xid8("xid").notNull().default(sql`pg_current_xact_id()`),
    runId: id("run_id"),
    sessionId: id("session_id"),
    /** Counts the events of a run from 1, without gaps. */
    number: integer("number"),
    type: text("type").notNull(),
    data: jsonb("data").$type<Json>().notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.xid, table.id] }),
    uniqueIndex("events_of_run").on(table.runId, table.number),
    // In the stream's order. With the run, so that the events of one run are found without reading those of the others.
    index("events_of_session").on(table.sessionId, table.xid, table.id, sql`coalesce(run_id, '')`),
  ],
);

export const runners = pgTable("runners", {
  id: id("id").primaryKey(),
  name: text("name").notNull(),
  tags: text("tags").array().notNull().default(sql`'{}'::text[]`),
  concurrency: integer("concurrency").notNull(),
  isDraining: boolean("is_draining").notNull().default(false),
  info: jsonb("info").$type<Json>().notNull().default({}),
  /** The token that registered it, and with which it acts. */
  registeredWith: text("registered_with"),
  registeredAt: time("registered_at").notNull().defaultNow(),
  seenAt: time("seen_at").notNull().defaultNow(),
  goneAt: time("gone_at"),
});

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    key: text("key").primaryKey(),
    requestHash: text("request_hash").notNull(),
    runId: id("run_id").notNull(),
    createdAt: created(),
  },
  (table) => [
    index("idempotency_keys_by_time").on(table.createdAt),
    index("idempotency_keys_by_run").on(table.runId),
  ],
);

export const tokens = pgTable("tokens", {
  id: id("id").primaryKey(),
  /** `token`, `session` for the cookie of a person who signed in, or `code` for a link that signs in once. */
  kind: text("kind").notNull().default("token"),
  name: text("name").notNull(),
  scope: text("scope").notNull(),
  /** The token that it was made with, and whose end is its own. */
  madeWith: text("made_with"),
  /** Of a runner's token: the only name that a runner may register with it. */
  runnerName: text("runner_name"),
  /** Of a runner's token: the only tags that a runner may register with it. */
  runnerTags: text("runner_tags").array(),
  hash: text("hash").notNull().unique(),
  createdAt: created(),
  expiresAt: time("expires_at"),
  usedAt: time("used_at"),
  revokedAt: time("revoked_at"),
});

/** What the coordinators of one store agree on, such as the key that signs webhooks. */
export const settings = pgTable("settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
  version: bigint("version", { mode: "number" }).notNull().default(1),
});
