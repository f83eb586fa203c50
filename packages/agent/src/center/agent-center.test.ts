import { redaction, toolPolicy } from "@tenterhook/engine/built-in";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";
import type { AgentConfigurationInput } from "./agent-file.ts";
import type { AgentRun } from "./agent-run.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "Helpful assistant",
  modelName: "gpt-4",
  instructions: "You are a helpful assistant",
};
const callShell = { toolCalls: [{ name: "Shell", input: { command: "echo real" } }] };

function centerWith(script: Script, more: Partial<AgentConfigurationInput> = {}) {
  const center = createAgentCenter();
  const model = scriptedModel(script);
  center.registerModel("gpt-4", model);
  center.registerAgent({ ...assistant, ...more });
  return { center, model, session: center.createSession("assistant") };
}

test("the usage example runs as documented", async () => {
  const center = createAgentCenter();
  const printed: string[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  class InvalidInput extends Error {}

  center.register({
    preHook: {
      config: { name: "request-logger", blocking: false },
      execute: async ({ agent, userMessage }) => {
        await opened;
        printed.push(`[Pre] Agent ${agent.name} - Message: ${userMessage}`);
      },
    },
  });
  center.register({
    preHook: {
      config: { name: "input-validator", blocking: true },
      execute: ({ userMessage }) => {
        if (userMessage === "") throw new InvalidInput("Message cannot be empty");
      },
    },
  });
  center.register({
    postHook: {
      config: { name: "response-logger", blocking: false },
      execute: async ({ agent }, run) => {
        await opened;
        printed.push(`[Post] Agent ${agent.name} - Duration: ${run.duration > 0}`);
      },
    },
  });
  center.registerModel("gpt-4", scriptedModel(["Hello yourself!"]));
  center.register({
    agent: {
      ...assistant,
      preHookNames: ["input-validator", "request-logger"],
      postHookNames: ["response-logger"],
    },
  });
  const session = center.createSession("assistant");
  const run = await center.runAgent({ session, message: "Hello!", as: String, loadHistory: true });

  expectTypeOf(run).toEqualTypeOf<AgentRun<string>>();
  expect(run.output).toBe("Hello yourself!");
  expect([printed, center.backgroundHookCount]).toEqual([[], 2]);
  open();
  await center.waitForBackgroundHooks();
  expect(printed).toEqual([
    "[Pre] Agent Assistant - Message: Hello!",
    "[Post] Agent Assistant - Duration: true",
  ]);
  await expect(center.runAgent({ session, message: "" })).rejects.toThrow(InvalidInput);
});

describe("existing agents", () => {
  test("continue to work without any hook: their lists are empty by default", async () => {
    const { center, session } = centerWith(["Hi!"]);
    expect(center.agent("assistant")).toMatchObject({ preHookNames: [], postHookNames: [] });
    expect((await center.runAgent({ session, message: "Hello!" })).output).toBe("Hi!");
  });

  test("need nothing more than before to be made", () => {
    expectTypeOf(assistant).toExtend<AgentConfigurationInput>();
    expect(() => createAgentCenter().registerAgent(assistant)).not.toThrow();
  });

  test("list hooks as they list tools and MCP servers, and all names are looked up alike", async () => {
    const { center, session } = centerWith([], {
      modelName: "gpt-5",
      toolNames: ["Shel"],
      mcpServerNames: ["files"],
      preHookNames: ["input-validator"],
      postHookNames: ["logger"],
      streamHookNames: ["ticker"],
      subagents: ["researcher"],
    });
    center.registerPreHook({ name: "input-validation" }, () => undefined);
    const error: unknown = await center.runAgent({ session, message: "Hello!" }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "bad_agent" });
    expect(String(error).split("; ")).toEqual([
      expect.stringContaining(
        'agent "assistant": modelName has "gpt-5", which is not a known model, did you mean "gpt-4"? (there are gpt-4)',
      ),
      expect.stringMatching(/^toolNames has "Shel", .* did you mean "Shell"\? \(there are Shell, ReadFile/),
      'mcpServerNames has "files", which is not a known MCP server (no MCP server is registered)',
      expect.stringMatching(/^preHookNames has "input-validator", .* \(there are input-validation\)$/),
      'postHookNames has "logger", which is not a known post-hook (no post-hook is registered)',
      'streamHookNames has "ticker", which is not a known stream hook (no stream hook is registered)',
      'subagents has "researcher", which is not a known agent (there are assistant).',
    ]);
  });
});

describe("a run", () => {
  test("has what the agent's run has, and its duration in seconds", async () => {
    const { center, session } = centerWith([{ text: "Hi!", usage: { inputTokens: 7, outputTokens: 3 } }]);
    const run = await center.runAgent({ session, message: "Hello!" });
    expect(run).toMatchObject({
      sessionId: session.sessionId,
      status: "completed",
      output: "Hi!",
      usage: { inputTokens: 7, outputTokens: 3 },
      stepCount: 1,
    });
    expect(run.duration).toBe(run.durationMs / 1_000);
  });

  test("gives the output in the shape that is asked for", async () => {
    const { center, session } = centerWith(['{"celsius":21}']);
    const as = z.object({ celsius: z.number() });
    const { output } = await center.runAgent({ session, message: "How warm is it?", as });
    expect(output?.celsius).toBe(21);
  });

  test("continues the conversation of its session, unless loadHistory is false", async () => {
    const { center, model, session } = centerWith(["one", "two", "three"]);
    await center.runAgent({ session, message: "1" });
    await center.runAgent({ session, message: "2" });
    await center.runAgent({ session, message: "3", loadHistory: false });
    const asked = model.requests.map(
      ({ messages }) => messages.filter(({ role }) => role !== "system").length,
    );
    expect(asked).toEqual([1, 3, 1]);
  });

  test("ends when its signal fires", async () => {
    const controller = new AbortController();
    const answer = () => {
      controller.abort("enough");
      return "Hi!";
    };
    const { center, session } = centerWith([answer]);
    const run = await center.runAgent({ session, message: "Hello!", signal: controller.signal });
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted" });
  });

  test("is the only one in its session, also when another agent would be the second", async () => {
    let open = () => {};
    const opened = new Promise<string>((resolve) => (open = () => resolve("Hi!")));
    const { center, session } = centerWith([() => opened, "again", "hand over"]);
    center.registerAgent({ ...assistant, id: "other" });
    const { sessionId } = session;
    const others = center.createSession("other", { sessionId });
    const running = center.runAgent({ session, message: "Hello!" });
    await new Promise(setImmediate);
    for (const busy of [session, others]) {
      const request = { session: busy, message: "Me too!" };
      await expect(center.runAgent(request)).rejects.toMatchObject({ code: "session_busy" });
      await expect(center.streamAgent(request)).rejects.toMatchObject({ code: "session_busy" });
    }
    open();
    await running;
    await center.runAgent({ session, message: "Once more!" });
    const handedOver = await center.runAgent({ session: others, message: "And you?" });
    expect(handedOver.messages).toHaveLength(6);
  });

  test("can be streamed: the same run, as it happens", async () => {
    const { center, session } = centerWith(["Hi there!"], { postHookNames: ["a"] });
    const broken = new Error("the archive is full");
    center.registerPostHook({ name: "a" }, () => Promise.reject(broken));
    const stream = await center.streamAgent({ session, message: "Hello!" });
    const types: string[] = [];
    let ended: unknown;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "run_end") ended = event.run;
    }
    const run = await stream.finished;
    expect(types).toEqual([
      "run_start",
      "step_start",
      "text_delta",
      "text_delta",
      "answer",
      "step_end",
      "hook_acted",
      "run_end",
    ]);
    expect(run).toMatchObject({ output: "Hi there!", duration: run.durationMs / 1_000 });
    expect(run.error).toBe(broken);
    expect(ended).toEqual(run);
  });

  test("that cannot start rejects before there is a stream", async () => {
    const { center, session } = centerWith(["Hi!"]);
    for (const wrong of [{ maxSteps: 0 }, { maxTokens: -1 }, { as: 5 as never }]) {
      const request = { session, message: "Hello!", ...wrong };
      await expect(center.streamAgent(request)).rejects.toMatchObject({ code: "bad_agent" });
      await expect(center.runAgent(request)).rejects.toMatchObject({ code: "bad_agent" });
    }
    expect((await center.runAgent({ session, message: "Hello!" })).output).toBe("Hi!");
  });

  test("whose reader leaves is aborted", async () => {
    const { center, session } = centerWith([{ text: "Hi there!", halfway: "stall" }]);
    const stream = await center.streamAgent({ session, message: "Hello!" });
    for await (const event of stream) if (event.type === "text_delta") break;
    expect(await stream.finished).toMatchObject({ status: "stopped", stopReason: "aborted" });
  });
});

describe("the center's own hooks", () => {
  test("hold in every agent, beside the named ones and before them among equals", async () => {
    const { center, session } = centerWith(["Hi!", "Ho!"], { preHookNames: ["named"] });
    const order: string[] = [];
    center.registerAgent({ ...assistant, id: "other" });
    center.registerPreHook({ name: "named" }, ({ agent }) => void order.push(`named, ${agent.id}`));
    center.hooks.on("before_agent", ({ agent }) => void order.push(`every agent, ${agent?.id}`));
    await center.runAgent({ session, message: "Hello!" });
    await center.runAgent({ session: center.createSession("other"), message: "Hello!" });
    expect(order).toEqual(["every agent, assistant", "named, assistant", "every agent, other"]);
  });

  test("may be built-in ones", async () => {
    const mail = "Write to ada@example.com";
    const { center, model, session } = centerWith([callShell, "Done."], { toolNames: ["Shell"] });
    redaction(center.hooks, { mode: "mask", detect: ["email"] });
    toolPolicy(center.hooks, { deny: ["Shell"] });
    await center.runAgent({ session, message: mail });
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("ada@example.com");
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).not.toContain("real");
  });

  test("that throw are not unwrapped: the error names the hook", async () => {
    const { center, session } = centerWith([]);
    const broken = new Error("broken");
    center.hooks.on("before_agent", () => Promise.reject(broken), { name: "guard" });
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toMatchObject({
      code: "hook_threw",
      hook: "guard",
      cause: broken,
    });
  });
});

test("an instrument follows the runs of all agents, and a subagent's once", async () => {
  const delegate = { toolCalls: [{ name: "Other", input: { task: "look" } }] };
  const { center, session } = centerWith([delegate, "Found.", "Done."], { subagents: ["other"] });
  center.registerAgent({ ...assistant, id: "other", name: "Other" });
  const seen: string[] = [];
  const undo = center.instrument({
    span: (operation, work) => {
      seen.push(operation.type);
      return work(() => undefined);
    },
  });
  await center.runAgent({ session, message: "Hello!" });
  undo();
  expect(seen).toEqual(["invoke_agent", "chat", "execute_tool", "invoke_agent", "chat", "chat"]);
});
