import { AsyncLocalStorage } from "node:async_hooks";
import { isThenable } from "@tenterhook/internal";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { Hooks } from "../hooks.ts";
import { type Delegation, type HostRun, stateOf } from "./run.ts";
import { joinContext, type Refused, readRefusal } from "./turn.ts";

/** How a delegation begins: `text` is what the subagent reads, the task with what hooks added. */
export type SubagentStart =
  | { readonly type: "go_on"; readonly delegation: Delegation; readonly text: string }
  | Refused;

/**
 * Fires `subagent_start`, and `subagent_stop` of a delegation that hooks refused or that was stopped meanwhile. `run` is the one that
 * delegates; where only the subagent's run knows that it is one, that run with its own delegation. Rejects after a stop.
 */
export async function startSubagent(run: HostRun, delegation: Delegation): Promise<SubagentStart> {
  const isOwn = delegation === run.init.delegation;
  const state = stateOf(run);
  // What does not begin has no end.
  if (isOwn && run.stopped !== undefined) state.firedSubagentStop = true;
  run.check();
  const start = await run.fire("subagent_start", { ...delegation }).catch(async (error: unknown) => {
    // The subagent's own run fires it at its end.
    if (!isOwn)
      await run.fireLast("subagent_stop", { ...delegation, stopReason: "stopped", finalMessage: null });
    throw error;
  });
  const { taskDescription } = start.payload;
  const changed: Delegation = { ...delegation, taskDescription };
  if (isOwn) state.delegation = changed;
  if (start.action === "refuse") {
    if (isOwn) state.firedSubagentStop = true;
    await run.fireLast("subagent_stop", { ...changed, stopReason: "refused", finalMessage: null });
    return readRefusal(start);
  }
  return { type: "go_on", delegation: changed, text: joinContext(taskDescription, start.context) };
}

/** The events of a subagent that do not reach the hooks of the agent that delegates to it. */
const OWN_TURN = EVENT_NAMES.filter((event) => eventRow(event).ownTurn === true);

const childSets = new WeakMap<Hooks, Hooks>();

/** The hooks of a subagent without hooks of its own: those of the agent that delegates to it, except on events of an agent's own turn. */
export function childHooks(hooks: Hooks): Hooks {
  const known = childSets.get(hooks);
  if (known !== undefined) return known;
  const created = new Hooks({ inherits: [{ from: hooks, except: OWN_TURN }] });
  childSets.set(hooks, created);
  return created;
}

/** A tool that is being executed, or code that it has left behind. */
interface Execution {
  readonly run: HostRun;
  readonly outer: Execution | undefined;
  hasEnded: boolean;
}

const executions = new AsyncLocalStorage<Execution>();

/** Executes a tool of a run: an agent that runs in there is nested in that run, of whatever framework and with whatever hooks. */
export function asParent<T>(run: HostRun, execute: () => T): T {
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
export function findParent(): HostRun | undefined {
  let execution = executions.getStore();
  while (execution?.hasEnded === true && execution.run.hasEnded) execution = execution.outer;
  return execution?.run;
}
