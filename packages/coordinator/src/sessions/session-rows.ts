import type { Queries, Statement } from "../database/database.ts";
import type { RunRow } from "../store/rows.ts";

export interface SessionRow {
  readonly id: string;
  readonly agent_name: string;
  readonly kind: "client" | "hook";
  readonly parent_session_id: string | null;
  readonly active_run_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

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
