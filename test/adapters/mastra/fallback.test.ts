import { block, createHooks, type Hooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { scriptModel } from "./scripted-model.ts";
import { hookedAgent, run } from "./testing.ts";

/** The events around the models of a list. */
function record(hooks: Hooks): string[] {
  const events: string[] = [];
  for (const event of ["before_step", "before_llm", "before_stop"] as const)
    hooks.on(event, () => void events.push(event), { observes: true });
  hooks.on("after_llm", ({ status }) => void events.push(`after_llm ${status}`), { observes: true });
  hooks.on("agent_failed", () => void events.push("agent_failed"));
  hooks.on("after_agent", ({ status }) => void events.push(`after_agent ${status}`));
  return events;
}

/** A model whose stream breaks. */
function breakingModel() {
  const model = scriptModel(["unused"]);
  return {
    ...model,
    doGenerate: () => Promise.reject(new Error("the connection broke")),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.error(new Error("the connection broke"));
        },
      }),
    }),
  };
}

const list = (...models: readonly unknown[]) =>
  models.map((model, index) => ({ id: String(index), model, maxRetries: 0, enabled: true })) as never;

describe.each([false, true])("models of Mastra that follow one another, streaming: %s,", (isStreamed) => {
  test("a run whose second model answers has completed, in one step", async () => {
    const hooks = createHooks();
    const events = record(hooks);
    const models = list(scriptModel([new Error("overloaded")]), scriptModel(["Done."]));
    const { agent } = hookedAgent(hooks, [], { model: models });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(events).toEqual([
      "before_step",
      "before_llm",
      "after_llm failed",
      "before_llm",
      "after_llm completed",
      "before_stop",
      "after_agent completed",
    ]);
  });

  test("a run whose first model breaks in its answer, and whose second one answers, has completed", async () => {
    const hooks = createHooks();
    const events = record(hooks);
    const { agent } = hookedAgent(hooks, [], { model: list(breakingModel(), scriptModel(["Done."])) });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(events.filter((event) => /agent|step/.test(event))).toEqual([
      "before_step",
      "after_agent completed",
    ]);
  });

  test("a run whose models all fail has failed once", async () => {
    const hooks = createHooks();
    const events = record(hooks);
    const models = list(scriptModel([new Error("overloaded")]), scriptModel([new Error("broken")]));
    const { agent } = hookedAgent(hooks, [], { model: models });
    expect((await run(agent, isStreamed)).error).toContain("broken");
    expect(events.slice(-2)).toEqual(["agent_failed", "after_agent failed"]);
    expect(events.filter((event) => event.startsWith("after_agent")).length).toBe(1);
  });

  test("the retries of an entry come before the next model", async () => {
    const hooks = createHooks();
    const events = record(hooks);
    const first = scriptModel([new Error("busy"), "Done."]);
    const second = scriptModel([]);
    const models = [
      { id: "0", model: first, maxRetries: 1, enabled: true },
      { id: "1", model: second, maxRetries: 0, enabled: true },
    ];
    const { agent } = hookedAgent(hooks, [], { model: models as never });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(second.requests).toEqual([]);
    expect(events.filter((event) => /agent|step/.test(event))).toEqual([
      "before_step",
      "after_agent completed",
    ]);
  });

  test("no second model answers what a hook refused", async () => {
    const hooks = createHooks();
    const events = record(hooks);
    hooks.on("before_llm", () => block("too expensive"));
    const second = scriptModel(["Done."]);
    const { agent } = hookedAgent(hooks, [], { model: list(scriptModel(["Done."]), second) });
    expect((await run(agent, isStreamed)).error).toContain("too expensive");
    expect(second.requests).toEqual([]);
    expect(events.filter((event) => event.startsWith("after_agent"))).toEqual(["after_agent failed"]);
  });
});
