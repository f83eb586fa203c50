import type { Context } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/protocol";
import type { AgentState } from "../data/agent-state.ts";
import { HookEvent } from "../hook-event.ts";
import { HookContext } from "./hook-context.ts";

/** An error that nothing recovered from. It is too late to change anything: such a hook logs, alerts, cleans up. */
export class FailureHookContext extends HookContext<"agent_failed"> {
  readonly #exception: Error;

  constructor(exception: Error, state: AgentState, engineContext?: Context<"agent_failed">) {
    super(state, engineContext);
    this.#exception = exception;
  }

  static onFailure(state: AgentState, exception: Error): FailureHookContext {
    return new FailureHookContext(exception, state);
  }

  eventType(): "AgentFailed" {
    return HookEvent.AgentFailed;
  }

  /** The error itself, so that `instanceof` and `stack` work. */
  exception(): Error {
    return this.#exception;
  }

  errorMessage(): string {
    return messageOf(this.#exception);
  }

  /** The name of its class, also where the class did not set `name`; the `name` of a plain `Error`. */
  errorClass(): string {
    const made = this.#exception.constructor.name;
    return made === "" || made === "Error" ? this.#exception.name : made;
  }

  protected override subject(): object {
    return { error: { name: this.errorClass(), message: this.errorMessage() } };
  }

  withState(state: AgentState): FailureHookContext {
    return new FailureHookContext(this.#exception, state, this.engineContext());
  }
}
