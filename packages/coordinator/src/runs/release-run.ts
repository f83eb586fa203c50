import type { Queries, Statement } from "../database/database.ts";

// As if it had never been claimed: the attempt does not count, a hook's time does not run, a callback's session is idle.
const RELEASE: Statement = {
  name: "release-run",
  text: `
    WITH r AS (
      UPDATE runs SET state = 'ready', runner_id = NULL, lease_token = NULL, lease_until = NULL, deadline_at = NULL,
        attempt = attempt - 1, event_count = event_count + 1
      WHERE id = $1 AND lease_token = $2 AND state = 'claimed'
      RETURNING *
    ), h AS (
      UPDATE run_hooks SET started_at = NULL, deadline_at = now() + make_interval(secs => $3)
      FROM r WHERE r.kind = 'hook' AND run_hooks.id = r.hook_id AND run_hooks.finished_at IS NULL
    ), s AS (
      UPDATE sessions SET active_run_id = NULL FROM r
      WHERE r.kind = 'callback' AND sessions.id = r.session_id AND sessions.active_run_id = r.id
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, 'run_released', jsonb_build_object('reason', $4::text) FROM r
    )
    SELECT id FROM r`,
};

/** Takes a run back that was claimed for a runner which never heard of it. False when it is not that claim's any more. */
export async function releaseRun(
  queries: Queries,
  id: string,
  token: string,
  { hookWaitSeconds, reason }: { readonly hookWaitSeconds: number; readonly reason: string },
): Promise<boolean> {
  return (await queries.run(RELEASE, [id, token, hookWaitSeconds, reason])).length > 0;
}

const FORGET_ORDER: Statement = {
  name: "forget-stop-order",
  text: "UPDATE runs SET stop_told_at = NULL WHERE id = $1 AND lease_token = $2 AND state = 'stopping'",
};

/** Takes a stop order back that never reached its runner. */
export async function forgetStopOrder(queries: Queries, id: string, token: string): Promise<void> {
  await queries.run(FORGET_ORDER, [id, token]);
}
