import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { runs } from "../store/schema.ts";

/** What lists show of a run. */
export const RUN_SUMMARY = {
  id: runs.id,
  session_id: runs.sessionId,
  agent_name: runs.agentName,
  revision: runs.revision,
  kind: runs.kind,
  state: runs.state,
  waiting_for: runs.waitingFor,
  execution_mode: runs.executionMode,
  error: runs.error,
  error_code: runs.errorCode,
  stop_reason: runs.stopReason,
  block_reason: runs.blockReason,
  has_hooks: runs.hasHooks,
  attempt: runs.attempt,
  max_attempts: runs.maxAttempts,
  runner_id: runs.runnerId,
  parent_run_id: runs.parentRunId,
  created_at: runs.createdAt,
  started_at: runs.startedAt,
  finished_at: runs.finishedAt,
};

/** A time to the microsecond. A time that was cut to milliseconds would let a page begin in the middle of one. */
export function exactTime(column: PgColumn): SQL<string> {
  return sql<string>`${column}::text`;
}

/** What comes after a place in a list of the newest first. */
export function isAfter(time: PgColumn, id: PgColumn, place: readonly string[] | undefined): SQL | undefined {
  if (place === undefined) return undefined;
  const [atTime, atId] = place;
  return sql`(${time}, ${id}) < (${atTime}::timestamptz, ${atId})`;
}

/** Text as a pattern of LIKE that stands for itself. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
