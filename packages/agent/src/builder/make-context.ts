import type { Context } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { ToolStatus } from "../run/agent-event.ts";
import { toError } from "../run/recovery.ts";
import {
  type ContextValues,
  ExecutionHookContext,
  FailureHookContext,
  type HookContext,
  StepHookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
import { AgentExecution } from "./data/agent-execution.ts";
import { AgentState, type StateFields } from "./data/agent-state.ts";
import { AgentStep, type StepFields } from "./data/agent-step.ts";
import { ToolCall } from "./data/tool-call.ts";
import { ToolResult } from "./data/tool-result.ts";
import { builderEvent, type EngineEvent, HookEvent } from "./hook-event.ts";

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

/** The builder's view of the engine's context. */
export function contextFor(ctx: Context<EngineEvent>): HookContext {
  return newContext(builderEvent(ctx.event), ctx);
}

/** A context out of its JSON. It has no engine behind it: `engineContext()` is undefined. Throws `bad_outcome`. */
export function contextFromJSON(json: unknown): HookContext {
  if (!isContextJSON(json)) {
    throw new TenterhookError("bad_outcome", `this is not a context: ${messageOf(json)}.`, {
      hint: "Pass the parsed JSON of a context, with its event and state.",
    });
  }
  const { event, state, stepIndex = 0, step, stopReason, toolCall: call, execution, error } = json;
  const toolCall = new ToolCall(call?.name ?? "", call?.args, call?.id);
  return newContext(event, undefined, {
    event,
    state: new AgentState(state),
    toolCall,
    execution: execution && readExecution(toolCall, execution),
    stepIndex,
    step: step && new AgentStep(step),
    stopReason,
    exception: toError(error),
  });
}

function newContext(
  event: HookEvent,
  ctx: Context<EngineEvent> | undefined,
  values?: ContextValues,
): HookContext {
  // The table pairs every event with its own class, which TypeScript cannot follow through an index.
  return new (CONTEXTS[event] as unknown as new (...given: unknown[]) => HookContext)(ctx, values);
}

/** What `toJSON` of the contexts returns, for all events. */
interface ContextJSON {
  readonly event: HookEvent;
  readonly state: StateFields;
  readonly toolCall?: {
    readonly id?: string;
    readonly name: string;
    readonly args?: Record<string, unknown>;
  };
  readonly execution?: {
    readonly result: { readonly success: boolean; readonly value?: unknown; readonly error?: unknown };
    readonly status?: ToolStatus;
    readonly durationMs?: number;
  };
  readonly stepIndex?: number;
  readonly step?: StepFields;
  readonly stopReason?: string;
  readonly error?: unknown;
}

function isContextJSON(json: unknown): json is ContextJSON {
  const { event, state } = (json ?? {}) as Partial<ContextJSON>;
  return Object.values<unknown>(HookEvent).includes(event) && typeof state?.agentId === "string";
}

function readExecution(
  toolCall: ToolCall,
  { result, status, durationMs }: NonNullable<ContextJSON["execution"]>,
): AgentExecution {
  const read = result.success ? ToolResult.success(result.value) : ToolResult.failure(result.error);
  return new AgentExecution(toolCall, read, { status, durationMs });
}
