import { setTimeout as pause } from "node:timers/promises";
import { processesOfRun } from "./run-guard.ts";

/** How long processes that were told to end may take. */
const GRACE_MS = 5_000;

/** Vitest's global setup: a run whose tests leave processes behind fails, and names them. Its files are removed with the run's folder. */
export default function setup(): () => Promise<void> {
  return async () => {
    const until = Date.now() + GRACE_MS;
    let left = processesOfRun();
    while (left.length > 0 && Date.now() < until) {
      await pause(100);
      left = processesOfRun();
    }
    if (left.length > 0) throw new Error(`Tests left processes behind:\n${left.join("\n")}`);
  };
}
