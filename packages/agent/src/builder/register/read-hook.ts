import type { MatcherLike } from "@tenterhook/engine";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { CallableHook } from "../callable-hook.ts";
import type { HookContext } from "../contexts/hook-context.ts";
import type { Hook, HookNext } from "../hook.ts";
import type { HookEvent } from "../hook-event.ts";
import { engineMatcher } from "../matchers/read-matcher.ts";

/** A hook as it is registered. */
export interface ReadHook {
  readonly handle: (context: HookContext, next: HookNext) => unknown;
  readonly name: string;
  readonly matcher: MatcherLike | undefined;
}

/** Takes a hook apart: the engine does the matching of those that have a matcher, so that `explain` can tell of it. */
export function readHook(hook: unknown, events: readonly HookEvent[]): ReadHook {
  if (hook instanceof CallableHook) {
    const { callback, matcher } = hook;
    return { handle: callback, name: callback.name, matcher: engineMatcher(matcher) };
  }
  if (!isHook(hook)) {
    throw new TenterhookError(
      "bad_hook",
      `a hook is an object with handle(context, next), not ${messageOf(hook)}.`,
      {
        hint: "Make one of a function by new CallableHook(callback, matcher).",
      },
    );
  }
  if (hook.events !== undefined && !events.some((event) => hook.events?.includes(event))) {
    throw new TenterhookError("bad_hook", `this hook would never run on ${events.join(", ")}.`, {
      hook: hook.constructor.name,
      hint: `It is for ${hook.events.join(", ")}.`,
    });
  }
  const { name } = hook.constructor;
  return {
    handle: (...given) => hook.handle(...given),
    name: name === "Object" ? "" : name,
    matcher: undefined,
  };
}

function isHook(hook: unknown): hook is Hook {
  return typeof hook === "object" && hook !== null && "handle" in hook && typeof hook.handle === "function";
}
