import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { toError } from "../../loop/recovery.ts";
import type { ToolStatus } from "../../loop/run-event.ts";
import { AgentExecution } from "../data/agent-execution.ts";
import { AgentState, type StateFields } from "../data/agent-state.ts";
import { AgentStep, type StepFields } from "../data/agent-step.ts";
import { ContinuationOutcome } from "../data/continuation-outcome.ts";
import { ToolCall } from "../data/tool-call.ts";
import { ToolResult } from "../data/tool-result.ts";
import { HookEvent } from "../hook-event.ts";
import { ExecutionHookContext } from "./execution-hook-context.ts";
import { FailureHookContext } from "./failure-hook-context.ts";
import type { HookContext } from "./hook-context.ts";
import { StepHookContext } from "./step-hook-context.ts";
import { StopHookContext } from "./stop-hook-context.ts";
import { ToolHookContext } from "./tool-hook-context.ts";

interface CallJSON {
  readonly id?: string;
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** What `toJSON` of the contexts gives, event by event. */
interface ContextJSON {
  readonly event: HookEvent;
  readonly state: StateFields;
  readonly toolCall?: CallJSON;
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

/** A context out of its JSON. It has no engine behind it: `engineContext()` is undefined. Throws `bad_outcome`. */
export function contextFromJSON(json: unknown): HookContext {
  if (!isContextJSON(json)) {
    throw new TenterhookError("bad_outcome", `this is no context: ${messageOf(json)}.`, {
      hint: "Give what JSON.parse makes of a context's JSON, with its event and state.",
    });
  }
  const { event, stepIndex = 0, step, stopReason } = json;
  const state = new AgentState(json.state);
  switch (event) {
    case HookEvent.PreToolUse:
    case HookEvent.PostToolUse:
      return new ToolHookContext(event, toolParts(json), state);
    case HookEvent.BeforeStep:
    case HookEvent.AfterStep:
      return new StepHookContext(event, { stepIndex, step: step && new AgentStep(step) }, state);
    case HookEvent.ExecutionStart:
    case HookEvent.ExecutionEnd:
      return new ExecutionHookContext(event, state);
    case HookEvent.Stop:
    case HookEvent.SubagentStop:
      return new StopHookContext(event, new ContinuationOutcome(stopReason), state);
    case HookEvent.AgentFailed:
      return new FailureHookContext(toError(json.error), state);
  }
}

function toolParts({ toolCall: { name, args, id } = { name: "" }, execution }: ContextJSON) {
  const toolCall = new ToolCall(name, args, id);
  if (execution === undefined) return { toolCall };
  const { result, status, durationMs } = execution;
  const read = result.success ? ToolResult.success(result.value) : ToolResult.failure(result.error);
  return { toolCall, execution: new AgentExecution(toolCall, read, { status, durationMs }) };
}

function isContextJSON(json: unknown): json is ContextJSON {
  const { event, state } = (json ?? {}) as Partial<ContextJSON>;
  return Object.values<unknown>(HookEvent).includes(event) && typeof state?.agentId === "string";
}
