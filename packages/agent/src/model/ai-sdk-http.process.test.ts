import { once } from "node:events";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Message } from "@tenterhook/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { type OpenAiRequest, type OpenAiServer, openAiServer } from "../testing/openai-server.ts";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { ModelAnswer, ModelRequest } from "./model.ts";
import type { Script } from "./scripted/script.ts";

const READ = {
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

let server: OpenAiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The real provider, over HTTP, against a server that plays the script. */
async function serve(script: Script<OpenAiRequest>) {
  const started = await openAiServer(script);
  server = started;
  const provider = createOpenAICompatible({
    name: "acme",
    baseURL: started.url,
    apiKey: "key",
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return { model: aiSdkModel(provider("large")), requests: started.requests };
}

function ask(request: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { messages: [{ role: "user", content: "hello" }], tools: [READ], signal, ...request };
}

describe.each(["generate", "stream"] as const)("%s over HTTP", (way) => {
  const received: string[] = [];
  function answer(model: Awaited<ReturnType<typeof serve>>["model"], request = ask()): Promise<ModelAnswer> {
    received.length = 0;
    if (way === "generate") return model.generate(request);
    return model.stream(request, ({ type, text }) => received.push(`${type}:${text}`));
  }

  test("brings text, reasoning and usage", async () => {
    const usage = { inputTokens: 11, outputTokens: 3 };
    const { model, requests } = await serve([{ reasoning: "so so", text: "hello to you", usage }]);
    const result = await answer(model);
    expect(result).toMatchObject({ text: "hello to you", usage, finishReason: "stop", modelId: "large" });
    expect(result.message?.content).toMatchObject([{ type: "reasoning", text: "so so" }, { type: "text" }]);
    expect(requests[0]?.headers.authorization).toBe("Bearer key");
    expect(Boolean(requests[0]?.body.stream)).toBe(way === "stream");
    if (way === "stream") {
      expect(received).toEqual(["reasoning:so ", "reasoning:so", "text:hello ", "text:to ", "text:you"]);
    }
  });

  test("completes a tool loop: a call, its result, a refused call, a final answer", async () => {
    const { model, requests } = await serve([
      {
        text: "I look",
        toolCalls: [
          { name: "read", input: { path: "a.txt" } },
          { name: "read", input: { path: "/etc/shadow" } },
        ],
      },
      "done",
    ]);
    const messages: Message[] = [
      { role: "system", content: "be kind" },
      { role: "user", content: "hello" },
    ];
    const first = await answer(model, ask({ messages }));
    expect(first.finishReason).toBe("tool-calls");
    expect(first.toolCalls).toEqual([
      { id: "call-1", name: "read", input: { path: "a.txt" } },
      { id: "call-2", name: "read", input: { path: "/etc/shadow" } },
    ]);
    messages.push(first.message as Message, {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "call-1", toolName: "read", output: { type: "text", value: "A" } },
        {
          type: "tool-result",
          toolCallId: "call-2",
          toolName: "read",
          output: { type: "execution-denied", reason: "not that file" },
        },
      ],
    });
    expect((await answer(model, ask({ messages }))).text).toBe("done");
    expect(requests[0]?.body.tools).toMatchObject([
      { type: "function", function: { name: "read", parameters: READ.inputSchema } },
    ]);
    expect(requests[1]?.body.messages).toMatchObject([
      { role: "system", content: "be kind" },
      { role: "user", content: "hello" },
      {
        role: "assistant",
        content: "I look",
        tool_calls: [
          { id: "call-1", function: { name: "read", arguments: '{"path":"a.txt"}' } },
          { id: "call-2", function: { name: "read", arguments: '{"path":"/etc/shadow"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call-1", content: "A" },
      { role: "tool", tool_call_id: "call-2", content: "not that file" },
    ]);
  });

  test("brings arguments that are no JSON as they came", async () => {
    const { model } = await serve([
      { toolCalls: [{ name: "read", input: '{"path": "a', invalid: "cut off" }] },
    ]);
    const [call] = (await answer(model)).toolCalls;
    expect(call).toMatchObject({ id: "call-1", input: '{"path": "a' });
    expect(call?.invalid).toContain("JSON parsing failed");
  });

  test("asks for the shape of the answer", async () => {
    const { model, requests } = await serve(['{"name":"Ada"}']);
    const schema = { type: "object", properties: { name: { type: "string" } } };
    expect((await answer(model, ask({ outputSchema: schema }))).text).toBe('{"name":"Ada"}');
    expect(requests[0]?.body.response_format).toMatchObject({ type: "json_schema", json_schema: { schema } });
  });

  test.each([
    [429, true],
    [500, true],
    [401, false],
  ])(
    "rejects a status %i with an error that is retryable: %s, and asks once",
    async (statusCode, isRetryable) => {
      const responseHeaders = { "retry-after": "3" };
      const error = Object.assign(new Error("not now"), { statusCode, responseHeaders });
      const { model, requests } = await serve([{ error }, "second try"]);
      await expect(answer(model)).rejects.toMatchObject({
        message: "not now",
        statusCode,
        isRetryable,
        responseHeaders: expect.objectContaining(responseHeaders),
      });
      expect(requests).toHaveLength(1);
    },
  );

  test("rejects with a retryable error when the connection is refused", async () => {
    const { model } = await serve([]);
    await server?.close();
    server = undefined;
    await expect(answer(model)).rejects.toMatchObject({ isRetryable: true });
  });

  test("rejects when the connection is cut halfway", async () => {
    const { model } = await serve([{ text: "one two three four five six", halfway: "cut" }]);
    await expect(answer(model)).rejects.toBeInstanceOf(Error);
    if (way === "stream") expect(received.slice(0, 3)).toEqual(["text:one ", "text:two ", "text:three "]);
  });

  test("closes the connection when it is aborted before the answer", async () => {
    const controller = new AbortController();
    const { model, requests } = await serve([
      async ({ signal }) => {
        controller.abort();
        await once(signal, "abort");
        return "never received";
      },
    ]);
    await expect(answer(model, ask({ signal: controller.signal }))).rejects.toMatchObject({
      name: "AbortError",
    });
    await gone(requests[0]);
  });
});

test("the model closes the connection when a stream is aborted in its midst", async () => {
  const controller = new AbortController();
  const { model, requests } = await serve([{ text: "one two three four", halfway: "stall" }]);
  const result = model.stream(ask({ signal: controller.signal }), () => controller.abort());
  await expect(result).rejects.toMatchObject({ name: "AbortError" });
  await gone(requests[0]);
});

test("the model closes the connection when the listener of a stream throws", async () => {
  const { model, requests } = await serve([{ text: "one two three four", halfway: "stall" }]);
  const result = model.stream(ask(), () => {
    throw new RangeError("mine");
  });
  await expect(result).rejects.toThrow(RangeError);
  await gone(requests[0]);
});

/** Waits until the server has seen that its client hung up. */
async function gone(request: OpenAiRequest | undefined): Promise<void> {
  if (request !== undefined && !request.signal.aborted) await once(request.signal, "abort");
  expect(request?.signal.aborted).toBe(true);
}
