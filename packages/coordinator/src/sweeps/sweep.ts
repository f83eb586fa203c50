import type { Database, Statement } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { decideApproval } from "../lifecycle/decide-approval.ts";
import { cancelWaits, endRun } from "../lifecycle/end-run.ts";
import { readHook } from "../lifecycle/hook-rows.ts";
import { releaseUnstarted } from "../lifecycle/release-run.ts";
import { changeRun, lockRun } from "../lifecycle/run-changes.ts";
import { setAsideHook, setAsideRun } from "../lifecycle/set-aside.ts";
import { settleHooks } from "../lifecycle/settle-hooks.ts";
import { stopIdleHookRuns } from "../lifecycle/stop-run.ts";
import { ClockHealer } from "./heal-clock.ts";
import { RepeatedFailures } from "./repeated-failures.ts";

/** How many of a kind one round takes; the next round takes the others. */
const MOST = 100;

const LOST: Statement = {
  name: "lost-runs",
  text: `SELECT id, id AS run_id FROM runs WHERE lease_until IS NOT NULL AND lease_until < now() AND state IN ('claimed', 'running', 'stopping') LIMIT ${MOST}`,
};
const LATE_RUNS: Statement = {
  name: "late-runs",
  text: `SELECT id, id AS run_id FROM runs WHERE lease_until IS NOT NULL AND deadline_at < now() LIMIT ${MOST}`,
};
const LATE_HOOKS: Statement = {
  name: "late-hooks",
  text: `SELECT id, run_id FROM run_hooks WHERE deadline_at < now() AND finished_at IS NULL AND state <> 'asking' LIMIT ${MOST}`,
};
const LOST_HOOKS: Statement = {
  name: "lost-hooks",
  text: `
    UPDATE run_hooks SET state = 'pending', lease_until = NULL
    WHERE id IN (SELECT id FROM run_hooks WHERE state = 'running' AND lease_until < now() FOR UPDATE SKIP LOCKED LIMIT ${MOST})
    RETURNING id`,
};
const EXPIRED: Statement = {
  name: "expired-approvals",
  text: `SELECT id, run_id FROM approvals WHERE state = 'pending' AND expires_at < now() LIMIT ${MOST}`,
};
const GONE: Statement = {
  name: "gone-runners",
  text: "UPDATE runners SET gone_at = now() WHERE gone_at IS NULL AND seen_at < now() - make_interval(secs => $1) RETURNING id",
};

/**
 * One look for everything whose time is up: leases of runners and of hooks, deadlines of runs and of hooks, approvals nobody
 * gave. Any coordinator may do it at any time: each case is decided again under the run's lock. Says whether there was any.
 * A case that throws again and again is set aside, and never holds up another one.
 */
export async function sweep(
  database: Database,
  limits: Limits,
  failures = new RepeatedFailures(console.error),
  clock = new ClockHealer(),
): Promise<boolean> {
  await clock.heal(database, limits);
  const expire = ({ id }: Overdue) =>
    database.transaction((queries) => decideApproval(queries, id, { type: "expire" }, "nobody", limits));
  const failRun = ({ run_id }: Overdue, error: unknown) => setAsideRun(database, run_id, error, limits);
  const failHook = (hook: Overdue, error: unknown) => setAsideHook(database, hook, error, limits);
  const each = (statement: Statement, work: Work, setAside: SetAside) =>
    workOff(database, statement, work, setAside, failures, () => clock.heal(database, limits));
  const found = [
    await each(LATE_RUNS, ({ id }) => endLateRun(database, id, limits), failRun),
    await each(LOST, ({ id }) => takeFromLostRunner(database, id, limits), failRun),
    await each(LATE_HOOKS, ({ id }) => failLateHook(database, id, limits), failHook),
    await each(EXPIRED, expire, failRun),
    (await database.run<{ id: string }>(LOST_HOOKS)).length,
    (await database.run<{ id: string }>(GONE, [limits.leaseSeconds * 2])).length,
  ];
  return found.some((count) => count > 0);
}

/** A run, a hook or an approval whose time is up, and the run that it belongs to. */
interface Overdue {
  readonly id: string;
  readonly run_id: string;
}

type Work = (row: Overdue) => Promise<unknown>;
type SetAside = (row: Overdue, error: unknown) => Promise<unknown>;

async function workOff(
  database: Database,
  statement: Statement,
  work: Work,
  setAside: SetAside,
  failures: RepeatedFailures,
  heal: () => Promise<void>,
): Promise<number> {
  const rows = await database.run<Overdue>(statement);
  // They may only look overdue, because the clock was set after it was last looked at. Each is decided again under its lock.
  if (rows.length > 0) await heal();
  let done = 0;
  for (const row of rows) {
    try {
      await work(row);
      failures.forget(row.id);
      done++;
    } catch (error) {
      if (!failures.failed(row.id, error)) continue;
      // What cannot even be set aside is told in the same way, and tried again with the next round.
      await setAside(row, error).then(
        () => failures.forget(row.id),
        (worse: unknown) => failures.failed(`${row.id} set aside`, worse),
      );
    }
  }
  return done;
}

const IS_LATE: Statement = {
  name: "is-late",
  text: "SELECT lease_until < now() AS is_lost, deadline_at < now() AS is_late FROM runs WHERE id = $1",
};

/** A runner that stopped answering has lost its run, which is tried again as often as the blueprint allows. */
function takeFromLostRunner(database: Database, id: string, limits: Limits): Promise<void> {
  return database.transaction(async (queries) => {
    const run = await lockRun(queries, id);
    const [late] = await queries.run<{ is_lost: boolean | null }>(IS_LATE, [id]);
    if (run === undefined || late?.is_lost !== true) return;
    if (await releaseUnstarted(queries, run, limits)) return;
    const reason = `the runner ${run.runner_id} stopped answering`;
    if (run.state === "stopping") {
      const ending = { status: "stopped", errorCode: "runner_lost" } as const;
      await settleHooks(queries, await endRun(queries, run, ending, limits), limits);
    } else if (run.attempt < run.max_attempts) {
      await cancelWaits(queries, id, reason);
      const data = { reason, attempt: run.attempt, max_attempts: run.max_attempts };
      await changeRun(queries, run, "ready", {}, { type: "run_retried", data });
    } else {
      const ending = { status: "failed", error: reason, errorCode: "runner_lost" } as const;
      await settleHooks(queries, await endRun(queries, run, ending, limits), limits);
    }
    await stopIdleHookRuns(queries, id, limits);
  });
}

function endLateRun(database: Database, id: string, limits: Limits): Promise<void> {
  return database.transaction(async (queries) => {
    const run = await lockRun(queries, id);
    const [late] = await queries.run<{ is_late: boolean | null }>(IS_LATE, [id]);
    if (run === undefined || late?.is_late !== true || run.finished_at !== null) return;
    if (await releaseUnstarted(queries, run, limits)) return;
    const error = `it took longer than its ${run.timeout_seconds} seconds`;
    const ending = { status: "failed", error, errorCode: "timeout", timedOut: true } as const;
    await settleHooks(queries, await endRun(queries, run, ending, limits), limits);
    await stopIdleHookRuns(queries, id, limits);
  });
}

function failLateHook(database: Database, id: string, limits: Limits): Promise<void> {
  return database.transaction(async (queries) => {
    const hook = await readHook(queries, id);
    if (hook === undefined || hook.finished_at !== null || hook.deadline_at === null) return;
    const child = hook.child_run_id === null ? undefined : await lockRun(queries, hook.child_run_id);
    if (child !== undefined && (await releaseUnstarted(queries, child, limits))) return;
    const waited = hook.child_run_id !== null && hook.started_at === null;
    const error = waited
      ? "no runner came to carry it out"
      : `it took longer than its ${hook.definition.timeout_seconds} seconds`;
    await settleHooks(queries, [{ hook, reply: { type: "failed", error, timedOut: true } }], limits);
    await stopIdleHookRuns(queries, hook.run_id, limits);
  });
}
