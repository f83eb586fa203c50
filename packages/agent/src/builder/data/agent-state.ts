import type { Immutable, Message } from "@tenterhook/protocol";
import { AgentStep, type StepFields } from "./agent-step.ts";

export interface StateFields {
  readonly agentId: string;
  readonly parentAgentId?: string | null | undefined;
  readonly stepCount?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly currentStep?: StepFields | null | undefined;
  readonly messages?: readonly Immutable<Message>[] | undefined;
}

/** The difference between two states. */
export interface StateChanges {
  readonly messages: readonly Immutable<Message>[] | undefined;
  readonly metadata: ReadonlyMap<string, unknown>;
}

/** The state of a running agent. A value: hooks return the copies that `with…` makes. */
export class AgentState {
  readonly agentId: string;
  /** The agent that delegated to this one; null if none did. */
  readonly parentAgentId: string | null;
  readonly #fields: StateFields;
  readonly #metadata: StateMetadata;

  constructor(fields: StateFields, metadata = new StateMetadata(fields.metadata)) {
    this.agentId = fields.agentId;
    this.parentAgentId = fields.parentAgentId ?? null;
    this.#fields = fields;
    this.#metadata = metadata;
  }

  /** Completed steps, skipped ones included; the current one is not. */
  stepCount(): number {
    return this.#fields.stepCount ?? 0;
  }

  /** The run's metadata. */
  metadata(): StateMetadata {
    return this.#metadata;
  }

  /** The latest step in which the model answered. */
  currentStep(): AgentStep | undefined {
    const { currentStep } = this.#fields;
    return currentStep ? new AgentStep(currentStep) : undefined;
  }

  /** The conversation on the step events; empty on all others. */
  messages(): readonly Immutable<Message>[] {
    return this.#fields.messages ?? [];
  }

  withMetadata(key: string, value: unknown): AgentState {
    return new AgentState(this.#fields, this.#metadata.with(key, value));
  }

  /** A copy with another conversation; only the step events accept it. */
  withMessages(messages: readonly Immutable<Message>[]): AgentState {
    return new AgentState({ ...this.#fields, messages }, this.#metadata);
  }

  toJSON(): StateFields {
    const { agentId, parentAgentId } = this;
    const { currentStep = null, messages } = this.#fields;
    const metadata = this.#metadata.toJSON();
    return {
      agentId,
      parentAgentId,
      stepCount: this.stepCount(),
      metadata,
      currentStep,
      ...(messages && { messages }),
    };
  }

  /** The changes that turn `earlier` into this state. A state without messages changes none. */
  changesSince(earlier: AgentState): StateChanges {
    const { messages } = this.#fields;
    return {
      messages: messages === earlier.#fields.messages ? undefined : messages,
      metadata: this.#metadata.changesSince(earlier.#metadata),
    };
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The metadata that the hooks of a run share: a live view of it, with the changes of this copy on top. A change is written
 * when a hook proceeds with it, key by key, because other hooks may have written other keys in the meantime.
 */
export class StateMetadata {
  readonly #shared: Fields;
  readonly #changes: ReadonlyMap<string, unknown>;

  constructor(shared: Fields = {}, changes: ReadonlyMap<string, unknown> = new Map()) {
    this.#shared = shared;
    this.#changes = changes;
  }

  get(key: string): unknown;
  /** The value, or the default if there is none. The default sets the expected type; it is not checked. */
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    const value = this.#changes.has(key) ? this.#changes.get(key) : ownValue(this.#shared, key);
    return value === undefined ? fallback : value;
  }

  has(key: string): boolean {
    return this.#changes.has(key) || Object.hasOwn(this.#shared, key);
  }

  /** A copy with this key set. */
  with(key: string, value: unknown): StateMetadata {
    return new StateMetadata(this.#shared, new Map([...this.#changes, [key, value]]));
  }

  /** The keys to write so that `earlier` shows the same values. */
  changesSince(earlier: StateMetadata): ReadonlyMap<string, unknown> {
    if (this.#shared === earlier.#shared) return this.#changes;
    return new Map([...Object.entries(this.#shared), ...this.#changes]);
  }

  toJSON(): Fields {
    return { ...this.#shared, ...Object.fromEntries(this.#changes) };
  }
}

/** A key like `constructor` is a key, not an inherited property. */
function ownValue(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
