import { BeforeToolCallEvent, HookOrder, type Plugin, tool } from "@strands-agents/sdk";
import { block, createHooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { callThen, hookedAgent, readTexts, recordEvents } from "./testing.ts";

describe("a tool call", () => {
  test("fires its events in the order of Tenterhook's own agent", async () => {
    const { hooks, fired } = recordEvents();
    const { agent } = hookedAgent(hooks, callThen("ls"));
    const result = await agent.invoke("list");
    expect(result.toString()).toContain("done");
    expect(fired).toEqual([
      "session_start",
      "before_agent",
      ...["before_step", "before_llm", "after_llm", "before_tool", "after_tool", "after_step"],
      ...["before_step", "before_llm", "after_llm", "after_step"],
      "before_stop",
      "after_agent",
    ]);
  });

  test("gets the changed input, and the conversation keeps the model's", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) =>
      proceed({ toolInput: { command: `${toolInput.command} -a` } }),
    );
    const { agent, model, runs } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(runs).toEqual(["ls -a"]);
    expect(readTexts(model.requests[1]?.messages ?? [])).toEqual([
      "user: list",
      'call: shell {"command":"ls"}',
      "success: ran ls -a",
    ]);
  });

  test("is refused with the reason for the model, and the loop goes on", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not here"), { matcher: "shell" });
    const { agent, model, runs } = hookedAgent(hooks, callThen("rm"));
    const result = await agent.invoke("remove");
    expect([runs, result.stopReason]).toEqual([[], "endTurn"]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("error: not here");
  });

  test("stays refused when another plugin resets the cancellation after all others", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not here"));
    const reset: Plugin = {
      name: "reset",
      initAgent(agent) {
        const allow = (event: BeforeToolCallEvent) => {
          event.cancel = false;
        };
        agent.addHook(BeforeToolCallEvent, allow, { order: HookOrder.SDK_LAST });
      },
    };
    const { agent, runs } = hookedAgent(hooks, callThen("rm"), { plugins: [reset] });
    await agent.invoke("remove");
    expect(runs).toEqual([]);
  });

  test("is evaluated with the input that the last plugin gave it", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no rm") : undefined));
    const change: Plugin = {
      name: "change",
      initAgent(agent) {
        const toRm = (event: BeforeToolCallEvent) => {
          event.toolUse = { ...event.toolUse, input: { command: "rm" } };
        };
        agent.addHook(BeforeToolCallEvent, toRm, { order: HookOrder.SDK_LAST });
      },
    };
    const { agent, runs, model } = hookedAgent(hooks, callThen("ls"), { plugins: [change] });
    await agent.invoke("list");
    expect(runs).toEqual([]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("error: no rm");
  });

  test("is skipped with the result of a hook", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => skip({ files: ["a"] }));
    const { agent, model, runs } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(runs).toEqual([]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe('success: {"json":{"files":["a"]}}');
  });

  test("does not run when a hook stops the run, which ends as cancelled with the reason", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_tool", () => stop("enough"), { name: "limit" });
    const { agent, model, runs } = hookedAgent(hooks, callThen("ls"));
    const result = await agent.invoke("list");
    expect([runs, model.requests.length, result.stopReason]).toEqual([[], 1, "cancelled"]);
    expect(result.toString()).toMatch(/^The run was stopped: .*enough/m);
    expect(fired.slice(-4)).toEqual(["before_tool", "after_tool_failure", "after_step", "after_agent"]);
  });

  test("is refused by a guard that fails, unless its failure is to be ignored", async () => {
    const outcomes: (readonly string[])[] = [];
    for (const onError of ["block", "continue"] as const) {
      const hooks = createHooks();
      const broken = () => {
        throw new Error("broken guard");
      };
      hooks.on("before_tool", broken, { onError });
      const { agent, runs } = hookedAgent(hooks, callThen("ls"));
      await agent.invoke("list");
      outcomes.push(runs);
    }
    expect(outcomes).toEqual([[], ["ls"]]);
  });

  test("to a tool that does not exist reaches hooks, and fails", async () => {
    const { hooks, fired } = recordEvents();
    const { agent, model } = hookedAgent(hooks, [{ calls: [{ name: "nothing", input: {} }] }, "done"]);
    await agent.invoke("list");
    expect(fired).toContain("after_tool_failure");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toContain("not found");
  });
});

describe("a result", () => {
  test("is changed before the model reads it", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", ({ toolResult }) => proceed({ toolResult: `${toolResult}, masked` }));
    const { agent, model } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("success: ran ls, masked");
  });

  test("is withheld with the reason", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", () => block("secret"));
    const { agent, model } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe(
      "error: The result was withheld: secret",
    );
  });

  test("comes with the context that hooks add", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({}, { context: "be quick" }));
    hooks.on("after_tool", () => proceed({}, { context: "be kind" }));
    const { agent, model } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe(
      "success: ran ls | <hook_context>\nbe quick\nbe kind\n</hook_context>",
    );
  });

  test("of a failed call is what a hook recovers it with", async () => {
    const hooks = createHooks();
    const errors: string[] = [];
    hooks.on("after_tool_failure", ({ error }) => {
      errors.push(error.message);
      return recover("from the cache");
    });
    const { agent, model, runs } = hookedAgent(hooks, callThen("fail"));
    await agent.invoke("list");
    expect([runs, errors]).toEqual([["fail"], ["it failed"]]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("success: from the cache");
  });

  test("of a failed call stays as Strands made it when no hook changes it", async () => {
    const hooks = createHooks();
    hooks.on("after_tool_failure", () => undefined);
    const { agent, model } = hookedAgent(hooks, callThen("fail"));
    await agent.invoke("list");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("error: Error: it failed");
  });

  test("that is a list or has several parts reaches hooks and the model whole", async () => {
    const seen: unknown[] = [];
    const hooks = createHooks();
    hooks.on("after_tool", ({ toolResult }) => {
      seen.push(toolResult);
      return proceed({ toolResult });
    });
    const list = tool({
      name: "list",
      description: "Lists.",
      inputSchema: z.object({}),
      callback: () => ["a", "b"],
    });
    const { agent, model } = hookedAgent(hooks, [{ calls: [{ name: "list", input: {} }] }, "done"], {
      tools: [list],
    });
    await agent.invoke("list");
    expect(seen).toEqual([["a", "b"]]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe(
      'success: {"json":{"$value":["a","b"]}}',
    );
  });
});

describe("a wrapper of the tool call", () => {
  test("may call it again, and return something else", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", async (_context, next) => {
      await next();
      return `${await next()}, twice`;
    });
    const { agent, model, runs } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("list");
    expect(runs).toEqual(["ls", "ls"]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("success: ran ls, twice");
  });
});

describe("parallel calls", () => {
  test("are evaluated each, and their results are in the model's order", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "b" ? block("not b") : undefined));
    const calls = ["a", "b", "c"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, model, runs } = hookedAgent(hooks, [{ calls }, "done"]);
    await agent.invoke("list");
    expect(runs).toEqual(["a", "c"]);
    expect(readTexts(model.requests[1]?.messages ?? []).slice(-3)).toEqual([
      "success: ran a",
      "error: not b",
      "success: ran c",
    ]);
  });

  test("after one that stopped the run do not run", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "a" ? stop("enough") : undefined));
    const calls = ["a", "b"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, runs } = hookedAgent(hooks, [{ calls }, "done"]);
    const result = await agent.invoke("list");
    expect([runs, result.stopReason]).toEqual([[], "cancelled"]);
  });
});
