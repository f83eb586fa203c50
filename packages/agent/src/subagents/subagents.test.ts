import { block, createHooks, type Hooks, proceed, stop } from "@tenterhook/engine";
import { budget } from "@tenterhook/engine/built-in";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { AgentEvent } from "../run/agent-event.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";

const shell = {
  inputSchema: { type: "object" },
  execute: ({ command }: { command: string }) => `ran ${command}`,
};
const callShell = (command: string) => ({ toolCalls: [{ name: "shell", input: { command } }] });
const delegate = (task: string) => ({ toolCalls: [{ id: "d", name: "helper", input: { task } }] });

function setUp(
  { parent, child }: { parent: Script; child: Script },
  options: { parent?: Partial<AgentOptions>; child?: Partial<AgentOptions> } = {},
) {
  const childHooks = createHooks({ report: () => undefined });
  const childModel = scriptedModel(child, { modelId: "child-model" });
  const helper = createAgent({
    name: "helper",
    description: "Helps.",
    model: childModel,
    hooks: childHooks,
    tools: { shell },
    ...options.child,
  });
  const hooks = createHooks({ report: () => undefined });
  const model = scriptedModel(parent);
  const agent = createAgent({ name: "boss", model, hooks, subagents: [helper], ...options.parent });
  return { hooks, childHooks, model, childModel, agent };
}

function toolOutputs(messages: readonly { readonly role: string; readonly content: unknown }[]): unknown[] {
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => (content as { output: unknown }[]).map(({ output }) => output));
}

describe("a subagent", () => {
  test("is a tool that takes a task and gives its answer", async () => {
    const { agent, model, childModel } = setUp({
      parent: [delegate("count the files"), "There are 3."],
      child: [callShell("ls | wc -l"), "3 files"],
    });
    const run = await agent.run("How many files?");
    expect(model.requests[0]?.tools).toMatchObject([{ name: "helper", description: "Helps." }]);
    expect(childModel.requests[0]?.messages).toEqual([{ role: "user", content: "count the files" }]);
    expect(toolOutputs(run.messages)).toEqual([{ type: "text", value: "3 files" }]);
    expect(run.text).toBe("There are 3.");
  });

  test("passes every step, model and tool call through the hooks of its parent", async () => {
    const { hooks, agent } = setUp({
      parent: [delegate("x"), "done"],
      child: [callShell("rm -rf /"), callShell("ls"), "done"],
    });
    const recorded = recordEvents(hooks);
    hooks.on("before_tool", () => block("this would destroy data"), {
      matcher: { tool: "shell", pattern: "rm -rf" },
    });
    await agent.run("Go.");
    expect(recorded.words).toEqual([
      "session_start",
      "before_agent",
      "before_step",
      "before_llm",
      "after_llm",
      "before_tool helper",
      "subagent_start",
      "before_step",
      "before_llm",
      "after_llm",
      "before_tool shell",
      "after_tool_failure:blocked shell",
      "after_step",
      "before_step",
      "before_llm",
      "after_llm",
      "before_tool shell",
      "after_tool shell",
      "after_step",
      "before_step",
      "before_llm",
      "after_llm",
      "after_step",
      "subagent_stop",
      "after_tool helper",
      "after_step",
      "before_step",
      "before_llm",
      "after_llm",
      "after_step",
      "before_stop",
      "after_agent",
      "session_end",
    ]);
    const [outer, inner] = [recorded.of("before_step")[0], recorded.of("before_step")[1]];
    expect(outer?.state).toMatchObject({ agentId: "boss", parentAgentId: null });
    expect(inner?.state).toMatchObject({ agentId: "helper", parentAgentId: "boss" });
    expect(inner?.sessionId).toBe(outer?.sessionId);
  });

  test("has tools of which its parent says what they do, or it does itself", async () => {
    const run = async (options: Parameters<typeof setUp>[1]) => {
      const script = { parent: [delegate("x"), "done"], child: [callShell("rm -rf /"), "done"] };
      const { hooks, childModel, agent } = setUp(script, options);
      hooks.on("before_tool", () => block("no"), { matcher: { effect: "delete" } });
      await agent.run("Go.");
      return JSON.stringify(toolOutputs(childModel.requests[1]?.messages ?? []));
    };
    const effectsOf = { shell: "Shell" };
    expect(await run({})).toContain("ran rm");
    expect(await run({ parent: { effectsOf } })).not.toContain("ran rm");
    expect(await run({ child: { effectsOf } })).not.toContain("ran rm");
    expect(await run({ parent: { effectsOf: { shell: "Glob" } }, child: { effectsOf } })).not.toContain(
      "ran rm",
    );
  });

  test("has hooks of its own beside, and its own turn's events for them alone", async () => {
    const { hooks, childHooks, agent } = setUp({
      parent: [delegate("x"), "done"],
      child: [callShell("ls"), "ok"],
    });
    const own = recordEvents(childHooks);
    const order: string[] = [];
    hooks.on("before_tool", () => void order.push("parent"), { matcher: "shell" });
    childHooks.on("before_tool", () => void order.push("child"), { matcher: "shell" });
    await agent.run("Go.");
    expect(order).toEqual(["parent", "child"]);
    expect(own.words.slice(0, 2)).toEqual(["before_agent", "before_step"]);
    expect(own.words.slice(-3)).toEqual(["before_stop", "subagent_stop", "after_agent"]);
  });

  test("cannot get around a hook by delegating further down", async () => {
    const grandchild = createAgent({
      name: "grandchild",
      model: scriptedModel([callShell("rm -rf /"), "done"]),
      tools: { shell },
    });
    const { hooks, agent } = setUp(
      {
        parent: [delegate("x"), "done"],
        child: [{ toolCalls: [{ name: "grandchild", input: { task: "y" } }] }, "done"],
      },
      { child: { subagents: [grandchild] } },
    );
    const seen: unknown[] = [];
    hooks.on("before_tool", ({ toolInput }) => {
      seen.push(toolInput);
      return toolInput.command === undefined ? undefined : block("no");
    });
    await agent.run("Go.");
    expect(seen).toEqual([{ task: "x" }, { task: "y" }, { command: "rm -rf /" }]);
  });

  test("is also bound by the permissions and the wrappers of its parent, and asks its approver", async () => {
    const wrapped: string[] = [];
    const { hooks, agent } = setUp(
      { parent: [delegate("x"), "done"], child: [callShell("secret"), callShell("ls"), "done"] },
      {
        parent: {
          permissions: ({ toolInput }) => (toolInput.command === "secret" ? "not for you" : undefined),
          approve: () => ({ type: "reject", reason: "the person said no" }),
        },
      },
    );
    hooks.around("around_tool", (ctx, next) => {
      wrapped.push(ctx.toolName);
      return next();
    });
    const recorded = recordEvents(hooks);
    hooks.on("before_tool", () => ({ type: "ask", reason: "sure?" }), { matcher: "shell" });
    await agent.run("Go.");
    expect(recorded.of("after_tool_failure").map(({ error }) => error.message)).toEqual([
      "not for you",
      "the person said no",
    ]);
    expect(wrapped).toEqual(["helper"]);
  });

  test("counts towards one budget with its parent, kept by hooks or by the agent", async () => {
    const byHook = setUp({
      parent: [delegate("x"), "done"],
      child: [callShell("1"), callShell("2"), callShell("3")],
    });
    budget(byHook.hooks, { maxToolCalls: 2 });
    expect(await byHook.agent.run("Go.")).toMatchObject({ status: "stopped", stopReason: "stopped_by_hook" });

    const usage = { inputTokens: 30, outputTokens: 20 };
    const many = Array.from({ length: 10 }, () => ({ ...callShell("x"), usage }));
    const byTokens = setUp(
      { parent: [{ ...delegate("x"), usage }], child: many },
      { parent: { maxTokens: 120 } },
    );
    const run = await byTokens.agent.run("Go.");
    expect([run.stopReason, byTokens.childModel.calls]).toEqual(["budget_exhausted", 2]);
    expect(run.usage).toEqual({ inputTokens: 90, outputTokens: 60 });
  });

  test("shares the metadata of the run", async () => {
    const { hooks, agent } = setUp({ parent: [delegate("x"), "done"], child: ["ok"] });
    hooks.on("before_llm", ({ metadata }) => void (metadata.calls = Number(metadata.calls ?? 0) + 1));
    const metadata: Record<string, unknown> = {};
    await agent.run("Go.", { metadata });
    expect(metadata.calls).toBe(3);
  });
});

describe("subagent_start", () => {
  test("may change the task and add context", async () => {
    const { hooks, agent, childModel } = setUp({ parent: [delegate("do it"), "done"], child: ["ok"] });
    hooks.on("subagent_start", ({ subagentName, taskDescription }) =>
      proceed({ taskDescription: `${taskDescription} gently` }, { context: `You are ${subagentName}.` }),
    );
    await agent.run("Go.");
    expect(childModel.requests[0]?.messages[0]?.content).toBe(
      "do it gently\n\n<hook_context>\nYou are helper.\n</hook_context>",
    );
  });

  test("refuses a delegation: the model gets the reason, and subagent_stop fires", async () => {
    const { hooks, agent, childModel } = setUp({ parent: [delegate("do it"), "done"], child: ["ok"] });
    const recorded = recordEvents(hooks);
    hooks.on("subagent_start", () => block("do it yourself"));
    const run = await agent.run("Go.");
    expect(toolOutputs(run.messages)).toEqual([{ type: "execution-denied", reason: "do it yourself" }]);
    expect(childModel.calls).toBe(0);
    expect(recorded.of("subagent_stop")[0]?.stopReason).toBe("refused");
  });
});

describe("subagent_stop", () => {
  test("holds the subagent with feedback, from the hooks of either", async () => {
    for (const whose of ["parent", "child"] as const) {
      const { hooks, childHooks, agent, childModel } = setUp({
        parent: [delegate("x"), "done"],
        child: ["half", "whole"],
      });
      const gate: Hooks = whose === "parent" ? hooks : childHooks;
      gate.on("subagent_stop", ({ stopHookActive }) => (stopHookActive ? undefined : block("finish it")));
      const run = await agent.run("Go.");
      expect(toolOutputs(run.messages)).toEqual([{ type: "text", value: "whole" }]);
      expect(childModel.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "finish it" });
    }
  });

  test("fires for subagents that fail, too", async () => {
    const { hooks, agent } = setUp({
      parent: [delegate("x"), "sorry"],
      child: [{ error: new Error("no model") }],
    });
    const recorded = recordEvents(hooks);
    const run = await agent.run("Go.");
    expect(toolOutputs(run.messages)).toEqual([{ type: "error-text", value: "no model" }]);
    expect(recorded.of("subagent_stop").map(({ stopReason }) => stopReason)).toEqual(["error"]);
    expect(recorded.of("agent_failed")).toEqual([]);
    expect(run.status).toBe("completed");
  });
});

describe("a subagent that ends otherwise", () => {
  test("stopped by a hook: the whole run is stopped, though a wrapper may swallow what is thrown", async () => {
    const { hooks, childHooks, agent } = setUp({
      parent: [delegate("x"), "unreached"],
      child: [callShell("ls")],
    });
    childHooks.on("before_tool", () => stop("budget exceeded"));
    hooks.around("around_tool", (_ctx, next) => next().catch(() => "all is well"));
    expect(await agent.run("Go.")).toMatchObject({
      status: "stopped",
      stopReason: "stopped_by_hook",
      reason: "budget exceeded",
    });
  });

  test("at its limit: the parent gets what there is, and why", async () => {
    const { agent } = setUp(
      { parent: [delegate("x"), "done"], child: [{ text: "so far", ...callShell("ls") }] },
      { child: { maxSteps: 1 } },
    );
    const run = await agent.run("Go.");
    expect(toolOutputs(run.messages)).toEqual([
      { type: "text", value: expect.stringMatching(/helper stopped early.*1 steps/) },
    ]);
  });

  test("aborted with its parent", async () => {
    const controller = new AbortController();
    const { agent } = setUp({
      parent: [delegate("x"), "unreached"],
      child: [
        () => {
          controller.abort(new Error("the user left"));
          return "too late";
        },
      ],
    });
    expect(await agent.run("Go.", { signal: controller.signal })).toMatchObject({ stopReason: "aborted" });
  });

  test.each(["an abort", "a stop"])(
    "ends before its parent, whose usage has its own, after %s",
    async (by) => {
      const controller = new AbortController();
      const usage = { inputTokens: 3, outputTokens: 2 };
      const { hooks, childHooks, agent } = setUp(
        {
          parent: [
            { toolCalls: [...delegate("x").toolCalls, { name: "shell", input: { command: "wait" } }], usage },
          ],
          child: [{ ...callShell("ls"), usage }],
        },
        { parent: { tools: { shell } } },
      );
      const ended: unknown[] = [];
      let start: () => void = () => {};
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      childHooks.on("before_tool", () => {
        start();
        return new Promise<undefined>((resolve) => setTimeout(resolve, 20));
      });
      hooks.on(
        "before_tool",
        async () => {
          await started;
          if (by === "a stop") return stop("enough");
          controller.abort(new Error("enough"));
          return undefined;
        },
        { matcher: { tool: "shell", pattern: "wait" } },
      );
      childHooks.on("after_agent", async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        ended.push("child");
      });
      hooks.on("after_agent", ({ run }) => void ended.push(run?.usage));
      const run = await agent.run("Go.", { signal: controller.signal });
      const both = { inputTokens: 6, outputTokens: 4 };
      expect(run).toMatchObject({ status: "stopped", reason: "enough", usage: both });
      expect(ended).toEqual(["child", both]);
    },
  );

  test("agents that delegate in a cycle end at a maximum depth", async () => {
    const agents: ReturnType<typeof createAgent>[] = [];
    const ring = createAgent({
      name: "ring",
      model: scriptedModel(
        [
          ({ messages }) =>
            messages.at(-1)?.role === "tool"
              ? "back up"
              : { toolCalls: [{ name: "ring", input: { task: "again" } }] },
        ],
        { repeat: true },
      ),
      subagents: agents,
    });
    agents.push(ring);
    const run = await ring.run("Go.");
    expect(run.status).toBe("completed");
    expect(run.usage.inputTokens).toBeGreaterThan(0);
  });
});

test("a stream has the events of subagents, marked as theirs", async () => {
  const { agent } = setUp({ parent: [delegate("x"), "done"], child: [callShell("ls"), "found it"] });
  const events: AgentEvent[] = [];
  for await (const event of agent.stream("Go.")) events.push(event);
  const inner = events.flatMap((event) => (event.type === "subagent" ? [event] : []));
  expect(inner.every(({ subagent, toolUseId }) => subagent === "helper" && toolUseId === "d")).toBe(true);
  expect(inner.map(({ event }) => event.type)).toContain("tool_end");
  expect(inner.at(-1)?.event).toMatchObject({ type: "run_end", run: { text: "found it" } });
});
