import type { Context } from "@tenterhook/engine";
import type { AgentState } from "../data/agent-state.ts";
import type { ContinuationOutcome } from "../data/continuation-outcome.ts";
import { type EngineEvent, HookEvent } from "../hook-event.ts";
import { HookContext } from "./hook-context.ts";

type StopEvent = EngineEvent<"Stop" | "SubagentStop">;

/** An agent, or a subagent, that is about to stop. To block that is to make it go on. */
export class StopHookContext extends HookContext<StopEvent> {
  readonly #event: "Stop" | "SubagentStop";
  readonly #outcome: ContinuationOutcome;

  constructor(
    event: "Stop" | "SubagentStop",
    outcome: ContinuationOutcome,
    state: AgentState,
    engineContext?: Context<StopEvent>,
  ) {
    super(state, engineContext);
    this.#event = event;
    this.#outcome = outcome;
  }

  static onStop(state: AgentState, outcome: ContinuationOutcome): StopHookContext {
    return new StopHookContext(HookEvent.Stop, outcome, state);
  }

  static onSubagentStop(state: AgentState, outcome: ContinuationOutcome): StopHookContext {
    return new StopHookContext(HookEvent.SubagentStop, outcome, state);
  }

  eventType(): "Stop" | "SubagentStop" {
    return this.#event;
  }

  continuationOutcome(): ContinuationOutcome {
    return this.#outcome;
  }

  protected override subject(): object {
    return { stopReason: this.#outcome.stopReason() };
  }

  withState(state: AgentState): StopHookContext {
    return new StopHookContext(this.#event, this.#outcome, state, this.engineContext());
  }
}
