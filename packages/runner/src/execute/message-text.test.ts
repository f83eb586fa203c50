import { expect, test } from "vitest";
import { messageText } from "./message-text.ts";

test.each([
  [{ message: "Hi", prompt: "no" }, "Hi"],
  [{ prompt: "Go" }, "Go"],
  [{ message: { text: "Hi" } }, '{\n  "message": {\n    "text": "Hi"\n  }\n}'],
  [{}, "{}"],
])("of the parameters %j the message is %j", (parameters, message) => {
  expect(messageText(parameters)).toBe(message);
});
