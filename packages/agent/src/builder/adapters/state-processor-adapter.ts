import type { MaybePromise } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { StepHookContext } from "../contexts/step-hook-context.ts";
import type { AgentState } from "../data/agent-state.ts";
import type { Hook, HookNext } from "../hook.ts";
import { HookEvent } from "../hook-event.ts";
import type { HookOutcome } from "../hook-outcome.ts";
import { whenThere } from "../maybe-promise.ts";

/** Something that makes a new state of a state. It may throw, which fails the hook. */
export interface StateProcessor {
  process(state: AgentState): MaybePromise<AgentState>;
  /** Default: every state. */
  canProcess?(state: AgentState): boolean;
}

/** A state processor as a hook on the beginning or, by default, the end of a step. */
export class StateProcessorAdapter implements Hook {
  readonly events: readonly HookEvent[];
  readonly #processor: StateProcessor;

  constructor(
    processor: StateProcessor,
    { position = "after" }: { readonly position?: "before" | "after" } = {},
  ) {
    this.#processor = processor;
    this.events = [position === "before" ? HookEvent.BeforeStep : HookEvent.AfterStep];
  }

  handle(context: HookContext, next: HookNext): MaybePromise<HookOutcome> {
    const processor = this.#processor;
    const isMine = context instanceof StepHookContext && this.events.includes(context.eventType());
    if (!isMine || processor.canProcess?.(context.state()) === false) return next(context);
    return whenThere(processor.process(context.state()), (state) => next(context.withState(state)));
  }
}
