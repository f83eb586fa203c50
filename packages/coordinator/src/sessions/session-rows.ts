import type { Queries, Statement } from "../database/database.ts";
import type { RunRow, SessionRow } from "../store/rows.ts";

const READ: Statement = { name: "read-session", text: "SELECT * FROM sessions WHERE id = $1" };

export async function readSession(queries: Queries, id: string): Promise<SessionRow | undefined> {
  return (await queries.run<SessionRow>(READ, [id]))[0];
}

const LATEST: Statement = {
  name: "latest-run",
  text: "SELECT * FROM runs WHERE session_id = $1 ORDER BY created_at DESC, number DESC LIMIT 1",
};

/** The run of a session that was created last. */
export async function latestRun(queries: Queries, sessionId: string): Promise<RunRow | undefined> {
  return (await queries.run<RunRow>(LATEST, [sessionId]))[0];
}
