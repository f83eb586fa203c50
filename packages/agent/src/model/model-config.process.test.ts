import { afterEach, describe, expect, test, vi } from "vitest";
import { type OpenAiServer, openAiServer } from "../testing/openai-server.ts";
import type { ModelRequest } from "./model.ts";
import { type ModelConfig, modelFrom, providerFactory } from "./model-config.ts";

const REQUEST: ModelRequest = {
  messages: [{ role: "user", content: "hello" }],
  tools: [],
  signal: new AbortController().signal,
};
const SECRET = "sk-very-secret";

let server: OpenAiServer | undefined;
afterEach(async () => {
  vi.unstubAllGlobals();
  await server?.close();
  server = undefined;
});

describe("openai-compatible", () => {
  test("asks the server at baseURL with the key from the named variable and the given headers", async () => {
    server = await openAiServer(["hi there"]);
    const model = await modelFrom(
      {
        provider: "openai-compatible",
        baseURL: server.url,
        model: "llama3:8b",
        apiKeyEnv: "LOCAL_KEY",
        headers: { "x-team": "blue" },
        name: "local",
      },
      { LOCAL_KEY: SECRET },
    );
    expect((await model.generate(REQUEST)).text).toBe("hi there");
    expect(model).toMatchObject({ modelId: "llama3:8b", provider: "local.chat" });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      "x-team": "blue",
    });
    expect(server.requests[0]?.body.model).toBe("llama3:8b");
  });

  test("takes address and key from the environment in its short form", async () => {
    server = await openAiServer(["hi"]);
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: SECRET };
    const model = await modelFrom("openai-compatible:llama3:8b", env);
    await model.generate(REQUEST);
    expect(model.modelId).toBe("llama3:8b");
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test("sends no key when there is none", async () => {
    server = await openAiServer(["hi"]);
    await (await modelFrom("openai-compatible:m", { OPENAI_BASE_URL: server.url })).generate(REQUEST);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("learns the usage of a stream", async () => {
    server = await openAiServer([{ text: "hi", usage: { inputTokens: 3, outputTokens: 1 } }]);
    const model = await modelFrom("openai-compatible:m", { OPENAI_BASE_URL: server.url });
    expect((await model.stream(REQUEST, () => {})).usage).toEqual({ inputTokens: 3, outputTokens: 1 });
  });

  test("asks for plain JSON when the server takes no schemas", async () => {
    server = await openAiServer(["{}"]);
    vi.stubGlobal("AI_SDK_LOG_WARNINGS", false);
    const model = await modelFrom({
      provider: "openai-compatible",
      baseURL: server.url,
      model: "m",
      structuredOutputs: false,
    });
    await model.generate({ ...REQUEST, outputSchema: { type: "object" } });
    expect(server.requests[0]?.body.response_format).toEqual({ type: "json_object" });
  });
});

describe("other providers", () => {
  test("come from the npm package of their name", async () => {
    const config = { provider: "gateway", model: "acme/large", apiKeyEnv: "KEY" };
    expect(await modelFrom(config, { KEY: SECRET })).toMatchObject({
      modelId: "acme/large",
      provider: "gateway",
    });
    expect((await modelFrom("gateway:acme/large", {})).modelId).toBe("acme/large");
  });

  test("that are not installed are named with the package to install", async () => {
    await expect(modelFrom("not-installed:model")).rejects.toMatchObject({
      code: "bad_agent",
      message: expect.stringContaining("npm install @ai-sdk/not-installed"),
    });
  });

  test.each([
    ["openai", ["createOpenAI", "openai"], "createOpenAI"],
    ["google", ["createGoogleGenerativeAI", "google"], "createGoogleGenerativeAI"],
    ["google", ["createGoogleGenerativeAI", "createGoogle"], "createGoogle"],
    ["google-vertex", ["createVertex", "vertex"], "createVertex"],
    ["amazon-bedrock", ["bedrock", "createAmazonBedrock"], "createAmazonBedrock"],
    ["odd", ["createThis", "createThat"], undefined],
  ])("%s with %j is made by %s", (provider, names, factory) => {
    const exports = Object.fromEntries(names.map((name) => [name, () => ({ name })]));
    expect(providerFactory(provider, exports)?.({})).toEqual(factory && { name: factory });
  });
});

describe("scripted", () => {
  test("plays the script of the configuration", async () => {
    const model = await modelFrom({ provider: "scripted", script: ["yes"], repeat: true });
    expect([(await model.generate(REQUEST)).text, (await model.generate(REQUEST)).text]).toEqual([
      "yes",
      "yes",
    ]);
  });

  test("names the turn that is wrong", async () => {
    await expect(modelFrom({ provider: "scripted", script: ["a", { texts: "b" }] })).rejects.toThrow(
      "script turn 2",
    );
  });
});

const ADDRESS = "http://127.0.0.1:1/v1";

describe("what is wrong", () => {
  test.each<[string, unknown, string]>([
    ["a name without a provider", "gpt-9", 'must be "provider:model"'],
    ["no object at all", null, 'needs a "provider"'],
    ["an object without a provider", { model: "m" }, 'needs a "provider"'],
    ["a provider that is a path", "../../evil:m", "cannot be the name of one"],
    ["no model", { provider: "gateway" }, 'needs "model"'],
    ["no address", "openai-compatible:m", "OPENAI_BASE_URL"],
    ["no baseURL", { provider: "openai-compatible", model: "m" }, 'needs "baseURL"'],
    [
      "a baseURL that is none",
      { provider: "openai-compatible", model: "m", baseURL: "ftp://x" },
      "baseURL must be an http",
    ],
    ["a key in the configuration", { provider: "gateway", model: "m", apiKey: SECRET }, "mean apiKeyEnv"],
    [
      "a variable that is not set",
      { provider: "gateway", model: "m", apiKeyEnv: "MY_KEY" },
      "MY_KEY, which is not",
    ],
    ["headers that are no texts", { provider: "gateway", model: "m", headers: { a: 1 } }, "headers must be"],
    ["a script as a name", "scripted:m", 'no field "model"'],
  ])("%s is refused with advice", async (_, config, message) => {
    const model = modelFrom(config as ModelConfig, {});
    await expect(model).rejects.toMatchObject({
      code: "bad_agent",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    { provider: "openai-compatible", baseURL: ADDRESS, model: "m", apiKeyEnv: SECRET },
    { provider: "openai-compatible", baseURL: ADDRESS, model: "m", apiKey: SECRET },
    { provider: "openai-compatible", baseURL: SECRET, model: "m" },
    { provider: "openai-compatible", baseURL: ADDRESS, model: "m", headers: SECRET },
    { provider: "openai-compatible", baseURL: ADDRESS, model: "m", structuredOutputs: SECRET },
  ])("a key in the wrong place is never printed: %#", async (config) => {
    const error: Error = await modelFrom(config as unknown as ModelConfig, {}).then(
      () => expect.unreachable(),
      (error: Error) => error,
    );
    expect(`${error.message} ${error.stack}`).not.toContain(SECRET);
  });
});
