import { describe, expect, test } from "vitest";
import type { ModelDelta, ModelRequest } from "../model.ts";
import { scriptedModel } from "./scripted-model.ts";

function ask(text = "hello", signal = new AbortController().signal): ModelRequest {
  return { messages: [{ role: "user", content: text }], tools: [], signal };
}

/** Streams the next turn, and keeps its deltas. */
async function streamed(model: ReturnType<typeof scriptedModel>, request = ask()) {
  const deltas: ModelDelta[] = [];
  const outcome = await model
    .stream(request, (delta) => deltas.push(delta))
    .then(
      (answer) => ({ answer, error: undefined }),
      (error: Error) => ({ answer: undefined, error }),
    );
  return { deltas, ...outcome };
}

describe("turns", () => {
  test("answers with the turns in their order", async () => {
    const model = scriptedModel(["first", { text: "second", finishReason: "length" }]);
    const answers = [await model.generate(ask()), await model.generate(ask())];
    expect(answers.map(({ text, finishReason }) => [text, finishReason])).toEqual([
      ["first", "stop"],
      ["second", "length"],
    ]);
    expect(answers[0]?.message).toEqual({ role: "assistant", content: [{ type: "text", text: "first" }] });
  });

  test("numbers tool calls through the whole script, and keeps the ids that are given", async () => {
    const model = scriptedModel(
      [
        { toolCalls: [{ name: "read", input: { path: "a" } }] },
        { toolCalls: [{ name: "b", input: {}, id: "mine" }] },
      ],
      { repeat: true },
    );
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(...(await model.generate(ask())).toolCalls.map((call) => call.id));
    expect(ids).toEqual(["call-1", "mine", "call-2", "mine"]);
  });

  test("has the calls in the message, after reasoning and text", async () => {
    const model = scriptedModel([
      { reasoning: "hm", text: "I look", toolCalls: [{ name: "read", input: { path: "a" } }] },
    ]);
    const answer = await model.generate(ask());
    expect(answer.finishReason).toBe("tool-calls");
    expect(answer.message?.content).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "I look" },
      { type: "tool-call", toolCallId: "call-1", toolName: "read", input: { path: "a" } },
    ]);
  });

  test("keeps the text of arguments that are no JSON in the call, and out of the message", async () => {
    const model = scriptedModel([{ toolCalls: [{ name: "read", input: "{oops", invalid: "no JSON" }] }]);
    const answer = await model.generate(ask());
    expect(answer.toolCalls).toEqual([{ id: "call-1", name: "read", input: "{oops", invalid: "no JSON" }]);
    expect(answer.message?.content).toMatchObject([{ type: "tool-call", input: {} }]);
  });

  test("finishes with stop when the provider executed every call", async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: "search", input: { q: "x" }, executed: { result: ["hit"] } }] },
    ]);
    const answer = await model.generate(ask());
    expect(answer.finishReason).toBe("stop");
    expect(answer.toolCalls[0]?.executed).toEqual({ result: ["hit"], isError: false });
    expect(answer.message?.content).toMatchObject([
      { type: "tool-call", providerExecuted: true },
      { type: "tool-result", toolCallId: "call-1", output: { type: "json", value: ["hit"] } },
    ]);
  });

  test("has no message for an answer with nothing in it", async () => {
    expect((await scriptedModel([{}]).generate(ask())).message).toBeUndefined();
  });

  test("rejects with the very error of a failed turn, and continues with the next", async () => {
    const error = new Error("overloaded");
    const model = scriptedModel([{ error }, "fine"]);
    await expect(model.generate(ask())).rejects.toBe(error);
    expect((await model.generate(ask())).text).toBe("fine");
  });

  test("passes the request and the number of the call to a function", async () => {
    const model = scriptedModel([
      "zero",
      async (request, index) => `${index}: ${request.messages.map((message) => message.content)}`,
    ]);
    await model.generate(ask());
    expect((await model.generate(ask("what?"))).text).toBe("1: what?");
  });

  test("rejects with what a function throws", async () => {
    const model = scriptedModel([
      () => {
        throw new RangeError("mine");
      },
    ]);
    await expect(model.generate(ask())).rejects.toThrow(RangeError);
  });
});

describe("the end of the script", () => {
  test("is an error with the number of turns", async () => {
    const model = scriptedModel(["only"]);
    await model.generate(ask());
    await expect(model.generate(ask())).rejects.toMatchObject({
      code: "script_ended",
      message: expect.stringContaining("the script has 1 turn, and the model was asked for turn 2"),
    });
  });

  test("starts over with `repeat`, except for a script without turns", async () => {
    const model = scriptedModel(["a", "b"], { repeat: true });
    const texts: string[] = [];
    for (let i = 0; i < 5; i++) texts.push((await model.generate(ask())).text);
    expect(texts).toEqual(["a", "b", "a", "b", "a"]);
    await expect(scriptedModel([], { repeat: true }).generate(ask())).rejects.toThrow("0 turns");
  });
});

describe("usage", () => {
  test("grows with the conversation and the answer, and is the same for the same words", async () => {
    const model = scriptedModel(["12345678"], { repeat: true });
    const usages = [
      await model.generate(ask("1234")),
      await model.generate(ask("1234")),
      await model.generate(ask("12345")),
    ];
    expect(usages.map(({ usage }) => usage)).toEqual([
      { inputTokens: 1, outputTokens: 2 },
      { inputTokens: 1, outputTokens: 2 },
      { inputTokens: 2, outputTokens: 2 },
    ]);
  });

  test("is the turn's own where it has one", async () => {
    const usage = { inputTokens: 7, outputTokens: 0 };
    expect((await scriptedModel([{ text: "x", usage }]).generate(ask())).usage).toEqual(usage);
  });
});

describe("streaming", () => {
  test("emits reasoning and then text word by word, with every space", async () => {
    const { deltas, answer } = await streamed(
      scriptedModel([{ reasoning: "let me see", text: "\n one  two\n" }]),
    );
    expect(deltas.map(({ type, text }) => `${type}:${text}`)).toEqual([
      "reasoning:let ",
      "reasoning:me ",
      "reasoning:see",
      "text:\n ",
      "text:one  ",
      "text:two\n",
    ]);
    expect(answer?.text).toBe("\n one  two\n");
  });

  test("gives the same answer as without streaming", async () => {
    const turn = { text: "a b", toolCalls: [{ name: "read", input: {} }] };
    const { answer } = await streamed(scriptedModel([turn]));
    expect(answer).toEqual(await scriptedModel([turn]).generate(ask()));
  });

  test("emits half of an answer that is cut, and rejects", async () => {
    const { deltas, error } = await streamed(scriptedModel([{ text: "a b c d", halfway: "cut" }]));
    expect(deltas.map(({ text }) => text)).toEqual(["a ", "b "]);
    expect(error?.message).toContain("cut off halfway");
  });
});

describe("the signal", () => {
  test("is obeyed before the call, which then does not count", async () => {
    const model = scriptedModel(["x"]);
    await expect(model.generate(ask("", AbortSignal.abort()))).rejects.toMatchObject({ name: "AbortError" });
    expect(model.calls).toBe(0);
  });

  test("ends a turn that waits for the test", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const model = scriptedModel([() => new Promise(() => {})]);
    const answer = model.generate(ask("", controller.signal));
    controller.abort(reason);
    await expect(answer).rejects.toMatchObject({ name: "AbortError", cause: reason });
  });

  test("ends a stream between two words", async () => {
    const controller = new AbortController();
    const received: string[] = [];
    const answer = scriptedModel(["a b c"]).stream(ask("", controller.signal), ({ text }) => {
      received.push(text);
      if (text === "b ") controller.abort();
    });
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toEqual(["a ", "b "]);
  });

  test("ends an answer that stalls halfway", async () => {
    const controller = new AbortController();
    const received: string[] = [];
    const model = scriptedModel([{ text: "a b", halfway: "stall" }]);
    const answer = model.stream(ask("", controller.signal), ({ text }) => received.push(text));
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toEqual(["a "]);
  });
});

describe("the record", () => {
  test("has every request as it was when it was made", async () => {
    const model = scriptedModel(["a", { error: new Error("b") }]);
    const messages = [{ role: "user" as const, content: "first" }];
    await model.generate({ ...ask(), messages });
    messages.push({ role: "user", content: "second" });
    await model.generate({ ...ask(), messages }).catch(() => {});
    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 2]);
    expect(model.calls).toBe(2);
  });

  test("is not kept with `record: false`, while calls are still counted", async () => {
    const model = scriptedModel(["a"], { record: false, repeat: true });
    await model.generate(ask());
    await model.generate(ask());
    expect([model.requests.length, model.calls]).toEqual([0, 2]);
  });
});
