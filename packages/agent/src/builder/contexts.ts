import type { Context } from "@tenterhook/engine";
import { toError } from "@tenterhook/engine/host";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError, ToolFailure } from "@tenterhook/protocol";
import {
  AgentExecution,
  AgentState,
  AgentStep,
  type ExecutionDetails,
  type StateFields,
  type StepFields,
  ToolCall,
  ToolResult,
} from "./data.ts";
import { builderEvent, type EngineEvent, HookEvent } from "./hook-event.ts";

/** What a context shows: the event, the state, and the event's own values. */
export interface ContextValues {
  readonly event: HookEvent;
  readonly state: AgentState;
  readonly toolCall?: ToolCall | undefined;
  readonly execution?: AgentExecution | undefined;
  readonly stepIndex?: number | undefined;
  readonly step?: AgentStep | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: Error | undefined;
}

/**
 * What a hook of the builder gets: a view of the engine's context under the builder's names. Contexts are never changed:
 * `with…` makes copies, and a hook asks for the change with `HookOutcome.proceed(copy)`.
 */
export abstract class HookContext<H extends HookEvent = HookEvent> {
  protected readonly values: ContextValues;
  readonly #engineContext: Context<EngineEvent<H>> | undefined;

  constructor(values: ContextValues, engineContext?: Context<EngineEvent<H>>) {
    this.values = values;
    this.#engineContext = engineContext;
  }

  eventType(): H {
    // Every class is made for its own events only.
    return this.values.event as H;
  }

  /** Short for `eventType()`. */
  event(): H {
    return this.eventType();
  }

  state(): AgentState {
    return this.values.state;
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
    const { state, toolCall, execution, step, error, ...rest } = this.values;
    return {
      ...rest,
      state: state.toJSON(),
      ...(toolCall && { toolCall: toolCall.toJSON() }),
      ...(execution && { execution: execution.toJSON() }),
      ...(step && { step: step.toJSON() }),
      ...(error && { error: { name: classOf(error), message: messageOf(error) } }),
    };
  }

  /** The engine's own context, for what the builder does not name: `signal`, `sessionId`, `message`. None outside an agent. */
  engineContext(): Context<EngineEvent<H>> | undefined {
    return this.#engineContext;
  }

  protected copy(changes: Partial<ContextValues>): this {
    const Class = this.constructor as new (...given: ConstructorParameters<typeof HookContext<H>>) => this;
    return new Class({ ...this.values, ...changes }, this.#engineContext);
  }
}

/** A tool call before it runs, or after. */
export class ToolHookContext extends HookContext<"PreToolUse" | "PostToolUse"> {
  static beforeTool(toolCall: ToolCall, state: AgentState): ToolHookContext {
    return new ToolHookContext({ event: "PreToolUse", toolCall, state });
  }

  static afterTool(execution: AgentExecution, state: AgentState): ToolHookContext {
    return new ToolHookContext({ event: "PostToolUse", toolCall: execution.toolCall(), execution, state });
  }

  isBeforeTool(): boolean {
    return this.eventType() === "PreToolUse";
  }

  isAfterTool(): boolean {
    return this.eventType() === "PostToolUse";
  }

  toolCall(): ToolCall {
    return this.values.toolCall ?? new ToolCall("");
  }

  /** The finished call with its result; `undefined` before it runs. */
  execution(): AgentExecution | undefined {
    return this.values.execution;
  }

  /** A copy with other arguments. Only for PreToolUse: later, proceeding with it is an error of the hook. */
  withToolCall(toolCall: ToolCall): this {
    return this.copy({ toolCall });
  }

  /** A copy with another result. Only for PostToolUse: earlier, proceeding with it is an error of the hook. */
  withExecution(execution: AgentExecution): this {
    return this.copy({ execution });
  }
}

/** A step that begins, or that has ended. */
export class StepHookContext extends HookContext<"BeforeStep" | "AfterStep"> {
  static beforeStep(state: AgentState, stepIndex: number): StepHookContext {
    return new StepHookContext({ event: "BeforeStep", stepIndex, state });
  }

  static afterStep(state: AgentState, step: AgentStep): StepHookContext {
    return new StepHookContext({ event: "AfterStep", stepIndex: step.index(), step, state });
  }

  /** 0-based. */
  stepIndex(): number {
    return this.values.stepIndex ?? 0;
  }

  /** 1-based, for display. */
  stepNumber(): number {
    return this.stepIndex() + 1;
  }

  /** The step that has ended; `undefined` before. */
  step(): AgentStep | undefined {
    return this.values.step;
  }
}

/** A run that begins, or that has ended: completed, failed or stopped. */
export class ExecutionHookContext extends HookContext<"ExecutionStart" | "ExecutionEnd"> {
  static onStart(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext({ event: "ExecutionStart", state });
  }

  static onEnd(state: AgentState): ExecutionHookContext {
    return new ExecutionHookContext({ event: "ExecutionEnd", state });
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
    return new StopHookContext({ event: "Stop", stopReason: outcome.stopReason(), state });
  }

  static onSubagentStop(state: AgentState, outcome: ContinuationOutcome): StopHookContext {
    return new StopHookContext({ event: "SubagentStop", stopReason: outcome.stopReason(), state });
  }

  continuationOutcome(): ContinuationOutcome {
    return new ContinuationOutcome(this.values.stopReason);
  }
}

/** An error that no hook recovered from. Nothing can be changed any more: such a hook logs, alerts, cleans up. */
export class FailureHookContext extends HookContext<"AgentFailed"> {
  static onFailure(state: AgentState, error: Error): FailureHookContext {
    return new FailureHookContext({ event: "AgentFailed", error, state });
  }

  /** The error itself, so that `instanceof` and `stack` work. */
  exception(): Error {
    return this.values.error ?? toError(undefined);
  }

  errorMessage(): string {
    return messageOf(this.exception());
  }

  /** The name of its class, also if the class did not set `name`; the `name` of a plain `Error`. */
  errorClass(): string {
    return classOf(this.exception());
  }
}

function classOf(error: Error): string {
  const className = error.constructor.name;
  return className === "" || className === "Error" ? error.name : className;
}

/** The class of each event's context. */
const CONTEXTS = {
  PreToolUse: ToolHookContext,
  PostToolUse: ToolHookContext,
  BeforeStep: StepHookContext,
  AfterStep: StepHookContext,
  ExecutionStart: ExecutionHookContext,
  ExecutionEnd: ExecutionHookContext,
  Stop: StopHookContext,
  SubagentStop: StopHookContext,
  AgentFailed: FailureHookContext,
} as const satisfies { readonly [H in HookEvent]: unknown };

/** The context that hooks on an event get. */
export type ContextByEvent = { readonly [H in HookEvent]: InstanceType<(typeof CONTEXTS)[H]> };

/** A context as plain data, as `toJSON` returns it. */
interface ContextFields extends Pick<ContextValues, "event" | "stepIndex" | "stopReason"> {
  readonly state: StateFields;
  readonly toolCall?: {
    readonly id?: string | undefined;
    readonly name: string;
    readonly args?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly execution?: ExecutionDetails & {
    readonly result: { readonly success: boolean; readonly value?: unknown; readonly error?: unknown };
  };
  readonly step?: StepFields | null | undefined;
  readonly error?: unknown;
}

/** The builder's view of the engine's context. */
export function contextFor(ctx: Context<EngineEvent>): HookContext {
  const { agent, state, metadata } = ctx;
  const fields = {
    agentId: agent?.id ?? "",
    ...state,
    metadata: state?.metadata ?? metadata,
    messages: ctx.event === "before_step" || ctx.event === "after_step" ? ctx.messages : undefined,
  };
  return createContext({ event: builderEvent(ctx.event), state: fields, ...readFields(ctx) }, ctx);
}

function readFields(ctx: Context<EngineEvent>): Omit<ContextFields, "event" | "state"> {
  switch (ctx.event) {
    case "before_tool":
    case "after_tool":
    case "after_tool_failure": {
      const toolCall = { name: ctx.toolName, args: ctx.toolInput, id: ctx.toolUseId };
      if (ctx.event === "before_tool") return { toolCall };
      const error = ToolFailure.ofCall(ctx);
      const result =
        error === undefined ? { success: true, value: ctx.toolResult } : { success: false, error };
      // A hook may have replaced the tool's result by a failure; then the tool's own status no longer applies.
      const status = error !== undefined && ctx.event === "after_tool" ? "failed" : ctx.status;
      return { toolCall, execution: { result, status, durationMs: ctx.durationMs } };
    }
    case "before_step":
    case "after_step": {
      const stepIndex = ctx.stepIndex ?? (ctx.iteration ?? 1) - 1;
      return ctx.event === "after_step" ? { stepIndex, step: ctx.step } : { stepIndex };
    }
    case "before_stop":
    case "subagent_stop":
      return { stopReason: ctx.stopReason };
    case "agent_failed":
      return { error: ctx.error };
    default:
      return {};
  }
}

/** A context out of its JSON. It has no engine behind it: `engineContext()` is undefined. Throws `bad_outcome`. */
export function contextFromJSON(json: unknown): HookContext {
  const { event, state } = (json ?? {}) as Partial<ContextFields>;
  if (Object.values<unknown>(HookEvent).includes(event) && typeof state?.agentId === "string")
    return createContext(json as ContextFields);
  throw new TenterhookError("bad_outcome", `this is not a context: ${messageOf(json)}.`, {
    hint: "Pass the parsed JSON of a context, with its event and state.",
  });
}

function createContext(fields: ContextFields, engineContext?: Context<EngineEvent>): HookContext {
  const { event, stepIndex, stopReason, step, error } = fields;
  const { name = "", args, id } = fields.toolCall ?? {};
  const toolCall = new ToolCall(name, args, id);
  const values: ContextValues = {
    event,
    state: new AgentState(fields.state),
    toolCall: fields.toolCall && toolCall,
    execution: fields.execution && createExecution(toolCall, fields.execution),
    stepIndex,
    step: step ? new AgentStep(step) : undefined,
    stopReason,
    error: error === undefined ? undefined : toError(error),
  };
  // The table pairs every event with its own class, which TypeScript cannot follow through an index.
  return new (CONTEXTS[event] as new (...given: unknown[]) => HookContext)(values, engineContext);
}

function createExecution(
  toolCall: ToolCall,
  { result, status, durationMs }: NonNullable<ContextFields["execution"]>,
): AgentExecution {
  const read = result.success ? ToolResult.success(result.value) : ToolResult.failure(result.error);
  return new AgentExecution(toolCall, read, { status, durationMs });
}
