import { describe, expect, test } from "vitest";
import { parseScript } from "./parse-script.ts";
import { scriptedModel } from "./scripted-model.ts";

const request = {
  messages: [{ role: "user" as const, content: "hi" }],
  tools: [],
  signal: new AbortController().signal,
};

describe("a script in JSON", () => {
  test("plays like one in code", async () => {
    const model = scriptedModel(
      parseScript([
        "plain",
        {
          text: "I look",
          reasoning: "hm",
          toolCalls: [{ name: "read", input: { path: "a" } }, { name: "ls" }],
        },
        { toolCalls: [{ name: "search", id: "s1", executed: { result: "none", isError: true } }] },
        { text: "end", usage: { inputTokens: 3, outputTokens: 4 }, finishReason: "length" },
      ]),
    );
    expect((await model.generate(request)).text).toBe("plain");
    expect((await model.generate(request)).toolCalls).toEqual([
      { id: "call-1", name: "read", input: { path: "a" } },
      { id: "call-2", name: "ls", input: {} },
    ]);
    expect((await model.generate(request)).toolCalls).toEqual([
      { id: "s1", name: "search", input: {}, executed: { result: "none", isError: true } },
    ]);
    expect(await model.generate(request)).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 4 },
      finishReason: "length",
    });
  });

  test.each([
    [429, true],
    [503, true],
    [401, false],
  ])("makes a failure with status %i retryable: %s", async (statusCode, isRetryable) => {
    const model = scriptedModel(parseScript([{ error: { message: "no", statusCode } }]));
    await expect(model.generate(request)).rejects.toMatchObject({ message: "no", statusCode, isRetryable });
  });

  test("takes a failure's message alone", async () => {
    await expect(scriptedModel(parseScript([{ error: "broken" }])).generate(request)).rejects.toThrow(
      "broken",
    );
  });
});

test.each<[string, unknown, string]>([
  ["no list", { text: "x" }, "a script must be a list of turns"],
  ["a number for a turn", ["a", 3], "script turn 2 must be an object"],
  ["a mistyped field", [{ txt: "a" }], 'script turn 1 has no field "txt". Did you mean text?'],
  ["a text that is none", [{ text: 1 }], "script turn 1: text must be a text"],
  ["a call without a name", ["a", { toolCalls: [{ input: {} }] }], 'script turn 2: tool call 1 needs "name"'],
  ["calls that are no list", [{ toolCalls: {} }], "script turn 1: toolCalls must be a list"],
  ["negative usage", [{ usage: { inputTokens: -1 } }], "script turn 1: usage: inputTokens must be"],
  ["an error beside a text", [{ error: "x", text: "y" }], 'script turn 1 has an "error", and more beside it'],
  ["an error without a message", [{ error: { statusCode: 500 } }], 'script turn 1: error needs "message"'],
  ["another way to end halfway", [{ halfway: "melt" }], 'halfway must be "cut" or "stall"'],
])("a script with %s is refused, naming the turn", (_, json, message) => {
  expect(() => parseScript(json)).toThrow(expect.objectContaining({ code: "bad_agent" }));
  expect(() => parseScript(json)).toThrow(message);
});
