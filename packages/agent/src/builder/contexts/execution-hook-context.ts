import type { Context } from "@tenterhook/engine";
import type { AgentState } from "../data/agent-state.ts";
import { type EngineEvent, HookEvent } from "../hook-event.ts";
import { HookContext } from "./hook-context.ts";

type ExecutionEvent = EngineEvent<"ExecutionStart" | "ExecutionEnd">;

/** A run that begins, or that is over: completed, failed or stopped. */
export class ExecutionHookContext extends HookContext<ExecutionEvent> {
  readonly #event: "ExecutionStart" | "ExecutionEnd";

  constructor(
    event: "ExecutionStart" | "ExecutionEnd",
    state: AgentState,
    engineContext?: Context<ExecutionEvent>,
  ) {
    super(state, engineContext);
    this.#event = event;
  }

  static onStart(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext(HookEvent.ExecutionStart, state);
  }

  static onEnd(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext(HookEvent.ExecutionEnd, state);
  }

  eventType(): "ExecutionStart" | "ExecutionEnd" {
    return this.#event;
  }

  isStart(): boolean {
    return this.#event === HookEvent.ExecutionStart;
  }

  withState(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext(this.#event, state, this.engineContext());
  }
}
