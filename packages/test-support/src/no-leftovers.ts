import { setTimeout as pause } from "node:timers/promises";
import { processesOfRun } from "./run-guard.ts";

/** How long processes may take to end after they were asked to. */
const GRACE_MS = 30_000;

/** The projects of this run that use this module. Each loads a copy of it, so the count is global. */
const shared = globalThis as typeof globalThis & { tenterhookTestProjects?: number };

/**
 * Vitest's global setup: a run whose tests leave processes behind fails, and names them. The last project checks, when the servers
 * of the others have ended too. Files are removed with the run's folder.
 */
export default function setup(): () => Promise<void> {
  shared.tenterhookTestProjects = (shared.tenterhookTestProjects ?? 0) + 1;
  return async () => {
    shared.tenterhookTestProjects = (shared.tenterhookTestProjects ?? 1) - 1;
    if (shared.tenterhookTestProjects > 0) return;
    const until = Date.now() + GRACE_MS;
    let left = processesOfRun();
    while (left.length > 0 && Date.now() < until) {
      await pause(100);
      left = processesOfRun();
    }
    if (left.length > 0) throw new Error(`Tests left processes behind:\n${left.join("\n")}`);
  };
}
