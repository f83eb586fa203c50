import type { EventName } from "@tenterhook/protocol";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Dispatch } from "../run/dispatch.ts";
import type { Runtime } from "../run/runtime.ts";
import { FastPlan } from "./fast-plan.ts";

/**
 * The one entrance of the fast path: runs a plan without bookkeeping while no hook answers; see `docs/fast-path.md`.
 * Returns `undefined`, and has called no hook, where the plan, the host's signal or a listener needs the bookkeeping.
 */
export function takeFastPath<E extends EventName>(
  runtime: Runtime,
  plan: Plan,
  context: Context<E>,
  options: DispatchOptions<E> | undefined,
): Dispatch<E> | Promise<Dispatch<E>> | undefined {
  plan.fast ??= new FastPlan(plan, runtime);
  // Only this line writes it.
  const fast = plan.fast as FastPlan;
  const run = fast.run ?? fast.warmUp();
  if (run === undefined || options?.signal?.aborted) return undefined;
  const isTimed = runtime.observers.watching;
  if (isTimed && runtime.observers.followsHooks) return undefined;
  return run(context, options, isTimed);
}
