import type { Immutable, Message } from "@tenterhook/protocol";
import { AgentStep, type StepFields } from "./agent-step.ts";
import { StateMetadata } from "./state-metadata.ts";

export interface StateFields {
  readonly agentId: string;
  readonly parentAgentId?: string | null | undefined;
  readonly stepCount?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly currentStep?: StepFields | null | undefined;
  readonly messages?: readonly Immutable<Message>[] | undefined;
}

/** How far a state has moved from another one. */
export interface StateChanges {
  readonly messages: readonly Immutable<Message>[] | undefined;
  readonly metadata: ReadonlyMap<string, unknown>;
}

/** What an agent knows of itself while it runs. A value: hooks change the copies that `with…` makes, and return them. */
export class AgentState {
  readonly agentId: string;
  /** Of the agent that delegated to this one; null for one that nobody delegated to. */
  readonly parentAgentId: string | null;
  readonly #fields: StateFields;
  readonly #metadata: StateMetadata;

  constructor(fields: StateFields, metadata = new StateMetadata(fields.metadata)) {
    this.agentId = fields.agentId;
    this.parentAgentId = fields.parentAgentId ?? null;
    this.#fields = fields;
    this.#metadata = metadata;
  }

  /** Steps that have been completed. The one under way is not among them; a skipped one is. */
  stepCount(): number {
    return this.#fields.stepCount ?? 0;
  }

  /** The run's bag. */
  metadata(): StateMetadata {
    return this.#metadata;
  }

  /** The latest step in which the model answered. */
  currentStep(): AgentStep | undefined {
    const { currentStep } = this.#fields;
    return currentStep ? new AgentStep(currentStep) : undefined;
  }

  /** The conversation, on the step events; the others do not carry it, and it is empty there. */
  messages(): readonly Immutable<Message>[] {
    return this.#fields.messages ?? [];
  }

  withMetadata(key: string, value: unknown): AgentState {
    return new AgentState(this.#fields, this.#metadata.with(key, value));
  }

  /** A copy with another conversation; only the step events let it change. */
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

  /** What is to be done so that `earlier` becomes this. A state that says nothing of messages changes none. */
  changesSince(earlier: AgentState): StateChanges {
    const { messages } = this.#fields;
    return {
      messages: messages === earlier.#fields.messages ? undefined : messages,
      metadata: this.#metadata.changesSince(earlier.#metadata),
    };
  }
}
