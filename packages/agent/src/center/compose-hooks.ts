import { createHooks } from "@tenterhook/engine";
import { proceed } from "@tenterhook/protocol";
import type { HookContext } from "./hook-context.ts";
import type { Hook, PostHookFunction, PreHookFunction } from "./hook-types.ts";

/** A part of a composed pre-hook. */
export interface PreHookPart {
  readonly execute: PreHookFunction;
  /** Whether it takes part in the second judgement. Default true. */
  readonly rejudge?: boolean | undefined;
}

/**
 * Several pre-hooks as one. The parts are hooks of a set of their own, so the engine runs them in order until one refuses, gives
 * each the message as the parts before it left it, and checks a changed message a second time.
 */
export function composedPreHook({ name, timeoutMs }: Hook, parts: readonly PreHookPart[]): PreHookFunction {
  return async (given) => {
    const hooks = createHooks();
    for (const { execute, rejudge } of parts) {
      // In the second judgement of the composed hook each part is called once, and only refusals count.
      if (given.judging && rejudge === false) continue;
      const call = async (context: HookContext) => {
        const answer = await execute(context);
        return given.judging && answer?.type === "proceed" ? undefined : answer;
      };
      hooks.on(
        "before_agent",
        ({ message: userMessage, signal, judging }) =>
          call({ ...given, userMessage, signal, judging: judging || given.judging }),
        { name, timeoutMs, rejudge },
      );
    }
    const { userMessage: message, metadata, signal } = given;
    const { outcome, error, payload, context } = await hooks.dispatch(
      "before_agent",
      { message },
      { metadata, signal },
    );
    if (error !== undefined) throw error.cause ?? error;
    // The event has no other outcomes than these.
    if (outcome.type === "block" || outcome.type === "stop") return outcome;
    const patch = payload.message === message ? undefined : { message: payload.message };
    if (context.length > 0) return proceed(patch, { context: context.join("\n") });
    return patch && proceed(patch);
  };
}

/** Several post-hooks as one: in order, until one objects. */
export function composedPostHook(parts: readonly PostHookFunction[]): PostHookFunction {
  return async (context, run) => {
    for (const part of parts) {
      const answer = await part(context, run);
      if (answer !== undefined && answer?.type !== "proceed") return answer;
    }
    return undefined;
  };
}
