import { type Context, type EventName, type Matcher, predicate } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { contextFor } from "../contexts/context-for.ts";
import type { HookContext } from "../contexts/hook-context.ts";
import { isEngineEvent } from "../hook-event.ts";
import { PlannedMatcher } from "./planned-matcher.ts";

/** Matches when the function, which gets the builder's context, returns true. The label is what `explain` shows. */
export class CallableMatcher<C extends HookContext = HookContext> extends PlannedMatcher {
  readonly #test: (context: C) => boolean;

  constructor(test: (context: C) => boolean, label?: string) {
    super(predicateOf(test as (context: HookContext) => boolean, label ?? (test.name || "a predicate")));
    this.#test = test;
  }

  matches(context: C): boolean {
    return this.#test(context);
  }
}

function predicateOf(test: (context: HookContext) => boolean, label: string): Matcher {
  // What the engine hands to a predicate is the context of the hook; its type says less.
  const ask = (ctx: unknown) => test(builderContext(ctx as Context<EventName>));
  return predicate(ask, label);
}

function builderContext(ctx: Context<EventName>): HookContext {
  const { event } = ctx;
  if (isEngineEvent(event)) return contextFor(ctx as Context<typeof event>);
  throw new TenterhookError("bad_matcher", `the builder has no context for ${event}.`, {
    hint: "Use the engine's predicate() there.",
  });
}
