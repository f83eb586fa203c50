import type { Queries, Statement } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { isFinal } from "../domain/run-state.ts";
import type { RunRow } from "../store/rows.ts";
import { endRun, endWithoutHooks } from "./end-run.ts";
import { changeRun, lockNextRun, lockRun } from "./run-changes.ts";
import { settleHooks } from "./settle-hooks.ts";

/** Stops a run: at once when no runner has it, else by an order to the runner. Returns the run as it is then. */
export async function stopRun(
  queries: Queries,
  id: string,
  limits: Limits,
  reason = "stopped by request",
): Promise<RunRow | undefined> {
  const run = await lockNextRun(queries, id);
  if (run === undefined || isFinal(run.state) || run.state === "stopping") return run;
  if (run.state === "claimed" || run.state === "running") {
    return changeRun(
      queries,
      run,
      "stopping",
      { stop_reason: reason },
      { type: "run_stopping", data: { reason } },
    );
  }
  const { ends_as } = run;
  // What was reported stands, and end hooks cannot be evaded by a stop: it only ends the wait for them.
  const answers =
    run.state === "finishing" && ends_as !== null
      ? await endWithoutHooks(queries, { ...run, ends_as }, limits)
      : await endRun(queries, run, { status: "stopped", stopReason: reason }, limits);
  await settleHooks(queries, answers, limits);
  await stopIdleHookRuns(queries, id, limits);
  return lockRun(queries, id);
}

const CHILDREN: Statement = {
  name: "runs-of-ended-hooks",
  text: `
    SELECT runs.id FROM run_hooks JOIN runs ON runs.id = run_hooks.child_run_id AND runs.hook_id = run_hooks.id
    WHERE run_hooks.run_id = $1 AND run_hooks.finished_at IS NOT NULL AND runs.finished_at IS NULL
      AND runs.kind = 'hook' AND runs.state <> 'stopping'`,
};

/** Stops the runs that carry out hooks which have ended without them. */
export async function stopIdleHookRuns(queries: Queries, runId: string, limits: Limits): Promise<void> {
  for (const { id } of await queries.run<{ id: string }>(CHILDREN, [runId])) {
    await stopRun(queries, id, limits, "its hook has ended");
  }
}
