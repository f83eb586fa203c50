import type { Context } from "@tenterhook/engine";
import type { AgentState } from "../data/agent-state.ts";
import type { AgentStep } from "../data/agent-step.ts";
import { type EngineEvent, HookEvent } from "../hook-event.ts";
import { HookContext } from "./hook-context.ts";

type StepEvent = EngineEvent<"BeforeStep" | "AfterStep">;

export interface StepParts {
  /** 0-based. */
  readonly stepIndex: number;
  /** Set once the step is over. */
  readonly step?: AgentStep | undefined;
}

/** A step that begins, or that has ended. */
export class StepHookContext extends HookContext<StepEvent> {
  readonly #event: "BeforeStep" | "AfterStep";
  readonly #parts: StepParts;

  constructor(
    event: "BeforeStep" | "AfterStep",
    parts: StepParts,
    state: AgentState,
    engineContext?: Context<StepEvent>,
  ) {
    super(state, engineContext);
    this.#event = event;
    this.#parts = parts;
  }

  static beforeStep(state: AgentState, stepIndex: number): StepHookContext {
    return new StepHookContext(HookEvent.BeforeStep, { stepIndex }, state);
  }

  static afterStep(state: AgentState, step: AgentStep): StepHookContext {
    return new StepHookContext(HookEvent.AfterStep, { stepIndex: step.index(), step }, state);
  }

  eventType(): "BeforeStep" | "AfterStep" {
    return this.#event;
  }

  /** 0-based. */
  stepIndex(): number {
    return this.#parts.stepIndex;
  }

  /** 1-based, for people. */
  stepNumber(): number {
    return this.#parts.stepIndex + 1;
  }

  /** The step that has ended; `undefined` before. */
  step(): AgentStep | undefined {
    return this.#parts.step;
  }

  protected override subject(): object {
    const { stepIndex, step } = this.#parts;
    return { stepIndex, ...(step && { step: step.toJSON() }) };
  }

  withState(state: AgentState): StepHookContext {
    return new StepHookContext(this.#event, this.#parts, state, this.engineContext());
  }
}
