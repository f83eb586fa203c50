import { describe, expect, test } from "vitest";
import type { OperationFacts } from "../run/agent-instrument.ts";
import { contentAttributes } from "./gen-ai-content.ts";

const chat = {
  type: "chat",
  model: "m",
  provider: "p",
  sessionId: "s",
  purpose: undefined,
} as const;
const call = {
  type: "execute_tool",
  toolName: "Read",
  toolUseId: "1",
  description: undefined,
  toolInput: { path: "a" },
} as const;

function json(facts: OperationFacts, attribute: string): unknown {
  return JSON.parse(String(contentAttributes(chat, facts)[attribute]));
}

describe("the conversation", () => {
  test.each<[string, object, object]>([
    ["a text", { type: "text", text: "hi" }, { type: "text", content: "hi" }],
    ["a thought", { type: "reasoning", text: "hm" }, { type: "reasoning", content: "hm" }],
    [
      "a tool call",
      { type: "tool-call", toolCallId: "1", toolName: "Read", input: { path: "a" } },
      { type: "tool_call", id: "1", name: "Read", arguments: { path: "a" } },
    ],
    [
      "a result",
      { type: "tool-result", toolCallId: "1", toolName: "Read", output: { type: "json", value: [1] } },
      { type: "tool_call_response", id: "1", response: [1] },
    ],
    [
      "a denial",
      { type: "tool-result", toolCallId: "1", output: { type: "execution-denied", reason: "no" } },
      { type: "tool_call_response", id: "1", response: { type: "execution-denied", reason: "no" } },
    ],
    [
      "an address",
      { type: "image", image: new URL("https://example.com/cat.png"), mediaType: "image/png" },
      { type: "uri", modality: "image", mime_type: "image/png", uri: "https://example.com/cat.png" },
    ],
    [
      "a file without its bytes",
      { type: "file", data: new Uint8Array([1, 2, 3]), mediaType: "application/pdf" },
      { type: "blob", modality: "document", mime_type: "application/pdf" },
    ],
    ["something unknown without its content", { type: "source", url: "x" }, { type: "source" }],
  ])("converts %s", (_, part, written) => {
    const input = [{ role: "user", content: [part] }];
    expect(json({ input }, "gen_ai.input.messages")).toEqual([{ role: "user", parts: [written] }]);
  });

  test("has its leading system messages apart, and a later one in its place", () => {
    const input = [
      { role: "system", content: "Be kind." },
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
      { role: "system", content: "Be quick." },
    ];
    expect(json({ input }, "gen_ai.system_instructions")).toEqual([
      { type: "text", content: "Be kind." },
      { type: "text", content: "Be brief." },
    ]);
    expect(json({ input }, "gen_ai.input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "hi" }] },
      { role: "system", parts: [{ type: "text", content: "Be quick." }] },
    ]);
  });

  test("is absent when the model was never called", () => {
    expect(contentAttributes(chat, {})).toEqual({});
  });
});

describe("a tool's content", () => {
  test("is the input that the model gave, until another is known", () => {
    expect(contentAttributes(call, {})).toEqual({ "gen_ai.tool.call.arguments": '{"path":"a"}' });
    expect(contentAttributes(call, { input: { path: "b" } })).toEqual({
      "gen_ai.tool.call.arguments": '{"path":"b"}',
    });
  });

  test.each<[unknown, string]>([
    ["plain", "plain"],
    [{ lines: 2 }, '{"lines":2}'],
    [null, "null"],
    [{ count: 1n }, "[object Object]"],
  ])("has the result %o as %s", (output, written) => {
    expect(contentAttributes(call, { output })["gen_ai.tool.call.result"]).toBe(written);
  });
});
