import { Agent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import { block, createHooks, type Hooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Answer, scriptModel } from "./scripted-model.ts";
import { hookedAgent, readRequest, run } from "./testing.ts";

const delegate = [{ calls: [{ name: "agent-reviewer", input: { prompt: "Review it." } }] }, "Done."];

function newReviewer(hooks: Hooks | undefined, answers: readonly Answer[]) {
  const model = scriptModel(answers);
  const config: AgentConfig = {
    id: "reviewer-1",
    name: "reviewer",
    description: "Reviews.",
    instructions: "Review.",
    model: model as never,
  };
  return { model, reviewer: new Agent(hooks === undefined ? config : withHooks(config, hooks)) };
}

describe.each([false, true])("subagents of Mastra, streaming: %s,", (isStreamed) => {
  test("a delegation is refused, and the model reads the reason", async () => {
    const hooks = createHooks();
    hooks.on("subagent_start", ({ subagentName }) => block(`no ${subagentName} today`));
    const { reviewer, model: inner } = newReviewer(undefined, []);
    const { agent, model } = hookedAgent(hooks, delegate, { agents: { reviewer } });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(inner.requests).toEqual([]);
    expect(readRequest(model.requests[1])).toContain("no reviewer today");
  });

  test("a delegation is refused although the call replaces onDelegationStart or beforeToolCall", async () => {
    for (const options of [
      { delegation: { onDelegationStart: () => ({ proceed: true }) } },
      { hooks: { beforeToolCall: () => undefined } },
    ]) {
      const hooks = createHooks();
      hooks.on("subagent_start", () => block("not today"));
      const { reviewer, model: inner } = newReviewer(undefined, ["Fine."]);
      const { agent, model } = hookedAgent(hooks, delegate, { agents: { reviewer } });
      await run(agent, isStreamed, options);
      expect(inner.requests).toEqual([]);
      expect(readRequest(model.requests[1])).toContain("not today");
    }
  });

  test("a changed task and context reach the subagent, and subagent_stop is fired once", async () => {
    const hooks = createHooks();
    hooks.on("subagent_start", () =>
      proceed({ taskDescription: "Review twice." }, { context: "It is late." }),
    );
    const results: unknown[] = [];
    hooks.on("subagent_stop", ({ result }) => void results.push(result));
    const { reviewer, model: inner } = newReviewer(undefined, ["Fine."]);
    const { agent, model } = hookedAgent(hooks, delegate, { agents: { reviewer } });
    await run(agent, isStreamed);
    const read = readRequest(inner.requests[0]);
    expect(read).toContain("Review twice.");
    expect(read).toContain("It is late.");
    expect(results).toEqual(["Fine."]);
    expect(readRequest(model.requests[1])).toContain("Fine.");
  });

  test("a subagent with the same hooks is kept running by subagent_stop", async () => {
    const hooks = createHooks();
    const results: unknown[] = [];
    hooks.on("subagent_stop", ({ result }) => {
      results.push(result);
      return result === "Almost." ? block("look again") : undefined;
    });
    const { reviewer, model: inner } = newReviewer(hooks, ["Almost.", "Fine."]);
    const { agent } = hookedAgent(hooks, delegate, { agents: { reviewer } });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(results).toEqual(["Almost.", "Fine."]);
    expect(readRequest(inner.requests[1])).toContain("look again");
  });

  test("a stop inside of a subagent stops the agent above it", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", ({ agent }) => (agent?.name === "reviewer" ? stop("enough") : undefined));
    const { reviewer } = newReviewer(hooks, ["Fine."]);
    const { agent, model } = hookedAgent(hooks, delegate, { agents: { reviewer } });
    expect((await run(agent, isStreamed)).error).toContain("enough");
    expect(model.requests).toHaveLength(1);
  });

  test("an agent that a tool runs itself has the bag of the run, and its stop ends that", async () => {
    const hooks = createHooks();
    const counts: unknown[] = [];
    hooks.on("before_llm", ({ metadata }) => {
      metadata.calls = Number(metadata.calls ?? 0) + 1;
      counts.push(metadata.calls);
      return metadata.calls === 2 ? stop("enough") : undefined;
    });
    const { reviewer, model: inner } = newReviewer(hooks, ["Fine."]);
    const ask = createTool({
      id: "ask",
      description: "Asks.",
      inputSchema: z.object({}),
      execute: async () => (await run(reviewer as Agent, isStreamed)).text,
    });
    const script = [{ calls: [{ name: "ask", input: {} }] }, "Done."];
    const { agent, model } = hookedAgent(hooks, script, { tools: { ask } });
    expect((await run(agent, isStreamed)).error).toContain("enough");
    expect([counts, inner.requests.length, model.requests.length]).toEqual([[1, 2], 0, 1]);
  });

  test.each(["subagent_start", "subagent_stop"] as const)(
    "a stop at %s ends the agent that delegates",
    async (event) => {
      const hooks = createHooks();
      hooks.on(event, () => stop("enough"));
      const { reviewer } = newReviewer(hooks, ["Fine."]);
      const { agent, model } = hookedAgent(hooks, delegate, { agents: { reviewer } });
      expect((await run(agent, isStreamed)).error).toContain("enough");
      expect(model.requests).toHaveLength(1);
    },
  );
});
