import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  doublePrecision,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { time } from "./columns.ts";

// Sums over the events of the stream, written shortly after them: see `insights/`. A row has those of one slot, which begins at `since`
// and takes `step` minutes: 5, 15, 60, or 1440 for a day in UTC. What every page shows has tables with few keys, of which a period is read
// quickly. Those with many keys have no slots of an hour, and are read for one hook, agent or tool.

const slot = () => ({ step: smallint("step").notNull(), since: time("since").notNull() });
/** One row for each slot and what else distinguishes rows. */
const slotKey = (slotted: Readonly<Record<"step" | "since", AnyPgColumn>>, ...keys: readonly AnyPgColumn[]) =>
  primaryKey({ columns: [slotted.step, slotted.since, ...keys] });
const count = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);
/** How many durations fell into each bucket of the protocol's list. */
const histogram = (name: string) =>
  bigint(name, { mode: "number" }).array().notNull().default(sql`'{}'::bigint[]`);
const runCounts = () => ({
  created: count("created"),
  started: count("started"),
  completed: count("completed"),
  failed: count("failed"),
  stopped: count("stopped"),
});
const usage = () => ({
  calls: count("calls"),
  inputTokens: count("input_tokens"),
  outputTokens: count("output_tokens"),
  /** In the currency of the prices, by the prices when it was counted. */
  cost: doublePrecision("cost").notNull().default(0),
  /** Calls of models without a price, which `cost` lacks. */
  unpricedCalls: count("unpriced_calls"),
});

const runTimes = () => ({
  /** From a run's creation to its first start. */
  waits: histogram("waits"),
  /** From a run's first start to its end. */
  durations: histogram("durations"),
});
const decision = () => ({ outcome: text("outcome").notNull(), count: count("count") });
const hookTimes = () => ({
  durationMs: doublePrecision("duration_ms").notNull().default(0),
  durations: histogram("durations"),
});
const calledHook = () => ({
  hook: text("hook").notNull(),
  /** `named` or `inline` for a hook on runs, `runner` for one on a runner. */
  kind: text("kind").notNull(),
  event: text("event").notNull(),
});

/** All of a slot together, for a course over time and the period before. */
export const totalRollups = pgTable(
  "total_rollups",
  {
    ...slot(),
    ...runCounts(),
    ...runTimes(),
    ...usage(),
    busyMs: count("busy_ms"),
    /** Of all calls of hooks together. */
    hookMs: doublePrecision("hook_ms").notNull().default(0),
    hookDurations: histogram("hook_durations"),
  },
  (table) => [slotKey(table)],
);

/** What all hooks together decided. */
export const decisionRollups = pgTable("decision_rollups", { ...slot(), ...decision() }, (table) => [
  slotKey(table, table.outcome),
]);

/** What hooks decided for each agent. */
export const agentDecisionRollups = pgTable(
  "agent_decision_rollups",
  { ...slot(), agent: text("agent").notNull(), ...decision() },
  (table) => [slotKey(table, table.agent, table.outcome)],
);

/** What hooks decided for each tool. */
export const toolDecisionRollups = pgTable(
  "tool_decision_rollups",
  { ...slot(), tool: text("tool").notNull(), ...decision() },
  (table) => [slotKey(table, table.tool, table.outcome)],
);

/** The calls of each hook, for all agents and tools together. */
export const hookTotalRollups = pgTable(
  "hook_total_rollups",
  { ...slot(), ...calledHook(), ...decision(), ...hookTimes() },
  (table) => [slotKey(table, table.hook, table.kind, table.event, table.outcome)],
);

/** Runs by agent: `created` when they were, the others when they started and ended. */
export const runRollups = pgTable(
  "run_rollups",
  {
    ...slot(),
    agent: text("agent").notNull(),
    ...runCounts(),
    ...runTimes(),
  },
  (table) => [slotKey(table, table.agent)],
);

/** Runs that have been removed since, in the slots in which they were created, started and ended. */
export const removedRollups = pgTable(
  "removed_rollups",
  { ...slot(), agent: text("agent").notNull(), ...runCounts() },
  (table) => [slotKey(table, table.agent)],
);

/** The calls of hooks, in all detail. */
export const hookRollups = pgTable(
  "hook_rollups",
  {
    ...slot(),
    ...calledHook(),
    agent: text("agent").notNull(),
    /** `""` where the event has no tool. */
    tool: text("tool").notNull(),
    ...decision(),
    ...hookTimes(),
  },
  (table) => [
    slotKey(table, table.hook, table.kind, table.event, table.agent, table.tool, table.outcome),
    index("hook_rollups_by_hook").on(table.step, table.hook, table.since),
    index("hook_rollups_by_agent").on(table.step, table.agent, table.since),
  ],
);

/** Why hooks refused or failed: the first reasons of a slot, and the others under `""`. */
export const reasonRollups = pgTable(
  "reason_rollups",
  {
    ...slot(),
    ...calledHook(),
    agent: text("agent").notNull(),
    outcome: text("outcome").notNull(),
    reason: text("reason").notNull(),
    count: count("count"),
    /** A few runs in which that happened. */
    examples: text("examples").array().notNull().default(sql`'{}'::text[]`),
  },
  (table) => [slotKey(table, table.hook, table.kind, table.event, table.agent, table.outcome, table.reason)],
);

/** Model calls. A model that a runner did not name is `""`. */
export const modelRollups = pgTable(
  "model_rollups",
  { ...slot(), agent: text("agent").notNull(), model: text("model").notNull(), ...usage() },
  (table) => [slotKey(table, table.agent, table.model)],
);

/** How long runners executed runs, added when an attempt has ended. */
export const runnerRollups = pgTable(
  "runner_rollups",
  { ...slot(), runner: text("runner").notNull(), busyMs: count("busy_ms"), attempts: count("attempts") },
  (table) => [slotKey(table, table.runner)],
);
