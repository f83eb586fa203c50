import { BUCKET_LIMITS_MS, estimateQuantile, type Insights } from "@tenterhook/protocol/runs";
import type { DecisionSums, PeriodSums } from "./read-sums.ts";
import { RUN_COLUMNS, USAGE_COLUMNS } from "./slot-rows.ts";

/** The most rows of a list. */
const MAX_ROWS = 200;

type Lists = "agents" | "hooks" | "decisions_by_agent" | "decisions_by_tool" | "models" | "runners";

/** The lists of a period, the largest first. */
export function breakDown(sums: PeriodSums): Pick<Insights, Lists> {
  return {
    agents: sums.runs
      .toSorted((a, b) => b.created - a.created || compareNames(a.agent, b.agent))
      .slice(0, MAX_ROWS)
      .map((row) => ({
        agent: row.agent,
        runs: addColumns([row], RUN_COLUMNS),
        time_to_start: estimate([row.waits]),
        duration: estimate([row.durations]),
        duration_ms: estimateSum(row.durations),
      })),
    hooks: group(sums.hooks, ({ hook, kind, event }) => [hook, kind, event]).map(
      ([{ hook, kind, event }, rows]) => ({
        ...{ hook, kind, event, ...countCalls(rows) },
        duration: estimate(rows.map(({ durations }) => durations)),
        duration_ms: addColumns(rows, ["duration_ms"]).duration_ms,
      }),
    ),
    decisions_by_agent: group(sums.agentDecisions, ({ agent }) => [agent]).map(([{ agent }, rows]) => ({
      ...{ agent, ...countCalls(rows) },
    })),
    decisions_by_tool: group(sums.toolDecisions, ({ tool }) => [tool]).map(([{ tool }, rows]) => ({
      ...{ tool, ...countCalls(rows) },
    })),
    models: sums.models
      .toSorted((a, b) => b.input_tokens + b.output_tokens - (a.input_tokens + a.output_tokens))
      .slice(0, MAX_ROWS)
      .map((row) => ({ agent: row.agent, model: row.model, ...addColumns([row], USAGE_COLUMNS) })),
    runners: sums.runners
      .toSorted((a, b) => b.busy_ms - a.busy_ms || compareNames(a.runner, b.runner))
      .slice(0, MAX_ROWS)
      .map(({ runner, busy_ms, attempts }) => ({ runner, busy_ms, attempts })),
  };
}

/** Rows with the same key, those with the most calls first. */
function group<R extends DecisionSums>(
  rows: readonly R[],
  keyOf: (row: R) => readonly string[],
): readonly (readonly [R, readonly R[]])[] {
  const groups = new Map<string, [R, R[]]>();
  for (const row of rows) {
    const key = keyOf(row).join("\0");
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row, [row]]);
    else known[1].push(row);
  }
  const calls = (of: readonly R[]) => add(of.map(({ count }) => count));
  return [...groups]
    .sort(([a, [, first]], [b, [, second]]) => calls(second) - calls(first) || compareNames(a, b))
    .slice(0, MAX_ROWS)
    .map(([, found]) => found);
}

/** How often hooks were called, and with which outcomes. */
export function countCalls(rows: readonly DecisionSums[]) {
  // Newer runners name outcomes that this version does not know; one may be a word that every object has.
  const decisions = new Map<string, number>();
  for (const { outcome, count } of rows) decisions.set(outcome, (decisions.get(outcome) ?? 0) + count);
  return { calls: add([...decisions.values()]), decisions: Object.fromEntries(decisions) };
}

export function addColumns<C extends string>(
  rows: readonly Readonly<Record<C, number>>[],
  columns: readonly C[],
): Record<C, number> {
  return Object.fromEntries(columns.map((column) => [column, add(rows.map((row) => row[column]))])) as Record<
    C,
    number
  >;
}

/** Estimates from histograms together. */
export function estimate(histograms: readonly (readonly number[])[]) {
  const counts: number[] = [];
  for (const histogram of histograms)
    for (const [bucket, count] of histogram.entries()) counts[bucket] = (counts[bucket] ?? 0) + count;
  return {
    count: add(counts),
    p50_ms: estimateQuantile(counts, 0.5) ?? null,
    p95_ms: estimateQuantile(counts, 0.95) ?? null,
  };
}

/** As if each duration were in the middle of its bucket. */
function estimateSum(counts: readonly number[]): number {
  return add(
    counts.map((count, bucket) => {
      const lower = BUCKET_LIMITS_MS[bucket - 1] ?? 0;
      return (count * (lower + (BUCKET_LIMITS_MS[bucket] ?? lower))) / 2;
    }),
  );
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
