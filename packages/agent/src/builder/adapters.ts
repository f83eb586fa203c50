import type { MaybePromise } from "@tenterhook/engine/internal";
import { formatValue, isPlainObject, whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type HookContext, StepHookContext, StopHookContext } from "./contexts.ts";
import type { AgentState } from "./data.ts";
import type { Hook, HookNext } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";

/** Computes a new state from a state. It may throw, which fails the hook. */
export interface StateProcessor {
  process(state: AgentState): MaybePromise<AgentState>;
  /** Default: every state. */
  canProcess?(state: AgentState): boolean;
}

type Position = "before" | "after";

/** A state processor as a hook before or, by default, after a step. */
export class StateProcessorAdapter implements Hook {
  readonly events: readonly HookEvent[];
  readonly #processor: StateProcessor;

  constructor(processor: StateProcessor, position: Position | { readonly position?: Position } = "after") {
    if (typeof processor?.process !== "function") {
      const message = `a state processor is an object with process(state), not ${formatValue(processor)}.`;
      throw new TenterhookError("bad_hook", message);
    }
    this.#processor = processor;
    this.events = [readPosition(position)];
  }

  handle(context: HookContext, next: HookNext): MaybePromise<HookOutcome> {
    const processor = this.#processor;
    const isMine = context instanceof StepHookContext && this.events.includes(context.eventType());
    if (!isMine || processor.canProcess?.(context.state()) === false) return next(context);
    return whenReady(processor.process(context.state()), (state) => next(context.withState(state)));
  }
}

function readPosition(given: unknown): HookEvent {
  const hint = 'Write new StateProcessorAdapter(processor, "before" or "after"), or { position }.';
  const unknown = isPlainObject(given) && Object.keys(given).find((key) => key !== "position");
  if (unknown) throw new TenterhookError("bad_hook", `there is no option "${unknown}".`, { hint });
  const position = isPlainObject(given) ? (given.position ?? "after") : given;
  if (position === "before") return HookEvent.BeforeStep;
  if (position === "after") return HookEvent.AfterStep;
  throw new TenterhookError("bad_hook", `the position is ${formatValue(position)}.`, { hint });
}

/** Whether an agent that is about to stop should continue. */
export interface Continuation {
  /** `continue`: it must continue; `stop`: it may stop; `forbid`: it must stop, even if other hooks want it to continue. */
  readonly decision: "continue" | "stop" | "forbid";
  /** For `continue`, the feedback for the agent. */
  readonly reason?: string | undefined;
}

/** Decides whether an agent should continue. It may throw, which fails the hook. */
export interface ContinuationCriterion {
  evaluate(state: AgentState): MaybePromise<Continuation>;
}

/** A continuation criterion as a hook on an agent, or a subagent, that is about to stop. */
export class ContinuationCriteriaAdapter implements Hook {
  readonly events: readonly HookEvent[] = [HookEvent.Stop, HookEvent.SubagentStop];
  readonly #criterion: ContinuationCriterion;

  constructor(criterion: ContinuationCriterion) {
    this.#criterion = criterion;
  }

  handle(context: HookContext, next: HookNext): MaybePromise<HookOutcome> {
    if (!(context instanceof StopHookContext)) return next(context);
    return whenReady(this.#criterion.evaluate(context.state()), ({ decision, reason }) => {
      switch (decision) {
        case "continue":
          return HookOutcome.block(reason ?? "a criterion requires the agent to continue");
        case "forbid":
          return HookOutcome.stop(reason ?? "a criterion forbids the agent to continue");
        case "stop":
          return next(context);
      }
    });
  }
}
