import { ask, block, createHooks, type Outcome, proceed, recover, skip, stop } from "@tenterhook/engine";
import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { OperationFacts } from "../run/agent-instrument.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import type { AgentTools, ToolCallContext } from "../tools/tool.ts";

interface Ran {
  readonly input: unknown;
  readonly context: ToolCallContext;
}

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const ran: Ran[] = [];
  const tools: AgentTools = {
    shell: {
      inputSchema: {
        type: "object",
        properties: { command: { type: "string", minLength: 1 } },
        required: ["command"],
        additionalProperties: false,
      },
      execute: (input: { command: string }, context: ToolCallContext) => {
        ran.push({ input, context });
        return `ran ${input.command}`;
      },
    },
    broken: {
      inputSchema: { type: "object" },
      execute: () => Promise.reject(new Error("out of paper")),
    },
  };
  const model = scriptedModel(script);
  const agent = createAgent({ model, hooks, ...more, tools: { ...tools, ...more.tools } });
  return { hooks, agent, model, ran };
}

const shell = (command: unknown, id = "call-1") => ({ id, name: "shell", input: { command } });
const callShell = (...commands: unknown[]) => ({
  toolCalls: commands.map((each, n) => shell(each, `call-${n + 1}`)),
});
const callBroken = { toolCalls: [{ id: "call-1", name: "broken", input: {} }] };

/** What the model got as results of its tool calls. */
function outputs(run: {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}): unknown[] {
  return run.messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => (content as { output: unknown }[]).map(({ output }) => output));
}

describe("a tool call", () => {
  test("gets its input, its id, the conversation and where it works", async () => {
    const { agent, ran } = setUp([callShell("ls"), "done"], { workDir: "/tmp" });
    const run = await agent.run("List.", { sessionId: "s1" });
    expect(ran[0]?.input).toEqual({ command: "ls" });
    expect(ran[0]?.context).toMatchObject({
      toolCallId: "call-1",
      workDir: "/tmp",
      sessionId: "s1",
      runId: run.id,
    });
    expect(ran[0]?.context.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(outputs(run)).toEqual([{ type: "text", value: "ran ls" }]);
  });

  test("takes zod schemas: the tool gets what the schema reads, hooks what the model wrote", async () => {
    let got: unknown;
    const schema = z.object({
      when: z.string().transform((text) => new Date(text)),
      times: z.number().default(3),
    });
    const { agent, hooks } = setUp(
      [{ toolCalls: [{ name: "remind", input: { when: "2026-01-02" } }] }, "done"],
      {
        tools: { remind: { inputSchema: schema, execute: (input: unknown) => void (got = input) } },
      },
    );
    const recorded = recordEvents(hooks);
    await agent.run("Hi");
    expect(got).toEqual({ when: new Date("2026-01-02"), times: 3 });
    expect(recorded.of("before_tool")[0]?.toolInput).toEqual({ when: "2026-01-02" });
  });

  test("of the AI SDK's tool() works as it is: its execute is ours to call, its output its own to show", async () => {
    const weather = tool({
      description: "The weather.",
      inputSchema: z.object({ city: z.string() }),
      execute: async function* ({ city }, { toolCallId }) {
        yield { city, status: "asking" };
        yield { city, degrees: 12, toolCallId };
      },
      toModelOutput: ({ output }) => ({ type: "text", value: `report: ${JSON.stringify(output)}` }),
    });
    const { agent, hooks } = setUp(
      [{ toolCalls: [{ id: "w", name: "weather", input: { city: "Bonn" } }] }, "done"],
      {
        tools: { weather } as AgentTools,
      },
    );
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    expect(recorded.of("after_tool")[0]?.toolResult).toEqual({ city: "Bonn", degrees: 12, toolCallId: "w" });
    expect(outputs(run)).toEqual([
      { type: "text", value: 'report: {"city":"Bonn","degrees":12,"toolCallId":"w"}' },
    ]);
  });

  test.each([
    ["a tool that is not there", { name: "rm", input: {} }, /no tool "rm".*shell/],
    [
      "input that does not fit",
      { name: "shell", input: { command: "" } },
      /command must NOT have fewer than 1/,
    ],
    ["input that is no object", { name: "shell", input: "ls" }, /must be an object/],
    ["arguments that are no JSON", { name: "shell", input: "{", invalid: "no JSON: {" }, /no JSON/],
  ])(
    "of %s fails and reports it to the model, without calling guards about what cannot run",
    async (_, call, why) => {
      const { agent, hooks, ran } = setUp([{ toolCalls: [call] }, "sorry"]);
      const recorded = recordEvents(hooks);
      const run = await agent.run("Hi");
      expect(outputs(run)).toEqual([{ type: "error-text", value: expect.stringMatching(why) }]);
      expect(recorded.of("before_tool")).toEqual([]);
      expect(recorded.of("after_tool_failure")).toMatchObject([
        { payload: { status: "failed", toolName: call.name } },
      ]);
      expect(ran).toEqual([]);
    },
  );

  test("that the provider executed fires after_tool, and nothing is run", async () => {
    const executed = { result: { hits: 3 }, isError: false };
    const { agent, hooks, ran } = setUp([
      { text: "Found.", toolCalls: [{ id: "p", name: "web_search", input: { query: "x" }, executed }] },
    ]);
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    expect(recorded.of("after_tool")[0]?.payload).toMatchObject({
      toolName: "web_search",
      toolResult: { hits: 3 },
      context: { providerExecuted: true },
    });
    expect([recorded.of("before_tool"), ran, run.stepCount, outputs(run)]).toEqual([[], [], 1, []]);
  });

  test("that the provider executed is kept as hooks change it, or withheld", async () => {
    const shown = async (answer: Outcome) => {
      const content = [
        { type: "tool-call", toolCallId: "p", toolName: "web_search", input: {}, providerExecuted: true },
        {
          type: "tool-result",
          toolCallId: "p",
          toolName: "web_search",
          output: { type: "text", value: "secret" },
        },
        { type: "text", text: "Found." },
      ];
      const executed = { result: "secret", isError: false };
      const { agent, hooks } = setUp([]);
      hooks.on("before_llm", () =>
        skip({
          text: "Found.",
          toolCalls: [{ id: "p", name: "web_search", input: {}, executed }],
          message: { role: "assistant", content },
          finishReason: "stop",
        }),
      );
      hooks.on("after_tool", () => answer as never);
      return JSON.stringify((await agent.run("Hi")).messages);
    };
    expect(await shown(proceed({ toolResult: "public" }))).toMatch(
      /"output":\{"type":"text","value":"public"\}/,
    );
    const withheld = await shown(block("not for us"));
    expect(withheld).toContain("withheld: not for us");
    expect(withheld).not.toContain("secret");
  });

  test("that takes too long is aborted and fails", async () => {
    let aborted: unknown;
    const { agent, hooks } = setUp([{ toolCalls: [{ name: "slow", input: {} }] }, "sorry"], {
      tools: {
        slow: {
          inputSchema: { type: "object" },
          timeoutMs: 5,
          execute: (_input: unknown, { abortSignal }: ToolCallContext) =>
            new Promise(() => abortSignal.addEventListener("abort", () => (aborted = abortSignal.reason))),
        },
      },
    });
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    expect(outputs(run)).toEqual([
      { type: "error-text", value: expect.stringMatching(/slow.*longer than 5 ms/) },
    ]);
    expect(aborted).toMatchObject({ code: "tool_timeout" });
    expect(recorded.of("after_tool_failure")[0]?.error).toMatchObject({ code: "tool_timeout" });
  });

  test.each([
    ["nothing", undefined, { type: "json", value: null }],
    ["a big number", 12n, { type: "json", value: "12" }],
    ["a date", new Date(0), { type: "json", value: "1970-01-01T00:00:00.000Z" }],
  ])("may return %s", async (_, value, output) => {
    const { agent } = setUp([{ toolCalls: [{ name: "odd", input: {} }] }, "done"], {
      tools: { odd: { inputSchema: { type: "object" }, execute: () => value } },
    });
    expect(outputs(await agent.run("Hi"))).toEqual([output]);
  });
});

describe("before_tool", () => {
  test("blocks: the tool does not run, and the model gets the SDK's own denial with the reason", async () => {
    const { agent, hooks, ran } = setUp([callShell("rm -rf /"), "sorry"]);
    hooks.on("before_tool", () => block("this would destroy data"), {
      name: "guard",
      matcher: { tool: "shell", pattern: "rm -rf" },
    });
    const run = await agent.run("Clean up.");
    expect(ran).toEqual([]);
    expect(outputs(run)).toEqual([{ type: "execution-denied", reason: "this would destroy data" }]);
    expect(run.acts).toMatchObject([
      { event: "before_tool", hook: "guard", action: "refuse", reason: "this would destroy data" },
    ]);
  });

  test("that throws blocks too, with its error as the reason", async () => {
    const { agent, hooks, ran } = setUp([callShell("ls"), "sorry"]);
    hooks.on("before_tool", () => Promise.reject(new Error("the guard is asleep")), { name: "guard" });
    const run = await agent.run("Hi");
    expect(ran).toEqual([]);
    expect(outputs(run)).toEqual([
      { type: "execution-denied", reason: expect.stringMatching(/guard.*the guard is asleep/) },
    ]);
  });

  test("changes the input, which is checked against the schema again", async () => {
    const good = setUp([callShell("ls"), "done"]);
    good.hooks.on("before_tool", () => proceed({ toolInput: { command: "ls -l" } }));
    await good.agent.run("Hi");
    expect(good.ran[0]?.input).toEqual({ command: "ls -l" });

    const bad = setUp([callShell("ls"), "sorry"]);
    bad.hooks.on("before_tool", () => proceed({ toolInput: { command: "" } }), { name: "eraser" });
    const run = await bad.agent.run("Hi");
    expect(bad.ran).toEqual([]);
    expect(outputs(run)).toEqual([
      { type: "execution-denied", reason: expect.stringMatching(/eraser.*fewer than 1/) },
    ]);
  });

  test("skips with a result, which after_tool may still change", async () => {
    const { agent, hooks, ran } = setUp([callShell("ls"), "done"]);
    hooks.on("before_tool", () => skip("a.txt"));
    hooks.on("after_tool", ({ toolResult, status }) => proceed({ toolResult: `${status}: ${toolResult}` }));
    expect(outputs(await agent.run("Hi"))).toEqual([{ type: "text", value: "skipped: a.txt" }]);
    expect(ran).toEqual([]);
  });

  test("adds context, which the model reads after the results", async () => {
    const { agent, hooks, model } = setUp([callShell("ls"), "done"]);
    hooks.on("before_tool", () => proceed(undefined, { context: "The disk is nearly full." }));
    hooks.on("after_tool", () => proceed(undefined, { context: "It took long." }));
    await agent.run("Hi");
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: "<hook_context>\nThe disk is nearly full.\nIt took long.\n</hook_context>",
    });
  });

  test("that stops ends the run, and leaves a conversation that can be continued", async () => {
    const { agent, hooks, ran } = setUp([callShell("a", "b", "c")]);
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "b" ? stop("enough") : undefined));
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "stopped", stopReason: "stopped_by_hook", reason: "enough" });
    expect(ran.map(({ input }) => input)).toEqual([{ command: "a" }]);
    expect(outputs(run)).toMatchObject([
      {},
      { type: "execution-denied", reason: "the run was stopped: enough" },
      { type: "execution-denied", reason: expect.stringMatching(/not run.*enough/) },
    ]);
  });
});

describe("permissions and guardrails", () => {
  test("come before the hooks, and are asked again about what a hook changed", async () => {
    const asked: unknown[] = [];
    const { agent, hooks, ran } = setUp([callShell("ls", "secret"), "done"], {
      permissions: ({ toolInput }) => {
        asked.push(toolInput.command);
        return toolInput.command === "secret" ? "secrets are not for you" : undefined;
      },
      guardrails: [() => undefined],
    });
    const recorded = recordEvents(hooks);
    hooks.on("before_tool", () => proceed({ toolInput: { command: "secret" } }));
    const run = await agent.run("Hi");
    expect(asked).toEqual(["ls", "secret", "secret"]);
    expect(recorded.of("before_tool").map(({ toolInput }) => toolInput.command)).toEqual(["ls"]);
    expect(ran).toEqual([]);
    expect(outputs(run)).toEqual([
      { type: "execution-denied", reason: "secrets are not for you" },
      { type: "execution-denied", reason: "secrets are not for you" },
    ]);
  });

  test("that fail have permitted nothing", async () => {
    const { agent, ran } = setUp([callShell("ls"), "sorry"], {
      permissions: () => Promise.reject(new Error("the server is down")),
    });
    const run = await agent.run("Hi");
    expect(ran).toEqual([]);
    expect(outputs(run)).toEqual([
      { type: "execution-denied", reason: expect.stringMatching(/the server is down/) },
    ]);
  });
});

describe("a person", () => {
  const asks = (options: Partial<AgentOptions> = {}) => {
    const made = setUp([callShell("curl x"), "done"], options);
    made.hooks.on("before_tool", () => ask("it leaves this machine"), { name: "network" });
    return made;
  };

  test("approves", async () => {
    const { agent, ran } = asks({ approve: () => ({ type: "approve" }) });
    await agent.run("Hi");
    expect(ran).toHaveLength(1);
  });

  test("rejects: the model gets the reason and the agent continues, unless stopOnRejection is set", async () => {
    const rejecting = { approve: () => ({ type: "reject", reason: "not now" }) as const };
    const goesOn = await asks(rejecting).agent.run("Hi");
    expect(outputs(goesOn)).toEqual([{ type: "execution-denied", reason: "not now" }]);
    expect(goesOn.status).toBe("completed");
    const stops = await asks({ ...rejecting, stopOnRejection: true }).agent.run("Hi");
    expect(stops).toMatchObject({ status: "stopped", stopReason: "tool_rejected", stepCount: 1 });
  });

  test("edits the input", async () => {
    const { agent, ran } = asks({ approve: () => ({ type: "edit", value: { command: "curl y" } }) });
    await agent.run("Hi");
    expect(ran[0]?.input).toEqual({ command: "curl y" });
  });

  test("that cannot be asked has not approved", async () => {
    const { agent, ran } = asks();
    const run = await agent.run("Hi");
    expect(ran).toEqual([]);
    expect(outputs(run)).toEqual([
      { type: "execution-denied", reason: expect.stringMatching(/no approver/) },
    ]);
  });

  test("is also asked about tools of the AI SDK that need approval", async () => {
    let ran = 0;
    const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => `paid ${++ran}` });
    const script = () => [{ toolCalls: [{ name: "pay", input: {} }] }, "done"];
    const tools = { pay } as AgentTools;
    await setUp(script(), { tools }).agent.run("Hi");
    await setUp(script(), { tools, approve: () => ({ type: "reject" }) }).agent.run("Hi");
    await setUp(script(), { tools, approve: () => Promise.reject(new Error("asleep")) }).agent.run("Hi");
    expect(ran).toBe(0);
    await setUp(script(), { tools, approve: () => ({ type: "approve" }) }).agent.run("Hi");
    expect(ran).toBe(1);
  });

  test("is not waited for by a run that is aborted, where a tool needs the approval", async () => {
    const controller = new AbortController();
    const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => "paid" });
    const { agent } = setUp([{ toolCalls: [{ name: "pay", input: {} }] }, "done"], {
      tools: { pay } as AgentTools,
      approve: () => {
        controller.abort(new Error("the user left"));
        return new Promise(() => {});
      },
    });
    const run = await agent.run("Hi", { signal: controller.signal });
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted", reason: "the user left" });
  });
});

describe("a tool that failed", () => {
  test("sends its error to the model, and the run continues", async () => {
    const { agent } = setUp([callBroken, "sorry"]);
    const run = await agent.run("Hi");
    expect(outputs(run)).toEqual([{ type: "error-text", value: "out of paper" }]);
    expect(run.status).toBe("completed");
  });

  test("by its toModelOutput: the model reads why, and the operation has the error", async () => {
    const weather = tool({
      inputSchema: z.object({}),
      execute: () => "rain",
      toModelOutput: () => {
        throw new Error("no words for it");
      },
    });
    const { agent } = setUp([{ toolCalls: [{ name: "weather", input: {} }] }, "sorry"], {
      tools: { weather } as AgentTools,
    });
    const facts: OperationFacts[] = [];
    agent.instrument({
      span: ({ type }, work) => work((known) => void (type === "execute_tool" && facts.push(known))),
    });
    const run = await agent.run("Hi");
    expect(outputs(run)).toEqual([{ type: "error-text", value: "no words for it" }]);
    expect(facts).toMatchObject([{ outcome: "failed", error: { message: "no words for it" } }]);
  });

  test("is recovered by after_tool_failure first; on_error is not asked then", async () => {
    const { agent, hooks } = setUp([callBroken, "done"]);
    const recorded = recordEvents(hooks);
    hooks.on("after_tool_failure", () => recover("printed on the other printer"));
    expect(outputs(await agent.run("Hi"))).toEqual([{ type: "text", value: "printed on the other printer" }]);
    expect(recorded.of("on_error")).toEqual([]);
  });

  test("shows the model another text when a hook changes it", async () => {
    const { agent, hooks } = setUp([callBroken, "done"]);
    hooks.on("after_tool_failure", ({ error }) => proceed({ toolResult: `${error.message}; try printer 2` }));
    expect(outputs(await agent.run("Hi"))).toEqual([
      { type: "error-text", value: "out of paper; try printer 2" },
    ]);
  });

  test("goes to on_error with phase, tool and input: recovered, dealt with, or changed", async () => {
    for (const [answer, output] of [
      [recover("a copy"), { type: "text", value: "a copy" }],
      [recover(), { type: "json", value: null }],
      [
        proceed({ error: new Error("the printer is empty") }),
        { type: "error-text", value: "the printer is empty" },
      ],
    ] as const) {
      const { agent, hooks } = setUp([callBroken, "done"]);
      const recorded = recordEvents(hooks);
      hooks.on("on_error", () => answer);
      expect(outputs(await agent.run("Hi"))).toEqual([output]);
      expect(recorded.of("on_error")[0]?.payload).toMatchObject({
        phase: "tool",
        toolName: "broken",
        toolInput: {},
      });
    }
  });
});

test("a call that could not even be judged fails, and a hook may stop the run over it", async () => {
  const odd = tool({
    inputSchema: z.object({}),
    needsApproval: () => Promise.reject(new Error("cannot tell")),
    execute: () => 1,
  });
  const { agent, hooks } = setUp([{ toolCalls: [{ id: "o", name: "odd", input: {} }] }, "unreached"], {
    tools: { odd } as AgentTools,
  });
  hooks.on("on_error", () => stop("this is serious"));
  const run = await agent.run("Hi");
  expect(run).toMatchObject({ status: "stopped", reason: "this is serious" });
  expect(outputs(run)).toHaveLength(1);
});

describe("after_tool", () => {
  test("changes the result, or withholds it", async () => {
    const changed = setUp([callShell("ls"), "done"]);
    changed.hooks.on("after_tool", ({ toolResult }) => proceed({ toolResult: { said: toolResult } }));
    expect(outputs(await changed.agent.run("Hi"))).toEqual([{ type: "json", value: { said: "ran ls" } }]);

    const withheld = setUp([callShell("ls"), "done"]);
    withheld.hooks.on("after_tool", () => block("it holds a password"));
    expect(outputs(await withheld.agent.run("Hi"))).toEqual([
      { type: "error-text", value: "The result was withheld: it holds a password" },
    ]);
  });
});

describe("around_tool", () => {
  test("wraps the execution itself: it may try again", async () => {
    let tries = 0;
    const { agent, hooks } = setUp([{ toolCalls: [{ name: "flaky", input: {} }] }, "done"], {
      tools: {
        flaky: {
          inputSchema: { type: "object" },
          execute: () => (++tries < 3 ? Promise.reject(new Error("busy")) : `on try ${tries}`),
        },
      },
    });
    hooks.around("around_tool", async (_ctx, next) => {
      for (let n = 0; n < 2; n++) await next().catch(() => undefined);
      return next();
    });
    expect(outputs(await agent.run("Hi"))).toEqual([{ type: "text", value: "on try 3" }]);
  });
});

describe("several tool calls of one step", () => {
  /** A tool whose calls are held until the test lets them go. */
  function gated() {
    const started: string[] = [];
    const waiting = new Map<string, () => void>();
    let arrived = () => {};
    const whenStarted = (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => started.length >= count && resolve();
        arrived();
      });
    const wait = {
      inputSchema: { type: "object" },
      execute: ({ n }: { n: string }, { abortSignal }: ToolCallContext) =>
        new Promise((resolve, reject) => {
          started.push(n);
          waiting.set(n, () => resolve(n));
          abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
          arrived();
        }),
    };
    return { tools: { wait }, started, whenStarted, release: (n: string) => waiting.get(n)?.() };
  }

  const calls = (...ids: string[]) => ({
    toolCalls: ids.map((n) => ({ id: n, name: "wait", input: { n } })),
  });

  test("run in parallel, and their results are in the model's order", async () => {
    const { tools, whenStarted, release } = gated();
    const { agent, hooks } = setUp([calls("a", "b"), "done"], { tools });
    const recorded = recordEvents(hooks);
    const running = agent.run("Hi");
    await whenStarted(2);
    release("b");
    release("a");
    expect(outputs(await running)).toEqual([
      { type: "text", value: "a" },
      { type: "text", value: "b" },
    ]);
    expect(recorded.of("after_tool").map(({ toolUseId }) => toolUseId)).toEqual(["b", "a"]);
  });

  test("are judged one at a time, in order", async () => {
    const { agent, hooks } = setUp([callShell("a", "b", "c"), "done"]);
    let judging = 0;
    const order: unknown[] = [];
    hooks.on("before_tool", async ({ toolInput }) => {
      expect(++judging).toBe(1);
      await new Promise(setImmediate);
      order.push(toolInput.command);
      judging--;
    });
    await agent.run("Hi");
    expect(order).toEqual(["a", "b", "c"]);
  });

  test("run one at a time without parallelTools", async () => {
    const { tools, started, whenStarted, release } = gated();
    const { agent } = setUp([calls("a", "b"), "done"], { tools, parallelTools: false });
    const running = agent.run("Hi");
    await whenStarted(1);
    expect(started).toEqual(["a"]);
    release("a");
    await whenStarted(2);
    release("b");
    expect((await running).status).toBe("completed");
  });

  test("are aborted when one of them stops the run", async () => {
    const { tools, whenStarted } = gated();
    const { agent, hooks } = setUp([{ toolCalls: [...calls("a").toolCalls, shell("b", "b")] }], { tools });
    const recorded = recordEvents(hooks);
    hooks.on("after_tool", async ({ toolName }) => {
      await whenStarted(1);
      return toolName === "shell" ? stop("seen enough") : undefined;
    });
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "stopped", reason: "seen enough" });
    expect(recorded.words).toContain("after_tool_failure:failed wait");
  });
});
