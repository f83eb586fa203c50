import { isFinal } from "../domain/run-state.ts";
import type { RunRow } from "../store/rows.ts";
import { lockNextRun } from "../store/run-rows.ts";
import { endRun, endWithoutHooks } from "./end-run.ts";
import { changeRun } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/**
 * Stops a run: at once when no runner has it, else by an order to the runner. Returns the run as it is then. `by` is the name of the
 * person or the token that stops it; the first one counts.
 */
export async function stopRun(
  transition: Transition,
  id: string,
  reason: string,
  by?: string,
): Promise<RunRow | undefined> {
  const { queries } = transition;
  const run = await lockNextRun(queries, id);
  if (run === undefined || isFinal(run.state) || run.state === "stopping") return run;
  if (run.state === "claimed" || run.state === "running") {
    const event = { type: "run_stopping", data: { reason, by } } as const;
    return changeRun(queries, run, "stopping", { stop_reason: reason, ...(by && { stopped_by: by }) }, event);
  }
  const { ends_as } = run;
  // The reported result stays, and end hooks cannot be evaded by a stop: it only ends the wait for them.
  if (run.state === "finishing" && ends_as !== null) {
    return endWithoutHooks(transition, { ...run, ends_as }, run.stopped_by ?? by);
  }
  return endRun(transition, run, { status: "stopped", stopReason: reason, stoppedBy: by });
}
