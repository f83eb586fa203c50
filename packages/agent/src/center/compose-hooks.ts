import { createHooks } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import type { Hook, PostHookFunction, PreHookFunction, RegisteredHook } from "./hook-context.ts";
import { unknownName } from "./problems.ts";

/** Finds the parts of a composed hook: functions, and names of registered hooks. */
export function findParts<F>(
  parts: readonly (string | F)[],
  kind: string,
  names: readonly string[],
  find: (name: string) => RegisteredHook<F> | undefined,
): readonly RegisteredHook<F>[] {
  return parts.map((part) => {
    if (typeof part !== "string") return { config: { name: "" }, execute: part };
    const known = find(part);
    if (known === undefined) {
      throw new TenterhookError("unknown_hook", `${unknownName("the composition", kind, part, names)}.`, {
        hint: "Register the parts first.",
      });
    }
    if (known.config.enforce !== false) return known;
    // What a part would have done is recorded nowhere.
    throw new TenterhookError("bad_hook", "it is not enforced, so it cannot be part of another hook.", {
      hook: part,
      hint: "Set enforce: false on the composed hook instead.",
    });
  });
}

/**
 * Several pre-hooks as one. The parts are hooks of a set of their own, so the engine runs them in order until one refuses, gives
 * each the message as the parts before it left it, and checks a changed message a second time.
 */
export function composedPreHook(
  { name, timeoutMs }: Hook,
  parts: readonly RegisteredHook<PreHookFunction>[],
): PreHookFunction {
  return async (given) => {
    // In the second judgement of the composed hook each part is called once, and only refusals count.
    if (given.judging)
      return firstObjection(
        parts.filter(({ config }) => config.rejudge !== false),
        given,
      );
    const hooks = createHooks();
    for (const { config, execute } of parts) {
      hooks.on(
        "before_agent",
        ({ message: userMessage, signal, judging }) => execute({ ...given, userMessage, signal, judging }),
        { name, timeoutMs, rejudge: config.rejudge },
      );
    }
    const { userMessage: message, metadata, signal } = given;
    const dispatch = await hooks.dispatch("before_agent", { message }, { metadata, signal });
    const { outcome, error, payload, context } = dispatch;
    if (error !== undefined) throw error.cause ?? error;
    // The event has no other outcomes than these.
    if (outcome.type === "block" || outcome.type === "stop") return outcome;
    const patch = payload.message === message ? undefined : { message: payload.message };
    if (context.length > 0) return proceed(patch, { context: context.join("\n") });
    return patch && proceed(patch);
  };
}

/** Several post-hooks as one: in order, until one objects. */
export function composedPostHook(parts: readonly RegisteredHook<PostHookFunction>[]): PostHookFunction {
  return (context, run) => firstObjection(parts, context, run);
}

async function firstObjection<A extends readonly unknown[], O extends Outcome>(
  // biome-ignore lint/suspicious/noConfusingVoidType: a part that only observes returns nothing.
  parts: readonly RegisteredHook<(...given: A) => MaybePromise<O | undefined | void>>[],
  ...given: A
): Promise<O | undefined> {
  for (const { execute } of parts) {
    const answer = await execute(...given);
    if (answer !== undefined && answer?.type !== "proceed") return answer;
  }
  return undefined;
}
