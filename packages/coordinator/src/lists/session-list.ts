import type { SessionDetail, SessionSummary, sessionsQuery } from "@tenterhook/protocol/runs";
import { and, asc, desc, eq, isNull, like, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import { runs, sessions } from "../store/schema.ts";
import { exactTime, isAfter, literally, RUN_SUMMARY } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { newestOf } from "./newest.ts";
import { type RunSummaryRow, runSummary } from "./run-view.ts";

export type SessionFilters = z.output<typeof sessionsQuery>;

const SUMMARY = {
  session_id: sessions.id,
  agent_name: sessions.agentName,
  kind: sessions.kind,
  parent_session_id: sessions.parentSessionId,
  // Of its first run. When that was trimmed, only the session itself can tell.
  parent_link: sql<
    SessionSummary["parent_link"]
  >`case when sessions.parent_session_id is not null then coalesce((
    select case when runs.kind in ('hook', 'chained') then runs.kind
      when runs.execution_mode = 'async_callback' then 'callback' else 'client' end
    from runs where runs.session_id = sessions.id order by runs.created_at limit 1), sessions.kind) end`,
  child_count: sql<number>`(
    select count(*) from sessions as children where children.parent_session_id = sessions.id)`,
  active_run_id: sessions.activeRunId,
  // Names in full: drizzle leaves out a column's table where it thinks that there is only one.
  run_count: sql<number>`(select count(*) from runs where runs.session_id = sessions.id)`,
  last_status: sql<string | null>`(
    select runs.state from runs where runs.session_id = sessions.id order by runs.created_at desc limit 1)`,
  created_at: sessions.createdAt,
  updated_at: sessions.updatedAt,
};

const NEWEST = { table: sessions, time: sessions.createdAt, id: sessions.id };

/** Sessions, the newest first. */
export async function listSessions(queries: Queries, filters: SessionFilters) {
  const { limit, agent, kind, parent, search = "" } = filters;
  const some = search === "" ? [] : searchAlternatives(search, await foundAgents(queries, search));
  const every = [
    agent === undefined ? undefined : eq(sessions.agentName, agent),
    kind === undefined ? undefined : eq(sessions.kind, kind),
    parent === undefined
      ? undefined
      : parent === "none"
        ? isNull(sessions.parentSessionId)
        : eq(sessions.parentSessionId, parent),
    isAfter(sessions.createdAt, sessions.id, readCursor(filters.cursor, 2)),
  ];
  const rows = await queries.orm
    .select({ ...SUMMARY, place: exactTime(sessions.createdAt) })
    .from(sessions)
    .where(some.length === 0 ? and(...every) : newestOf(NEWEST, some, every, limit + 1))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, session_id }) => [place, session_id]);
  return {
    sessions: page.rows.map(({ place: _place, ...row }) => row as SessionSummary),
    next_cursor: page.next_cursor,
  };
}

/** The beginning of an id, or one of the agents whose names have it in them. */
function searchAlternatives(search: string, agents: readonly string[]): readonly SQL[] {
  return [like(sessions.id, `${literally(search)}%`), ...agents.map((name) => eq(sessions.agentName, name))];
}

/** How many of its runs and children a session is shown with; the lists have the others. */
const MOST_SHOWN = 100;

/** A session with its latest runs and the sessions it started. */
export async function readSessionDetail({ orm }: Queries, id: string): Promise<SessionDetail | undefined> {
  const [session] = await orm.select(SUMMARY).from(sessions).where(eq(sessions.id, id));
  if (session === undefined) return undefined;
  const itsRuns = await orm
    .select(RUN_SUMMARY)
    .from(runs)
    .where(eq(runs.sessionId, id))
    .orderBy(desc(runs.createdAt))
    .limit(MOST_SHOWN);
  const children = await orm
    .select(SUMMARY)
    .from(sessions)
    .where(eq(sessions.parentSessionId, id))
    .orderBy(asc(sessions.createdAt))
    .limit(MOST_SHOWN);
  return {
    ...(session as SessionSummary),
    runs: itsRuns.map((row) => runSummary(row as RunSummaryRow)),
    children: children as SessionSummary[],
  };
}
