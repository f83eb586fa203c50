import type { Queries } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { closeHook } from "./close-hook.ts";
import { hookRunsToStop } from "./hook-rows.ts";
import { stopRun } from "./stop-run.ts";
import { Transition } from "./transition.ts";

/** Runs `work`, and then settles everything that follows from it. `queries` are those of a transaction. */
export async function settled<T>(
  queries: Queries,
  limits: Limits,
  work: (transition: Transition) => Promise<T>,
): Promise<T> {
  const transition = new Transition(queries, limits);
  const result = await work(transition);
  await settleHooks(transition);
  return result;
}

/** Closes the hooks that have their replies, and stops the runs of hooks that have ended without them, until nothing is left. */
async function settleHooks(transition: Transition): Promise<void> {
  for (;;) {
    const answer = transition.nextAnswer();
    if (answer !== undefined) {
      await closeHook(transition, answer.hook, answer.reply);
      continue;
    }
    const runId = transition.nextRunWithEndedHooks();
    if (runId === undefined) return;
    for (const id of await hookRunsToStop(transition.queries, runId)) {
      await stopRun(transition, id, "its hook has ended");
    }
  }
}
