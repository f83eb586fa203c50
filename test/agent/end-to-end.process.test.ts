import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type AgentEvent, type AgentOptions, builtInTools, createAgent } from "@tenterhook/agent";
import { type OpenAiRequest, openAiServer, recordEvents, type Script } from "@tenterhook/agent/testing";
import { block, createHooks } from "@tenterhook/engine";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

// The whole path is real but for the weights: HTTP on loopback, the provider's package, the SDK, the loop, real tools.

async function setUp(script: Script<OpenAiRequest>, more: Partial<AgentOptions> = {}) {
  const server = await openAiServer(script);
  onTestFinished(() => server.close());
  const workDir = temporaryFolder();
  const provider = createOpenAICompatible({
    name: "loopback",
    baseURL: server.url,
    supportsStructuredOutputs: true,
  });
  const hooks = createHooks({ report: () => undefined });
  const agent = createAgent({
    name: "coder",
    model: provider("test-model"),
    instructions: "You write files.",
    hooks,
    tools: builtInTools(),
    workDir,
    retryDelayMs: 1,
    ...more,
  });
  return { server, workDir, hooks, agent };
}

const writeNote = {
  toolCalls: [{ id: "w", name: "WriteFile", input: { file_path: "note.txt", content: "hello\n" } }],
};
const removeAll = { toolCalls: [{ id: "r", name: "Shell", input: { command: "rm -rf ." } }] };
const ways = ["run", "stream"] as const;

describe.each(ways)("with %s(), over HTTP", (way) => {
  const go = async (
    { agent }: Awaited<ReturnType<typeof setUp>>,
    message: string,
  ): Promise<{ text: string; events: AgentEvent[]; status: string }> => {
    if (way === "run") return { ...(await agent.run(message)), events: [] };
    const stream = agent.stream(message);
    const events: AgentEvent[] = [];
    for await (const event of stream) events.push(event);
    return { ...(await stream.finished), events };
  };

  test("an agent works with real tools, and a guard holds", async () => {
    const setup = await setUp([writeNote, removeAll, "I wrote the note, and may not remove it."]);
    setup.hooks.on("before_tool", () => block("this would destroy data"), {
      matcher: { tool: "Shell", pattern: "rm -rf" },
    });
    const recorded = recordEvents(setup.hooks);
    const { text, status } = await go(setup, "Write a note, then remove it.");
    expect([status, text]).toEqual(["completed", "I wrote the note, and may not remove it."]);
    expect(await readFile(join(setup.workDir, "note.txt"), "utf8")).toBe("hello\n");
    expect(recorded.words.filter((word) => word.includes("_tool"))).toEqual([
      "before_tool WriteFile",
      "after_tool WriteFile",
      "before_tool Shell",
      "after_tool_failure:blocked Shell",
    ]);
    const { body } = setup.server.requests[2] ?? {};
    expect(body?.messages?.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(JSON.stringify(body?.messages?.at(-1))).toContain("this would destroy data");
    expect(body?.stream ?? false).toBe(way === "stream");
  });

  test("a server that is overloaded is asked again, one that refuses is not", async () => {
    const overloaded = Object.assign(new Error("too many requests"), { statusCode: 429 });
    const busy = await setUp([{ error: overloaded }, "at last"]);
    expect((await go(busy, "Hi")).text).toBe("at last");
    expect(busy.server.requests).toHaveLength(2);
    const forbidden = await setUp([{ error: Object.assign(new Error("no such key"), { statusCode: 401 }) }]);
    if (way === "run") await expect(forbidden.agent.run("Hi")).rejects.toThrow("no such key");
    else expect((await go(forbidden, "Hi")).status).toBe("failed");
    expect(forbidden.server.requests).toHaveLength(1);
  });

  test("arguments that are not JSON, and a missing tool, are reported to the model", async () => {
    const setup = await setUp([
      { toolCalls: [{ id: "1", name: "Shell", input: "{command", invalid: "no JSON" }] },
      { toolCalls: [{ id: "2", name: "Bash", input: { command: "ls" } }] },
      "Sorry.",
    ]);
    expect((await go(setup, "Hi")).text).toBe("Sorry.");
    const last = JSON.stringify(
      setup.server.requests[2]?.body.messages?.filter(({ role }) => role === "tool"),
    );
    expect(last).toMatch(/[Ii]nvalid|JSON/);
    expect(last).toContain("Bash");
  });

  test("an abort closes the connection", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const setup = await setUp([
      ({ signal }) => {
        closed = new Promise((resolve) => signal.addEventListener("abort", resolve));
        controller.abort(new Error("the user left"));
        return new Promise(() => undefined);
      },
    ]);
    const options = { signal: controller.signal };
    const run =
      way === "run" ? await setup.agent.run("Hi", options) : await setup.agent.stream("Hi", options).finished;
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted", reason: "the user left" });
    await closed;
  });
});

test("an answer comes in pieces when it is streamed, and a connection that breaks is made again", async () => {
  const { agent } = await setUp([{ text: "one two three four", halfway: "cut" }, "five six seven"]);
  const received: string[] = [];
  for await (const event of agent.stream("Count.")) {
    if (event.type === "text_delta") received.push(event.text);
    if (event.type === "answer_discarded") received.push("|");
  }
  const [before, after] = received.join("").split("|");
  expect("one two three four".startsWith(before ?? "?")).toBe(true);
  expect(after).toBe("five six seven");
});

test("a shape that is asked for goes to the server and comes back as a value", async () => {
  const { agent, server } = await setUp(['{"city":"Bonn","degrees":12}']);
  const schema = z.object({ city: z.string(), degrees: z.number() });
  expect((await agent.run("Weather?", { as: schema })).output).toEqual({ city: "Bonn", degrees: 12 });
  expect(server.requests[0]?.body.response_format).toMatchObject({
    type: "json_schema",
    json_schema: { schema: { required: ["city", "degrees"] } },
  });
});

test("usage is what the server counted", async () => {
  const { agent } = await setUp([{ text: "ok", usage: { inputTokens: 11, outputTokens: 3 } }]);
  expect((await agent.run("Hi")).usage).toEqual({ inputTokens: 11, outputTokens: 3 });
});
