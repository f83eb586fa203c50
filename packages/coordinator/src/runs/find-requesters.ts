import type { Queries } from "../database/database.ts";
import { mergeRequesters, type Requester } from "../domain/requesters.ts";
import { latestRun } from "../sessions/session-rows.ts";
import { readRun } from "../store/run-rows.ts";
import type { RunOrigin, StartRunRequest } from "./start-run-request.ts";

/**
 * Those who request a run: who asks for it now, and those whose words are part of it, because it repeats their run, continues
 * their session, or belongs to it.
 */
export async function findRequesters(
  queries: Queries,
  { session_id, parent_session_id }: StartRunRequest,
  origin: RunOrigin | undefined,
): Promise<readonly Requester[]> {
  const own = origin === undefined ? [] : [origin.requester];
  const before = [
    origin?.retryOf === undefined ? undefined : await readRun(queries, origin.retryOf),
    session_id === undefined ? undefined : await latestRun(queries, session_id),
    parent_session_id === undefined ? undefined : await latestRun(queries, parent_session_id),
  ];
  return mergeRequesters(own, ...before.map((run) => run?.requesters ?? []));
}
