import { Agent } from "@mastra/core/agent";
import { adapterSupport } from "@tenterhook/adapters";
import { withHooks } from "@tenterhook/adapters/mastra";
import { block, createHooks } from "@tenterhook/engine";
import { afterEach, expect, test, vi } from "vitest";
import { scriptModel } from "./scripted-model.ts";
import { hookedAgent, newShell, run } from "./testing.ts";

afterEach(() => void vi.unstubAllEnvs());

const config = { id: "helper", name: "helper", instructions: "Help.", model: scriptModel([]) };

test("a hook on an event that Mastra lacks is an error that names both, when the agent is built", () => {
  const hooks = createHooks();
  hooks.on("pre_compact", () => block("no"), { name: "keeper" });
  expect(() => withHooks(config, hooks)).toThrow(/"keeper" on pre_compact.*Mastra/s);
});

test.each(["before_agent", "before_stop", "subagent_stop"] as const)(
  "a hook on %s that is registered later throws, unless all events are installed",
  (event) => {
    const later = createHooks();
    withHooks(config, later);
    expect(() => later.on(event, () => undefined)).toThrow(/not installed/);
    const all = createHooks();
    withHooks(config, all, { events: "all" });
    expect(() => all.on(event, () => undefined)).not.toThrow();
  },
);

test("a hook on tools that is registered later is enforced", async () => {
  const hooks = createHooks();
  const { agent, executed } = hookedAgent(hooks, [
    { calls: [{ name: "shell", input: { command: "ls" } }] },
    "Done.",
  ]);
  hooks.on("before_tool", () => block("no"));
  await run(agent, false);
  expect(executed).toEqual([]);
});

test("a tool that Mastra does not execute is named in a warning", async () => {
  const warnings: string[] = [];
  const options = { warn: (message: string) => void warnings.push(message) };
  const client = { id: "client", description: "Of the client.", inputSchema: { type: "object" } };
  const { agent } = hookedAgent(createHooks(), ["Done."], { tools: { client } as never, options });
  await run(agent, false);
  expect(warnings.join("\n")).toContain('"client" is not executed by Mastra');
});

test("models in a list and models of a function have hooks", async () => {
  for (const wrap of [
    (model: unknown) => [{ id: "one", model, maxRetries: 0, enabled: true }],
    (model: unknown) => () => model,
  ]) {
    const hooks = createHooks();
    hooks.on("before_llm", () => block("too expensive"));
    const model = scriptModel(["Done."]);
    const { agent } = hookedAgent(hooks, [], { model: wrap(model) as never });
    expect((await run(agent, false)).error).toContain("too expensive");
    expect(model.requests).toEqual([]);
  }
});

test.each([false, true])(
  "a missing key of Mastra's router is the error of the run, streaming: %s",
  async (isStreamed) => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const { agent } = hookedAgent(createHooks(), [], { model: "openai/gpt-5" as never });
    expect((await run(agent, isStreamed)).error).toContain("OPENAI_API_KEY");
  },
);

test("the support table lists Mastra", () => {
  expect(adapterSupport().map(({ adapter }) => adapter)).toContain("mastra");
});

test("hooks that a configuration is given twice are called once", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("before_tool", ({ toolUseId }) => void seen.push(toolUseId));
  const executed: string[] = [];
  const calls = [{ id: "1", name: "shell", input: { command: "ls" } }];
  const own = {
    ...config,
    model: scriptModel([{ calls }, "Done."]) as never,
    tools: { shell: newShell(executed) },
  };
  const agent = new Agent(withHooks(withHooks(own, hooks), hooks));
  expect((await run(agent as never, false)).text).toBe("Done.");
  expect([seen, executed]).toEqual([["1"], ["ls"]]);
});
