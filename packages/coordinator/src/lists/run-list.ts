import type { runsQuery } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import { allOf, type Fragment, joined, runComposed, sql, verbatim } from "../database/fragment.ts";
import { isFinal } from "../domain/run-state.ts";
import { isAfter, literally, type Positioned, RUN_SUMMARY, type RunSummaryRow } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { newestOf, times } from "./newest.ts";
import { runSummary } from "./run-view.ts";
import { UNFINISHED_RUNS } from "./unfinished.ts";

export type RunFilters = z.output<typeof runsQuery>;

const NEWEST = { table: "runs", time: "runs.created_at", id: "runs.id" };

/** Runs, the newest first. */
export async function listRuns(queries: Queries, filters: RunFilters) {
  const { limit, search = "" } = filters;
  const agents = search === "" ? [] : await foundAgents(queries, search);
  const every = [
    ...conditions(filters),
    isAfter("runs.created_at", "runs.id", readCursor(filters.cursor, 2)),
  ];
  const some = times(
    times(statusAlternatives(filters), kindAlternatives(filters)),
    searchAlternatives(search, agents),
  );
  const rows = await runComposed<RunSummaryRow & Positioned>(
    queries,
    sql`SELECT ${verbatim(RUN_SUMMARY)}, created_at::text AS position FROM runs
      WHERE ${some.length === 0 ? allOf(every) : newestOf(NEWEST, some, every, limit + 1)}
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, id }) => [position, id]);
  return { runs: page.rows.map(runSummary), next_cursor: page.next_cursor };
}

function conditions(filters: RunFilters): (Fragment | undefined)[] {
  const { id, status, kind, agent, session, runner, has_hooks, hook_blocked, from, to } = filters;
  return [
    id && oneOf("runs.id", id),
    status && oneOf("runs.state", status),
    kind && oneOf("runs.kind", kind),
    agent === undefined ? undefined : sql`runs.agent_name = ${agent}`,
    session === undefined ? undefined : sql`runs.session_id = ${session}`,
    runner === undefined ? undefined : sql`runs.runner_id = ${runner} AND runs.lease_until IS NOT NULL`,
    // As the partial indexes have it.
    has_hooks === undefined ? undefined : verbatim(has_hooks ? "runs.has_hooks" : "NOT runs.has_hooks"),
    hook_blocked === undefined
      ? undefined
      : verbatim(`runs.block_reason IS ${hook_blocked ? "NOT NULL" : "NULL"}`),
    from === undefined ? undefined : sql`runs.created_at >= ${from}`,
    to === undefined ? undefined : sql`runs.created_at < ${to}`,
  ];
}

function oneOf(column: string, values: readonly string[]): Fragment {
  const list = joined(
    values.map((value) => sql`${value}`),
    ", ",
  );
  return values.length === 0 ? verbatim("false") : sql`${verbatim(column)} IN (${list})`;
}

/** Nearly all runs are completed, and those are found by time. */
function statusAlternatives({ status = ["completed"] }: RunFilters): readonly Fragment[] {
  if (status.includes("completed")) return [];
  const ended = status.filter(isFinal).map((state) => sql`runs.state = ${state}`);
  return ended.length === status.length ? ended : [...ended, verbatim(`runs.id IN (${UNFINISHED_RUNS})`)];
}

/** The same with the kinds: nearly all are of clients. */
function kindAlternatives({ kind = ["client"] }: RunFilters): readonly Fragment[] {
  return kind.includes("client")
    ? []
    : kind.map((each) => sql`runs.kind = ${each} AND runs.kind <> 'client'`);
}

/** The beginning of an id, or one of the agents whose names contain the text. */
function searchAlternatives(search: string, agents: readonly string[]): readonly Fragment[] {
  if (search === "") return [];
  const prefix = `${literally(search)}%`;
  return [
    sql`runs.id LIKE ${prefix}`,
    sql`runs.session_id LIKE ${prefix}`,
    ...agents.map((name) => sql`runs.agent_name = ${name}`),
  ];
}
