import type { Context, HookOptions, Hooks } from "@tenterhook/engine";
import { contextFor } from "../contexts/context-for.ts";
import type { HookContext } from "../contexts/hook-context.ts";
import type { EngineEvent, HookEvent } from "../hook-event.ts";
import { whenThere } from "../maybe-promise.ts";
import { readAnswer } from "./read-answer.ts";

/** Registers a function that is given the builder's context as a hook of the engine. */
export function registerCallback(
  hooks: Hooks,
  event: HookEvent,
  ask: (context: HookContext) => unknown,
  options: HookOptions,
): void {
  hooks.on(
    event,
    ((ctx: Context<EngineEvent>) => {
      const given = contextFor(ctx);
      return whenThere(ask(given), (answer) => readAnswer(answer, given, ctx));
      // Which outcomes the event has, the engine checks when they come.
    }) as never,
    options,
  );
}
