import { ask, proceed, recover, skip } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import {
  ContinuationOutcome,
  ExecutionHookContext,
  FailureHookContext,
  StepHookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
import { AgentExecution, AgentState, AgentStep, ToolCall, ToolResult } from "./data.ts";
import { HookOutcome } from "./hook-outcome.ts";

const step = { index: 1, text: "so", toolCalls: [], hasErrors: true };
const state = new AgentState({
  agentId: "agent-7",
  parentAgentId: "agent-1",
  stepCount: 2,
  metadata: { a: 1 },
  currentStep: step,
  messages: [{ role: "user", content: "Hi" }],
}).withMetadata("b", 2);
const call = new ToolCall("bash", { command: "ls" }, "c1");
const failed = new AgentExecution(call, ToolResult.failure(new RangeError("no")), {
  status: "blocked",
  durationMs: 5,
});

const parsed = (outcome: HookOutcome) => JSON.parse(JSON.stringify(outcome)) as unknown;

describe("an outcome as JSON", () => {
  test.each([
    [HookOutcome.proceed(), { type: "proceed" }],
    [HookOutcome.block("no rm"), { type: "block", reason: "no rm" }],
    [HookOutcome.stop("budget"), { type: "stop", reason: "budget" }],
    [HookOutcome.of(skip(42)), { type: "skip", result: 42 }],
    [HookOutcome.of(recover()), { type: "recover" }],
    [HookOutcome.of(ask("sure?")), { type: "ask", reason: "sure?" }],
    [
      HookOutcome.of(proceed({ toolInput: {} }, { context: "hint" })),
      { type: "proceed", patch: { toolInput: {} }, context: "hint" },
    ],
  ])("is converted to JSON and back without a change: %j", (outcome, json) => {
    expect(parsed(outcome)).toEqual(json);
    const back = HookOutcome.fromJSON(parsed(outcome));
    expect([back.type(), back.reason(), parsed(back)]).toEqual([outcome.type(), outcome.reason(), json]);
  });

  test.each([
    ["PreToolUse", ToolHookContext.beforeTool(call, state)],
    ["PostToolUse", ToolHookContext.afterTool(failed, state)],
    ["BeforeStep", StepHookContext.beforeStep(state, 4)],
    ["AfterStep", StepHookContext.afterStep(state, new AgentStep(step))],
    ["ExecutionStart", ExecutionHookContext.onStart(state)],
    ["ExecutionEnd", ExecutionHookContext.onEnd(state)],
    ["Stop", StopHookContext.onStop(state, new ContinuationOutcome("max_steps"))],
    ["SubagentStop", StopHookContext.onSubagentStop(state, new ContinuationOutcome())],
    ["AgentFailed", FailureHookContext.onFailure(state, new RangeError("gone"))],
  ])("keeps the context that it proceeds with: %s", (event, context) => {
    const json = parsed(HookOutcome.proceed(context));
    const back = HookOutcome.fromJSON(json);
    expect(back.context()?.constructor).toBe(context.constructor);
    expect([back.context()?.eventType(), back.context()?.get("b"), parsed(back)]).toEqual([event, 2, json]);
  });

  test("without a context may have null", () => {
    expect(parsed(HookOutcome.fromJSON({ type: "proceed", context: null }))).toEqual({ type: "proceed" });
  });

  test("has the state, the call and the result of a context", () => {
    expect(parsed(HookOutcome.proceed(ToolHookContext.afterTool(failed, state)))).toEqual({
      type: "proceed",
      context: {
        event: "PostToolUse",
        state: {
          agentId: "agent-7",
          parentAgentId: "agent-1",
          stepCount: 2,
          metadata: { a: 1, b: 2 },
          currentStep: step,
          messages: [{ role: "user", content: "Hi" }],
        },
        toolCall: { id: "c1", name: "bash", args: { command: "ls" } },
        execution: {
          toolCall: { id: "c1", name: "bash", args: { command: "ls" } },
          result: { success: false, error: { name: "RangeError", message: "no" } },
          status: "blocked",
          durationMs: 5,
        },
      },
    });
  });

  test.each([
    [null],
    ["block"],
    [{}],
    [{ type: "allow" }],
    [{ type: "block" }],
    [{ type: "proceed", context: { event: "PreToolUse" } }],
    [{ type: "proceed", context: { event: "Nothing", state: { agentId: "a" } } }],
  ])("is not read out of %j", (json) => {
    expect(() => HookOutcome.fromJSON(json)).toThrow(expect.objectContaining({ code: "bad_outcome" }));
  });
});
