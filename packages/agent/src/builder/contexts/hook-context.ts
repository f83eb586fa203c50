import type { Context } from "@tenterhook/engine";
import type { AgentState } from "../data/agent-state.ts";
import type { EngineEvent, HookEvent } from "../hook-event.ts";

/**
 * What a hook of the builder is given. Contexts are never changed: `with…` makes copies, and what a hook wants changed it says
 * with `HookOutcome.proceed(copy)`.
 */
export abstract class HookContext<E extends EngineEvent = EngineEvent> {
  readonly #state: AgentState;
  readonly #engineContext: Context<E> | undefined;

  constructor(state: AgentState, engineContext?: Context<E>) {
    this.#state = state;
    this.#engineContext = engineContext;
  }

  abstract eventType(): HookEvent;

  /** A copy with another state: changed metadata, and on step events a changed conversation. */
  abstract withState(state: AgentState): HookContext<E>;

  /** Short for `eventType()`. */
  event(): HookEvent {
    return this.eventType();
  }

  state(): AgentState {
    return this.#state;
  }

  get(key: string): unknown;
  /** A value of the run's bag, as `state().metadata().get()` has it. */
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    return this.#state.metadata().get(key, fallback);
  }

  /** A copy that writes to the run's bag, when a hook proceeds with it. */
  withMetadata(key: string, value: unknown): this {
    // Every class makes copies of its own kind, which TypeScript cannot say of `this`.
    return this.withState(this.#state.withMetadata(key, value)) as this;
  }

  /** As plain data: the event, the state, and what the event is about. `contextFromJSON` reads it. */
  toJSON(): object {
    return { event: this.eventType(), state: this.#state.toJSON(), ...this.subject() };
  }

  /** What the event is about, beside the state. */
  protected subject(): object {
    return {};
  }

  /** The engine's own context, for what the builder has no word for: `signal`, `sessionId`, `message`. None outside an agent. */
  engineContext(): Context<E> | undefined {
    return this.#engineContext;
  }
}
