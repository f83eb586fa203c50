import { describe, expect, test } from "vitest";
import { AgentExecution, AgentState, StateMetadata, ToolCall, ToolResult } from "./data.ts";

const call = new ToolCall("bash", { command: "ls" }, "c1");

describe("a tool call", () => {
  test("with other arguments is another call of the same tool, and the first stays as it is", () => {
    const other = call.withArgs({ command: "pwd" });
    expect([other.name(), other.id(), other.args()]).toEqual(["bash", "c1", { command: "pwd" }]);
    expect(call.args()).toEqual({ command: "ls" });
    expect(JSON.stringify(call)).toBe('{"id":"c1","name":"bash","args":{"command":"ls"}}');
  });

  test("needs neither arguments nor an id", () => {
    const bare = new ToolCall("pwd");
    expect([bare.args(), bare.id()]).toEqual([{}, undefined]);
  });
});

describe("a tool's result", () => {
  test("is a value", () => {
    const result = ToolResult.success("fine");
    expect([result.isSuccess(), result.isFailure(), result.unwrap(), result.value(), result.error()]).toEqual(
      [true, false, "fine", "fine", undefined],
    );
  });

  test("or an error, which unwrap throws", () => {
    const error = new Error("broken");
    const result = ToolResult.failure(error);
    expect([result.isSuccess(), result.isFailure(), result.value(), result.error()]).toEqual([
      false,
      true,
      undefined,
      error,
    ]);
    expect(() => result.unwrap()).toThrow(error);
  });

  test("of failure takes anything that can be thrown", () => {
    expect(ToolResult.failure("just text").error()?.message).toBe("just text");
    expect(ToolResult.failure({ name: "Refused", message: "as data" }).error()).toMatchObject({
      name: "Refused",
      message: "as data",
    });
  });
});

describe("an execution", () => {
  test("has the call, the result, how it ended and how long it took", () => {
    const skipped = new AgentExecution(call, ToolResult.success(1), { status: "skipped", durationMs: 12 });
    expect([skipped.toolCall(), skipped.status(), skipped.durationMs()]).toEqual([call, "skipped", 12]);
    const plain = new AgentExecution(call, ToolResult.failure("no"));
    expect([plain.status(), plain.durationMs()]).toEqual(["failed", 0]);
  });

  test("with another result keeps its status only if it still ended that way", () => {
    const blocked = new AgentExecution(call, ToolResult.failure("no"), { status: "blocked", durationMs: 12 });
    expect(blocked.withResult(ToolResult.failure("still no")).status()).toBe("blocked");
    const recovered = blocked.withResult(ToolResult.success("yes"));
    expect([recovered.status(), recovered.durationMs()]).toEqual(["completed", 12]);
    expect(blocked.result().isFailure()).toBe(true);
  });
});

describe("an agent's state", () => {
  const call = { id: "c1", name: "bash", input: { command: "ls" } };
  const state = new AgentState({
    agentId: "agent-7",
    parentAgentId: "agent-1",
    stepCount: 3,
    metadata: { safe_mode: true },
    currentStep: { index: 2, text: "so", toolCalls: [call, { ...call, id: "c2" }], hasErrors: true },
    messages: [{ role: "user", content: "Hi" }],
  });

  test("has the agent's id, its parent and its progress", () => {
    const step = state.currentStep();
    expect([state.agentId, state.parentAgentId, state.stepCount()]).toEqual(["agent-7", "agent-1", 3]);
    expect([step?.index(), step?.text(), step?.hasErrors()]).toEqual([2, "so", true]);
    expect([step?.toolCalls().first()?.id(), step?.toolCalls().last()?.id()]).toEqual(["c1", "c2"]);
    expect([step?.toolCalls().count(), step?.toolCalls().all()[0]?.args()]).toEqual([2, { command: "ls" }]);
    expect(state.messages()).toEqual([{ role: "user", content: "Hi" }]);
  });

  test("of an agent without steps is empty, and has no parent", () => {
    const fresh = new AgentState({ agentId: "a" });
    expect([fresh.parentAgentId, fresh.stepCount(), fresh.currentStep(), fresh.messages()]).toEqual([
      null,
      0,
      undefined,
      [],
    ]);
  });

  test("is never changed: with… makes copies, which keep all else", () => {
    const copy = state.withMetadata("safe_mode", false).withMessages([]);
    expect([state.metadata().get("safe_mode"), state.messages().length]).toEqual([true, 1]);
    expect([copy.metadata().get("safe_mode"), copy.messages().length]).toEqual([false, 0]);
    expect([copy.agentId, copy.stepCount(), copy.currentStep()?.index()]).toEqual(["agent-7", 3, 2]);
  });

  test("returns the changes since another one", () => {
    const { messages, metadata } = state.withMetadata("a", 1).withMetadata("b", 2).changesSince(state);
    expect([messages, [...metadata]]).toEqual([
      undefined,
      [
        ["a", 1],
        ["b", 2],
      ],
    ]);
    expect(state.withMessages([]).changesSince(state).messages).toEqual([]);
  });
});

describe("metadata", () => {
  test("gives the default where there is nothing, and null where there is null", () => {
    const metadata = new StateMetadata({ none: null, zero: 0 });
    expect([metadata.get("none", 1), metadata.get("zero", 1), metadata.get("gone", 1)]).toEqual([null, 0, 1]);
    expect([metadata.has("none"), metadata.has("gone"), metadata.get("gone")]).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  test("ignores the properties that every object has", () => {
    const metadata = new StateMetadata({});
    expect([metadata.has("constructor"), metadata.get("constructor")]).toEqual([false, undefined]);
  });

  test("reads the shared values as they are now, and its own changes first", () => {
    const bag: Record<string, unknown> = { a: 1 };
    const metadata = new StateMetadata(bag).with("b", 2);
    bag.a = "changed by another hook";
    bag.b = "hidden";
    expect([metadata.get("a"), metadata.get("b"), metadata.has("b")]).toEqual([
      "changed by another hook",
      2,
      true,
    ]);
    expect(JSON.stringify(metadata)).toBe('{"a":"changed by another hook","b":2}');
  });
});
