import { describe, expect, test } from "vitest";
import { AgentExecution } from "./agent-execution.ts";
import { ToolCall } from "./tool-call.ts";
import { ToolResult } from "./tool-result.ts";

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
