import type { Context, HookOptions, Hooks } from "@tenterhook/engine";
import { type ContextByEvent, contextFor } from "../contexts/context-for.ts";
import type { EngineEvent, HookEvent } from "../hook-event.ts";
import { whenThere } from "../maybe-promise.ts";
import { readAnswer } from "./read-answer.ts";

/** Registers a function that is given the builder's context as a hook of the engine. */
export function registerCallback<E extends HookEvent>(
  hooks: Hooks,
  event: E,
  ask: (context: ContextByEvent[E]) => unknown,
  options: HookOptions,
): void {
  const handler = (ctx: Context<EngineEvent>) => {
    const given = contextFor(ctx);
    // The engine fires there what the builder's name stands for, and `contextFor` makes its context.
    const answer = ask(given as ContextByEvent[E]);
    return whenThere(answer, (said) => readAnswer(said, given, ctx));
  };
  // Which outcomes the event has, the engine checks when they come. Wrapped, so that it does not take the name of ours.
  hooks.on(event, ((ctx: Context<EngineEvent>) => handler(ctx)) as never, options);
}
