import { Agent } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { block, createHooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { ScriptedModel } from "./scripted-model.ts";
import { callThen, hookedAgent } from "./testing.ts";

describe("a hook that Strands cannot carry", () => {
  test("is an error where the agent is built, with its name and event", () => {
    const hooks = createHooks();
    hooks.on("pre_compact", () => block("keep it"), { name: "keeper" });
    expect(() => hooksPlugin(hooks)).toThrow(/keeper.*pre_compact/);
    expect(() => hooksPlugin(hooks, { ignoredEvents: ["pre_compact"] })).not.toThrow();
  });

  test("is a warning if it only observes", () => {
    const hooks = createHooks();
    hooks.on("session_end", () => undefined, { name: "watcher" });
    const warnings: string[] = [];
    hooksPlugin(hooks, { warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining("watcher")]);
  });

  test("is an error where it is registered later, and explain lists it", () => {
    const hooks = createHooks();
    hooksPlugin(hooks);
    expect(() => hooks.on("pre_compact", () => block("keep it"), { name: "keeper" })).toThrow("keeper");
    expect(hooks.explain("pre_compact", {}).notCalledBy).toMatchObject([{ host: "Strands" }]);
  });
});

describe("a plugin", () => {
  test("calls hooks that are registered after the agent was built", async () => {
    const hooks = createHooks();
    const { agent, runs } = hookedAgent(hooks, [...callThen("a"), ...callThen("b")]);
    await agent.invoke("go");
    hooks.on("before_tool", () => block("no"));
    await agent.invoke("go");
    expect(runs).toEqual(["a"]);
  });

  test("serves several agents, and several of them one agent", async () => {
    const one = createHooks();
    const asked: string[] = [];
    one.on("before_llm", ({ agent }) => void asked.push(`one ${agent?.name}`));
    const two = createHooks();
    two.on("before_llm", ({ agent }) => void asked.push(`two ${agent?.name}`));
    const plugin = hooksPlugin(one);
    const first = new Agent({
      name: "first",
      model: new ScriptedModel(["a"]),
      printer: false,
      plugins: [plugin, hooksPlugin(two)],
    });
    const second = new Agent({
      name: "second",
      model: new ScriptedModel(["b"]),
      printer: false,
      plugins: [plugin],
    });
    await first.invoke("hi");
    await second.invoke("hi");
    expect(asked).toEqual(["one first", "two first", "one second"]);
  });

  test("refuses an agent that another copy of the package made", async () => {
    const plugin = hooksPlugin(createHooks());
    const foreign = { addHook: () => () => undefined, addMiddleware: () => () => undefined };
    await expect(plugin.initAgent(foreign as never)).rejects.toThrow("another copy");
  });
});
