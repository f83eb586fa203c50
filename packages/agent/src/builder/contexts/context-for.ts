import { type Context, ToolFailure } from "@tenterhook/engine";
import { toError } from "../../loop/recovery.ts";
import { AgentExecution } from "../data/agent-execution.ts";
import { AgentState } from "../data/agent-state.ts";
import { AgentStep } from "../data/agent-step.ts";
import { ContinuationOutcome } from "../data/continuation-outcome.ts";
import { ToolCall } from "../data/tool-call.ts";
import { ToolResult } from "../data/tool-result.ts";
import { type EngineEvent, HookEvent } from "../hook-event.ts";
import { ExecutionHookContext } from "./execution-hook-context.ts";
import { FailureHookContext } from "./failure-hook-context.ts";
import type { HookContext } from "./hook-context.ts";
import { StepHookContext } from "./step-hook-context.ts";
import { StopHookContext } from "./stop-hook-context.ts";
import { ToolHookContext } from "./tool-hook-context.ts";

/** The context that hooks on an event are given. */
export interface ContextByEvent {
  readonly PreToolUse: ToolHookContext;
  readonly PostToolUse: ToolHookContext;
  readonly BeforeStep: StepHookContext;
  readonly AfterStep: StepHookContext;
  readonly ExecutionStart: ExecutionHookContext;
  readonly ExecutionEnd: ExecutionHookContext;
  readonly Stop: StopHookContext;
  readonly SubagentStop: StopHookContext;
  readonly AgentFailed: FailureHookContext;
}

/** What the engine tells, in the builder's words. */
export function contextFor(ctx: Context<EngineEvent>): HookContext {
  switch (ctx.event) {
    case "before_tool":
      return new ToolHookContext(HookEvent.PreToolUse, { toolCall: callOf(ctx) }, stateOf(ctx), ctx);
    case "after_tool":
      return afterTool(ctx, resultOf(ctx.toolResult));
    case "after_tool_failure":
      return afterTool(ctx, ToolResult.failure(ToolFailure.of(ctx.toolResult, ctx.error)));
    case "before_step":
      return new StepHookContext(HookEvent.BeforeStep, { stepIndex: indexOf(ctx) }, stateOf(ctx), ctx);
    case "after_step": {
      const step = ctx.step && new AgentStep(ctx.step);
      return new StepHookContext(HookEvent.AfterStep, { stepIndex: indexOf(ctx), step }, stateOf(ctx), ctx);
    }
    case "before_agent":
      return new ExecutionHookContext(HookEvent.ExecutionStart, stateOf(ctx), ctx);
    case "after_agent":
      return new ExecutionHookContext(HookEvent.ExecutionEnd, stateOf(ctx), ctx);
    case "before_stop":
      return new StopHookContext(HookEvent.Stop, stopping(ctx), stateOf(ctx), ctx);
    case "subagent_stop":
      return new StopHookContext(HookEvent.SubagentStop, stopping(ctx), stateOf(ctx), ctx);
    case "agent_failed":
      return new FailureHookContext(toError(ctx.error), stateOf(ctx), ctx);
  }
}

function afterTool(ctx: Context<"after_tool" | "after_tool_failure">, result: ToolResult): ToolHookContext {
  const toolCall = callOf(ctx);
  const { durationMs } = ctx;
  // A hook may have put a failure in the place of a result: then the tool's own status says nothing of it.
  const status = ctx.event === "after_tool" && result.isFailure() ? "failed" : ctx.status;
  const execution = new AgentExecution(toolCall, result, { status, durationMs });
  return new ToolHookContext(HookEvent.PostToolUse, { toolCall, execution }, stateOf(ctx), ctx);
}

function resultOf(value: unknown): ToolResult {
  return ToolFailure.isInstance(value) ? ToolResult.failure(value) : ToolResult.success(value);
}

function callOf(ctx: Context<"before_tool" | "after_tool" | "after_tool_failure">): ToolCall {
  return new ToolCall(ctx.toolName, ctx.toolInput, ctx.toolUseId);
}

function stopping({ stopReason }: Context<"before_stop" | "subagent_stop">): ContinuationOutcome {
  return new ContinuationOutcome(stopReason);
}

function indexOf(ctx: Context<"before_step" | "after_step">): number {
  return ctx.stepIndex ?? (ctx.iteration ?? 1) - 1;
}

function stateOf(ctx: Context<EngineEvent>): AgentState {
  const { state, agent, metadata } = ctx;
  const messages = ctx.event === "before_step" || ctx.event === "after_step" ? ctx.messages : undefined;
  return new AgentState({
    agentId: agent?.id ?? "",
    ...state,
    metadata: state?.metadata ?? metadata,
    messages,
  });
}
