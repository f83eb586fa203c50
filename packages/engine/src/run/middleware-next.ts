import { type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import { whose } from "../answer/failure.ts";
import type { HookCall } from "./hook-call.ts";

/** What `next()` does to the sequence that its middleware is part of. */
export interface InnerHooks {
  /** Applies the change that was given to `next()`. Returns a promise when the host must check it. */
  change(patch: object): Promise<void> | undefined;
  run(): Outcome | Promise<Outcome>;
}

/** The `next` of a middleware: at most once, in time, and only the hooks behind it. */
export function middlewareNext(
  call: HookCall,
  inner: InnerHooks,
): (patch?: object) => Outcome | Promise<Outcome> {
  const where = whose(call.hook.descriptor);
  return (patch) => {
    if (call.hasCalledNext) {
      call.misuse = new TenterhookError("next_called_twice", "it called next() more than once.", {
        ...where,
        hint: "Keep the outcome of the first call.",
      });
      throw call.misuse;
    }
    if (call.hasAnswered) {
      throw new TenterhookError("hook_timeout", "it called next() after it had ended.", where);
    }
    call.hasCalledNext = true;
    // The second judgement calls each guard by itself.
    if (call.pass === "judging") return proceed();
    const changing = patch === undefined ? undefined : inner.change(patch);
    return changing === undefined ? inner.run() : changing.then(() => inner.run());
  };
}
