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
  hooks.on(
    event,
    // Without a name of its own, which would be taken for the hook's. The engine checks the outcomes when they come.
    ((ctx: Context<EngineEvent>) => {
      const given = contextFor(ctx);
      // The engine fires there what the builder's name stands for, and `contextFor` makes its context.
      const answer = ask(given as ContextByEvent[E]);
      return whenThere(answer, (said) => readAnswer(said, given, ctx));
    }) as never,
    options,
  );
}
