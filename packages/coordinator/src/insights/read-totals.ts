import type { InsightTotals } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { type Fragment, runComposed, sql, verbatim } from "../database/fragment.ts";
import { addColumns, countCalls, estimate } from "./break-down.ts";
import { hasHookFilter, hookCondition, type InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { bucketSums, equalTo, RUN_COLUMNS, slotRows, sumOf, USAGE_COLUMNS } from "./slot-rows.ts";

interface OfPeriod {
  /** 0 for the period, 1 for the one before. */
  readonly period: 0 | 1;
}

interface RunTotals extends OfPeriod, Readonly<Record<(typeof RUN_COLUMNS)[number], number>> {
  readonly waits: readonly number[];
  readonly durations: readonly number[];
}

type UsageTotals = OfPeriod & Readonly<Record<(typeof USAGE_COLUMNS)[number], number>>;

interface HookTotals extends OfPeriod {
  readonly hook_ms: number;
  readonly hook_durations: readonly number[];
}

type Totals = RunTotals & UsageTotals & HookTotals & { readonly busy_ms: number };

interface Decisions extends OfPeriod {
  readonly outcome: string;
  readonly count: number;
}

const RUN_TOTALS = sql`${sumOf(RUN_COLUMNS)}, ${bucketSums("waits")}, ${bucketSums("durations")}`;
const CALLS = sql`${sumOf(["count"])}, sum(duration_ms)::float8 AS hook_ms, ${bucketSums("durations", "hook_durations")}`;

/** The totals of a period and of the one before. Without filters from the totals of each slot; what is filtered, from tables with its keys. */
export async function readTotals(
  database: Database,
  { slots, slotsBefore }: Period,
  filters: InsightFilters,
): Promise<{ readonly current: InsightTotals; readonly previous: InsightTotals }> {
  const { agent, model } = filters;
  const ranges = [
    ...slots.map((range) => ({ ...range, period: 0 })),
    ...slotsBefore.map((range) => ({ ...range, period: 1 })),
  ];
  const read = <R>(table: string, keys: string, columns: Fragment, condition = equalTo({})) =>
    runComposed<R>(
      database,
      sql`SELECT ${verbatim(keys)}, ${columns} FROM ${slotRows(table, ranges, condition)} GROUP BY ${verbatim(keys)}`,
    );
  const all = sql`${RUN_TOTALS}, ${sumOf([...USAGE_COLUMNS, "busy_ms", "hook_ms"])}, ${bucketSums("hook_durations")}`;
  const isOfHooks = hasHookFilter(filters);
  const [totals, runs, usage, calls, decisions] = await Promise.all([
    read<Totals>("total_rollups", "period", all),
    agent === undefined
      ? undefined
      : read<RunTotals>("run_rollups", "period", RUN_TOTALS, equalTo({ agent })),
    (agent ?? model) === undefined
      ? undefined
      : read<UsageTotals>("model_rollups", "period", sumOf(USAGE_COLUMNS), equalTo({ agent, model })),
    isOfHooks
      ? read<Decisions & HookTotals>("hook_rollups", "period, outcome", CALLS, hookCondition(filters))
      : undefined,
    isOfHooks ? [] : read<Decisions>("decision_rollups", "period, outcome", sumOf(["count"])),
  ]);
  const total = (wanted: 0 | 1): InsightTotals => {
    const isWanted = ({ period }: OfPeriod) => period === wanted;
    const ofAll = totals.filter(isWanted);
    const ofRuns: readonly RunTotals[] = runs?.filter(isWanted) ?? ofAll;
    const ofCalls: readonly HookTotals[] = calls?.filter(isWanted) ?? ofAll;
    return {
      runs: addColumns(ofRuns, RUN_COLUMNS),
      time_to_start: estimate(ofRuns.map(({ waits }) => waits)),
      duration: estimate(ofRuns.map(({ durations }) => durations)),
      decisions: countCalls((calls ?? decisions).filter(isWanted)).decisions,
      hook_duration: estimate(ofCalls.map(({ hook_durations }) => hook_durations)),
      hook_ms: addColumns(ofCalls, ["hook_ms"]).hook_ms,
      usage: addColumns(usage?.filter(isWanted) ?? ofAll, USAGE_COLUMNS),
      busy_ms: addColumns(ofAll, ["busy_ms"]).busy_ms,
    };
  };
  return { current: total(0), previous: total(1) };
}
