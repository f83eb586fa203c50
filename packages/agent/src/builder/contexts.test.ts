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

const state = new AgentState({ agentId: "agent-7", metadata: { a: 1 } });
const call = new ToolCall("bash", { command: "ls" });
const execution = new AgentExecution(call, ToolResult.success("ok"));
const stopping = new ContinuationOutcome("max_steps");

const contexts = [
  ["PreToolUse", ToolHookContext.beforeTool(call, state)],
  ["PostToolUse", ToolHookContext.afterTool(execution, state)],
  ["BeforeStep", StepHookContext.beforeStep(state, 4)],
  ["AfterStep", StepHookContext.afterStep(state, new AgentStep({ index: 4 }))],
  ["ExecutionStart", ExecutionHookContext.onStart(state)],
  ["ExecutionEnd", ExecutionHookContext.onEnd(state)],
  ["Stop", StopHookContext.onStop(state, stopping)],
  ["SubagentStop", StopHookContext.onSubagentStop(state, stopping)],
  ["AgentFailed", FailureHookContext.onFailure(state, new Error("gone"))],
] as const;

describe.each(contexts)("a context of %s", (event, context) => {
  test("can be made without an agent, and knows its event", () => {
    expect([context.eventType(), context.event(), context.engineContext()]).toEqual([
      event,
      event,
      undefined,
    ]);
    expect(context.state()).toBe(state);
  });

  test("is not changed by withMetadata, which makes a copy of the same kind", () => {
    const copy = context.withMetadata("b", 2);
    expect([copy.get("a"), copy.get("b"), copy.get("c", 3)]).toEqual([1, 2, 3]);
    expect([context.get("b"), copy.eventType(), copy.constructor]).toEqual([
      undefined,
      event,
      context.constructor,
    ]);
  });

  test("is not changed by withState", () => {
    const other = new AgentState({ agentId: "agent-8" });
    expect([context.withState(other).state().agentId, context.state().agentId]).toEqual([
      "agent-8",
      "agent-7",
    ]);
  });
});

describe("copies keep what they are about", () => {
  test("for a tool, its call and its execution", () => {
    const after = ToolHookContext.afterTool(execution, state).withMetadata("b", 2);
    expect([after.toolCall(), after.execution(), after.isAfterTool()]).toEqual([call, execution, true]);
    const before = ToolHookContext.beforeTool(call, state);
    const changed = before.withToolCall(call.withArgs({ command: "pwd" })).withMetadata("b", 2);
    expect([changed.toolCall().args(), before.toolCall().args()]).toEqual([
      { command: "pwd" },
      { command: "ls" },
    ]);
  });

  test("a step's number and the step", () => {
    const step = new AgentStep({ index: 4 });
    const context = StepHookContext.afterStep(state, step).withMetadata("b", 2);
    expect([context.stepIndex(), context.stepNumber(), context.step()]).toEqual([4, 5, step]);
  });

  test("why it stops, and what went wrong", () => {
    const stop = StopHookContext.onStop(state, stopping).withMetadata("b", 2);
    expect(stop.continuationOutcome().stopReason()).toBe("max_steps");
    const failure = FailureHookContext.onFailure(state, new RangeError("too far")).withMetadata("b", 2);
    expect([failure.errorMessage(), failure.errorClass()]).toEqual(["too far", "RangeError"]);
  });
});

describe("the class of an error", () => {
  const classOf = (error: Error) => FailureHookContext.onFailure(state, error).errorClass();

  test("is that of its constructor, or the name that a plain error was given", () => {
    class Unnamed extends Error {}
    const named = Object.assign(new Error("x"), { name: "AbortError" });
    expect([classOf(new Unnamed()), classOf(named), classOf(new Error("x"))]).toEqual([
      "Unnamed",
      "AbortError",
      "Error",
    ]);
  });
});
