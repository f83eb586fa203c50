import { AsyncLocalStorage } from "node:async_hooks";
import { isThenable } from "@tenterhook/internal";
import type { HookedRun } from "./hooked-run.ts";

/** A tool that is being executed, or code that it has left behind. */
interface Execution {
  readonly run: HookedRun;
  readonly outer: Execution | undefined;
  hasEnded: boolean;
}

const executions = new AsyncLocalStorage<Execution>();

/** Executes a tool of a run: an agent that runs in there is nested in that run, of whatever framework and with whatever hooks. */
export function asParent<T>(run: HookedRun, execute: () => T): T {
  const execution: Execution = { run, outer: executions.getStore(), hasEnded: false };
  const end = () => {
    execution.hasEnded = true;
  };
  const result = executions.run(execution, execute);
  // `then` of other objects may start their work a second time.
  if (result instanceof Promise) result.then(end, end);
  else if (!isThenable(result)) end();
  return result;
}

/**
 * The run that a run which begins here is nested in. A server or a queue that a tool has started keeps the tool's context: when both the
 * tool and its run have ended, what begins there is a run of its own.
 */
export function findParent(): HookedRun | undefined {
  let execution = executions.getStore();
  while (execution?.hasEnded === true && execution.run.hasEnded) execution = execution.outer;
  return execution?.run;
}
