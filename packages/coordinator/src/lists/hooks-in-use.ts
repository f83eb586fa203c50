import { WOULD_HAVE } from "@tenterhook/protocol";
import {
  type HookCounts,
  type HookInUse,
  type HookResultOutcome,
  type hooksInUseQuery,
  readHookKey,
  runnerHookOutcome,
  type UsedHook,
} from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Queries, Statement } from "../database/database.ts";
import type { Parameter } from "../database/parameters.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { newestCounts } from "./hook-counts.ts";
import { STATE_OF_OUTCOME } from "./hook-filter.ts";
import { type HookKeyRow, listHookKeys } from "./hook-keys.ts";

/** So many calls with one outcome are counted. */
const MAX_CALLS = 10_000;

interface ResultRow {
  readonly hook: string;
  readonly outcome: HookResultOutcome;
  readonly calls: number;
  readonly runs: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

type TimesRow = { readonly hook: string } & Pick<HookCounts, "p50_ms" | "p95_ms" | "latest">;

const RANGE = `run_created_at >= coalesce($2::timestamptz, '-infinity') AND run_created_at < coalesce($3::timestamptz, 'infinity')`;
/** The keys that are asked for, with their parts: an inline hook has an agent, a named one a name. */
const KEYS = `jsonb_to_recordset($1::jsonb) AS key (hook text, agent text, name text)`;
const RUN_OUTCOMES = `(VALUES ${Object.entries(STATE_OF_OUTCOME)
  .map(([outcome, state], index) => `('${outcome}', '${state}', ${index})`)
  .join(", ")}) AS result (outcome, state, place)`;
const RUNNER_OUTCOMES = `(VALUES ${runnerHookOutcome.options
  .map((outcome, index) => `('${outcome}', ${index})`)
  .join(", ")}) AS result (outcome, place)`;

const WOULD_HAVE_OUTCOMES = `(VALUES ${Object.keys(WOULD_HAVE)
  .map((outcome, index) => `('${outcome}', ${index})`)
  .join(", ")}) AS result (outcome, place)`;

const SOURCES = {
  named: "name IS NOT NULL AND name = key.name",
  inline: "name IS NULL AND agent_name = key.agent AND hook_type = key.name",
} as const;

/** A row of a runner's hook counts several calls. */
const CALLS = `CASE WHEN calls = read THEN least(calls, ${MAX_CALLS}) ELSE calls END`;

/** Counts the newest calls of each outcome in the order of its index. */
const counted = (outcomes: string, read: string) => `
    SELECT key.hook, result.outcome, ${CALLS} AS calls, least(runs, ${MAX_CALLS})::int AS runs, read > ${MAX_CALLS} AS more
    FROM ${KEYS}, ${outcomes}, LATERAL (
      SELECT count(*) AS read, coalesce(sum(count), 0)::float8 AS calls, count(DISTINCT run_id COLLATE "C") AS runs
      FROM (${read} AND ${RANGE} ORDER BY run_created_at DESC LIMIT ${MAX_CALLS + 1}) AS newest
    ) AS results
    WHERE read > 0 ORDER BY place`;

const runHookStatements = (source: keyof typeof SOURCES) => ({
  results: {
    name: `count-${source}-hook-results`,
    text: counted(
      RUN_OUTCOMES,
      `SELECT run_id, 1 AS count FROM run_hooks
        WHERE finished_at IS NOT NULL AND ${SOURCES[source]} AND state = result.state`,
    ),
  },
  // What hooks on runners asked is among their results.
  questions: {
    name: `count-${source}-hook-questions`,
    text: counted(
      "(VALUES ('asked', 0)) AS result (outcome, place)",
      `SELECT run_id, 1 AS count FROM run_hooks WHERE asked AND ${SOURCES[source]}`,
    ),
  },
  // A call that was not enforced has passed, and its row says what it would have done.
  wouldHave: {
    name: `count-${source}-hook-trials`,
    text: counted(
      WOULD_HAVE_OUTCOMES,
      `SELECT run_id, 1 AS count FROM run_hooks WHERE would_have = result.outcome AND ${SOURCES[source]}`,
    ),
  },
  times: {
    name: `${source}-hook-times`,
    text: `SELECT key.hook, counts.p50_ms, counts.p95_ms, counts.latest
      FROM ${KEYS}, LATERAL (${newestCounts(`${SOURCES[source]} AND ${RANGE}`)}) AS counts WHERE counts.ran > 0`,
  },
});

const RUN_HOOKS = { named: runHookStatements("named"), inline: runHookStatements("inline") };

const RUNNER_RESULTS: Statement = {
  name: "count-runner-hook-results",
  text: counted(
    RUNNER_OUTCOMES,
    `SELECT run_id, count FROM runner_hook_results WHERE hook = key.name AND outcome = result.outcome`,
  ),
};

/** Every hook in use, by key, with its results in the runs of a time. */
export async function listHooksInUse(queries: Queries, query: z.output<typeof hooksInUseQuery>) {
  const { limit, cursor, hook, from, to } = query;
  const [after] = readCursor(cursor, 1) ?? [];
  const page = pageOf(await listHookKeys(queries, after, limit + 1, hook), limit, (row) => [row.hook]);
  const keys = page.rows.flatMap((row) => readHookKey(row.hook) ?? []);
  const results = new Map<string, ResultRow[]>();
  const addResults = async (statement: Statement, values: readonly Parameter[]) => {
    for (const row of await queries.run<ResultRow>(statement, values)) {
      results.set(row.hook, [...(results.get(row.hook) ?? []), row]);
    }
  };
  const times = new Map<string, TimesRow>();
  for (const source of ["named", "inline", "runner"] as const) {
    const asked = keys.filter((key) => key.source === source).map(keyRow);
    if (asked.length === 0) continue;
    const values = [JSON.stringify(asked), from, to];
    if (source === "runner") {
      await addResults(RUNNER_RESULTS, values);
      continue;
    }
    await addResults(RUN_HOOKS[source].results, values);
    await addResults(RUN_HOOKS[source].questions, values);
    await addResults(RUN_HOOKS[source].wouldHave, values);
    for (const row of await queries.run<TimesRow>(RUN_HOOKS[source].times, values)) times.set(row.hook, row);
  }
  return {
    hooks: page.rows.flatMap((row) => {
      const used = readHookKey(row.hook);
      return used === undefined ? [] : [view(row, used, results.get(row.hook) ?? [], times.get(row.hook))];
    }),
    next_cursor: page.next_cursor,
  };
}

function keyRow(used: UsedHook) {
  return { hook: formatKey(used), agent: used.source === "inline" ? used.agent : null, name: used.name };
}

function formatKey(used: UsedHook): string {
  return used.source === "inline" ? `inline:${used.agent}/${used.name}` : `${used.source}:${used.name}`;
}

function view(
  { hook, agents, events, definition }: HookKeyRow,
  used: UsedHook,
  results: readonly ResultRow[],
  times: TimesRow | undefined,
): HookInUse {
  const isInline = used.source === "inline";
  return {
    hook,
    source: used.source,
    name: used.name,
    agents: isInline ? [used.agent] : [...(agents ?? [])],
    events: isInline ? [used.name] : [...(events ?? [])],
    definition,
    results: results.map(({ hook: _, ...result }) => result),
    p50_ms: times?.p50_ms ?? null,
    p95_ms: times?.p95_ms ?? null,
    latest: times?.latest ?? [],
  };
}
