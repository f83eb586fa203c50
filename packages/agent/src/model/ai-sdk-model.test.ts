import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aiSdkModel, type SdkLanguageModel } from "./ai-sdk-model.ts";
import type { ModelDelta, ModelRequest } from "./model.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Content = Generated["content"];
type Part =
  Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

const READ = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: {} } },
};
const USAGE: Generated["usage"] = {
  inputTokens: { total: 5, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: undefined, reasoning: undefined },
};
const UNKNOWN_USAGE: Generated["usage"] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function ask(request: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { messages: [{ role: "user", content: "hello" }], tools: [READ], signal, ...request };
}

/** A provider that answers with this content, whether it is asked for a stream or not. */
function answering(content: Content, more: Partial<Generated> = {}) {
  const finishReason = { unified: "stop", raw: "stop" } as const;
  return new MockLanguageModelV3({
    doGenerate: { content, finishReason, usage: USAGE, warnings: [], ...more },
    doStream: async () => {
      const { usage = USAGE, warnings = [] } = more;
      const parts: Part[] = [{ type: "stream-start", warnings }, ...content.flatMap(parted)];
      return { stream: convertArrayToReadableStream([...parts, { type: "finish", finishReason, usage }]) };
    },
  });
}

function parted(part: Content[number], index: number): Part[] {
  if (part.type !== "text" && part.type !== "reasoning") return [part];
  const id = String(index);
  return [
    { type: `${part.type}-start`, id },
    { type: `${part.type}-delta`, id, delta: part.text },
    { type: `${part.type}-end`, id },
  ];
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe.each(["generate", "stream"] as const)("%s", (way) => {
  const deltas: ModelDelta[] = [];
  function answer(model: MockLanguageModelV3, request = ask()) {
    deltas.length = 0;
    const ours = aiSdkModel(model);
    return way === "generate" ? ours.generate(request) : ours.stream(request, (delta) => deltas.push(delta));
  }
  const callsOf = (model: MockLanguageModelV3) =>
    way === "generate" ? model.doGenerateCalls : model.doStreamCalls;

  test("gives text, usage, finish reason, model and the message to append", async () => {
    expect(await answer(answering([{ type: "text", text: "hi" }]))).toEqual({
      text: "hi",
      toolCalls: [],
      message: { role: "assistant", content: [{ type: "text", text: "hi" }] },
      usage: { inputTokens: 5, outputTokens: 2 },
      finishReason: "stop",
      modelId: "mock-model-id",
    });
  });

  test("keeps reasoning in the message, where the provider wants to see it again, and out of the text", async () => {
    const result = await answer(
      answering([
        { type: "reasoning", text: "hm" },
        { type: "text", text: "hi" },
      ]),
    );
    expect(result.text).toBe("hi");
    expect(result.message?.content).toMatchObject([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "hi" },
    ]);
    if (way === "stream") {
      expect(deltas).toEqual([
        { type: "reasoning", text: "hm" },
        { type: "text", text: "hi" },
      ]);
    }
  });

  test("returns a tool call and runs nothing", async () => {
    const model = answering([
      { type: "tool-call", toolCallId: "c1", toolName: "read", input: '{"path":"a"}' },
    ]);
    const execute = vi.fn();
    const result = await answer(model, ask({ tools: [{ ...READ, execute }] }));
    expect(result.toolCalls).toEqual([{ id: "c1", name: "read", input: { path: "a" } }]);
    expect(result.message?.content).toMatchObject([
      { type: "tool-call", toolCallId: "c1", input: { path: "a" } },
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(callsOf(model)).toHaveLength(1);
  });

  test.each(["write", "toString", "__proto__"])(
    "reports a call of %s as a call of an unknown tool",
    async (toolName) => {
      const model = answering([{ type: "tool-call", toolCallId: "c1", toolName, input: '{"a":1}' }]);
      const result = await answer(model);
      expect(result.toolCalls).toMatchObject([{ id: "c1", name: toolName, input: { a: 1 } }]);
      expect(result.toolCalls[0]?.invalid).toContain("unavailable tool");
    },
  );

  test("gives arguments that are no JSON as text, and leaves the answer to them to the agent", async () => {
    const calls = [
      { type: "tool-call", toolCallId: "c1", toolName: "read", input: '{"path":' },
      { type: "tool-call", toolCallId: "c2", toolName: "read", input: "{}" },
    ] as const;
    const model = answering([...calls]);
    const result = await answer(model);
    expect(result.toolCalls).toMatchObject([
      { id: "c1", input: '{"path":' },
      { id: "c2", input: {} },
    ]);
    expect(result.toolCalls.map((call) => call.invalid?.includes("JSON parsing failed"))).toEqual([
      true,
      undefined,
    ]);
    expect(result.message).toMatchObject({ role: "assistant", content: [{ input: {} }, { input: {} }] });
    expect(callsOf(model)).toHaveLength(1);
  });

  test("does not continue by itself when every call was invalid", async () => {
    const model = answering([{ type: "tool-call", toolCallId: "c1", toolName: "nope", input: "{}" }]);
    await answer(model);
    expect(callsOf(model)).toHaveLength(1);
  });

  test("returns the results of calls that the provider executed", async () => {
    const call = {
      type: "tool-call",
      toolName: "search",
      input: '{"q":"x"}',
      providerExecuted: true,
    } as const;
    const result = { type: "tool-result", toolName: "search" } as const;
    const model = answering([
      { ...call, toolCallId: "good" },
      { ...result, toolCallId: "good", result: ["hit"] },
      { ...call, toolCallId: "bad" },
      { ...result, toolCallId: "bad", result: "quota", isError: true },
      { ...call, toolCallId: "late" },
    ]);
    const search = { name: "search", type: "provider", id: "acme.search", args: { depth: 2 } };
    const { toolCalls, message } = await answer(model, ask({ tools: [READ, search] }));
    expect(toolCalls.map(({ id, executed }) => [id, executed])).toEqual([
      ["good", { result: ["hit"], isError: false }],
      ["bad", { result: "quota", isError: true }],
      ["late", { result: undefined, isError: false }],
    ]);
    const parts = message?.content as { type: string; toolCallId: string }[] | undefined;
    const results = parts?.filter((part) => part.type === "tool-result");
    expect(results?.map((part) => part.toolCallId)).toEqual(["good", "bad"]);
    expect(callsOf(model)[0]?.tools?.[1]).toEqual({
      type: "provider",
      name: "search",
      id: "acme.search",
      args: { depth: 2 },
    });
  });

  test("keeps unknown counts undefined instead of zero", async () => {
    const text: Content = [{ type: "text", text: "hi" }];
    expect((await answer(answering(text, { usage: UNKNOWN_USAGE }))).usage).toBeUndefined();
    const half = { ...UNKNOWN_USAGE, outputTokens: { ...UNKNOWN_USAGE.outputTokens, total: 4 } };
    expect((await answer(answering(text, { usage: half }))).usage).toEqual({
      inputTokens: 0,
      outputTokens: 4,
    });
  });

  test("has no message for an answer with nothing in it", async () => {
    expect((await answer(answering([]))).message).toBeUndefined();
  });

  test("leaves the provider's warnings to the SDK's own switch", async () => {
    const logged = vi.fn();
    vi.stubGlobal("AI_SDK_LOG_WARNINGS", logged);
    const warnings: Generated["warnings"] = [{ type: "unsupported", feature: "topK" }];
    const result = await answer(answering([{ type: "text", text: "hi" }], { warnings }));
    expect(result.text).toBe("hi");
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ warnings }));
  });

  test("passes system messages, settings and the tools' definitions on", async () => {
    const model = answering([{ type: "text", text: "hi" }]);
    const console = vi.spyOn(globalThis.console, "warn");
    await answer(
      model,
      ask({
        messages: [
          { role: "system", content: "be kind" },
          { role: "system", content: "be brief" },
          { role: "user", content: "hello" },
          { role: "system", content: "a hook's context" },
        ],
        settings: {
          temperature: 0.5,
          maxOutputTokens: 9,
          headers: { "x-a": "b" },
          providerOptions: { acme: { fast: true } },
          maxRetries: 5,
        },
        tools: [{ ...READ, strict: true }, { name: "now" }],
      }),
    );
    const [call] = callsOf(model);
    expect(call?.prompt.map((message) => message.role)).toEqual(["system", "system", "user", "system"]);
    expect(call).toMatchObject({
      temperature: 0.5,
      maxOutputTokens: 9,
      headers: { "x-a": "b" },
      providerOptions: { acme: { fast: true } },
      tools: [
        {
          type: "function",
          name: "read",
          description: "Reads.",
          inputSchema: READ.inputSchema,
          strict: true,
        },
        { type: "function", name: "now", inputSchema: { type: "object" } },
      ],
    });
    expect(console).not.toHaveBeenCalled();
  });

  test("asks for the shape of the answer and accepts any text", async () => {
    const model = answering([{ type: "text", text: "sorry, no JSON" }]);
    const outputSchema = { type: "object", properties: { name: { type: "string" } } };
    const result = await answer(model, ask({ outputSchema }));
    expect(result.text).toBe("sorry, no JSON");
    expect(callsOf(model)[0]?.responseFormat).toEqual({ type: "json", schema: outputSchema });
  });

  test("tries once, and rejects with the provider's own error", async () => {
    const error = Object.assign(new Error("busy"), { isRetryable: true });
    const fails = () => Promise.reject(error);
    const model = new MockLanguageModelV3({ doGenerate: fails, doStream: fails });
    const console = vi.spyOn(globalThis.console, "error");
    await expect(answer(model)).rejects.toBe(error);
    expect(callsOf(model)).toHaveLength(1);
    expect(console).not.toHaveBeenCalled();
  });

  test("does not call the provider when the signal has fired before", async () => {
    const model = answering([]);
    await expect(answer(model, ask({ signal: AbortSignal.abort("why") }))).rejects.toMatchObject({
      name: "AbortError",
      cause: "why",
    });
    expect(callsOf(model)).toHaveLength(0);
  });

  test("rejects with an AbortError even if the provider ignores its signal, which fires", async () => {
    const { promise: asked, resolve } = withResolvers<AbortSignal | undefined>();
    const never = (options: { abortSignal?: AbortSignal | undefined }) => {
      resolve(options.abortSignal);
      return new Promise<never>(() => {});
    };
    const controller = new AbortController();
    const result = answer(
      new MockLanguageModelV3({ doGenerate: never, doStream: never }),
      ask({ signal: controller.signal }),
    );
    const seen = await asked;
    const reason = new TypeError("the run was cancelled");
    controller.abort(reason);
    await expect(result).rejects.toMatchObject({ name: "AbortError", cause: reason });
    expect(seen?.aborted).toBe(true);
  });
});

describe("what is no model", () => {
  test("is a name, which the SDK would send to its gateway", () => {
    expect(() => aiSdkModel("openai/gpt-9" as unknown as SdkLanguageModel)).toThrow(
      expect.objectContaining({ code: "bad_agent", message: expect.stringContaining("modelFrom(") }),
    );
  });

  test("is a provider, or nothing", () => {
    for (const wrong of [() => {}, {}, undefined, null]) {
      expect(() => aiSdkModel(wrong as unknown as SdkLanguageModel)).toThrow("not a language model");
    }
  });
});

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
