import type { NotBy } from "@tenterhook/protocol/internal";
import type { RunHookType } from "@tenterhook/protocol/runs";
import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type {
  ApprovalState,
  HookState,
  HookWait,
  Json,
  PinnedHook,
  RunnerHookOutcome,
  WouldHave,
} from "../src/store/column-types.ts";
import { created, id, time } from "./columns.ts";

export const runHooks = pgTable(
  "run_hooks",
  {
    id: id("id").primaryKey(),
    runId: id("run_id").notNull(),
    /** The agent of the run, and when the run was created: results are counted and found by them. */
    agentName: text("agent_name").notNull(),
    runCreatedAt: time("run_created_at").notNull(),
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
    /** What it would have done, of a hook that is not enforced. */
    wouldHave: text("would_have").$type<WouldHave>(),
    error: text("error"),
    /** The run that executes it. */
    childRunId: id("child_run_id"),
    attempt: integer("attempt").notNull().default(0),
    /** What an http hook calls: scheme, host and port, for limits. It is `""` for an agent hook. Not for display: see `targetName`. */
    target: id("target").notNull().default(""),
    /** From when on it may be claimed: later than its creation when it is retried after a pause. */
    dueAt: time("due_at").notNull().defaultNow(),
    /** How many calls of its URL have failed and are retried. */
    calls: integer("calls").notNull().default(0),
    /** Why it waits, of a pending hook; else why it waited last. */
    waiting: jsonb("waiting").$type<HookWait>(),
    /** Whether it has asked a person, also after the decision. */
    asked: boolean("asked").notNull().default(false),
    leaseToken: uuid("lease_token"),
    leaseUntil: time("lease_until"),
    /** When it fails because it takes too long: a time limit from its claim, and another one for waiting to be claimed. */
    deadlineAt: time("deadline_at"),
    createdAt: created(),
    startedAt: time("started_at"),
    finishedAt: time("finished_at"),
  },
  (table) => [
    uniqueIndex("run_hooks_once").on(table.runId, table.hookType, table.subject),
    uniqueIndex("run_hooks_by_child").on(table.childRunId),
    index("run_hooks_due").on(table.mode, table.target, table.dueAt).where(sql`state = 'pending'`),
    index("run_hooks_open").on(table.deadlineAt).where(sql`finished_at is null`),
    index("run_hooks_leased").on(table.leaseUntil).where(sql`lease_until is not null`),
    // Results are counted in these, and the runs of a result are listed in their order. A hook is entered once, when it has ended.
    index("run_hooks_named_results")
      .on(table.name, table.state, table.runCreatedAt, table.runId)
      .where(sql`finished_at is not null and name is not null`),
    index("run_hooks_inline_results")
      .on(table.agentName, table.hookType, table.state, table.runCreatedAt, table.runId)
      .where(sql`finished_at is not null and name is null`),
    // The same for those that asked a person, which have not always ended.
    index("run_hooks_named_questions")
      .on(table.name, table.runCreatedAt, table.runId)
      .where(sql`asked and name is not null`),
    index("run_hooks_inline_questions")
      .on(table.agentName, table.hookType, table.runCreatedAt, table.runId)
      .where(sql`asked and name is null`),
    // The same for what hooks that are not enforced would have done.
    index("run_hooks_named_would_have")
      .on(table.name, table.wouldHave, table.runCreatedAt, table.runId)
      .where(sql`would_have is not null and name is not null`),
    index("run_hooks_inline_would_have")
      .on(table.agentName, table.hookType, table.wouldHave, table.runCreatedAt, table.runId)
      .where(sql`would_have is not null and name is null`),
  ],
);

export const approvals = pgTable(
  "approvals",
  {
    id: id("id").primaryKey(),
    runId: id("run_id").notNull(),
    hookId: id("hook_id"),
    hookType: text("hook_type").notNull(),
    /** The hook that asked: its name or target. */
    askedBy: text("asked_by").notNull(),
    reason: text("reason").notNull(),
    /** Who may not decide. */
    notBy: text("not_by").$type<NotBy>(),
    /** The input to decide about, which an edit replaces. */
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

/** How often a hook on the runner acted in a run, as its runner reported it. Hooks that let everything pass are not reported. */
export const runnerHookResults = pgTable(
  "runner_hook_results",
  {
    runId: id("run_id").notNull(),
    hook: id("hook").notNull(),
    /** The agent's event that the hook is on. */
    event: text("event").notNull(),
    outcome: text("outcome").$type<RunnerHookOutcome>().notNull(),
    /** The agent of the run, and when the run was created. */
    agentName: text("agent_name").notNull(),
    runCreatedAt: time("run_created_at").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.hook, table.event, table.outcome] }),
    index("runner_hook_results_by_hook").on(table.hook, table.outcome, table.runCreatedAt, table.runId),
  ],
);
