import type { Queries, Statement } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { sqlState } from "../domain/run-state.ts";
import { eventType } from "../store/event-type.ts";
import type { RunRow } from "../store/rows.ts";
import { describeRunner } from "./describe-runner.ts";
import { endRun } from "./end-run.ts";
import type { Transition } from "./transition.ts";

// As if it had never been claimed: the attempt does not count, a hook's timeout has not started, a callback's session is idle.
const RELEASE: Statement = {
  name: "release-run",
  text: `
    WITH r AS (
      UPDATE runs SET state = ${sqlState.of("ready")}, runner_id = NULL, lease_token = NULL, lease_until = NULL, deadline_at = NULL,
        attempt = attempt - 1, unstarted_claims = unstarted_claims + $5, event_count = event_count + 1
      WHERE id = $1 AND lease_token = $2 AND state = 'claimed'
      RETURNING *
    ), h AS (
      UPDATE run_hooks SET started_at = NULL, 
        deadline_at = CASE r.kind WHEN 'hook' THEN now() + make_interval(secs => $3) END
      FROM r WHERE run_hooks.id = r.hook_id AND run_hooks.finished_at IS NULL
    ), s AS (
      UPDATE sessions SET active_run_id = NULL FROM r
      WHERE r.kind = 'callback' AND sessions.id = r.session_id AND sessions.active_run_id = r.id
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, ${eventType("run_released")}, jsonb_build_object('reason', $4::text) FROM r
    )
    SELECT id FROM r`,
};

/** Takes a run back whose runner did not receive it. False when that claim has ended. */
export async function releaseRun(
  queries: Queries,
  id: string,
  token: string,
  { hookWaitSeconds, reason, unstarted = 0 }: Release,
): Promise<boolean> {
  return (await queries.run(RELEASE, [id, token, hookWaitSeconds, reason, unstarted])).length > 0;
}

interface Release extends Pick<Limits, "hookWaitSeconds"> {
  readonly reason: string;
  /** 1 when the claim expired; a run fails when that has happened too often. */
  readonly unstarted?: 0 | 1;
}

/**
 * Takes back a run whose runner did not report its start in time: the runner may never have received it. It cannot start it any
 * more, because a start with that lease is refused. A run to which that happens again and again fails: it may be the cause that its
 * runners crash. False when the run has started.
 */
export async function releaseUnstarted(transition: Transition, run: RunRow): Promise<boolean> {
  const { id, state, lease_token, runner_id, unstarted_claims } = run;
  const { hookWaitSeconds, maxUnstartedClaims } = transition.limits;
  if (state !== "claimed" || lease_token === null) return false;
  const runner = await describeRunner(transition.queries, runner_id);
  if (unstarted_claims + 1 < maxUnstartedClaims) {
    const reason = `${runner} did not start it in time`;
    return releaseRun(transition.queries, id, lease_token, { hookWaitSeconds, reason, unstarted: 1 });
  }
  const error = `it was claimed ${maxUnstartedClaims} times and never started; ${runner} had it last`;
  await endRun(transition, run, { status: "failed", error, errorCode: "never_started" });
  return true;
}

const NOT_RECEIVED: Statement = {
  name: "unheard-runs",
  text: `
    SELECT id, lease_token FROM runs
    WHERE runner_id = $1 AND lease_until IS NOT NULL AND state = 'claimed' AND id <> ALL($2::text[])`,
};

/**
 * Takes back the runs that a runner was given and has not started, except those that it received: the responses with the others were
 * lost. A response that arrives late has no effect, because a runner begins no work before its start is confirmed. Returns whether
 * there was any.
 */
export async function releaseLostAssignments(
  queries: Queries,
  runnerId: string,
  received: readonly string[],
  hookWaitSeconds: number,
): Promise<boolean> {
  const lost = await queries.run<{ id: string; lease_token: string }>(NOT_RECEIVED, [runnerId, received]);
  const reason = "the answer with the run did not reach the runner";
  for (const { id, lease_token } of lost)
    await releaseRun(queries, id, lease_token, { hookWaitSeconds, reason });
  return lost.length > 0;
}

const FORGET_ORDER: Statement = {
  name: "forget-stop-order",
  text: "UPDATE runs SET stop_told_at = NULL WHERE id = $1 AND lease_token = $2 AND state = 'stopping'",
};

/** Takes a stop order back that never reached its runner. */
export async function forgetStopOrder(queries: Queries, id: string, token: string): Promise<void> {
  await queries.run(FORGET_ORDER, [id, token]);
}
