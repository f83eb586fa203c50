import { type AgentOptions, createAgent, memorySessions } from "@tenterhook/agent";
import { recordEvents, type Script, scriptedModel } from "@tenterhook/agent/testing";
import { block, createHooks, proceed, recover, stop } from "@tenterhook/engine";
import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";

function setUp(script: Script, options: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const recorded = recordEvents(hooks);
  const look = { inputSchema: { type: "object" }, execute: () => "three files" };
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => "paid" });
  const agent = createAgent({ model: scriptedModel(script), hooks, tools: { look, pay }, ...options });
  return { hooks, recorded, agent };
}

/** A store that runs an operation when the model's answer is stored. */
function storeWith(operation: () => void) {
  const sessions = memorySessions();
  return {
    ...sessions,
    append: async (...[id, entries]: Parameters<typeof sessions.append>) => {
      const messages = entries.flatMap((entry) => entry.messages);
      if (messages.some(({ role }) => role === "assistant")) operation();
      await sessions.append(id, entries);
    },
  };
}

const call = (name: string) => ({ toolCalls: [{ id: "1", name, input: {} }] });

// `test.fails` passes while the agent is wrong: when it has been corrected, make it `test`, and move it to the agent's own tests.
describe("Tenterhook's agent, in what no other host shows, not yet", () => {
  test.fails("fires nothing for a call before whose hooks the run was aborted", async () => {
    const caller = new AbortController();
    const permissions = () => {
      caller.abort();
      return undefined;
    };
    const { agent, recorded } = setUp([call("look")], { permissions });
    await agent.run("Hello", { signal: caller.signal });
    expect(recorded.of("after_tool_failure")).toEqual([]);
  });

  test.fails("does not fail a stopped run whose session cannot be stored", async () => {
    const sessions = storeWith(() => {
      throw new Error("no disk");
    });
    const { agent, hooks, recorded } = setUp([call("look")], { sessions });
    hooks.on("after_tool", () => stop("enough"));
    await expect(agent.run("Hello", { sessionId: "s" })).rejects.toThrow("no disk");
    expect(recorded.of("agent_failed")).toEqual([]);
  });

  test.fails("records what a hook did after a tool while the caller aborted the run", async () => {
    const caller = new AbortController();
    const { agent, hooks } = setUp([call("look")]);
    hooks.on("after_tool", () => {
      caller.abort();
      return block("it is secret");
    });
    const run = await agent.run("Hello", { signal: caller.signal });
    expect(run.acts).toMatchObject([{ event: "after_tool" }]);
  });

  test.fails("does not count a call as rejected by a person when there is no approver", async () => {
    const { agent } = setUp([call("pay"), "Done."], { stopOnRejection: true });
    expect(await agent.run("Hello")).toMatchObject({ status: "completed", text: "Done." });
  });

  test.fails("offers the failure of a call that the provider executed to on_error", async () => {
    const executed = { result: "the search is down", isError: true };
    const search = { text: "Sorry.", toolCalls: [{ id: "1", name: "search", input: {}, executed }] };
    const { agent, hooks, recorded } = setUp([search]);
    hooks.on("on_error", () => recover("two hits"));
    await agent.run("Hello");
    expect(recorded.of("on_error")[0]?.payload).toMatchObject({ phase: "tool", toolName: "search" });
  });
});

describe("Tenterhook's agent, in what no other host shows,", () => {
  test("does not ask an aborted run whether it may stop", async () => {
    const caller = new AbortController();
    const { agent, recorded } = setUp(["Done."], { sessions: storeWith(() => caller.abort()) });
    await agent.run("Hello", { sessionId: "s", signal: caller.signal });
    expect(recorded.of("before_stop")).toEqual([]);
  });

  test("ignores a system prompt that a hook removes by undefined", async () => {
    const model = scriptedModel(["Done."]);
    const { agent, hooks } = setUp([], { model, instructions: "Be kind." });
    hooks.on("before_llm", () => proceed({ systemPrompt: undefined as unknown as string }));
    await agent.run("Hello");
    expect(model.requests[0]?.messages[0]).toEqual({ role: "system", content: "Be kind." });
  });
});
