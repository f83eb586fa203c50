import { ask, block, createHooks, type Hooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { callBash, callEcho, recordEvents, runClaude } from "./testing.ts";

const quiet = (): Hooks => createHooks({ report: () => {} });
const broken = () => {
  throw new Error("the hook is broken");
};

describe("before_tool", () => {
  test("fires the events of a run with one tool call in their order", async () => {
    const { hooks, fired } = recordEvents();
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.error, run.toolRuns, run.result.result]).toEqual([undefined, ["a"], "done"]);
    expect(fired).toEqual([
      "session_start",
      "before_agent",
      "before_tool mcp__t__echo",
      "after_tool mcp__t__echo completed",
      "after_step completed",
      "after_step completed",
      "before_stop",
      "after_agent completed",
      "session_end",
    ]);
  });

  test("changes the input, and the conversation keeps the model's own", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => proceed({ toolInput: { text: "changed" } }), { matcher: "echo" });
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.toolRuns, run.toolResults]).toEqual([["changed"], ["echo changed"]]);
    expect(run.lastRequest).toContain('"input":{"text":"a"}');
  });

  test("refuses the call with the reason for the model, which goes on", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_tool", () => block("not here"));
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.toolRuns, run.toolResults]).toEqual([[], ["PreToolUse:mcp__t__echo hook error: not here"]]);
    expect(run.result.result).toBe("done");
    expect(fired).toContain("after_tool_failure mcp__t__echo blocked");
  });

  test("matches a tool of Claude Code by the name that all agents share", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => block("no shell"), { matcher: "Shell" });
    const run = await runClaude(callBash("echo hi"), hooks);
    expect(run.toolResults).toEqual(["PreToolUse:Bash hook error: no shell"]);
  });

  test("refuses the call when a hook throws, where Claude Code would run it", async () => {
    const hooks = quiet();
    hooks.on("before_tool", broken, { name: "guard" });
    const run = await runClaude(callEcho("a"), hooks);
    expect(run.toolRuns).toEqual([]);
    expect(run.toolResults[0]).toContain("the hook is broken");
    const plain = await runClaude(callEcho("a"), hooks, {
      by: "plain",
      options: { hooks: { PreToolUse: [{ hooks: [broken] }] } },
    });
    expect(plain.toolRuns).toEqual(["a"]);
  });

  test("runs the tool when the hook that throws has onError continue", async () => {
    const hooks = quiet();
    hooks.on("before_tool", broken, { onError: "continue" });
    expect((await runClaude(callEcho("a"), hooks)).toolRuns).toEqual(["a"]);
  });

  test("ends the run before the tool at a stop, where `continue: false` alone runs it", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_tool", () => stop("enough"), { name: "limit" });
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.toolRuns, run.requests.length, run.result.terminal_reason]).toEqual([[], 1, "hook_stopped"]);
    expect(run.error).toMatchObject({ code: "run_stopped", hook: "limit" });
    expect(fired.slice(-4)).toEqual([
      "after_tool_failure mcp__t__echo blocked",
      "after_step stopped",
      "after_agent stopped",
      "session_end",
    ]);
    const plain = await runClaude(callEcho("a"), hooks, {
      by: "plain",
      options: { hooks: { PreToolUse: [{ hooks: [async () => ({ continue: false })] }] } },
    });
    expect(plain.toolRuns).toEqual(["a"]);
  });

  test("gives the result of a skipped call as a text, and does not run the tool", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_tool", () => skip("from a cache"));
    const run = await runClaude(callEcho("a"), hooks);
    expect(run.toolRuns).toEqual([]);
    expect(run.toolResults[0]).toContain("The tool was not run; this is its result: from a cache");
    expect(fired).toContain("after_tool mcp__t__echo skipped");
  });

  test("calls hooks by priority, and guards again about the input that a later one changed", async () => {
    const hooks = quiet();
    const seen: unknown[] = [];
    hooks.on("before_tool", ({ toolInput }) => {
      seen.push(toolInput.text);
      return toolInput.text === "secret" ? block("no secrets") : undefined;
    });
    hooks.on("before_tool", () => proceed({ toolInput: { text: "secret" } }), { priority: -1 });
    const run = await runClaude(callEcho("a"), hooks);
    expect([seen, run.toolRuns]).toEqual([["a", "secret"], []]);
  });

  test("adds context that the model reads after the call", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => proceed({}, { context: "CONTEXT before" }));
    hooks.on("after_tool", () => proceed({}, { context: "CONTEXT after" }));
    const { lastRequest } = await runClaude(callEcho("a"), hooks);
    expect(lastRequest).toContain("CONTEXT before");
    expect(lastRequest).toContain("CONTEXT after");
  });

  test("is called for each of several calls, also with an invalid input, but not for an unknown tool", async () => {
    const { hooks, fired } = recordEvents();
    const calls = [
      { name: "mcp__t__echo", input: { text: "a" } },
      { name: "mcp__t__echo", input: { text: 5 } },
      { name: "mcp__t__nothing", input: {} },
    ];
    const run = await runClaude([{ calls }, "done"], hooks);
    expect(run.toolRuns).toEqual(["a"]);
    expect(fired.filter((word) => word.includes("tool"))).toEqual([
      "before_tool mcp__t__echo",
      "after_tool mcp__t__echo completed",
      "before_tool mcp__t__echo",
      "after_tool_failure mcp__t__echo failed",
    ]);
  });
});

describe("around_tool", () => {
  test("wraps the call between two callbacks", async () => {
    const hooks = quiet();
    const order: string[] = [];
    hooks.around("around_tool", async (_context, next) => {
      order.push("before");
      const result = await next();
      order.push(`after ${JSON.stringify(result)}`);
      return [{ type: "text", text: "wrapped" }];
    });
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.toolRuns, run.toolResults]).toEqual([["a"], ["wrapped"]]);
    expect(order).toEqual(["before", 'after [{"type":"text","text":"echo a"}]']);
  });
});

describe("after_tool", () => {
  test.each([
    ["a tool of an MCP server", callEcho("secret")],
    ["Bash", callBash("echo secret")],
  ])("withholds the result of %s, where `decision: block` withholds nothing", async (_tool, script) => {
    const hooks = quiet();
    hooks.on("after_tool", () => block("it has a secret key"));
    const run = await runClaude(script, hooks);
    expect(run.toolResults).toHaveLength(1);
    expect(run.toolResults[0]).toContain("The result was withheld: it has a secret key");
    expect(run.toolResults[0]).not.toMatch(/^(echo )?secret$/m);
    const plain = await runClaude(script, hooks, {
      by: "plain",
      options: { hooks: { PostToolUse: [{ hooks: [async () => ({ decision: "block", reason: "no" })] }] } },
    });
    expect(plain.toolResults[0]).toMatch(/^(echo )?secret$/m);
  });

  test("withholds the result when a hook throws", async () => {
    const hooks = quiet();
    hooks.on("after_tool", broken);
    const run = await runClaude(callBash("echo secret"), hooks);
    expect(run.toolResults[0]).not.toMatch(/^secret$/m);
    expect(run.toolResults[0]).toContain("the hook is broken");
  });

  test("changes the result in the shape of its tool, also from a text", async () => {
    const hooks = quiet();
    hooks.on("after_tool", () => proceed({ toolResult: "changed" }));
    expect((await runClaude(callEcho("a"), hooks)).toolResults).toEqual(["changed"]);
    expect((await runClaude(callBash("echo a"), hooks)).toolResults).toEqual(["changed"]);
  });

  test("stops the run when Claude Code ignores a replacement, before the model reads the original", async () => {
    const hooks = quiet();
    hooks.on("after_tool", ({ toolResult }) =>
      proceed({
        toolResult: {
          ...(toolResult as object),
          stdout: "changed",
          isImage: true,
          returnCodeInterpretation: 5,
        },
      }),
    );
    const run = await runClaude(callBash("echo secret"), hooks);
    expect(run.requests).toHaveLength(1);
    expect(run.error).toMatchObject({ code: "run_stopped" });
  });

  test("ends the run at a stop, before the model reads the result", async () => {
    const hooks = quiet();
    hooks.on("after_tool", () => stop("enough"));
    const run = await runClaude(callEcho("a"), hooks);
    expect([run.toolRuns, run.requests.length]).toEqual([["a"], 1]);
    expect(run.error).toMatchObject({ code: "run_stopped" });
  });
});

describe("after_tool_failure", () => {
  test("adds what a hook recovered with as context, because the error stays", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("after_tool_failure", () => recover("CONTEXT instead"));
    const run = await runClaude(callEcho("fail"), hooks);
    expect(run.lastRequest).toContain("The failure was handled; use this result instead: CONTEXT instead");
    expect(fired).toContain("after_tool_failure mcp__t__echo failed");
  });

  test("ends the run at a stop, which Claude Code does not do for this event", async () => {
    const hooks = quiet();
    hooks.on("after_tool_failure", () => stop("enough"));
    const run = await runClaude(callEcho("fail"), hooks);
    expect(run.requests).toHaveLength(1);
    expect(run.error).toMatchObject({ code: "run_stopped" });
    const plain = await runClaude(callEcho("fail"), hooks, {
      by: "plain",
      options: { hooks: { PostToolUseFailure: [{ hooks: [async () => ({ continue: false })] }] } },
    });
    expect(plain.requests).toHaveLength(2);
  });

  test("is offered to on_error in the phase of tools", async () => {
    const hooks = quiet();
    const seen: unknown[] = [];
    hooks.on("on_error", ({ phase, error, toolName }) => void seen.push([phase, error.message, toolName]));
    await runClaude(callEcho("fail"), hooks);
    expect(seen).toEqual([["tool", "the tool failed", "mcp__t__echo"]]);
  });
});

describe("ask", () => {
  const asking = (): Hooks => {
    const hooks = quiet();
    hooks.on("before_tool", () => ask("is this fine?"));
    return hooks;
  };

  test("calls canUseTool with the reason, once, also for a tool that needs no permission", async () => {
    const asked: unknown[] = [];
    const run = await runClaude(callEcho("a"), asking(), {
      options: {
        canUseTool: async (name, input, { decisionReason }) => {
          asked.push([name, input, decisionReason]);
          return { behavior: "allow", updatedInput: input };
        },
      },
    });
    expect(asked).toEqual([["mcp__t__echo", { text: "a" }, "is this fine?"]]);
    expect(run.toolRuns).toEqual(["a"]);
  });

  test("asks once about a tool that needs permission", async () => {
    let asked = 0;
    await runClaude(callBash("touch x"), asking(), {
      options: {
        allowedTools: [],
        canUseTool: async (_name, input) => {
          asked++;
          return { behavior: "allow", updatedInput: input };
        },
      },
    });
    expect(asked).toBe(1);
  });

  test("refuses the call with the person's message", async () => {
    const run = await runClaude(callEcho("a"), asking(), {
      options: { canUseTool: async () => ({ behavior: "deny", message: "I say no" }) },
    });
    expect([run.toolRuns, run.toolResults]).toEqual([[], ["PreToolUse:mcp__t__echo hook error: I say no"]]);
  });

  test("is not overridden by a PermissionRequest hook of the settings while the person reads", async () => {
    const decision = { behavior: "allow" };
    const output = JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    const settings = {
      hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: `echo '${output}'` }] }] },
    };
    const run = await runClaude(callEcho("a"), asking(), {
      options: {
        settings: JSON.stringify(settings),
        canUseTool: async () => ({ behavior: "deny", message: "I say no" }),
      },
    });
    expect(run.toolRuns).toEqual([]);
  });

  test("refuses the call when nothing can decide, or canUseTool throws", async () => {
    expect((await runClaude(callEcho("a"), asking())).toolRuns).toEqual([]);
    const run = await runClaude(callEcho("a"), asking(), { options: { canUseTool: broken } });
    expect(run.toolRuns).toEqual([]);
  });

  test("prefers an approver in the process", async () => {
    const run = await runClaude(callEcho("a"), asking(), {
      adapter: { approve: () => ({ type: "edit", value: { text: "edited" } }) },
    });
    expect(run.toolRuns).toEqual(["edited"]);
  });
});

describe("permission", () => {
  const options = { allowedTools: [] as string[] };

  test("calls the hooks again about an input that the person changed in canUseTool", async () => {
    const hooks = quiet();
    hooks.on("before_tool", ({ toolInput }) =>
      toolInput.text === "secret" ? block("no secrets") : undefined,
    );
    const results: unknown[] = [];
    hooks.on("after_tool", ({ toolInput }) => void results.push(toolInput));
    const edit = (text: string) => ({
      options: {
        ...options,
        canUseTool: async () => ({ behavior: "allow" as const, updatedInput: { text } }),
      },
    });
    const refused = await runClaude(callEcho("a"), hooks, edit("secret"));
    expect([refused.toolRuns, refused.toolResults]).toEqual([[], ["no secrets"]]);
    expect((await runClaude(callEcho("a"), hooks, edit("b"))).toolRuns).toEqual(["b"]);
    expect(results).toEqual([{ text: "b" }]);
  });

  test("ends the run that a hook stops at permission_request", async () => {
    const hooks = quiet();
    hooks.on("permission_request", () => stop("enough"));
    const run = await runClaude(callEcho("a"), hooks, {
      options: {
        ...options,
        canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
      },
    });
    expect(run.toolRuns).toEqual([]);
    expect(run.error).toMatchObject({ code: "run_stopped" });
  });

  test("asks the hooks of permission_request before the person", async () => {
    const hooks = quiet();
    hooks.on("permission_request", () => block("nobody needs to be asked"));
    let asked = 0;
    const run = await runClaude(callEcho("a"), hooks, {
      options: {
        ...options,
        canUseTool: async (_name, input) => {
          asked++;
          return { behavior: "allow", updatedInput: input };
        },
      },
    });
    expect([asked, run.toolRuns, run.toolResults]).toEqual([0, [], ["nobody needs to be asked"]]);
  });

  test("reports a call that a person refused as blocked", async () => {
    const { hooks, fired } = recordEvents();
    await runClaude(callEcho("a"), hooks, {
      options: { ...options, canUseTool: async () => ({ behavior: "deny", message: "no" }) },
    });
    expect(fired).toContain("after_tool_failure mcp__t__echo blocked");
  });
});
