import { query } from "@anthropic-ai/claude-agent-sdk";
import { claudeHooks, withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { block, createHooks, type Hooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "./messages-server.ts";
import { callEcho, recordEvents, runClaude } from "./testing.ts";

const quiet = (): Hooks => createHooks({ report: () => {} });
const broken = () => {
  throw new Error("the hook is broken");
};

describe("a session", () => {
  test("starts with its first prompt and ends with the query, although callbacks of both are never called", async () => {
    const seen: unknown[] = [];
    const hooks = quiet();
    hooks.on("session_start", ({ source, sessionId }) => void seen.push([source, typeof sessionId]));
    hooks.on("session_end", ({ exitReason, totalSteps }) => void seen.push([exitReason, totalSteps]));
    const called: string[] = [];
    const record = async ({ hook_event_name: name }: { hook_event_name: string }) => {
      called.push(name);
      return {};
    };
    await runClaude(["hello"], hooks, {
      options: {
        hooks: {
          SessionStart: [{ hooks: [record] }],
          SessionEnd: [{ hooks: [record] }],
          Stop: [{ hooks: [record] }],
        },
      },
    });
    expect(seen).toEqual([
      ["startup", "string"],
      ["completed", 1],
    ]);
    expect(called).toEqual(["Stop"]);
  });

  test("has the same id for hooks before Claude Code runs and while it does", async () => {
    const ids = new Set<unknown>();
    const hooks = quiet();
    hooks.on(
      ["session_start", "before_agent", "before_tool", "session_end"],
      ({ sessionId }) => void ids.add(sessionId),
    );
    const run = await runClaude(callEcho("a"), hooks);
    expect([...ids]).toEqual([run.results[0]?.session_id]);
  });

  test("that a hook stops calls no model", async () => {
    const hooks = quiet();
    hooks.on("session_start", () => stop("closed today"));
    const run = await runClaude(["hello"], hooks);
    expect([run.requests, run.error]).toMatchObject([[], { code: "run_stopped" }]);
  });

  test("that is refused calls no model", async () => {
    const hooks = quiet();
    hooks.on("session_start", () => block("closed today"));
    for (const by of ["host", "alone"] as const) {
      const run = await runClaude(["hello"], hooks, { by });
      expect(run.requests).toEqual([]);
      expect(run.result.result).toContain("closed today");
    }
  });
});

describe("before_agent", () => {
  test.each(["host", "alone"] as const)("refuses the turn without a model call (%s)", async (by) => {
    const hooks = quiet();
    hooks.on("before_agent", () => block("not this"));
    const run = await runClaude(["hello"], hooks, { by, prompt: "my secret" });
    expect([run.requests, run.error]).toEqual([[], undefined]);
    expect(run.result.result).toContain("not this");
    expect(run.result.result).not.toContain("my secret");
  });

  test.each(["host", "alone"] as const)("refuses the turn when a hook throws (%s)", async (by) => {
    const hooks = quiet();
    hooks.on("before_agent", broken);
    const run = await runClaude(["hello"], hooks, { by });
    expect(run.requests).toEqual([]);
    expect(run.result.result).toContain("the hook is broken");
    // Only the function around the query can reject.
    if (by === "host") expect(run.error).toMatchObject({ message: expect.stringContaining("is broken") });
  });

  test("refuses a command of Claude Code too, which reaches no callback", async () => {
    const hooks = quiet();
    hooks.on("before_agent", () => block("not this"));
    const run = await runClaude(["hello"], hooks, { prompt: "/init" });
    expect(run.requests).toEqual([]);
  });

  test.each(["host", "alone"] as const)("adds context for the model (%s)", async (by) => {
    const hooks = quiet();
    hooks.on("session_start", () => proceed({}, { context: "CONTEXT one" }));
    hooks.on("before_agent", () => proceed({}, { context: "CONTEXT two" }));
    const { lastRequest } = await runClaude(["hello"], hooks, { by });
    expect(lastRequest).toContain("CONTEXT one");
    expect(lastRequest).toContain("CONTEXT two");
  });

  test("changes the message with withHooks", async () => {
    const hooks = quiet();
    hooks.on("before_agent", ({ message }) => proceed({ message: message.replace("4711", "****") }));
    const { lastRequest, result } = await runClaude(["hello"], hooks, { prompt: "my number is 4711" });
    expect(result.result).toBe("hello");
    expect(lastRequest).toContain("my number is ****");
    expect(lastRequest).not.toContain("4711");
  });

  test.each([
    ["alone", "my number is 4711"],
    ["host", ["my number is 4711"]],
  ] as const)("refuses a turn whose message cannot be changed (%s, %j)", async (by, prompt) => {
    const hooks = quiet();
    hooks.on("before_agent", () => proceed({ message: "changed" }));
    const run = await runClaude(["hello"], hooks, { by, prompt });
    expect(run.requests).toEqual([]);
    expect(run.result.result).toContain("a hook changed the message");
  });

  test.each(["host", "alone"] as const)("ends the run at a stop (%s)", async (by) => {
    const hooks = quiet();
    hooks.on("before_agent", () => stop("enough"));
    const run = await runClaude(["hello"], hooks, { by });
    expect(run.requests).toEqual([]);
    if (by === "host") expect(run.error).toMatchObject({ code: "run_stopped", event: "before_agent" });
  });
});

describe("before_stop", () => {
  test.each(["host", "alone"] as const)("keeps the agent running with feedback (%s)", async (by) => {
    const hooks = quiet();
    const seen: unknown[] = [];
    hooks.on("before_stop", ({ stopHookActive, finalMessage }) => {
      seen.push([stopHookActive, finalMessage?.content]);
      return stopHookActive === true ? undefined : block("also do the tests");
    });
    const run = await runClaude(["one", "two"], hooks, { by });
    expect(run.result.result).toBe("two");
    expect(run.lastRequest).toContain("Stop hook feedback:\\nalso do the tests");
    expect(seen).toEqual([
      [false, "one"],
      [true, "two"],
    ]);
  });

  test("limits how often, and then fails the turn", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_stop", () => block("never"));
    const run = await runClaude(["one"], hooks, { adapter: { maxHolds: 2 } });
    expect(run.requests).toHaveLength(3);
    expect(run.error).toMatchObject({ code: "gate_unsatisfied" });
    expect(fired.slice(-3)).toEqual(["agent_failed", "after_agent failed", "session_end"]);
  });

  test("marks the turn when a hook throws, where Claude Code stops as if nothing had happened", async () => {
    const hooks = quiet();
    hooks.on("before_stop", broken);
    const run = await runClaude(["one"], hooks);
    expect(run.error).toMatchObject({ code: "gate_unsatisfied" });
    const alone = await runClaude(["one"], hooks, { by: "alone" });
    expect(alone.result.terminal_reason).toBe("stop_hook_prevented");
  });

  test("ends the run at a stop", async () => {
    const hooks = quiet();
    hooks.on("before_stop", () => stop("enough"));
    const run = await runClaude(["one"], hooks);
    expect([run.requests.length, run.error]).toMatchObject([1, { code: "run_stopped" }]);
  });
});

describe("after_step", () => {
  test("contains the calls of the step and ends the run at a stop", async () => {
    const hooks = quiet();
    const steps: unknown[] = [];
    hooks.on("after_step", ({ stepIndex, toolCalls }) => {
      steps.push([stepIndex, toolCalls?.map(({ name, result }) => [name, result])]);
      return stop("one step is enough");
    });
    const run = await runClaude(callEcho("a"), hooks);
    expect(run.requests).toHaveLength(1);
    const result = { success: true, result: [{ type: "text", text: "echo a" }] };
    expect(steps).toEqual([[0, [["mcp__t__echo", result]]]]);
    expect(run.error).toMatchObject({ code: "run_stopped" });
  });
});

describe("after_agent", () => {
  const endings = async (hooks: Hooks, run: () => Promise<unknown>) => {
    const seen: unknown[] = [];
    hooks.on("after_agent", ({ status, finalMessage, error }) => {
      seen.push([status, finalMessage?.content ?? null, error?.message ?? null]);
    });
    await run();
    return seen;
  };

  test("reports a turn that the model failed, after on_error and agent_failed", async () => {
    const { hooks, fired } = recordEvents();
    const seen = await endings(hooks, async () => {
      const { error } = await runClaude([{ status: 400 }], hooks);
      expect(error?.message).toContain("the model failed");
    });
    expect(seen).toMatchObject([["failed", expect.anything(), expect.stringContaining("the model failed")]]);
    expect(fired).toEqual([
      "session_start",
      "before_agent",
      "on_error",
      "agent_failed",
      "after_agent failed",
      "session_end",
    ]);
  });

  test("reports a turn that reached its limit as stopped", async () => {
    const hooks = quiet();
    const script = [{ calls: [{ name: "mcp__t__echo", input: { text: "a" } }] }];
    const seen = await endings(hooks, () => runClaude(script, hooks, { options: { maxTurns: 2 } }));
    expect(seen).toMatchObject([["stopped", null, null]]);
  });

  test("reports an aborted turn as stopped", async () => {
    const hooks = quiet();
    const abortController = new AbortController();
    hooks.on("before_tool", () => abortController.abort());
    const seen = await endings(hooks, async () => {
      const run = await runClaude(callEcho("a"), hooks, { options: { abortController } });
      expect(run.toolRuns).toEqual([]);
      expect(run.error?.message).toMatch(/abort/i);
    });
    expect(seen).toMatchObject([["stopped", expect.anything(), null]]);
  });

  test("fires for each turn of a query with several prompts", async () => {
    const hooks = quiet();
    const messages: unknown[] = [];
    hooks.on("after_agent", ({ userMessage }) => void messages.push(userMessage));
    const run = await runClaude(["one", "two"], hooks, { prompt: ["first", "/compact"] });
    expect(run.results.length).toBeGreaterThan(0);
    expect(messages).toEqual(["first"]);
  });
});

describe("compaction", () => {
  test("ends the run that a hook stops at pre_compact", async () => {
    const hooks = quiet();
    hooks.on("pre_compact", () => stop("enough"));
    const run = await runClaude(["one"], hooks, { prompt: ["hello", "/compact"] });
    expect(run.requests).toHaveLength(1);
    expect(run.error).toMatchObject({ code: "run_stopped" });
  });

  test("is refused with pre_compact", async () => {
    const hooks = quiet();
    const triggers: unknown[] = [];
    hooks.on("pre_compact", ({ trigger }) => {
      triggers.push(trigger);
      return block("not now");
    });
    const run = await runClaude(["one"], hooks, { prompt: ["hello", "/compact"] });
    expect(triggers).toEqual(["manual"]);
    expect(run.requests).toHaveLength(1);
  });
});

describe("a subagent", () => {
  const delegating = (isBackground: boolean) => {
    let [main, inner] = [0, 0];
    return (request: ModelRequest) => {
      const bash = {
        calls: [{ name: "Bash", input: { command: "echo inner" }, id: `toolu_inner_${inner}` }],
      };
      if (JSON.stringify(request.messages[0]).includes("SUBTASK"))
        return [bash, "sub one", "sub two"][inner++] ?? "sub end";
      const input = { description: "d", prompt: "SUBTASK", subagent_type: "general-purpose" };
      const call = { name: "Task", id: "toolu_agent", input: { ...input, run_in_background: isBackground } };
      return [{ calls: [call] }, "main one", "main two"][main++] ?? "main end";
    };
  };

  test("fires its events inside those of the call that starts it", async () => {
    const { hooks, fired } = recordEvents();
    const run = await runClaude(delegating(false), hooks);
    expect(run.result.result).toBe("main one");
    expect(fired).toEqual([
      "session_start",
      "before_agent",
      "before_tool Agent",
      "subagent_start",
      "before_tool Bash",
      "after_tool Bash completed",
      "after_step completed",
      "after_step completed",
      "subagent_stop",
      "after_tool Agent completed",
      "after_step completed",
      "after_step completed",
      "before_stop",
      "after_agent completed",
      "session_end",
    ]);
  });

  test.each(["subagent_start", "subagent_stop"] as const)(
    "ends with the run that a hook stops at %s",
    async (event) => {
      const hooks = quiet();
      hooks.on(event, () => stop("enough"));
      const run = await runClaude(delegating(false), hooks);
      expect(run.error).toMatchObject({ code: "run_stopped" });
    },
  );

  test("is refused before it starts, which SubagentStart cannot", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("subagent_start", ({ subagentName }) => block(`no ${subagentName}`));
    const run = await runClaude(delegating(false), hooks);
    expect(run.toolResults).toEqual(["PreToolUse:Agent hook error: no general-purpose"]);
    expect(fired).toContain("subagent_stop");
    expect(fired).not.toContain("before_tool Bash");
  });

  test("gets the changed task and context", async () => {
    const hooks = quiet();
    hooks.on("subagent_start", () =>
      proceed({ taskDescription: "SUBTASK changed" }, { context: "be brief" }),
    );
    const run = await runClaude(delegating(false), hooks);
    const inner = run.requests.find(({ messages }) => JSON.stringify(messages[0]).includes("SUBTASK"));
    expect(JSON.stringify(inner)).toContain("SUBTASK changed\\n\\n<hook_context>\\nbe brief");
  });

  test("keeps running with feedback", async () => {
    const hooks = quiet();
    hooks.on("subagent_stop", ({ stopHookActive, taskDescription }) =>
      stopHookActive === true ? undefined : block(`${taskDescription} is not done`),
    );
    const run = await runClaude(delegating(false), hooks);
    expect(run.toolResults[0]).toContain("sub two");
    expect(JSON.stringify(run.requests)).toContain("SUBTASK is not done");
  });

  test("fails the call that started it when its gate is not satisfied", async () => {
    const hooks = quiet();
    hooks.on("subagent_stop", () => block("never"));
    const run = await runClaude(delegating(false), hooks, { adapter: { maxHolds: 0 } });
    expect(run.toolResults[0]).toContain("without satisfying its gate");
    expect(run.toolResults[0]).not.toContain("sub one");
  });

  test("stops the whole run when a hook stops it, where Claude Code would end the subagent alone", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => stop("enough"), { matcher: "Bash" });
    const run = await runClaude(delegating(false), hooks);
    expect(run.error).toMatchObject({ code: "run_stopped" });
    expect(run.requests).toHaveLength(2);
  });

  test("in the background ends after its parent's turn, which continues with a turn of its own", async () => {
    const { hooks, fired } = recordEvents();
    const run = await runClaude(delegating(true), hooks);
    expect(run.results.map((result) => (result as { result?: string }).result)).toEqual([
      "main one",
      "main two",
    ]);
    expect(fired.filter((word) => word.startsWith("after_agent"))).toHaveLength(2);
    expect(fired.filter((word) => word === "before_stop")).toHaveLength(2);
    expect(fired.filter((word) => word === "subagent_stop")).toHaveLength(1);
    expect(fired.at(-1)).toBe("session_end");
  });
});

describe("hooks that cannot be enforced", () => {
  test("throw when the options are made, with the name and the event", () => {
    for (const event of ["before_llm", "after_llm", "before_step"] as const) {
      const hooks = quiet();
      hooks.on(event, () => undefined, { name: "guard" });
      expect(() => claudeHooks(hooks)).toThrow(
        expect.objectContaining({ code: "unsupported_hook", hook: "guard", event }),
      );
      expect(() => withHooks(query, hooks)).toThrow(/guard/);
    }
  });

  test("only warn if they observe", () => {
    const hooks = quiet();
    hooks.on("after_llm", () => undefined, { name: "look", observes: true });
    const warnings: string[] = [];
    claudeHooks(hooks, {}, { warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining("look")]);
  });

  test("throw where they are registered later", () => {
    const hooks = quiet();
    claudeHooks(hooks);
    expect(() => hooks.on("before_llm", () => block("no"), { name: "late" })).toThrow(/late/);
  });
});
