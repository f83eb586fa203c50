import { AsyncLocalStorage } from "node:async_hooks";
import type { HookedRun } from "../core/index.ts";

const parents = new AsyncLocalStorage<HookedRun>();

/** Executes a tool of a run: an agent that runs in there is its subagent. */
export function asParent<T>(run: HookedRun, execute: () => T): T {
  return parents.run(run, execute);
}

/** The run whose tool is being executed here. */
export function findParent(): HookedRun | undefined {
  return parents.getStore();
}
