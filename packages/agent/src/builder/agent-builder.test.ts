import { describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/index.ts";
import { AgentBuilder } from "./agent-builder.ts";
import { CallableHook } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";

const tool = (result: string) => ({ inputSchema: { type: "object" }, execute: () => result });
const builder = () => AgentBuilder.new().withModel(scriptedModel(["done"], { repeat: true }));

describe("the builder's options", () => {
  test("reach the agent", async () => {
    const model = scriptedModel(["done"]);
    const agent = new AgentBuilder()
      .withName("scout")
      .withDescription("looks around")
      .withInstructions("Be brief.")
      .withModels({ small: model })
      .withModel("small")
      .withMaxSteps(3)
      .with({ id: "scout-1" })
      .build();
    const run = await agent.run("Go");
    expect([agent.name, agent.id, agent.description, run.text]).toEqual([
      "scout",
      "scout-1",
      "looks around",
      "done",
    ]);
    expect(model.requests[0]?.messages[0]).toEqual({ role: "system", content: "Be brief." });
  });

  test("that take several values add to the ones before, and a later value of the same name replaces", async () => {
    const model = scriptedModel([{ toolCalls: [{ name: "look", input: {} }] }, "done"]);
    const helper = AgentBuilder.new().withName("helper").withModel(model).build();
    const agent = AgentBuilder.new()
      .withModel(model)
      .withTools({ look: tool("old"), wait: tool("waited") })
      .withSubagents(helper)
      .withTools({ look: tool("new") })
      .build();
    await agent.run("Go");
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["look", "wait", "helper"]);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('"new"');
  });

  test("are checked when the agent is built", () => {
    expect(() => AgentBuilder.new().build()).toThrow(/no model.*withModel/);
    expect(() => builder().withMaxSteps(0).build()).toThrow(/maxSteps/);
    expect(() =>
      builder()
        .with({ maxStep: 1 } as never)
        .build(),
    ).toThrow(/Did you mean maxSteps/);
  });
});

describe("a hook that is registered wrongly", () => {
  test("is refused where it is registered, before anything is built", () => {
    const noop = () => undefined;
    expect(() => builder().onStop("stop" as never)).toThrow(/callback must be a function/);
    expect(() => builder().onStop({ priority: 1 } as never)).toThrow(/callback must be a function/);
    expect(() => builder().onStop(noop, { priority: 1.5 })).toThrow(/hook "noop" on before_stop.*integer/);
    expect(() => builder().onStop(noop, { matcher: "bash" as never })).toThrow(/has no tool for "tool bash"/);
    expect(() => builder().onBeforeToolUse(noop, { matcher: "/(/" })).toThrow(/cannot be used/);
    expect(() => builder().onBeforeToolUse(noop, { prio: 1 } as never)).toThrow(/no option "prio"/);
    expect(() => builder().addHook("PreTool" as never, new CallableHook(noop))).toThrow(/no event "PreTool"/);
    expect(() => builder().addHook(HookEvent.Stop, {} as never)).toThrow(/handle\(context, next\)/);
  });

  test("is not registered: the builder stays as it was", () => {
    const reused = builder();
    expect(() => reused.onStop(() => undefined, { priority: 1.5 })).toThrow();
    expect(reused.build().hooks.list()).toEqual([]);
  });
});

describe("a callback", () => {
  test("may be the first argument, or be in one object with its options", () => {
    const guard = () => HookOutcome.proceed();
    const agent = builder()
      .onBeforeToolUse(guard, { priority: 100, matcher: "bash" })
      .onBeforeToolUse({ callback: guard, priority: 100, matcher: "bash" })
      .build();
    const [first, second] = agent.hooks.list("before_tool");
    expect(first).toMatchObject({ name: "guard", priority: 100, matcher: "tool bash", source: "builder" });
    expect({ ...second, id: "" }).toEqual({ ...first, id: "" });
  });

  test("is named by its function, by its option, or by the event and a number", () => {
    const agent = builder()
      .onExecutionEnd(function audit() {})
      .onExecutionEnd(() => {}, { name: "metrics" })
      .onExecutionEnd(() => {})
      .onExecutionEnd({ callback: () => {} })
      .build();
    expect(agent.hooks.list("after_agent").map(({ name }) => name)).toEqual([
      "audit",
      "metrics",
      "after_agent#3",
      "after_agent#4",
    ]);
  });

  test("takes the engine's other options too", () => {
    const agent = builder()
      .onAfterToolUse(() => {}, { timeoutMs: 50, onError: "continue", mode: "background" })
      .build();
    expect(agent.hooks.list("after_tool_failure")).toMatchObject([
      { timeoutMs: 50, onError: "continue", mode: "background" },
    ]);
  });
});
