import { block, createHooks, proceed, recover, stop } from "@tenterhook/engine";
import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAgent } from "../agent.ts";
import { type AgentOptions, loopSettings } from "../agent-options.ts";
import { Models } from "../model/models.ts";
import { RunContext } from "../run/run-context.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import { Toolbox } from "../tools/toolbox.ts";
import { executeRun } from "./execution.ts";

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

describe("a run that is stopped or aborted", () => {
  test("fires nothing for a call before whose hooks the run was aborted", async () => {
    const caller = new AbortController();
    const permissions = () => {
      caller.abort();
      return undefined;
    };
    const { agent, recorded } = setUp([call("look")], { permissions });
    await agent.run("Hello", { signal: caller.signal });
    expect(recorded.of("after_tool_failure")).toEqual([]);
  });

  test("does not fail a stopped run whose session cannot be stored", async () => {
    const sessions = storeWith(() => {
      throw new Error("no disk");
    });
    const { agent, hooks, recorded } = setUp([call("look")], { sessions });
    hooks.on("after_tool", () => stop("enough"));
    await expect(agent.run("Hello", { sessionId: "s" })).rejects.toThrow("no disk");
    expect(recorded.of("agent_failed")).toEqual([]);
  });

  test("records what a hook did after a tool while the caller aborted the run", async () => {
    const caller = new AbortController();
    const { agent, hooks } = setUp([call("look")]);
    hooks.on("after_tool", () => {
      caller.abort();
      return block("it is secret");
    });
    const run = await agent.run("Hello", { signal: caller.signal });
    expect(run.acts).toMatchObject([
      { event: "after_tool", action: "refuse", reason: "it is secret" },
      // By the abort.
      { event: "after_tool", action: "stop", hook: undefined },
    ]);
  });

  test("is not asked whether it may stop", async () => {
    const caller = new AbortController();
    const { agent, recorded } = setUp(["Done."], { sessions: storeWith(() => caller.abort()) });
    await agent.run("Hello", { sessionId: "s", signal: caller.signal });
    expect(recorded.of("before_stop")).toEqual([]);
  });

  test("stays stopped when its tools cannot be closed", async () => {
    const models = new Models(scriptedModel(["Done."]));
    const hooks = createHooks();
    hooks.on("before_llm", () => stop("enough"));
    const resources = { workDir: "/tmp", maxSteps: 3, maxTokens: 99, depth: 0 };
    const result = await executeRun({
      run: new RunContext(
        hooks,
        { ...resources, checks: [], instruments: [], emit: undefined },
        { agent: { id: "a", name: "a" } },
      ),
      settings: loopSettings({ model: "scripted" }, models),
      models,
      openTools: async () => ({
        toolbox: new Toolbox(new Map()),
        close: () => Promise.reject(new Error("the server does not end")),
      }),
      session: undefined,
      message: "Hello",
      output: undefined,
    });
    expect(result).toMatchObject({ status: "stopped", stopReason: "stopped_by_hook", reason: "enough" });
  });
});

describe("an agent", () => {
  test("does not count a call as rejected by a person when there is no approver", async () => {
    const { agent } = setUp([call("pay"), "Done."], { stopOnRejection: true });
    expect(await agent.run("Hello")).toMatchObject({ status: "completed", text: "Done." });
  });

  test("offers the failure of a call that the provider executed to on_error", async () => {
    const executed = { result: "the search is down", isError: true };
    const search = { text: "Sorry.", toolCalls: [{ id: "1", name: "search", input: {}, executed }] };
    const { agent, hooks, recorded } = setUp([search]);
    hooks.on("on_error", () => recover("two hits"));
    await agent.run("Hello");
    expect(recorded.of("on_error")[0]?.payload).toMatchObject({ phase: "tool", toolName: "search" });
    expect(recorded.of("after_step")[0]?.toolCalls).toMatchObject([{ result: { result: "two hits" } }]);
  });

  test("ignores a system prompt that a hook removes by undefined", async () => {
    const model = scriptedModel(["Done."]);
    const { agent, hooks } = setUp([], { model, instructions: "Be kind." });
    hooks.on("before_llm", () => proceed({ systemPrompt: undefined as unknown as string }));
    await agent.run("Hello");
    expect(model.requests[0]?.messages[0]).toEqual({ role: "system", content: "Be kind." });
  });
});
