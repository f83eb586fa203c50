import { createAgent } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { block, createHooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { agentDriver } from "./agent-driver.ts";
import { canShow, SCENARIOS, type Scenario, testScenarios } from "./index.ts";

test("Tenterhook's agent can show every scenario, and lacks no effect", () => {
  const isHidden = (scenario: Scenario) => canShow(agentDriver, scenario) !== (scenario.lacks === undefined);
  expect(SCENARIOS.filter(isHidden).map(({ name }) => name)).toEqual([]);
});

testScenarios(agentDriver);

describe("a run of Tenterhook's agent", () => {
  const setUp = () => {
    const hooks = createHooks();
    const model = scriptedModel(["Done."]);
    return { hooks, model, agent: createAgent({ model, hooks }) };
  };

  test("does not begin in a session that a hook refuses", async () => {
    const { hooks, model, agent } = setUp();
    hooks.on("session_start", () => block("closed today"));
    expect(await agent.run("Hello")).toMatchObject({ stopReason: "refused", reason: "closed today" });
    expect(model.calls).toBe(0);
  });

  test("does not begin in a session that a hook stops", async () => {
    const { hooks, model, agent } = setUp();
    hooks.on("session_start", () => stop("enough"));
    expect(await agent.run("Hello")).toMatchObject({ stopReason: "stopped_by_hook", reason: "enough" });
    expect(model.calls).toBe(0);
  });

  test("shows the model the context that hooks add to its session", async () => {
    const { hooks, model, agent } = setUp();
    hooks.on("session_start", () => proceed(undefined, { context: "It is Friday." }));
    await agent.run("Hello");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("It is Friday.");
  });

  test("ends when a hook stops it before a compaction", async () => {
    const hooks = createHooks();
    hooks.on("pre_compact", () => stop("enough"));
    const look = { inputSchema: { type: "object" }, execute: () => "a long result ".repeat(40) };
    const call = { toolCalls: [{ name: "look", input: {} }] };
    const compaction = { maxTokens: 150, keepMessages: 2 };
    const agent = createAgent({ model: scriptedModel([call, call]), hooks, tools: { look }, compaction });
    expect(await agent.run("Hello")).toMatchObject({ stopReason: "stopped_by_hook", reason: "enough" });
  });
});
