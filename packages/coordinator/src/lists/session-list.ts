import type { SessionDetail, SessionSummary, sessionsQuery } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Queries, Statement } from "../database/database.ts";
import { allOf, type Fragment, runComposed, sql, verbatim } from "../database/fragment.ts";
import {
  isAfter,
  likeLiteral,
  PENDING_APPROVAL,
  type Positioned,
  RUN_SUMMARY,
  type RunSummaryRow,
} from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { foundAgents } from "./found-agents.ts";
import { newestOf } from "./newest.ts";
import { runSummary } from "./run-view.ts";

export type SessionFilters = z.output<typeof sessionsQuery>;

const LAST_RUN = "FROM runs WHERE runs.session_id = sessions.id ORDER BY runs.created_at DESC LIMIT 1";

// The link to the parent is that of the first run. When that was trimmed, only the session itself has it.
const SUMMARY = `sessions.id AS session_id, sessions.agent_name, sessions.kind, sessions.parent_session_id,
    CASE WHEN sessions.parent_session_id IS NOT NULL THEN coalesce((
      SELECT CASE WHEN runs.kind IN ('hook', 'chained') THEN runs.kind
        WHEN runs.execution_mode = 'async_callback' THEN 'callback' ELSE 'client' END
      FROM runs WHERE runs.session_id = sessions.id ORDER BY runs.created_at LIMIT 1), sessions.kind) END AS parent_link,
    (SELECT count(*) FROM sessions AS children WHERE children.parent_session_id = sessions.id) AS child_count,
    sessions.active_run_id,
    (SELECT count(*) FROM runs WHERE runs.session_id = sessions.id) AS run_count,
    (SELECT runs.state ${LAST_RUN}) AS last_status,
    (SELECT coalesce(${PENDING_APPROVAL}, runs.waiting_for) ${LAST_RUN}) AS last_waiting_for,
    (SELECT runs.block_reason ${LAST_RUN}) AS last_block_reason,
    sessions.created_at, sessions.updated_at`;

const NEWEST = { table: "sessions", time: "sessions.created_at", id: "sessions.id" };

/** Sessions, the newest first. */
export async function listSessions(queries: Queries, filters: SessionFilters) {
  const { limit, agent, kind, parent, search = "" } = filters;
  const some = search === "" ? [] : searchAlternatives(search, await foundAgents(queries, search));
  const every = [
    agent === undefined ? undefined : sql`sessions.agent_name = ${agent}`,
    kind === undefined ? undefined : sql`sessions.kind = ${kind}`,
    parent === undefined
      ? undefined
      : parent === "none"
        ? verbatim("sessions.parent_session_id IS NULL")
        : sql`sessions.parent_session_id = ${parent}`,
    isAfter("sessions.created_at", "sessions.id", readCursor(filters.cursor, 2)),
  ];
  const rows = await runComposed<SessionSummary & Positioned>(
    queries,
    sql`SELECT ${verbatim(SUMMARY)}, sessions.created_at::text AS position FROM sessions
      WHERE ${some.length === 0 ? allOf(every) : newestOf(NEWEST, some, every, limit + 1)}
      ORDER BY sessions.created_at DESC, sessions.id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, session_id }) => [position, session_id]);
  return {
    sessions: page.rows.map(({ position: _position, ...session }): SessionSummary => session),
    next_cursor: page.next_cursor,
  };
}

/** The beginning of an id, or one of the agents whose names contain the text. */
function searchAlternatives(search: string, agents: readonly string[]): readonly Fragment[] {
  return [
    sql`sessions.id LIKE ${`${likeLiteral(search)}%`}`,
    ...agents.map((name) => sql`sessions.agent_name = ${name}`),
  ];
}

/** How many runs and children are shown with a session; the lists have the others. */
const MAX_SHOWN = 100;

const READ: Statement = {
  name: "session-detail",
  text: `SELECT ${SUMMARY} FROM sessions WHERE sessions.id = $1`,
};
const RUNS: Statement = {
  name: "runs-of-session",
  text: `SELECT ${RUN_SUMMARY} FROM runs WHERE session_id = $1 ORDER BY created_at DESC LIMIT ${MAX_SHOWN}`,
};
const CHILDREN: Statement = {
  name: "children-of-session",
  text: `
    SELECT ${SUMMARY} FROM sessions WHERE sessions.parent_session_id = $1
    ORDER BY sessions.created_at DESC LIMIT ${MAX_SHOWN}`,
};

/** A session with its latest runs and the sessions it started. */
export async function readSessionDetail(queries: Queries, id: string): Promise<SessionDetail | undefined> {
  const [session] = await queries.run<SessionSummary>(READ, [id]);
  if (session === undefined) return undefined;
  const runs = await queries.run<RunSummaryRow>(RUNS, [id]);
  const children = await queries.run<SessionSummary>(CHILDREN, [id]);
  return { ...session, runs: runs.map(runSummary), children };
}
