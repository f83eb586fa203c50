import { toError } from "@tenterhook/engine/host";
import { ownField } from "@tenterhook/internal";
import type { Immutable, Message, Payload, ToolUse } from "@tenterhook/protocol";
import type { ToolStatus } from "../run/agent-event.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A tool call of the model. A value: `withArgs` makes another one. */
export class ToolCall {
  readonly #fields: { readonly id: string | undefined; readonly name: string; readonly args: Fields };

  constructor(name: string, args: Fields = {}, id?: string) {
    this.#fields = { id, name, args };
  }

  name(): string {
    return this.#fields.name;
  }

  args(): Fields {
    return this.#fields.args;
  }

  /** The id that the model gave the call; calls that hooks make need none. */
  id(): string | undefined {
    return this.#fields.id;
  }

  /** The same call with other arguments. A hook cannot change the tool's name. */
  withArgs(args: Fields): ToolCall {
    return new ToolCall(this.name(), args, this.id());
  }

  toJSON(): object {
    return { ...this.#fields };
  }
}

/** The tool calls of one step, in the model's order. */
export class ToolCalls implements Iterable<ToolCall> {
  readonly #calls: readonly ToolCall[];

  constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
  }

  static of(uses: readonly Immutable<ToolUse>[]): ToolCalls {
    return new ToolCalls(uses.map(({ id, name, input }) => new ToolCall(name, input, id)));
  }

  first(): ToolCall | undefined {
    return this.#calls[0];
  }

  last(): ToolCall | undefined {
    return this.#calls.at(-1);
  }

  all(): readonly ToolCall[] {
    return this.#calls;
  }

  count(): number {
    return this.#calls.length;
  }

  [Symbol.iterator](): Iterator<ToolCall> {
    return this.#calls[Symbol.iterator]();
  }
}

/** The result of a tool call: a value, or an error. */
export class ToolResult {
  readonly #value: unknown;
  readonly #error: Error | undefined;

  private constructor(value: unknown, error: Error | undefined) {
    this.#value = value;
    this.#error = error;
  }

  static success(value: unknown): ToolResult {
    return new ToolResult(value, undefined);
  }

  /** Takes an error, or anything that can be thrown. */
  static failure(error: unknown): ToolResult {
    return new ToolResult(undefined, toError(error));
  }

  isSuccess(): boolean {
    return this.#error === undefined;
  }

  isFailure(): boolean {
    return this.#error !== undefined;
  }

  /** The value; throws the error of a failure. */
  unwrap(): unknown {
    if (this.#error !== undefined) throw this.#error;
    return this.#value;
  }

  /** The value; `undefined` for a failure. */
  value(): unknown {
    return this.#value;
  }

  error(): Error | undefined {
    return this.#error;
  }

  /** An error as its message and name. */
  toJSON(): object {
    const error = this.#error;
    if (error === undefined) return { success: true, value: this.#value };
    return { success: false, error: { name: error.name, message: error.message } };
  }
}

export interface ExecutionDetails {
  /** Default: by the result, `completed` or `failed`. */
  readonly status?: ToolStatus | undefined;
  readonly durationMs?: number | undefined;
}

/** A finished tool call, with any result. A value: `withResult` makes another one. */
export class AgentExecution {
  readonly #toolCall: ToolCall;
  readonly #result: ToolResult;
  readonly #details: ExecutionDetails;

  constructor(toolCall: ToolCall, result: ToolResult, details: ExecutionDetails = {}) {
    this.#toolCall = toolCall;
    this.#result = result;
    this.#details = details;
  }

  toolCall(): ToolCall {
    return this.#toolCall;
  }

  result(): ToolResult {
    return this.#result;
  }

  /** Distinguishes a call that was blocked or skipped, and so never ran, from one that did. */
  status(): ToolStatus {
    return this.#details.status ?? (this.#result.isSuccess() ? "completed" : "failed");
  }

  durationMs(): number {
    return this.#details.durationMs ?? 0;
  }

  /** The same execution with another result. Replacing a failure by a success recovers from it. */
  withResult(result: ToolResult): AgentExecution {
    const { durationMs } = this.#details;
    const isSameKind = result.isSuccess() === this.#result.isSuccess();
    return new AgentExecution(this.#toolCall, result, isSameKind ? this.#details : { durationMs });
  }

  toJSON(): object {
    const [result, status, durationMs] = [this.#result.toJSON(), this.status(), this.durationMs()];
    return { toolCall: this.#toolCall.toJSON(), result, status, durationMs };
  }
}

export type StepFields = Immutable<NonNullable<Payload<"after_step">["step"]>>;

/** One step of an agent: the model's text and its tool calls. */
export class AgentStep {
  readonly #fields: StepFields;

  constructor(fields: StepFields) {
    this.#fields = fields;
  }

  /** 0-based. */
  index(): number {
    return this.#fields.index;
  }

  text(): string {
    return this.#fields.text ?? "";
  }

  toolCalls(): ToolCalls {
    return ToolCalls.of(this.#fields.toolCalls ?? []);
  }

  /** Whether one of its tool calls failed or was blocked. */
  hasErrors(): boolean {
    return this.#fields.hasErrors ?? false;
  }

  toJSON(): StepFields {
    return this.#fields;
  }
}

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
    const value = this.#changes.has(key) ? this.#changes.get(key) : ownField(this.#shared, key);
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

export interface StateFields {
  readonly agentId: string;
  readonly parentAgentId?: string | null | undefined;
  readonly stepCount?: number | undefined;
  readonly metadata?: Fields | undefined;
  readonly currentStep?: StepFields | null | undefined;
  readonly messages?: readonly Immutable<Message>[] | undefined;
}

/** The difference between two states. */
export interface StateChanges {
  readonly messages: StateFields["messages"];
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

  /** The changes that turn `earlier` into this state. A state without messages changes none. */
  changesSince(earlier: AgentState): StateChanges {
    const { messages } = this.#fields;
    return {
      messages: messages === earlier.#fields.messages ? undefined : messages,
      metadata: this.#metadata.changesSince(earlier.#metadata),
    };
  }

  toJSON(): StateFields {
    const { agentId, parentAgentId } = this;
    const { currentStep = null, messages } = this.#fields;
    const [stepCount, metadata] = [this.stepCount(), this.#metadata.toJSON()];
    return { agentId, parentAgentId, stepCount, metadata, currentStep, ...(messages && { messages }) };
  }
}
