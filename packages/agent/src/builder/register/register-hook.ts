import type { Context, HookOptions, Hooks, MaybePromise, Outcome } from "@tenterhook/engine";
import { contextFor } from "../contexts/context-for.ts";
import type { HookContext } from "../contexts/hook-context.ts";
import type { HookNext } from "../hook.ts";
import { type EngineEvent, engineEvents, type HookEvent } from "../hook-event.ts";
import { HookOutcome } from "../hook-outcome.ts";
import { whenThere } from "../maybe-promise.ts";
import { outcomeFor } from "./changes.ts";
import { readAnswer } from "./read-answer.ts";

type EngineNext = (patch?: object) => MaybePromise<Outcome>;

/** Registers a hook that wraps the ones behind it. */
export function registerHook(
  hooks: Hooks,
  events: readonly HookEvent[],
  handle: (context: HookContext, next: HookNext) => unknown,
  options: HookOptions,
): void {
  const middleware = (ctx: Context<EngineEvent>, next: EngineNext) => {
    const given = contextFor(ctx);
    /** What was handed to `next` and is no patch: a result that turned from failure to success, or back. */
    let verdict: Outcome | undefined;
    const goOn: HookNext = (changed = given) => {
      const outcome = outcomeFor(changed, given, ctx);
      if (outcome !== undefined && outcome.type !== "proceed") verdict = outcome;
      const patch = outcome?.type === "proceed" ? outcome.patch : undefined;
      return whenThere(next(patch), HookOutcome.of);
    };
    return whenThere(handle(given, goOn), (answer) => {
      const outcome = readAnswer(answer, given, ctx);
      return outcome === undefined || outcome.type === "proceed" ? (verdict ?? outcome) : outcome;
    });
  };
  // Which outcomes the event has, the engine checks when they come.
  hooks.use(events.flatMap(engineEvents), { handle: middleware } as never, options);
}
