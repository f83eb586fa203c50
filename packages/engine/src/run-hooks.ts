import type { EventName, Payload } from "@tenterhook/protocol";
import type { DispatchOptions } from "./context/dispatch-options.ts";
import { newContext } from "./context/new-context.ts";
import { takeFastPath } from "./fast/take-fast-path.ts";
import type { EventHooks } from "./plan/event-hooks.ts";
import type { Dispatch } from "./run/dispatch.ts";
import { runPlan } from "./run/dispatcher.ts";
import type { Runtime } from "./run/runtime.ts";

/** Calls the hooks of an event that has some: on the fast path where the plan is one for it, else with bookkeeping. */
export function runHooks<E extends EventName>(
  runtime: Runtime,
  hooks: EventHooks,
  event: E,
  payload: Payload<E>,
  options: DispatchOptions<E> | undefined,
): Dispatch<E> | Promise<Dispatch<E>> {
  const { toolName, toolAliases } = payload as { toolName?: string; toolAliases?: readonly string[] };
  const plan =
    toolAliases === undefined ? hooks.planFor(toolName) : hooks.planForNames(toolName, toolAliases);
  const context = newContext(event, payload, options);
  return takeFastPath(runtime, plan, context, options) ?? runPlan(runtime, plan, context, options);
}
