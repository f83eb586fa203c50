import { expect, test } from "vitest";
import { messageText } from "./message-text.ts";

test.each([
  [{ message: "Hi", prompt: "no" }, "Hi"],
  [{ prompt: "Go" }, "Go"],
  [{ message: { text: "Hi" } }, '{\n  "message": {\n    "text": "Hi"\n  }\n}'],
  [{}, "{}"],
])("of %j an agent is told %j", (parameters, message) => {
  expect(messageText(parameters)).toBe(message);
});
