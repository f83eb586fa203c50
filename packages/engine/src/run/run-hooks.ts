import { isThenable } from "@tenterhook/internal";
import { type EventName, type Payload, proceed } from "@tenterhook/protocol";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import { HookContext } from "../context/hook-context.ts";
import { newContext } from "../context/new-context.ts";
import type { EventHooks } from "../plan/event-hooks.ts";
import { quietStop } from "../plan/unrolled.ts";
import { Dispatch } from "./dispatch.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type RawResult, Rejection } from "./hook-call.ts";
import { QuietWait } from "./quiet-wait.ts";
import type { Runtime } from "./runtime.ts";
import { runWatched } from "./watched.ts";

/** Calls the hooks of an event that has some: without bookkeeping while the plan is quiet and no hook answers. */
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
  if (!plan.quiet || options?.signal?.aborted) return new Dispatcher(runtime, plan, context, options).run();
  if (runtime.observers.watching) return runWatched(runtime, plan, context, options);
  let result: RawResult;
  let index: number | undefined;
  try {
    const answer = plan.run(context as never);
    if (answer === undefined) {
      if (options?.signal !== undefined) HookContext.release(context);
      return new Dispatch(event, payload, proceed(), plan.quietRecord);
    }
    // Read first: to look at the answer may run code of the hook, which may dispatch.
    index = quietStop.index;
    if (options?.signal === undefined && isThenable(answer))
      return new QuietWait(runtime, plan, context, options, index).start(answer);
    result = answer;
  } catch (error) {
    index ??= quietStop.index;
    result = new Rejection(error);
  }
  const dispatcher = new Dispatcher(runtime, plan, context, options);
  return dispatcher.resume(index, { type: "returned", result });
}
