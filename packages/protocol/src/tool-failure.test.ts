import { expect, test } from "vitest";
import { ToolFailure } from "./tool-failure.ts";
import { toWire } from "./wire.ts";

const error = Object.assign(new RangeError("out of paper"), { code: "EPAPER" });
const tool = { toolName: "print", toolInput: {} };

test("a result that hooks give for a failed call becomes its error, with the name and code that it had", () => {
  expect(ToolFailure.of(undefined, error)).toBe(error);
  expect(ToolFailure.of("try tray 2", error)).toMatchObject({
    message: "try tray 2",
    shown: "try tray 2",
    name: "RangeError",
    code: "EPAPER",
    cause: error,
  });
  expect(ToolFailure.of({ tray: 2 }, error)).toMatchObject({
    message: "out of paper",
    shown: { tray: 2 },
    result: { tray: 2 },
  });
  const given = new ToolFailure("no");
  expect(ToolFailure.of(given, error)).toBe(given);
});

test("a call that has ended failed if it has an error, or if a hook changed its result into a failure", () => {
  const failure = new ToolFailure("no");
  expect(ToolFailure.ofCall({ toolResult: "printed" })).toBeUndefined();
  expect(ToolFailure.ofCall({ toolResult: failure })).toBe(failure);
  expect(ToolFailure.ofCall({ error })).toBe(error);
  expect(ToolFailure.ofCall({ error, toolResult: "try tray 2" })).toMatchObject({ message: "try tray 2" });
});

test("a failure is recognised also as a copy, and nothing else is one", () => {
  const copy = Object.create(ToolFailure.prototype) as object;
  expect([ToolFailure.isInstance(new ToolFailure("no")), ToolFailure.isInstance(copy)]).toEqual([true, true]);
  expect([error, { success: false }, null, "no"].some(ToolFailure.isInstance)).toBe(false);
});

test("a failure is sent to scripts as a failed result, and as an error with an error's fields alone", () => {
  const failure = new ToolFailure("no", { result: { tray: 2 } });
  const sent = (wire: object) => JSON.parse(JSON.stringify(wire)) as object;
  expect(sent(toWire("after_tool", { ...tool, toolResult: failure }))).toMatchObject({
    tool_result: { success: false, error: "no", result: { tray: 2 } },
  });
  expect(sent(toWire("on_error", { error: failure, phase: "tool" }))).toEqual({
    event_type: "on_error",
    phase: "tool",
    error: { name: "ToolFailure", message: "no", stack: expect.any(String) },
  });
});
