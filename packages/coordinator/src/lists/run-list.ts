import type { runsQuery } from "@tenterhook/protocol/runs";
import { and, desc, eq, gte, inArray, isNotNull, isNull, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import { isFinal } from "../domain/run-state.ts";
import { runs } from "../store/schema.ts";
import { exactTime, isAfter, literally, RUN_SUMMARY } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { type RunSummaryRow, runSummary } from "./run-view.ts";
import { UNFINISHED_RUNS } from "./unfinished.ts";

export type RunFilters = z.output<typeof runsQuery>;

/** Runs, the newest first. */
export async function listRuns(queries: Queries, filters: RunFilters) {
  const { limit, search = "" } = filters;
  const agents = search === "" ? [] : await foundAgents(queries, search);
  const rows = await queries.orm
    .select({ ...RUN_SUMMARY, place: exactTime(runs.createdAt) })
    .from(runs)
    .where(
      and(...conditions(filters, agents), isAfter(runs.createdAt, runs.id, readCursor(filters.cursor, 2))),
    )
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, id }) => [place, id]);
  return {
    // The columns hold only words of the schema; nothing but this code writes them.
    runs: page.rows.map((row) => runSummary(row as RunSummaryRow)),
    next_cursor: page.next_cursor,
  };
}

function conditions(filters: RunFilters, agents: readonly string[]): (SQL | undefined)[] {
  const { id, status, kind, agent, session, runner, has_hooks, hook_blocked, from, to, search } = filters;
  return [
    id && inArray(runs.id, id),
    status && inArray(runs.state, status),
    status?.some(isFinal) === false ? sql`${runs.id} in (${sql.raw(UNFINISHED_RUNS)})` : undefined,
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
    search === undefined || search === "" ? undefined : found(search, agents),
  ];
}

/** The beginning of an id, or one of the agents whose names have it in them. */
function found(search: string, agents: readonly string[]): SQL | undefined {
  const prefix = `${literally(search)}%`;
  return or(
    like(runs.id, prefix),
    like(runs.sessionId, prefix),
    agents.length === 0 ? undefined : inArray(runs.agentName, [...agents]),
  );
}
