import type { Database, Statement } from "../database/database.ts";
import { CALLERS_GRACE_SECONDS, type Limits, MAX_TRIAL_SECONDS } from "../domain/limits.ts";
import { sqlState } from "../domain/run-state.ts";
import type { RunLifecycle } from "../lifecycle/index.ts";
import { isOfRow, RepeatedFailures, throwTogether } from "../repeated-failures.ts";
import { WAITS } from "../store/waiting-runs.ts";
import { LeaseHealer } from "./heal-clock.ts";

/** How many rows of a category one round takes; the next round takes the others. */
const MAX_ROWS = 100;

const LOST: Statement = {
  name: "lost-runs",
  text: `SELECT id, id AS run_id FROM runs WHERE lease_until IS NOT NULL AND lease_until < now() AND state ${sqlState.leased} LIMIT ${MAX_ROWS}`,
};
const LATE_RUNS: Statement = {
  name: "late-runs",
  text: `SELECT id, id AS run_id FROM runs WHERE lease_until IS NOT NULL AND deadline_at < now() LIMIT ${MAX_ROWS}`,
};
const LATE_HOOKS: Statement = {
  name: "late-hooks",
  text: `SELECT id, run_id FROM run_hooks WHERE deadline_at < now() AND finished_at IS NULL AND state <> 'asking' LIMIT ${MAX_ROWS}`,
};
const EXPIRED: Statement = {
  name: "expired-approvals",
  text: `SELECT id, run_id FROM approvals WHERE state = 'pending' AND expires_at < now() LIMIT ${MAX_ROWS}`,
};
// Their coordinator crashed before a runner claimed them. A claimed trial ends with its run's own timeout.
const ABANDONED_TRIALS: Statement = {
  name: "abandoned-trials",
  text: `
    SELECT id, id AS run_id FROM runs
    WHERE ${WAITS} AND kind = 'hook' AND hook_id IS NULL
      AND created_at < now() - make_interval(secs => ${MAX_TRIAL_SECONDS + CALLERS_GRACE_SECONDS})
    LIMIT ${MAX_ROWS}`,
};
const GONE: Statement = {
  name: "gone-runners",
  text: "UPDATE runners SET gone_at = now() WHERE gone_at IS NULL AND seen_at < now() - make_interval(secs => $1) RETURNING id",
};

export interface Swept {
  readonly database: Database;
  readonly lifecycle: RunLifecycle;
  readonly limits: Limits;
}

/** A run, a hook or an approval whose time is up, and the run that it belongs to. */
interface Overdue {
  readonly id: string;
  readonly run_id: string;
}

interface Category {
  readonly overdue: Statement;
  expire(row: Overdue): Promise<void>;
  setAside(row: Overdue, error: unknown): Promise<void>;
}

/**
 * One search for everything whose time is up: leases of runners and of hooks, deadlines of runs and of hooks, and approvals. Any
 * coordinator may do it at any time: each row is decided again under the run's lock. Returns whether there was any.
 *
 * A row that throws again and again is set aside. A row or a category that fails never keeps the others from being processed: the
 * failures of rows are reported as they happen, those of categories are thrown together at the end.
 */
export async function sweep(
  swept: Swept,
  failures = new RepeatedFailures(),
  leases = new LeaseHealer(),
): Promise<boolean> {
  const { database, lifecycle, limits } = swept;
  const heal = () => leases.heal(database, limits);
  const setAsideRun = ({ run_id }: Overdue, error: unknown) => lifecycle.setAsideRun(run_id, error);
  const setAsideHook = (hook: Overdue, error: unknown) => lifecycle.setAsideHook(hook, error);
  const categories: readonly Category[] = [
    { overdue: LATE_RUNS, expire: ({ id }) => lifecycle.expireRun(id), setAside: setAsideRun },
    { overdue: LOST, expire: ({ id }) => lifecycle.loseRunner(id), setAside: setAsideRun },
    { overdue: LATE_HOOKS, expire: ({ id }) => lifecycle.expireHook(id), setAside: setAsideHook },
    {
      overdue: ABANDONED_TRIALS,
      expire: async ({ id }) => void (await lifecycle.stop(id, "its trial has ended")),
      setAside: setAsideRun,
    },
    { overdue: EXPIRED, expire: ({ id }) => lifecycle.expireApproval(id), setAside: setAsideRun },
  ];
  // Times may only look overdue because the clock was changed. If this fails, there is no sweep.
  await heal();
  const errors: unknown[] = [];
  let found = 0;
  for (const step of [
    ...categories.map((category) => () => process(database, category, failures, heal)),
    () => lifecycle.requeueLostHooks(),
    async () => (await database.run(GONE, [limits.leaseSeconds * 2])).length,
  ]) {
    try {
      // A step may have waited for a database that was away.
      if (!leases.isCurrent(database)) await heal();
      found += await step();
    } catch (error) {
      errors.push(error);
      // Later steps would find leases that could not be renewed meanwhile.
      if (!isOfRow(error)) break;
    }
  }
  throwTogether(errors);
  return found > 0;
}

async function process(
  database: Database,
  { overdue, expire, setAside }: Category,
  failures: RepeatedFailures,
  heal: () => Promise<void>,
): Promise<number> {
  const rows = await database.run<Overdue>(overdue);
  // They may only look overdue, because the clock was changed after it was last read. Each is decided again under its lock.
  if (rows.length > 0) await heal();
  let done = 0;
  for (const row of rows) {
    try {
      await expire(row);
      failures.forget(row.id);
      done++;
    } catch (error) {
      if (!isOfRow(error)) throw error;
      if (!failures.failed(row.id, error)) continue;
      // A row that cannot be set aside either is reported in the same way, and tried again with the next round.
      await setAside(row, error).then(
        () => {
          failures.forget(row.id);
          failures.countSetAside();
        },
        (worse: unknown) => failures.failed(`${row.id} set aside`, worse),
      );
    }
  }
  return done;
}
