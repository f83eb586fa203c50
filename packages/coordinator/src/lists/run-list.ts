import type { runsQuery } from "@tenterhook/protocol/runs";
import { and, desc, eq, gte, inArray, isNotNull, isNull, like, lt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import { isFinal } from "../domain/run-state.ts";
import { runs } from "../store/schema.ts";
import { exactTime, isAfter, literally, RUN_SUMMARY } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { newestOf, times } from "./newest.ts";
import { type RunSummaryRow, runSummary } from "./run-view.ts";
import { UNFINISHED_RUNS } from "./unfinished.ts";

export type RunFilters = z.output<typeof runsQuery>;

const NEWEST = { table: runs, time: runs.createdAt, id: runs.id };

/** Runs, the newest first. */
export async function listRuns(queries: Queries, filters: RunFilters) {
  const { limit, search = "" } = filters;
  const agents = search === "" ? [] : await foundAgents(queries, search);
  const every = [...conditions(filters), isAfter(runs.createdAt, runs.id, readCursor(filters.cursor, 2))];
  const some = times(
    times(statusAlternatives(filters), kindAlternatives(filters)),
    searchAlternatives(search, agents),
  );
  const rows = await queries.orm
    .select({ ...RUN_SUMMARY, place: exactTime(runs.createdAt) })
    .from(runs)
    .where(some.length === 0 ? and(...every) : newestOf(NEWEST, some, every, limit + 1))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, id }) => [place, id]);
  return {
    // The columns hold only words of the schema; nothing but this code writes them.
    runs: page.rows.map((row) => runSummary(row as RunSummaryRow)),
    next_cursor: page.next_cursor,
  };
}

function conditions(filters: RunFilters): (SQL | undefined)[] {
  const { id, status, kind, agent, session, runner, has_hooks, hook_blocked, from, to } = filters;
  return [
    id && inArray(runs.id, id),
    status && inArray(runs.state, status),
    kind && inArray(runs.kind, kind),
    agent === undefined ? undefined : eq(runs.agentName, agent),
    session === undefined ? undefined : eq(runs.sessionId, session),
    runner === undefined ? undefined : and(eq(runs.runnerId, runner), isNotNull(runs.leaseUntil)),
    // As the partial indexes have it.
    has_hooks === undefined ? undefined : has_hooks ? sql`${runs.hasHooks}` : sql`not ${runs.hasHooks}`,
    hook_blocked === undefined
      ? undefined
      : hook_blocked
        ? isNotNull(runs.blockReason)
        : isNull(runs.blockReason),
    from === undefined ? undefined : gte(runs.createdAt, from),
    to === undefined ? undefined : lt(runs.createdAt, to),
  ];
}

/** Nearly all runs are completed, and those are found by time. */
function statusAlternatives({ status = ["completed"] }: RunFilters): readonly SQL[] {
  if (status.includes("completed")) return [];
  const ended = status.filter(isFinal).map((state) => eq(runs.state, state));
  return ended.length === status.length
    ? ended
    : [...ended, sql`${runs.id} in (${sql.raw(UNFINISHED_RUNS)})`];
}

/** The same with the kinds: nearly all are of clients. */
function kindAlternatives({ kind = ["client"] }: RunFilters): readonly SQL[] {
  return kind.includes("client")
    ? []
    : kind.map((each) => sql`${runs.kind} = ${each} and ${runs.kind} <> 'client'`);
}

/** The beginning of an id, or one of the agents whose names have it in them. */
function searchAlternatives(search: string, agents: readonly string[]): readonly SQL[] {
  if (search === "") return [];
  const prefix = `${literally(search)}%`;
  return [
    like(runs.id, prefix),
    like(runs.sessionId, prefix),
    ...agents.map((name) => eq(runs.agentName, name)),
  ];
}
