import { AsyncLocalStorage } from "node:async_hooks";
import type { AssignedRun } from "@tenterhook/protocol/runs";

type RunId = Pick<AssignedRun, "run_id">;

/** What the commands, MCP servers and hooks of a run get, so that a run which they start belongs to its chain. */
export function runVariable({ run_id }: RunId): Readonly<Record<string, string>> {
  return { TENTERHOOK_RUN_ID: run_id };
}

/** Where the client looks for the run whose tool calls it. Registered, so that copies of both packages share it. */
const CURRENT_RUN = Symbol.for("tenterhook.current-run");

/** Executes a run; a client that its tools use in this process names it, as those of other processes do by the variable. */
export function asCurrentRun<T>({ run_id }: RunId, work: () => Promise<T>): Promise<T> {
  const shared = globalThis as { [CURRENT_RUN]?: AsyncLocalStorage<string> };
  shared[CURRENT_RUN] ??= new AsyncLocalStorage();
  return shared[CURRENT_RUN].run(run_id, work);
}
