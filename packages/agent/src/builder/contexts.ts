import type { Context } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/internal";
import { ToolFailure } from "@tenterhook/protocol";
import { toError } from "../run/recovery.ts";
import { AgentExecution } from "./data/agent-execution.ts";
import { AgentState } from "./data/agent-state.ts";
import { AgentStep } from "./data/agent-step.ts";
import { ToolCall } from "./data/tool-call.ts";
import { ToolResult } from "./data/tool-result.ts";
import { builderEvent, type EngineEvent, type HookEvent } from "./hook-event.ts";

/** What a factory, a `with…` method or JSON put into a context. Everything else is read from the engine's context. */
export interface ContextValues {
  readonly event?: HookEvent;
  readonly state?: AgentState;
  readonly toolCall?: ToolCall;
  readonly execution?: AgentExecution | undefined;
  readonly stepIndex?: number;
  readonly step?: AgentStep | undefined;
  readonly stopReason?: string | undefined;
  readonly exception?: Error;
}

/**
 * What a hook of the builder gets: a view of the engine's context under the builder's names. Contexts are never changed:
 * `with…` makes copies, and a hook asks for the change with `HookOutcome.proceed(copy)`.
 */
export abstract class HookContext<H extends HookEvent = HookEvent> {
  readonly #engineContext: Context<EngineEvent<H>> | undefined;
  readonly #values: ContextValues;

  constructor(engineContext: Context<EngineEvent<H>> | undefined, values: ContextValues = {}) {
    this.#engineContext = engineContext;
    this.#values = values;
  }

  eventType(): H {
    // Every class is made for its own events only.
    return this.read("event", (ctx) => builderEvent(ctx.event)) as H;
  }

  /** Short for `eventType()`. */
  event(): H {
    return this.eventType();
  }

  state(): AgentState {
    // A context without an engine behind it was given a state.
    return this.read("state", readState) as AgentState;
  }

  /** A copy with another state: changed metadata, and on step events a changed conversation. */
  withState(state: AgentState): this {
    return this.copy({ state });
  }

  get(key: string): unknown;
  /** A value of the run's metadata, as `state().metadata().get()` returns it. */
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    return this.state().metadata().get(key, fallback);
  }

  /** A copy that writes to the run's metadata when a hook proceeds with it. */
  withMetadata(key: string, value: unknown): this {
    return this.withState(this.state().withMetadata(key, value));
  }

  /** As plain data: the event, the state, and the event's own values. `contextFromJSON` reads it. */
  toJSON(): object {
    return { event: this.eventType(), state: this.state().toJSON(), ...this.subject() };
  }

  /** The engine's own context, for what the builder does not name: `signal`, `sessionId`, `message`. None outside an agent. */
  engineContext(): Context<EngineEvent<H>> | undefined {
    return this.#engineContext;
  }

  /** The event's own values as plain data. */
  protected subject(): object {
    return {};
  }

  protected read<K extends keyof ContextValues>(
    key: K,
    fromEngine: (ctx: Context<EngineEvent<H>>) => ContextValues[K],
  ): ContextValues[K] {
    const ctx = this.#engineContext;
    return ctx === undefined || this.#values[key] !== undefined ? this.#values[key] : fromEngine(ctx);
  }

  protected copy(changes: ContextValues): this {
    const Class = this.constructor as new (...given: ConstructorParameters<typeof HookContext<H>>) => this;
    return new Class(this.#engineContext, { ...this.#values, ...changes });
  }
}

/** A tool call before it runs, or after. */
export class ToolHookContext extends HookContext<"PreToolUse" | "PostToolUse"> {
  static beforeTool(toolCall: ToolCall, state: AgentState): ToolHookContext {
    return new ToolHookContext(undefined, { event: "PreToolUse", toolCall, state });
  }

  static afterTool(execution: AgentExecution, state: AgentState): ToolHookContext {
    const toolCall = execution.toolCall();
    return new ToolHookContext(undefined, { event: "PostToolUse", toolCall, execution, state });
  }

  isBeforeTool(): boolean {
    return this.eventType() === "PreToolUse";
  }

  isAfterTool(): boolean {
    return this.eventType() === "PostToolUse";
  }

  toolCall(): ToolCall {
    return this.read("toolCall", readCall) as ToolCall;
  }

  /** The finished call with its result; `undefined` before it runs. */
  execution(): AgentExecution | undefined {
    return this.read("execution", readExecution);
  }

  /** A copy with other arguments. Only for PreToolUse: later, proceeding with it is an error of the hook. */
  withToolCall(toolCall: ToolCall): this {
    return this.copy({ toolCall });
  }

  /** A copy with another result. Only for PostToolUse: earlier, proceeding with it is an error of the hook. */
  withExecution(execution: AgentExecution): this {
    return this.copy({ execution });
  }

  protected override subject(): object {
    const execution = this.execution();
    return { toolCall: this.toolCall().toJSON(), ...(execution && { execution: execution.toJSON() }) };
  }
}

/** A step that begins, or that has ended. */
export class StepHookContext extends HookContext<"BeforeStep" | "AfterStep"> {
  static beforeStep(state: AgentState, stepIndex: number): StepHookContext {
    return new StepHookContext(undefined, { event: "BeforeStep", stepIndex, state });
  }

  static afterStep(state: AgentState, step: AgentStep): StepHookContext {
    return new StepHookContext(undefined, { event: "AfterStep", stepIndex: step.index(), step, state });
  }

  /** 0-based. */
  stepIndex(): number {
    return this.read("stepIndex", (ctx) => ctx.stepIndex ?? (ctx.iteration ?? 1) - 1) ?? 0;
  }

  /** 1-based, for display. */
  stepNumber(): number {
    return this.stepIndex() + 1;
  }

  /** The step that has ended; `undefined` before. */
  step(): AgentStep | undefined {
    return this.read("step", (ctx) =>
      ctx.event === "after_step" && ctx.step ? new AgentStep(ctx.step) : undefined,
    );
  }

  protected override subject(): object {
    const step = this.step();
    return { stepIndex: this.stepIndex(), ...(step && { step: step.toJSON() }) };
  }
}

/** A run that begins, or that has ended: completed, failed or stopped. */
export class ExecutionHookContext extends HookContext<"ExecutionStart" | "ExecutionEnd"> {
  static onStart(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext(undefined, { event: "ExecutionStart", state });
  }

  static onEnd(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext(undefined, { event: "ExecutionEnd", state });
  }

  isStart(): boolean {
    return this.eventType() === "ExecutionStart";
  }
}

/** Why an agent is about to stop. */
export class ContinuationOutcome {
  readonly #stopReason: string | undefined;

  constructor(stopReason?: string) {
    this.#stopReason = stopReason;
  }

  /** `no_tool_calls`, `max_steps`, `budget_exhausted`, `tool_rejected`, …; undefined if the host gives no reason. */
  stopReason(): string | undefined {
    return this.#stopReason;
  }
}

/** An agent, or a subagent, that is about to stop. A hook that blocks makes it continue. */
export class StopHookContext extends HookContext<"Stop" | "SubagentStop"> {
  static onStop(state: AgentState, outcome: ContinuationOutcome): StopHookContext {
    return new StopHookContext(undefined, { event: "Stop", stopReason: outcome.stopReason(), state });
  }

  static onSubagentStop(state: AgentState, outcome: ContinuationOutcome): StopHookContext {
    return new StopHookContext(undefined, { event: "SubagentStop", stopReason: outcome.stopReason(), state });
  }

  continuationOutcome(): ContinuationOutcome {
    return new ContinuationOutcome(this.read("stopReason", (ctx) => ctx.stopReason));
  }

  protected override subject(): object {
    return { stopReason: this.continuationOutcome().stopReason() };
  }
}

/** An error that no hook recovered from. Nothing can be changed any more: such a hook logs, alerts, cleans up. */
export class FailureHookContext extends HookContext<"AgentFailed"> {
  static onFailure(state: AgentState, exception: Error): FailureHookContext {
    return new FailureHookContext(undefined, { event: "AgentFailed", exception, state });
  }

  /** The error itself, so that `instanceof` and `stack` work. */
  exception(): Error {
    return this.read("exception", (ctx) => toError(ctx.error)) as Error;
  }

  errorMessage(): string {
    return messageOf(this.exception());
  }

  /** The name of its class, also if the class did not set `name`; the `name` of a plain `Error`. */
  errorClass(): string {
    const exception = this.exception();
    const className = exception.constructor.name;
    return className === "" || className === "Error" ? exception.name : className;
  }

  protected override subject(): object {
    return { error: { name: this.errorClass(), message: this.errorMessage() } };
  }
}

function readCall(ctx: Context<EngineEvent<"PreToolUse" | "PostToolUse">>): ToolCall {
  return new ToolCall(ctx.toolName, ctx.toolInput, ctx.toolUseId);
}

function readExecution(ctx: Context<EngineEvent<"PreToolUse" | "PostToolUse">>): AgentExecution | undefined {
  if (ctx.event === "before_tool") return undefined;
  const error = ToolFailure.ofCall(ctx);
  const result = error === undefined ? ToolResult.success(ctx.toolResult) : ToolResult.failure(error);
  // A hook may have replaced the tool's result by a failure; then the tool's own status no longer applies.
  const status = error !== undefined && ctx.event === "after_tool" ? "failed" : ctx.status;
  return new AgentExecution(readCall(ctx), result, { status, durationMs: ctx.durationMs });
}

function readState(ctx: Context<EngineEvent>): AgentState {
  const { state, agent, metadata } = ctx;
  const messages = ctx.event === "before_step" || ctx.event === "after_step" ? ctx.messages : undefined;
  return new AgentState({
    agentId: agent?.id ?? "",
    ...state,
    metadata: state?.metadata ?? metadata,
    messages,
  });
}
