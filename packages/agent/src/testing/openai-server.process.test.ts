import { afterEach, describe, expect, test } from "vitest";
import { type OpenAiServer, openAiServer } from "./openai-server.ts";

let server: OpenAiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function post({ url }: OpenAiServer, body: object, path = "/chat/completions"): Promise<Response> {
  return fetch(url + path, { method: "POST", body: JSON.stringify(body), headers: { "x-who": "me" } });
}

const ASK = { model: "m", messages: [{ role: "user", content: "12345678" }] };

describe("an answer in one piece", () => {
  test("is a chat completion, with usage by length", async () => {
    server = await openAiServer([{ text: "1234", toolCalls: [{ name: "read", input: { a: 1 } }] }]);
    const response = await post(server, ASK);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 0,
      model: "m",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "1234",
            tool_calls: [
              { id: "call-1", type: "function", function: { name: "read", arguments: '{"a":1}' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 2, completion_tokens: 11, total_tokens: 13 },
    });
  });
});

describe("an answer in pieces", () => {
  test("splits a call's arguments over several chunks, and sends usage only on request", async () => {
    server = await openAiServer([{ toolCalls: [{ name: "read", input: { path: "a" } }] }], { repeat: true });
    const plain = await events(await post(server, { ...ASK, stream: true }));
    const pieces = plain
      .flatMap((event) => event.choices[0]?.delta?.tool_calls ?? [])
      .map((call) => call.function.arguments);
    expect(pieces).toEqual(["", '{"pa', 'th":', '"a"}']);
    expect(plain.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
    const counted = await events(
      await post(server, { ...ASK, stream: true, stream_options: { include_usage: true } }),
    );
    expect([plain.at(-1)?.usage, counted.at(-1)?.usage?.prompt_tokens]).toEqual([undefined, 2]);
  });
});

describe("what it answers otherwise", () => {
  test("keeps what was asked, with headers", async () => {
    server = await openAiServer(["hi"]);
    await post(server, ASK);
    expect(server.requests).toMatchObject([{ body: ASK, headers: { "x-who": "me" } }]);
  });

  test("is an error's status, 500 for an error without one", async () => {
    const error = Object.assign(new Error("slow down"), { statusCode: 429 });
    server = await openAiServer([{ error }, { error: new Error("oops") }]);
    const responses = [await post(server, ASK), await post(server, ASK)];
    expect(responses.map((response) => response.status)).toEqual([429, 500]);
    expect(await responses[0]?.json()).toMatchObject({ error: { message: "slow down" } });
  });

  test("is 500 at the end of the script, 404 elsewhere, and 500 for what chat completions cannot express", async () => {
    server = await openAiServer([{ toolCalls: [{ name: "search", input: {}, executed: { result: 1 } }] }]);
    const unsayable = await post(server, ASK);
    const ended = await post(server, ASK);
    const elsewhere = await post(server, ASK, "/embeddings");
    expect([unsayable.status, ended.status, elsewhere.status]).toEqual([500, 500, 404]);
    expect(await ended.text()).toContain("the script has 1 turn");
  });

  test("lets a function wait, and read the request", async () => {
    server = await openAiServer([async ({ body }, index) => `${index} ${body.model}`]);
    expect(await (await post(server, ASK)).text()).toContain('"content":"0 m"');
  });

  test("closes although an answer stalls", async () => {
    const stalling = await openAiServer([{ text: "a b", halfway: "stall" }]);
    const response = await post(stalling, { ...ASK, stream: true });
    await stalling.close();
    await expect(response.text()).rejects.toThrow();
  });
});

interface Chunk {
  choices: {
    delta?: { tool_calls?: { function: { arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: { prompt_tokens: number };
}

async function events(response: Response): Promise<Chunk[]> {
  const lines = (await response.text()).split("\n\n").filter(Boolean);
  expect(lines.pop()).toBe("data: [DONE]");
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}
