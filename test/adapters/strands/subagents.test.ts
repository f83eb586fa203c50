import { Agent, tool } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { block, createHooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Answer, ScriptedModel } from "./scripted-model.ts";
import { hookedAgent, readTexts, recordEvents } from "./testing.ts";

/** A subagent with a tool of its own. */
function researcher(answers: readonly (string | Answer)[], plugins: Agent["tools"] | unknown[] = []) {
  const model = new ScriptedModel(answers);
  const runs: string[] = [];
  const search = tool({
    name: "search",
    description: "Searches.",
    inputSchema: z.object({ query: z.string() }),
    callback: ({ query }) => {
      runs.push(query);
      return `found ${query}`;
    },
  });
  const agent = new Agent({
    name: "researcher",
    model,
    printer: false,
    tools: [search],
    plugins: plugins as never,
  });
  return { agent, model, runs };
}

const delegation = [{ calls: [{ name: "researcher", input: { input: "find cats" } }] }, "done"];
const research = [{ calls: [{ name: "search", input: { query: "cats" } }] }, "cats found"];

describe("a subagent", () => {
  test("starts with the task that hooks changed, and stops when they let it", async () => {
    const hooks = createHooks();
    const stops: unknown[] = [];
    hooks.on("subagent_start", ({ taskDescription, subagentName }) =>
      proceed({ taskDescription: `${taskDescription} for ${subagentName}` }, { context: "be brief" }),
    );
    hooks.on("subagent_stop", ({ result, stopHookActive }) => {
      stops.push([result, stopHookActive]);
      return stopHookActive ? undefined : block("name them");
    });
    const child = researcher(["cats", "Tom and Kitty"]);
    const { agent, model } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(readTexts(child.model.requests[1]?.messages ?? [])).toEqual([
      "user: find cats for researcher\n\n<hook_context>\nbe brief\n</hook_context>",
      "assistant: cats",
      "user: name them",
    ]);
    expect(stops).toEqual([
      ["cats", false],
      ["Tom and Kitty", true],
    ]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toMatch(/^success: Tom and Kitty/);
  });

  test("does not start when a hook refuses it", async () => {
    const hooks = createHooks();
    hooks.on("subagent_start", () => block("alone, please"));
    const child = researcher(research);
    const { agent, model } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(child.model.requests).toEqual([]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("error: alone, please");
  });

  test("without the plugin is guarded by the hooks of the agent that delegates", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no searching"), { matcher: "search" });
    const child = researcher(research);
    const { agent } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(child.runs).toEqual([]);
    expect(readTexts(child.model.requests[1]?.messages ?? []).at(-1)).toBe("error: no searching");
    // Called by the program itself it has no hooks.
    const alone = researcher(research);
    await alone.agent.invoke("find cats");
    expect(alone.runs).toEqual(["cats"]);
  });

  test("fires no events of a turn of its own, and those of its steps once", async () => {
    const { hooks, fired } = recordEvents();
    const child = researcher(research);
    const { agent } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(fired).toEqual([
      ...["session_start", "before_agent", "before_step", "before_llm", "after_llm"],
      ...["before_tool", "subagent_start"],
      ...["before_step", "before_llm", "after_llm", "before_tool", "after_tool", "after_step"],
      ...["before_step", "before_llm", "after_llm", "after_step"],
      ...["subagent_stop", "after_tool", "after_step"],
      ...["before_step", "before_llm", "after_llm", "after_step", "before_stop", "after_agent"],
    ]);
  });

  test("with the same plugin is not asked twice", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", ({ toolName }) => void asked.push(toolName));
    const child = researcher(research, [hooksPlugin(hooks)]);
    const { agent } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(asked).toEqual(["researcher", "search"]);
  });

  test("of a subagent without the plugin is not asked twice if it has that plugin itself", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", ({ toolName }) => void asked.push(toolName));
    const inner = researcher(research, [hooksPlugin(hooks)]);
    const lead = new Agent({
      name: "lead",
      model: new ScriptedModel(delegation),
      printer: false,
      tools: [inner.agent],
    });
    const call = { name: "lead", input: { input: "find cats" } };
    const { agent } = hookedAgent(hooks, [{ calls: [call] }, "done"], { tools: [lead] });
    await agent.invoke("go");
    expect(asked).toEqual(["lead", "researcher", "search"]);
  });

  test("with the same plugin has one run, and its gate in it", async () => {
    const hooks = createHooks();
    const runs: unknown[] = [];
    hooks.on(["before_llm", "subagent_stop"], ({ agent: { name } = {}, runId }) => {
      if (name === "researcher") runs.push(runId);
      return undefined;
    });
    const child = researcher(["cats", "more"], [hooksPlugin(hooks)]);
    const { agent } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    await agent.invoke("go");
    expect(runs).toEqual([runs[0], runs[0]]);
    // Called by the program itself it is not a subagent.
    await child.agent.invoke("again");
    expect(runs).toHaveLength(3);
  });

  test("that a hook stops ends the whole run", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => stop("enough"), { matcher: "search" });
    const child = researcher(research);
    const { agent, model } = hookedAgent(hooks, delegation, { tools: [child.agent] });
    const result = await agent.invoke("go");
    expect([result.stopReason, child.runs, model.requests.length]).toEqual(["cancelled", [], 1]);
  });

  test("whose model is answering ends with a stop of the run beside it, and can be called again", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", ({ toolName }) => (toolName === "shell" ? stop("enough") : undefined));
    const ends: unknown[] = [];
    hooks.on("subagent_stop", ({ stopReason }) => void ends.push(stopReason));
    let answer: () => void = () => undefined;
    const isAnswering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isFirst = true;
    class SlowModel extends ScriptedModel {
      override async *stream(...args: Parameters<ScriptedModel["stream"]>) {
        if (isFirst) {
          isFirst = false;
          answer();
          const { cancelSignal } = args[1] ?? {};
          await new Promise((_, reject) => cancelSignal?.addEventListener("abort", reject));
        }
        yield* super.stream(...args);
      }
    }
    const helper = new Agent({ name: "researcher", model: new SlowModel(["cats"]), printer: false });
    const shell = tool({
      name: "shell",
      description: "Runs.",
      inputSchema: z.object({}),
      callback: () => isAnswering.then(() => "ran"),
    });
    const both = [{ calls: [...((delegation[0] as Answer).calls ?? []), { name: "shell", input: {} }] }];
    const agent = new Agent({
      model: new ScriptedModel(both),
      printer: false,
      tools: [helper, shell],
      plugins: [hooksPlugin(hooks)],
    });
    expect((await agent.invoke("go")).stopReason).toBe("cancelled");
    while (ends.length === 0) await new Promise(setImmediate);
    expect(ends).toEqual(["stopped"]);
    expect((await helper.invoke("again")).toString()).toContain("cats");
  });

  test("that a tool runs itself has the bag of the run, and its stop ends that", async () => {
    const hooks = createHooks();
    const counts: unknown[] = [];
    hooks.on("before_llm", ({ metadata }) => {
      metadata.calls = Number(metadata.calls ?? 0) + 1;
      counts.push(metadata.calls);
      return metadata.calls === 3 ? stop("enough") : undefined;
    });
    const child = researcher(research, [hooksPlugin(hooks)]);
    const ask = tool({
      name: "ask",
      description: "Asks.",
      inputSchema: z.object({}),
      callback: async () => (await child.agent.invoke("find cats")).toString(),
    });
    const script = [{ calls: [{ name: "ask", input: {} }] }, "done"];
    const { agent, model } = hookedAgent(hooks, script, { tools: [ask] });
    expect((await agent.invoke("go")).stopReason).toBe("cancelled");
    expect([counts, model.requests.length, child.runs]).toEqual([[1, 2, 3], 1, ["cats"]]);
  });

  test.each(["subagent_start", "subagent_stop"] as const)(
    "ends with its caller when a hook stops it at %s",
    async (event) => {
      const hooks = createHooks();
      hooks.on(event, () => stop("enough"));
      const child = researcher(["cats"]);
      const { agent, model } = hookedAgent(hooks, delegation, { tools: [child.agent] });
      expect((await agent.invoke("go")).stopReason).toBe("cancelled");
      expect(model.requests).toHaveLength(1);
    },
  );
});
