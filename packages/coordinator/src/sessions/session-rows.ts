import { rowReader } from "../database/row-reader.ts";
import type { RunRow, SessionRow } from "../store/rows.ts";

export const readSession = rowReader<SessionRow>({
  name: "read-session",
  text: "SELECT * FROM sessions WHERE id = $1",
});

/** The run of a session that was created last. */
export const latestRun = rowReader<RunRow>({
  name: "latest-run",
  text: "SELECT * FROM runs WHERE session_id = $1 ORDER BY created_at DESC, number DESC LIMIT 1",
});
