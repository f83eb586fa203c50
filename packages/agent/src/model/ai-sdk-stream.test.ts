import { setImmediate } from "node:timers/promises";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { ModelRequest } from "./model.ts";

type Streamed = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"];
type Part = Streamed extends ReadableStream<infer P> ? P : never;

const FINISH: Part = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 5, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 2, text: undefined, reasoning: undefined },
  },
};

function ask(request: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { messages: [{ role: "user", content: "hello" }], tools: [], signal, ...request };
}

/** A provider whose stream has these parts, and is its own affair otherwise. */
function streaming(parts: Part[]) {
  return aiSdkModel(
    new MockLanguageModelV3({ doStream: async () => ({ stream: convertArrayToReadableStream(parts) }) }),
  );
}

const textParts = (text: string): Part[] => [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: text },
];

describe("a stream that goes wrong", () => {
  const parts: Part[] = [{ type: "stream-start", warnings: [] }, ...textParts("half an ans")];

  test("rejects once with the error of the stream, after the text before it was emitted", async () => {
    const error = new Error("overloaded");
    const received: string[] = [];
    const model = streaming([...parts, { type: "error", error }, ...textParts("never"), FINISH]);
    await expect(model.stream(ask(), ({ text }) => received.push(text))).rejects.toBe(error);
    expect(received).toEqual(["half an ans"]);
  });

  test.each([
    ["an object", { message: "overloaded", code: 529 }],
    ["a text", "overloaded"],
  ])("makes an Error of %s", async (_, error) => {
    const result = streaming([...parts, { type: "error", error }, FINISH]).stream(ask(), () => {});
    await expect(result).rejects.toMatchObject({ message: "overloaded", cause: error });
    await expect(result).rejects.toBeInstanceOf(Error);
  });

  test("rejects when it breaks off", async () => {
    const broken = new TypeError("terminated");
    const stream = new ReadableStream<Part>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
      },
      pull: (controller) => controller.error(broken),
    });
    const model = aiSdkModel(new MockLanguageModelV3({ doStream: async () => ({ stream }) }));
    await expect(model.stream(ask(), () => {})).rejects.toBe(broken);
  });

  test.each([
    ["half an answer", parts],
    ["nothing", []],
  ])("fails when it ends without a finish, after %s", async (_, cutShort) => {
    await expect(streaming(cutShort).stream(ask(), () => {})).rejects.toThrow("ended without a finish");
  });

  test("ends the call for the provider when it rejects", async () => {
    const { promise: closed, resolve } = withResolvers<void>();
    const doStream: MockLanguageModelV3["doStream"] = async ({ abortSignal }) => {
      abortSignal?.addEventListener("abort", () => resolve());
      // More is to come, for ever.
      const stream = new ReadableStream<Part>({
        start(controller) {
          controller.enqueue({ type: "error", error: new Error("overloaded") });
        },
      });
      return { stream };
    };
    await expect(aiSdkModel(new MockLanguageModelV3({ doStream })).stream(ask(), () => {})).rejects.toThrow();
    await closed;
  });

  test("rejects with an AbortError when the SDK's own time-out aborts it", async () => {
    const doStream: MockLanguageModelV3["doStream"] = async ({ abortSignal }) => ({
      stream: new ReadableStream<Part>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason));
        },
      }),
    });
    const model = aiSdkModel(new MockLanguageModelV3({ doStream }));
    await expect(model.stream(ask({ settings: { timeout: 5 } }), () => {})).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  test("emits nothing after it was aborted", async () => {
    const controller = new AbortController();
    const received: string[] = [];
    const model = streaming([...textParts("one"), { type: "text-delta", id: "1", delta: "two" }, FINISH]);
    const result = model.stream(ask({ signal: controller.signal }), ({ text }) => {
      received.push(text);
      controller.abort();
    });
    await expect(result).rejects.toMatchObject({ name: "AbortError" });
    // The stream is all in memory: by the next tick everything that was sent has arrived.
    await setImmediate();
    expect(received).toEqual(["one"]);
  });
});

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
