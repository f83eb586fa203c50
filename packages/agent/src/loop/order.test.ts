import { block, createHooks, type Hooks, recover, skip, stop } from "@tenterhook/engine";
import { payloadSchemas } from "@tenterhook/protocol/schemas";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";

const echo = {
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }) => text,
};
const fails = {
  inputSchema: { type: "object" },
  execute: () => {
    throw new Error("out of paper");
  },
};
const callEcho = { toolCalls: [{ name: "echo", input: { text: "hi" } }] };

function agentWith(script: Script, hooks: Hooks, more: Partial<AgentOptions> = {}) {
  return createAgent({
    name: "tester",
    model: scriptedModel(script),
    hooks,
    tools: { echo, fails },
    retryDelayMs: 0,
    ...more,
  });
}

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly hook?: (hooks: Hooks) => void;
  readonly options?: Partial<AgentOptions>;
  readonly events: readonly string[];
  readonly status?: "completed" | "stopped" | "failed";
}

const inStep = (...events: string[]) => ["before_step", ...events];

/** The order of events, as the package's README draws it. */
const CASES: readonly Case[] = [
  {
    name: "an answer without tools",
    script: ["Hello!"],
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a tool call, then an answer",
    script: [callEcho, "done"],
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool echo", "after_step"),
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a tool that fails",
    script: [{ toolCalls: [{ name: "fails", input: {} }] }, "never mind"],
    events: [
      "session_start",
      "before_agent",
      ...inStep(
        "before_llm",
        "after_llm",
        "before_tool fails",
        "after_tool_failure:failed fails",
        "on_error fails",
        "after_step",
      ),
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a tool that a hook blocks is followed by its after-event",
    script: [callEcho, "done"],
    hook: (hooks) => void hooks.on("before_tool", () => block("no")),
    events: [
      "session_start",
      "before_agent",
      ...inStep(
        "before_llm",
        "after_llm",
        "before_tool echo",
        "after_tool_failure:blocked echo",
        "after_step",
      ),
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a tool that a hook skips",
    script: [callEcho, "done"],
    hook: (hooks) => void hooks.on("before_tool", () => skip("cached")),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool:skipped echo", "after_step"),
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a refused session",
    script: [],
    hook: (hooks) => void hooks.on("session_start", () => block("closed today")),
    events: ["session_start", "session_end"],
    status: "stopped",
  },
  {
    name: "a refused turn",
    script: [],
    hook: (hooks) => void hooks.on("before_agent", () => block("not that")),
    events: ["session_start", "before_agent", "after_agent:stopped", "session_end"],
    status: "stopped",
  },
  {
    name: "a skipped iteration",
    script: ["Hello!"],
    hook: (hooks) => {
      let skipped = 0;
      hooks.on("before_step", () => (skipped++ === 0 ? skip() : undefined));
    },
    events: [
      "session_start",
      "before_agent",
      ...inStep("after_step:skipped"),
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a model call that a hook answers",
    script: [],
    hook: (hooks) => void hooks.on("before_llm", () => skip("from the cache")),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm:skipped", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a model call that a hook refuses",
    script: [],
    hook: (hooks) => void hooks.on("before_llm", () => block("too dear")),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm:failed", "after_step:failed"),
      "agent_failed",
      "after_agent:failed",
      "session_end",
    ],
    status: "failed",
  },
  {
    name: "a model that fails",
    script: [{ error: new Error("no such model") }],
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "on_error", "after_llm:failed", "after_step:failed"),
      "agent_failed",
      "after_agent:failed",
      "session_end",
    ],
    status: "failed",
  },
  {
    name: "a model that fails, and a hook that answers for it",
    script: [{ error: new Error("no such model") }],
    hook: (hooks) => void hooks.on("on_error", () => recover("I am having a bad day.")),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "on_error", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "a hook that stops the run before a tool",
    script: [callEcho],
    hook: (hooks) => void hooks.on("before_tool", () => stop("enough")),
    events: [
      "session_start",
      "before_agent",
      ...inStep(
        "before_llm",
        "after_llm",
        "before_tool echo",
        "after_tool_failure:blocked echo",
        "after_step:stopped",
      ),
      "after_agent:stopped",
      "session_end",
    ],
    status: "stopped",
  },
  {
    name: "a hook that stops the run after a tool",
    script: [callEcho],
    hook: (hooks) => void hooks.on("after_tool", () => stop("enough")),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool echo", "after_step:stopped"),
      "after_agent:stopped",
      "session_end",
    ],
    status: "stopped",
  },
  {
    name: "a gate that holds the agent once",
    script: ["done", "now really done"],
    hook: (hooks) =>
      void hooks.on("before_stop", ({ stopHookActive }) =>
        stopHookActive ? undefined : block("tests fail"),
      ),
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      ...inStep("before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
  {
    name: "the last step that is allowed",
    script: [callEcho],
    options: { maxSteps: 1 },
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool echo", "after_step"),
      "before_stop",
      "after_agent:stopped",
      "session_end",
    ],
    status: "stopped",
  },
  {
    name: "a conversation that is compacted",
    script: [callEcho, callEcho, "a summary", "done"],
    options: { compaction: { maxTokens: 1, keepMessages: 1 } },
    events: [
      "session_start",
      "before_agent",
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool echo", "after_step"),
      ...inStep("before_llm", "after_llm", "before_tool echo", "after_tool echo", "after_step"),
      ...inStep("pre_compact", "before_llm", "after_llm", "before_llm", "after_llm", "after_step"),
      "before_stop",
      "after_agent",
      "session_end",
    ],
  },
];

describe("the order of events", () => {
  test.each(CASES)("$name", async ({ script, hook, options, events, status = "completed" }) => {
    const hooks = createHooks();
    const recorded = recordEvents(hooks);
    hook?.(hooks);
    const { finished } = agentWith(script, hooks, options).stream("Hi");
    const run = await finished;
    expect(recorded.words).toEqual(events);
    expect(run.status).toBe(status);
  });

  test.each(CASES)("is the same with run() as with stream(): $name", async ({ script, hook, options }) => {
    const seen = [];
    for (const way of ["run", "stream"] as const) {
      const hooks = createHooks();
      const recorded = recordEvents(hooks);
      hook?.(hooks);
      const agent = agentWith(script, hooks, options);
      if (way === "run") await agent.run("Hi").catch(() => undefined);
      else await agent.stream("Hi").finished;
      seen.push(recorded.words);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.length).toBeGreaterThan(0);
  });

  test.each(CASES)("carries payloads that fit their schemas: $name", async ({ script, hook, options }) => {
    const hooks = createHooks();
    const recorded = recordEvents(hooks);
    hook?.(hooks);
    await agentWith(script, hooks, options).stream("Hi", { userId: "ann" }).finished;
    for (const { event, context } of recorded.all) {
      const { error, success } = payloadSchemas[event].safeParse(context.payload);
      expect(success, `${event}: ${error?.message}`).toBe(true);
      expect(context.payload).toMatchObject({
        agent: { id: "tester", name: "tester" },
        session: { userId: "ann" },
        maxIterations: options?.maxSteps ?? 50,
      });
    }
  });

  test("every event of one run shares its metadata", async () => {
    const hooks = createHooks();
    const recorded = recordEvents(hooks);
    const metadata = { from: "the caller" };
    await agentWith([callEcho, "done"], hooks).run("Hi", { metadata });
    expect(new Set(recorded.all.map(({ context }) => context.metadata))).toEqual(new Set([metadata]));
  });
});
