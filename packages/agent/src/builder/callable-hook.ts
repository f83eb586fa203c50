import type { MaybePromise, OutcomeOf } from "@tenterhook/engine";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { HookContext } from "./contexts/hook-context.ts";
import type { Hook, HookNext } from "./hook.ts";
import type { EngineEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";
import type { HookMatcher } from "./matchers/hook-matcher.ts";
import { hookMatcher } from "./matchers/read-matcher.ts";
import { whenThere } from "./maybe-promise.ts";

/** What the function of a `CallableHook` may return: an outcome, or nothing, which proceeds. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks is written as a function without a return.
export type CallableAnswer = HookOutcome | OutcomeOf<EngineEvent> | undefined | void;

export type HookCallback<C extends HookContext> = (
  context: C,
  next: HookNext,
) => MaybePromise<CallableAnswer>;

/** A function as a hook. It may call `next`, and need not: the hooks behind it run unless it objects. */
export class CallableHook<C extends HookContext = HookContext> implements Hook<C> {
  readonly callback: HookCallback<C>;
  readonly matcher: HookMatcher | undefined;

  constructor(callback: HookCallback<C>, matcher?: Parameters<typeof hookMatcher>[0] | null) {
    if (typeof callback !== "function") {
      throw new TenterhookError("bad_hook", `a callable hook takes a function, not ${messageOf(callback)}.`);
    }
    this.callback = callback;
    this.matcher = matcher == null ? undefined : hookMatcher(matcher);
  }

  /** For a `HookStack`; in an agent the engine matches, and knows that a hook was passed over. */
  handle(context: C, next: HookNext): MaybePromise<HookOutcome> {
    if (this.matcher?.matches(context) === false) return next(context);
    let inner: MaybePromise<HookOutcome> | undefined;
    const answer = this.callback(context, (changed) => {
      inner = next(changed);
      return inner;
    });
    return whenThere(answer, (said) => {
      if (said === undefined) return inner ?? next(context);
      const outcome = said instanceof HookOutcome ? said : HookOutcome.of(said);
      const goesOn = inner === undefined && outcome.isProceed();
      return goesOn ? next(outcome.context() ?? context) : outcome;
    });
  }
}
