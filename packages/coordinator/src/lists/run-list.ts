import type { runCountQuery, runsQuery } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { allOf, type Fragment, oneOf, runComposed, sql, verbatim } from "../database/fragment.ts";
import { searchedWords } from "../search/words.ts";
import { isAfter, likeLiteral, type Positioned, RUN_SUMMARY, type RunSummaryRow } from "./columns.ts";
import { countDecisions, countedConditions, isByCreation } from "./counted-filter.ts";
import { cursorOf, type Position, pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { hasHookResult, newestWithHookResult } from "./hook-filter.ts";
import { hasName } from "./name-filter.ts";
import { newestOf, times } from "./newest.ts";
import { readPassages } from "./passages.ts";
import { type FoundRuns, searchRuns } from "./run-search.ts";
import { runSummary } from "./run-view.ts";
import type { Listed, RunSearch } from "./search-parts.ts";
import { hasStatus, statusAlternatives } from "./status-filter.ts";

type RunFilters = z.output<typeof runCountQuery>;

const NEWEST = { table: "runs", time: "runs.created_at", id: "runs.id" };

/** Runs, the newest first. */
export async function listRuns(database: Listed, filters: z.output<typeof runsQuery>) {
  const { limit } = filters;
  const after = readCursor(filters.cursor, 2);
  const searched = createSearch(filters);
  const found = searched && (await searchRuns(database, searched, after, limit + 1));
  const rows = await runComposed<RunSummaryRow & Positioned>(
    database,
    sql`SELECT ${verbatim(RUN_SUMMARY)}, created_at::text AS position FROM runs
      WHERE ${await matching(database, filters, after, found, limit + 1)}
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, id }) => [position, id]);
  const passages = searched && (await readPassages(database, page.rows, searched.words));
  return {
    runs: page.rows.map((row) =>
      runSummary(passages === undefined ? row : { ...row, found: passages.get(row.id) ?? null }),
    ),
    next_cursor: page.next_cursor ?? (found?.end === undefined ? null : cursorOf(found.end)),
  };
}

/** The highest count of runs. */
export const MAX_COUNTED = 1_000;

/** How many runs a list has; `more` when there are more than that. */
export async function countRuns(database: Listed, filters: RunFilters) {
  const most = MAX_COUNTED + 1;
  const searched = createSearch(filters);
  const found = searched && (await searchRuns(database, searched, undefined, most));
  const decisions = filters.decision === undefined ? verbatim("NULL::float8") : countDecisions(filters);
  const [row] = await runComposed<{ count: number; decisions: number | null }>(
    database,
    sql`SELECT count(*) AS count, sum(decisions) AS decisions FROM (SELECT ${decisions} AS decisions FROM runs
      WHERE ${await matching(database, filters, undefined, found && { ...found, end: undefined }, most)}
      LIMIT ${most}) AS counted`,
  );
  const count = row?.count ?? 0;
  return {
    ...{ count: Math.min(count, MAX_COUNTED), more: count > MAX_COUNTED || found?.end !== undefined },
    ...(filters.decision !== undefined && { decisions: row?.decisions ?? 0 }),
  };
}

/** The condition of a list: the filters, and for a search the runs whose id begins with the text, whose agent it names, or that contain it. */
async function matching(
  database: Listed,
  filters: RunFilters,
  after: Position | undefined,
  found: FoundRuns | undefined,
  most: number,
): Promise<Fragment> {
  const search = filters.search?.trim() ?? "";
  if (search === "") return newestMatching(filters, after, most);
  // Nothing older than the part that was searched so far: that is for the next page.
  const read = found?.end === undefined ? [] : [isNotAfter(found.end)];
  const named = searchAlternatives(search, await foundAgents(database, search));
  return newestOf(
    NEWEST,
    named.length === 0 ? [] : times(filterAlternatives(filters), named),
    [...every(filters, after), ...read],
    most,
    found?.ids,
  );
}

function isNotAfter([time, id]: Position): Fragment {
  return sql`(runs.created_at, runs.id) >= (${time}::timestamptz, ${id})`;
}

/** The search of a list, if its text has words. */
function createSearch(filters: RunFilters): RunSearch | undefined {
  const { search = "", to } = filters;
  const words = searchedWords(search);
  if (words.length === 0) return undefined;
  const from = isByCreation(filters) ? filters.from : undefined;
  return { words, newest: newestWith(filters), conditions: withoutTimes(filters), from, to };
}

function newestWith(filters: RunFilters): RunSearch["newest"] {
  return (after, most) =>
    sql`SELECT runs.id, runs.created_at FROM runs WHERE ${newestMatching(filters, after, most)}
      ORDER BY runs.created_at DESC, runs.id DESC LIMIT ${most}`;
}

function newestMatching(filters: RunFilters, after: Position | undefined, most: number): Fragment {
  const { hook: _hook, hook_outcome: _outcome, ...others } = filters;
  const withHook =
    filters.decision === undefined && isByCreation(filters)
      ? newestWithHookResult(filters, every(others, after), after, most)
      : undefined;
  if (withHook !== undefined) return withHook;
  const conditions = every(filters, after);
  const some = filterAlternatives(filters);
  return some.length === 0 ? allOf(conditions) : newestOf(NEWEST, some, conditions, most);
}

function every(filters: RunFilters, after: Position | undefined): readonly Fragment[] {
  const { from, to } = filters;
  const times = [
    from === undefined || !isByCreation(filters) ? undefined : sql`runs.created_at >= ${from}`,
    to === undefined ? undefined : sql`runs.created_at < ${to}`,
    isAfter("runs.created_at", "runs.id", after),
  ];
  return [...withoutTimes(filters), ...times.filter((condition) => condition !== undefined)];
}

function filterAlternatives(filters: RunFilters): readonly Fragment[] {
  return times(statusAlternatives(filters.status), kindAlternatives(filters));
}

/** The conditions but those on the time of creation. */
function withoutTimes(filters: RunFilters): readonly Fragment[] {
  const { id, status, kind, agent, session, runner, has_hooks } = filters;
  const conditions = [
    id && oneOf("runs.id", id),
    status && hasStatus(status),
    kind && oneOf("runs.kind", kind),
    agent === undefined ? undefined : hasName(verbatim("runs.agent_name"), agent),
    session === undefined ? undefined : sql`runs.session_id = ${session}`,
    runner === undefined ? undefined : sql`runs.runner_id = ${runner} AND runs.lease_until IS NOT NULL`,
    // As the partial indexes have it.
    has_hooks === undefined ? undefined : verbatim(has_hooks ? "runs.has_hooks" : "NOT runs.has_hooks"),
    // The hook of a decision is a condition on the decision.
    filters.decision === undefined ? hasHookResult(filters) : undefined,
    ...countedConditions(filters),
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** Nearly all runs are of clients, and those are found by time. */
function kindAlternatives({ kind = ["client"] }: RunFilters): readonly Fragment[] {
  return kind.includes("client")
    ? []
    : kind.map((each) => sql`runs.kind = ${each} AND runs.kind <> 'client'`);
}

/** Every id begins with a prefix like this; a shorter text means no id. */
const ID_PREFIX = "run_";

/** The beginning of an id, or one of the agents whose names contain the text. */
function searchAlternatives(search: string, agents: readonly string[]): readonly Fragment[] {
  const prefix = `${likeLiteral(search)}%`;
  const ids = [sql`runs.id LIKE ${prefix}`, sql`runs.session_id LIKE ${prefix}`];
  return [
    ...(search.length > ID_PREFIX.length ? ids : []),
    ...agents.map((name) => sql`runs.agent_name = ${name}`),
  ];
}
