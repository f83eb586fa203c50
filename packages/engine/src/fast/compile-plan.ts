import type { EventName } from "@tenterhook/protocol";
import { preciseNow } from "../clock/clock.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Dispatch } from "../run/dispatch.ts";
import { Rejection } from "../run/hook-call.ts";

/** Calls the hooks of a plan one after another. `isTimed`: reads the clock between them. */
export type CompiledPlan = <E extends EventName>(
  context: Context<E>,
  options: DispatchOptions<E> | undefined,
  isTimed: boolean,
) => Dispatch<E> | Promise<Dispatch<E>>;

/**
 * Writes out a plan as one straight function. In a loop every hook has the same call site, which keeps the JavaScript engine
 * from inlining any of them; a call site for each makes ten hooks three times faster. It ends in a call of `finish` or `stop`.
 * Returns `undefined` where code generation is forbidden.
 */
export function compilePlan(
  handles: readonly ((context: never) => unknown)[],
  ends: Readonly<Record<"finish" | "stop", CallableFunction>>,
): CompiledPlan | undefined {
  const names = handles.map((_, index) => `hook${index}`);
  const calls = names.map(
    (name, index) => `
      result = ${name}(context);
      if (result !== undefined) break calls;
      index = ${index + 1};
      if (isTimed) moments[${index + 1}] = now();
      if (signal?.aborted) break calls;`,
  );
  const source = `return (context, options, isTimed) => {
    const signal = options?.signal;
    let index = 0, result;
    const moments = isTimed ? [now(), ${names.map(() => "0").join(", ")}] : undefined;
    calls: {
      try {${calls.join("")}
      } catch (error) {
        result = new Rejection(error);
        break calls;
      }
      return ends.finish(context, options, moments);
    }
    return ends.stop(context, options, moments, index, result);
  };`;
  try {
    // Only numbers go into the source; the hooks are arguments.
    const make = new Function("ends", "now", "Rejection", ...names, source);
    return make(ends, preciseNow, Rejection, ...handles) as CompiledPlan;
  } catch {
    return undefined;
  }
}
