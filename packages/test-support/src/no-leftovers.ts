import { setTimeout as pause } from "node:timers/promises";
import { leftovers } from "./run-guard.ts";

/** How long processes that were told to end may take. */
const GRACE_MS = 5_000;

/** Vitest's global setup: a run whose tests leave processes or temporary files behind fails, and names them. */
export default function setup(): () => Promise<void> {
  return async () => {
    const until = Date.now() + GRACE_MS;
    let left = leftovers();
    while (left.processes.length + left.files.length > 0 && Date.now() < until) {
      await pause(100);
      left = leftovers();
    }
    const { processes, files } = left;
    if (processes.length > 0) throw new Error(`Tests left processes behind:\n${processes.join("\n")}`);
    if (files.length > 0) throw new Error(`Tests left temporary files behind: ${files.join(", ")}`);
  };
}
