import type { MaybePromise } from "@tenterhook/engine/internal";
import { messageOf, whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { HookReturn } from "./callbacks.ts";
import type { HookContext } from "./contexts.ts";
import type { Hook, HookNext } from "./hook.ts";
import type { HookEvent } from "./hook-event.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import { type HookMatcher, hookMatcher } from "./matchers.ts";
import { readReturned } from "./returned-value.ts";

/** The function of a `CallableHook`. It may return what hooks on its event may return: an outcome, a value, or nothing, which proceeds. */
export type HookCallback<C extends HookContext, E extends HookEvent = HookEvent> = (
  context: C,
  next: HookNext,
) => MaybePromise<HookReturn<E>>;

/** A function as a hook. Calling `next` is optional: the hooks behind it run unless it blocks or stops. */
export class CallableHook<C extends HookContext = HookContext, E extends HookEvent = HookEvent>
  implements Hook<C>
{
  readonly callback: HookCallback<C, E>;
  readonly matcher: HookMatcher | undefined;
  readonly events?: readonly HookEvent[] | undefined;

  constructor(callback: HookCallback<C, E>, matcher?: Parameters<typeof hookMatcher>[0] | null) {
    if (typeof callback !== "function") {
      throw new TenterhookError("bad_hook", `a callable hook takes a function, not ${messageOf(callback)}.`);
    }
    this.callback = callback;
    this.matcher = matcher == null ? undefined : hookMatcher(matcher);
  }

  /** For a `HookStack`; in an agent the engine evaluates the matcher and traces hooks that did not match. */
  handle(context: C, next: HookNext): MaybePromise<HookOutcome> {
    const isForEvent = this.events?.includes(context.eventType()) ?? true;
    if (!isForEvent || this.matcher?.matches(context) === false) return next(context);
    let inner: MaybePromise<HookOutcome> | undefined;
    const tracked: HookNext = (changed) => {
      inner = next(changed);
      return inner;
    };
    return whenReady<unknown, HookOutcome>(this.callback(context, tracked), (returned) => {
      if (returned === undefined) return inner ?? next(context);
      const read = readReturned(returned, { context, next: tracked, inner });
      return whenReady(read, (outcome) =>
        inner === undefined && outcome.isProceed() ? next(outcome.context() ?? context) : outcome,
      );
    });
  }
}
