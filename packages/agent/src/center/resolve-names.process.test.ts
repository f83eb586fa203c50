import { fileURLToPath } from "node:url";
import { block } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";
import type { AgentConfigurationInput } from "./agent-file.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "",
  modelName: "gpt-4",
  instructions: "",
};
const callShell = { toolCalls: [{ name: "Shell", input: { command: "echo real" } }] };

function centerWith(script: Script, more: Partial<AgentConfigurationInput> = {}) {
  const center = createAgentCenter();
  const model = scriptedModel(script);
  center.registerModel("gpt-4", model);
  center.registerAgent({ ...assistant, ...more });
  return { center, model, session: center.createSession("assistant") };
}

describe("names", () => {
  test("may be registered after the agent that lists them; until then a run is an error, and nothing runs", async () => {
    const { center, model, session } = centerWith(["Hi!"], { preHookNames: ["late"] });
    const events = recordEvents(center.hooks);
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toThrow(
      /agent "assistant".*"late"/,
    );
    await expect(center.streamAgent({ session, message: "Hello!" })).rejects.toThrow(/"late"/);
    expect([events.all, model.calls]).toEqual([[], 0]);
    center.registerPreHook({ name: "late" }, () => undefined);
    expect((await center.runAgent({ session, message: "Hello!" })).status).toBe("completed");
  });

  test("are registered once, and are strings", () => {
    const { center } = centerWith([]);
    center.registerTool("Shell", {});
    expect(() => center.registerAgent(assistant)).toThrow(/the agent "assistant" is registered already/);
    expect(() => center.registerModel("gpt-4", "openai:gpt-4")).toThrow(
      /model "gpt-4" is registered already/,
    );
    expect(() => center.registerTool("Shell", {})).toThrow(/tool "Shell" is registered already/);
    expect(() => center.registerModel("", "openai:gpt-4")).toThrow(/name of the model must be a text/);
    expect(() => center.registerModel("m", 5 as never)).toThrow(/"m" must be a model/);
    expect(() => center.registerTool("t", undefined as never)).toThrow(/"t" must be an object/);
    expect(() => center.registerMcpServer("s", { comand: "x" } as never)).toThrow(/Did you mean command/);
  });

  test("of hooks may be registered again with replace: true, which counts from the next run on", async () => {
    const { center, session } = centerWith(["1", "2", "3", "4"], {
      preHookNames: ["pre"],
      postHookNames: ["post"],
    });
    const called: string[] = [];
    const hook = (text: string) => () => void called.push(text);
    center.register({
      preHook: { config: { name: "pre" }, execute: hook("pre") },
      postHook: { config: { name: "post" }, execute: hook("post") },
    });
    await center.runAgent({ session, message: "Hello!" });
    expect(() => center.registerPreHook({ name: "pre" }, hook("PRE"))).toThrow(/already.*replace: true/);
    center.registerPreHook({ name: "pre" }, hook("PRE"), { replace: true });
    center.registerPostHook({ name: "post", when: "failed" }, hook("POST"), { replace: true });
    await center.runAgent({ session, message: "Hello!" });
    center.register(
      {
        preHook: { config: { name: "pre", blocking: false }, execute: hook("Pre") },
        postHook: { config: { name: "post" }, execute: hook("Post") },
      },
      { replace: true },
    );
    await center.runAgent({ session, message: "Hello!" });
    await center.waitForBackgroundHooks();
    expect(called.slice(0, 3)).toEqual(["pre", "post", "PRE"]);
    expect(called.slice(3).toSorted()).toEqual(["Post", "Pre"]);
    center.composePreHooks("pre", [() => block("no")], { replace: true });
    expect(await center.runAgent({ session, message: "Hello!" })).toMatchObject({
      status: "stopped",
      reason: "no",
    });
  });

  test("of hooks that are replaced count in subagents that have run already too", async () => {
    const delegating = { toolCalls: [{ name: "Helper", input: { task: "Look" } }] };
    const { center, session } = centerWith([delegating, "1", "2", delegating, "3", "4"], {
      subagents: ["helper"],
    });
    center.registerAgent({ ...assistant, id: "helper", name: "Helper", preHookNames: ["pre"] });
    const called: string[] = [];
    center.registerPreHook({ name: "pre" }, () => void called.push("former"));
    await center.runAgent({ session, message: "Hello!" });
    center.registerPreHook({ name: "pre" }, () => void called.push("new"), { replace: true });
    await center.runAgent({ session, message: "Hello!" });
    expect(called).toEqual(["former", "new"]);
  });

  test("of hooks and agents can be looked up; hooks block by default", () => {
    const { center } = centerWith([]);
    const hook = () => undefined;
    center.registerPreHook({ name: "a" }, hook);
    center.registerPostHook({ name: "a", blocking: false, when: "failed" }, hook);
    expect(center.preHook("a")).toEqual({ config: { name: "a", blocking: true }, execute: hook });
    expect(center.postHook("a")?.config).toEqual({ name: "a", blocking: false, when: "failed" });
    const { config } = center.preHook("a") ?? {};
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    expect([center.preHook("b"), center.postHook("b"), center.agent("b")]).toEqual(Array(3).fill(undefined));
  });

  test("of unknown agents are rejected at once", async () => {
    const { center, session } = centerWith([]);
    expect(() => center.createSession("assistent")).toThrow(/"assistent".*did you mean "assistant"/);
    await expect(
      center.runAgent({ session: { ...session, agentId: "x" }, message: "Hello!" }),
    ).rejects.toMatchObject({ code: "bad_agent" });
  });

  test("of unknown options are rejected when the center is created", () => {
    expect(() => createAgentCenter({ maxStep: 5 } as never)).toThrow(/no option "maxStep".*maxSteps/);
  });
});

describe("what an agent lists", () => {
  test("built-in tools are found by their names", async () => {
    const { center, model, session } = centerWith([callShell, "Done."], { toolNames: ["Shell", "Grep"] });
    await center.runAgent({ session, message: "Hello!" });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["Shell", "Grep"]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("real");
  });

  test("a registered tool replaces the built-in one, but not once an agent uses that", async () => {
    const { center, model, session } = centerWith([callShell, "Done."], { toolNames: ["Shell"] });
    center.registerTool("Shell", { inputSchema: { type: "object" }, execute: () => "mine" });
    await center.runAgent({ session, message: "Hello!" });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("mine");

    const other = centerWith(["Done."], { toolNames: ["Shell"] });
    await other.center.runAgent({ session: other.session, message: "Hello!" });
    expect(() => other.center.registerTool("Shell", {})).toThrow(/already uses the built-in tool "Shell"/);
  });

  test("a model may be data, which is made once for all agents; hooks know it by its name", async () => {
    const { center } = centerWith([]);
    center.registerModel("played", { provider: "scripted", script: ["first", "second"] });
    const models: unknown[] = [];
    center.hooks.on("before_llm", ({ model, agent }) => void models.push(model, agent?.modelName));
    const outputs: unknown[] = [];
    for (const id of ["one", "two"]) {
      center.registerAgent({ ...assistant, id, modelName: "played" });
      outputs.push((await center.runAgent({ session: center.createSession(id), message: "Hello!" })).output);
    }
    expect(outputs).toEqual(["first", "second"]);
    expect(models).toEqual(Array(4).fill("played"));
  });

  test("a model with an invalid configuration is rejected with the agent's name, and may be corrected", async () => {
    const { center, session } = centerWith([], { modelName: "unknown:x" });
    center.registerModel("broken", { provider: "scripted", script: "no list" as never });
    center.registerAgent({ ...assistant, id: "other", modelName: "broken" });
    const others = center.createSession("other");
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toThrow(
      /agent "assistant": modelName has "unknown:x", which cannot be created: .*@ai-sdk\/unknown/,
    );
    await expect(center.runAgent({ session: others, message: "Hello!" })).rejects.toThrow(
      /agent "other": modelName has "broken", which cannot be created/,
    );
  });

  test("MCP servers are found by their names, and only those are connected", async () => {
    const script: Script = [{ toolCalls: [{ name: "files__echo", input: { text: "over MCP" } }] }, "Done."];
    const { center, model, session } = centerWith(script, { mcpServerNames: ["files"] });
    const server = fileURLToPath(new URL("../tools/mcp/testing/stdio-server.mjs", import.meta.url));
    center.registerMcpServer("files", { command: process.execPath, args: [server], tools: ["echo"] });
    center.registerMcpServer("unused", { command: "no-such-program" });
    expect((await center.runAgent({ session, message: "Hello!" })).output).toBe("Done.");
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["files__echo"]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("over MCP");
  });

  test("agents may delegate to others, but not in a cycle, and not to one whose name is no tool's", async () => {
    const { center, session } = centerWith([], { subagents: ["b", "c"] });
    center.registerAgent({ ...assistant, id: "b", name: "B", subagents: ["assistant"] });
    center.registerAgent({ ...assistant, id: "c", name: "Miss C" });
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toThrow(
      /delegate in a cycle: assistant, b, assistant; subagents has "c", whose name "Miss C" cannot name a tool/,
    );
  });
});
