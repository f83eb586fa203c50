import type { Database } from "../database/database.ts";
import { type Fragment, runComposed, sql, verbatim } from "../database/fragment.ts";
import { hasHookFilter, hookCondition, type InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { bucketSums, equalTo, RUN_COLUMNS, slotRows, sumOf, USAGE_COLUMNS } from "./slot-rows.ts";

export interface RunSums extends Readonly<Record<(typeof RUN_COLUMNS)[number], number>> {
  readonly agent: string;
  readonly waits: readonly number[];
  readonly durations: readonly number[];
}

/** Calls of hooks with one outcome. */
export interface DecisionSums {
  readonly outcome: string;
  readonly count: number;
}

export interface HookSums extends DecisionSums {
  readonly hook: string;
  readonly kind: string;
  readonly event: string;
  readonly duration_ms: number;
  readonly durations: readonly number[];
}

export interface ModelSums extends Readonly<Record<(typeof USAGE_COLUMNS)[number], number>> {
  readonly agent: string;
  readonly model: string;
}

export interface RunnerSums {
  readonly runner: string;
  readonly busy_ms: number;
  readonly attempts: number;
}

export interface PeriodSums {
  readonly runs: readonly RunSums[];
  readonly hooks: readonly HookSums[];
  readonly agentDecisions: readonly (DecisionSums & { readonly agent: string })[];
  readonly toolDecisions: readonly (DecisionSums & { readonly tool: string })[];
  readonly models: readonly ModelSums[];
  readonly runners: readonly RunnerSums[];
}

/** The sums of a period, by what they are about. Without filters from tables that have no other keys. */
export async function readSums(
  database: Database,
  { slots }: Period,
  filters: InsightFilters,
): Promise<PeriodSums> {
  const { agent, model } = filters;
  const read = <R>(table: string, keys: string, columns: Fragment, condition = equalTo({})) =>
    runComposed<R>(
      database,
      sql`SELECT ${verbatim(keys)}, ${columns} FROM ${slotRows(table, slots, condition)} GROUP BY ${verbatim(keys)}`,
    );
  const readCalls = <R>(table: string, keys: string, columns: Fragment) =>
    read<R>(hasHookFilter(filters) ? "hook_rollups" : table, keys, columns, hookCondition(filters));
  const counts = sumOf(["count"]);
  const [runs, hooks, agentDecisions, toolDecisions, models, runners] = await Promise.all([
    read<RunSums>(
      "run_rollups",
      "agent",
      sql`${sumOf(RUN_COLUMNS)}, ${bucketSums("waits")}, ${bucketSums("durations")}`,
      equalTo({ agent }),
    ),
    readCalls<HookSums>(
      "hook_total_rollups",
      "hook, kind, event, outcome",
      sql`${sumOf(["count", "duration_ms"])}, ${bucketSums("durations")}`,
    ),
    readCalls<DecisionSums & { agent: string }>("agent_decision_rollups", "agent, outcome", counts),
    readCalls<DecisionSums & { tool: string }>("tool_decision_rollups", "tool, outcome", counts),
    read<ModelSums>("model_rollups", "agent, model", sumOf(USAGE_COLUMNS), equalTo({ agent, model })),
    read<RunnerSums>("runner_rollups", "runner", sumOf(["busy_ms", "attempts"])),
  ]);
  return { runs, hooks, agentDecisions, toolDecisions, models, runners };
}
