import { type AgentOptions, createAgent } from "@tenterhook/agent";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";
import type {
  AfterIterationHookContext,
  AfterLLMHookContext,
  AfterToolHookContext,
  HookEvent as ConfigHookEvent,
  ErrorHookContext,
  HooksConfig,
  IterationHookContext,
  LLMHookContext,
  ToolHookContext,
} from "@tenterhook/engine/config";
import { describe, expect, test } from "vitest";

const add = {
  description: "Adds.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  execute: ({ a, b }: { a: number; b: number }) => a + b,
};
const broken = { inputSchema: { type: "object" }, execute: () => Promise.reject(new Error("out of paper")) };
const callAdd = { toolCalls: [{ id: "c1", name: "add", input: { a: 1, b: 2 } }] };
const callBroken = { toolCalls: [{ id: "c1", name: "broken", input: {} }] };

function setUp(hooks: HooksConfig, script: Script, more: Partial<AgentOptions> = {}) {
  const model = scriptedModel(script);
  const agent = createAgent({
    model,
    hooks,
    tools: { add, broken },
    instructions: "Be kind.",
    retryDelayMs: 0,
    ...more,
  });
  return { agent, model };
}

function toolOutputs(messages: readonly { readonly role: string; readonly content: unknown }[]): unknown[] {
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => (content as { output: unknown }[]).map(({ output }) => output));
}

describe("every hook", () => {
  test("gets the session, the iteration from 1, a signal, and metadata that passes between hooks", async () => {
    const seen: unknown[] = [];
    const { agent } = setUp(
      {
        beforeIteration: [({ metadata }) => void (metadata.count = Number(metadata.count ?? 0) + 1)],
        beforeTool: [
          ({ sessionId, iteration, signal, metadata }) =>
            void seen.push(["beforeTool", sessionId, iteration, signal?.aborted, metadata.count]),
        ],
        afterLLM: [
          async ({ sessionId, iteration, metadata }) =>
            void seen.push(["afterLLM", sessionId, iteration, metadata.count]),
        ],
      },
      [callAdd, "3"],
    );
    await agent.run("1+2?", { sessionId: "s1" });
    expect(seen).toEqual([
      ["afterLLM", "s1", 1, 1],
      ["beforeTool", "s1", 1, false, 1],
      ["afterLLM", "s1", 2, 2],
    ]);
  });

  test("of one type runs in the order of its list, one after another", async () => {
    const order: string[] = [];
    const { agent } = setUp(
      {
        beforeLLM: [
          async () => {
            await new Promise(setImmediate);
            order.push("first");
          },
          () => void order.push("second"),
        ],
      },
      ["ok"],
    );
    await agent.run("Hi");
    expect(order).toEqual(["first", "second"]);
  });

  test("that throws fails the turn, or blocks the tool it was asked about; onError is not asked to forgive it", async () => {
    const asked: ErrorHookContext[] = [];
    const onError = [(context: ErrorHookContext) => void asked.push(context)];
    const llm = setUp({ beforeLLM: [() => Promise.reject(new Error("no quota"))], onError }, ["ok"]);
    await expect(llm.agent.run("Hi")).rejects.toThrow(/no quota/);
    const tool = setUp({ beforeTool: [() => Promise.reject(new Error("no guard"))], onError }, [
      callAdd,
      "ok",
    ]);
    const run = await tool.agent.run("Hi");
    expect(toolOutputs(run.messages)).toMatchObject([
      { type: "execution-denied", reason: expect.stringMatching(/no guard/) },
    ]);
    expect(asked).toEqual([]);
  });
});

describe("beforeIteration", () => {
  test("has the maximum of iterations, and the messages", async () => {
    const seen: IterationHookContext[] = [];
    const { agent } = setUp({ beforeIteration: [(context) => void seen.push(context)] }, [callAdd, "3"], {
      maxSteps: 9,
    });
    await agent.run("1+2?");
    expect(
      seen.map(({ iteration, maxIterations, messages }) => [iteration, maxIterations, messages.length]),
    ).toEqual([
      [1, 9, 1],
      [2, 9, 3],
    ]);
  });

  test("skips an iteration, which counts", async () => {
    const seen: number[] = [];
    const { agent, model } = setUp(
      {
        beforeIteration: [
          ({ iteration }) => {
            seen.push(iteration);
            return iteration === 1 ? { skip: true } : undefined;
          },
        ],
      },
      ["ok"],
    );
    const run = await agent.run("Hi");
    expect([seen, run.stepCount, model.calls]).toEqual([[1, 2], 2, 1]);
  });
});

describe("afterIteration", () => {
  test("has the tool calls with their results, and whether the model answered with text", async () => {
    const seen: AfterIterationHookContext[] = [];
    const { agent } = setUp({ afterIteration: [(context) => void seen.push(context)] }, [
      callAdd,
      callBroken,
      "3",
    ]);
    await agent.run("1+2?");
    expect(seen.map(({ toolCalls, completedWithText }) => ({ toolCalls, completedWithText }))).toEqual([
      {
        toolCalls: [{ name: "add", input: { a: 1, b: 2 }, result: { success: true, result: 3 } }],
        completedWithText: false,
      },
      {
        toolCalls: [{ name: "broken", input: {}, result: { success: false, error: "out of paper" } }],
        completedWithText: false,
      },
      { toolCalls: [], completedWithText: true },
    ]);
  });

  // "Tool calls made in this iteration", with "Modified input (when not skipping)" of a beforeTool hook
  test("has the input that was executed, not the one that the model wrote", async () => {
    const seen: AfterIterationHookContext[] = [];
    const tools: AfterToolHookContext[] = [];
    const call = (id: string, a: number) => ({ id, name: "add", input: { a, b: 2 } });
    const { agent } = setUp(
      {
        beforeTool: [
          ({ input }) => (input.a === 1 ? { input: { ...input, a: 10 } } : undefined),
          ({ input }) => {
            if (input.a === 3) throw new Error("not three");
          },
        ],
        afterTool: [(context) => void tools.push(context)],
        afterIteration: [(context) => void seen.push(context)],
      },
      [{ toolCalls: [call("c1", 1), call("c2", 2), call("c3", 3)] }, "12"],
    );
    await agent.run("1+2?");
    expect(seen[0]?.toolCalls.map(({ input, result }) => [input, result.success])).toEqual([
      [{ a: 10, b: 2 }, true],
      [{ a: 2, b: 2 }, true],
      [{ a: 3, b: 2 }, false],
    ]);
    expect(tools.map(({ input }) => input).sort((one, other) => Number(one.a) - Number(other.a))).toEqual([
      { a: 2, b: 2 },
      { a: 3, b: 2 },
      { a: 10, b: 2 },
    ]);
  });
});

describe("a configuration that is not one", () => {
  // "beforeTool?: BeforeToolHook[]"
  test.each([
    [
      { beforeTool: () => undefined },
      /hooks\.beforeTool must be a list of functions, not a function\..*beforeTool: \[/,
    ],
    [{ afterLLM: "log" }, /hooks\.afterLLM must be a list of functions, not string log/],
    [{ onError: { handler: 1 } }, /hooks\.onError must be a list of functions, not /],
    [{ beforeTool: null }, /hooks\.beforeTool must be a list of functions, not null/],
    [{ beforetool: [] }, /no hook type "beforetool".*beforeTool/],
    [{ beforeTool: ["log"] }, /a beforeTool hook must be a function, not string log/],
    [[() => undefined], /hooks must be /],
    [() => undefined, /hooks must be /],
    ["hooks.js", /hooks must be /],
    [null, /hooks must be /],
  ])("is refused where the agent is created: %j", (hooks, message) => {
    expect(() => setUp(hooks as never, [])).toThrow(message);
  });

  test("may leave a type out, or undefined", () => {
    expect(() => setUp({ beforeTool: undefined, afterTool: [] } as never, [])).not.toThrow();
    expect(() => createAgent({ model: scriptedModel([]), hooks: undefined } as never)).not.toThrow();
  });
});

describe("beforeLLM", () => {
  test("sees messages, tools and the assembled system prompt", async () => {
    const seen: LLMHookContext[] = [];
    const { agent } = setUp({ beforeLLM: [(context) => void seen.push(context)] }, ["ok"]);
    await agent.run("Hi");
    expect(seen[0]?.systemPrompt).toBe("Be kind.");
    expect(seen[0]?.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hi" },
    ]);
    expect(seen[0]?.tools.map(({ name }) => name)).toEqual(["add", "broken"]);
  });

  test("changes messages and tools; what it leaves out stays", async () => {
    const { agent, model } = setUp(
      {
        beforeLLM: [
          ({ messages }) => ({ messages: [...messages, { role: "user", content: "quickly" }] }),
          ({ tools }) => ({ tools: tools.slice(0, 1) }),
        ],
      },
      ["ok"],
    );
    await agent.run("Hi");
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(["Be kind.", "Hi", "quickly"]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["add"]);
  });

  test.each([
    ["alone", {}, ["Be brief.", "Hi"]],
    [
      "with messages",
      {
        messages: [
          { role: "system" as const, content: "old" },
          { role: "user" as const, content: "Ho" },
        ],
      },
      ["Be brief.", "Ho"],
    ],
    [
      "with messages that have none",
      { messages: [{ role: "user" as const, content: "Ho" }] },
      ["Be brief.", "Ho"],
    ],
  ])("a returned systemPrompt becomes messages[0]: %s", async (_, more, expected) => {
    const seen: LLMHookContext[] = [];
    const { agent, model } = setUp(
      {
        beforeLLM: [() => ({ systemPrompt: "Be brief.", ...more }), (context) => void seen.push(context)],
      },
      ["ok"],
    );
    await agent.run("Hi");
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(expected);
    expect([seen[0]?.systemPrompt, seen[0]?.messages[0]?.content]).toEqual(["Be brief.", "Be brief."]);
  });
});

describe("afterLLM", () => {
  test("has text, tool uses, usage, model and duration", async () => {
    const seen: AfterLLMHookContext[] = [];
    const usage = { inputTokens: 5, outputTokens: 4 };
    const { agent } = setUp({ afterLLM: [(context) => void seen.push(context)] }, [
      { ...callAdd, text: "Let me add.", usage },
      "3",
    ]);
    await agent.run("1+2?");
    expect(seen[0]).toMatchObject({
      text: "Let me add.",
      toolUses: [{ id: "c1", name: "add", input: { a: 1, b: 2 } }],
      usage,
      model: "scripted",
      systemPrompt: "Be kind.",
    });
    expect(seen[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("does not keep an answer from being streamed", async () => {
    const { agent } = setUp({ afterLLM: [() => undefined] }, ["one two three"]);
    const types = [];
    for await (const { type } of agent.stream("Hi")) types.push(type);
    expect(types).not.toContain("answer_buffered");
    expect(types.filter((type) => type === "text_delta").length).toBeGreaterThan(1);
  });
});

describe("beforeTool", () => {
  test("runs after permissions and guardrails, and is not asked about what they refused", async () => {
    const order: string[] = [];
    const { agent } = setUp(
      { beforeTool: [({ toolName }) => void order.push(`hook ${toolName}`)] },
      [{ toolCalls: [...callAdd.toolCalls, { id: "c2", name: "broken", input: {} }] }, "ok"],
      {
        permissions: ({ toolName }) => {
          order.push(`permission ${toolName}`);
          return toolName === "broken" ? "not that one" : undefined;
        },
        guardrails: ({ toolName }) => void order.push(`guardrail ${toolName}`) as undefined,
      },
    );
    const run = await agent.run("Hi");
    expect(order).toEqual(["permission add", "guardrail add", "hook add", "permission broken"]);
    expect(toolOutputs(run.messages)).toMatchObject([
      {},
      { type: "execution-denied", reason: "not that one" },
    ]);
  });

  test("changes the input; permissions are asked again about it, and the schema too", async () => {
    const asked: unknown[] = [];
    const changed = setUp(
      { beforeTool: [({ input }) => ({ input: { ...input, b: 10 } })] },
      [callAdd, "11"],
      {
        permissions: ({ toolInput }) => void asked.push(toolInput.b) as undefined,
      },
    );
    expect(toolOutputs((await changed.agent.run("Hi")).messages)).toEqual([{ type: "json", value: 11 }]);
    expect(asked).toEqual([2, 10]);
    const wrong = setUp({ beforeTool: [() => ({ input: { a: "one", b: 2 } })] }, [callAdd, "sorry"]);
    expect(toolOutputs((await wrong.agent.run("Hi")).messages)).toMatchObject([{ type: "execution-denied" }]);
  });

  test("skips with a result: the tool does not run", async () => {
    const { agent } = setUp({ beforeTool: [() => ({ skip: true, result: { success: true, result: 42 } })] }, [
      callBroken,
      "ok",
    ]);
    expect(toolOutputs((await agent.run("Hi")).messages)).toEqual([{ type: "json", value: 42 }]);
  });

  test("skips without a result: the model gets an empty one", async () => {
    const { agent } = setUp({ beforeTool: [() => ({ skip: true })] }, [callBroken, "ok"]);
    expect(toolOutputs((await agent.run("Hi")).messages)).toEqual([{ type: "json", value: null }]);
  });

  test("skip wins over a changed input", async () => {
    const seen: ToolHookContext[] = [];
    const { agent } = setUp(
      {
        beforeTool: [
          () => ({ skip: true, result: { success: true, result: "skipped" }, input: { a: 5, b: 5 } }),
          (context) => void seen.push(context),
        ],
      },
      [callAdd, "ok"],
    );
    expect(toolOutputs((await agent.run("Hi")).messages)).toEqual([{ type: "text", value: "skipped" }]);
    expect(seen).toEqual([]);
  });
});

describe("afterTool", () => {
  test("sees the result and the duration of calls that succeeded and of calls that failed", async () => {
    const seen: AfterToolHookContext[] = [];
    const { agent } = setUp({ afterTool: [(context) => void seen.push(context)] }, [
      callAdd,
      callBroken,
      "ok",
    ]);
    await agent.run("Hi");
    expect(seen.map(({ toolName, input, result }) => [toolName, input, result])).toEqual([
      ["add", { a: 1, b: 2 }, { success: true, result: 3 }],
      ["broken", {}, { success: false, error: "out of paper" }],
    ]);
    expect(seen.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  });

  test("changes the result; a failure that comes back as a success is one", async () => {
    const { agent } = setUp(
      {
        afterTool: [
          ({ result }) => ({
            result: result.success
              ? { success: true, result: `${result.result}!` }
              : { success: true, result: `instead of: ${result.error}` },
          }),
        ],
      },
      [callAdd, callBroken, "ok"],
    );
    expect(toolOutputs((await agent.run("Hi")).messages)).toEqual([
      { type: "text", value: "3!" },
      { type: "text", value: "instead of: out of paper" },
    ]);
  });
});

describe("onError", () => {
  test("has the error, its phase, and the tool", async () => {
    const seen: ErrorHookContext[] = [];
    const hooks: HooksConfig = { onError: [(context) => void seen.push(context)] };
    await setUp(hooks, [callBroken, "ok"]).agent.run("Hi");
    await expect(setUp(hooks, [{ error: new Error("no model") }]).agent.run("Hi")).rejects.toThrow(
      "no model",
    );
    expect(seen.map(({ error, phase, toolName }) => [error.message, phase, toolName])).toEqual([
      ["out of paper", "tool", "broken"],
      ["no model", "llm", undefined],
    ]);
    expect(seen[0]?.error).toBeInstanceOf(Error);
  });

  test("gets errors of the iteration itself", async () => {
    const seen: string[] = [];
    let saves = 0;
    const sessions = {
      load: async () => undefined,
      delete: async () => undefined,
      // The user's message is kept; what the first step did is not.
      append: async () => (++saves === 2 ? Promise.reject(new Error("disk full")) : undefined),
    };
    const { agent } = setUp(
      {
        onError: [
          ({ phase, error }) => {
            seen.push(`${phase}: ${error.message}`);
            return { handled: true };
          },
        ],
      },
      [callAdd, "ok"],
      { sessions },
    );
    expect((await agent.run("Hi", { sessionId: "s" })).status).toBe("completed");
    expect(seen).toEqual(["iteration: disk full"]);
  });

  test("handled: the error is suppressed, and the agent continues", async () => {
    const llm = setUp({ onError: [() => ({ handled: true })] }, [{ error: new Error("boom") }, "second try"]);
    expect((await llm.agent.run("Hi")).text).toBe("second try");
    const tool = setUp({ onError: [() => ({ handled: true })] }, [callBroken, "ok"]);
    expect(toolOutputs((await tool.agent.run("Hi")).messages)).toEqual([{ type: "json", value: null }]);
  });

  test("error: another error is thrown instead", async () => {
    const better = new Error("call Ann");
    const { agent } = setUp({ onError: [() => ({ error: better })] }, [{ error: new Error("boom") }]);
    await expect(agent.run("Hi")).rejects.toBe(better);
  });

  test("recovery: its result replaces the failed one", async () => {
    const { agent } = setUp({ onError: [() => ({ recovery: { success: true, result: "a copy" } })] }, [
      callBroken,
      "ok",
    ]);
    expect(toolOutputs((await agent.run("Hi")).messages)).toEqual([{ type: "text", value: "a copy" }]);
  });

  test("recovery wins over handled, and handled over error", async () => {
    const error = new Error("unused");
    const recovery = { success: true, result: "recovered" };
    const all = setUp({ onError: [() => ({ handled: true, error, recovery })] }, [callBroken, "ok"]);
    expect(toolOutputs((await all.agent.run("Hi")).messages)).toEqual([{ type: "text", value: "recovered" }]);
    const two = setUp({ onError: [() => ({ handled: true, error })] }, [
      { error: new Error("boom") },
      "went on",
    ]);
    expect((await two.agent.run("Hi")).text).toBe("went on");
  });
});

describe("hook events", () => {
  test("reach a handler: registered, started, completed, error", async () => {
    const events: ConfigHookEvent[] = [];
    function watcher() {}
    const { agent } = setUp(
      { beforeLLM: [watcher], afterTool: [() => Promise.reject(new Error("oops"))] },
      [callAdd, "ok"],
      { onHookEvent: (event) => void events.push(event) },
    );
    await agent.run("Hi");
    expect(
      events.map(({ type, hookType, hookName, error }) => [type, hookType, hookName, error?.message]),
    ).toEqual([
      ["hook:registered", "beforeLLM", "watcher", undefined],
      ["hook:registered", "afterTool", "afterTool#2", undefined],
      ["hook:started", "beforeLLM", "watcher", undefined],
      ["hook:completed", "beforeLLM", "watcher", undefined],
      ["hook:started", "afterTool", "afterTool#2", undefined],
      ["hook:error", "afterTool", "afterTool#2", "oops"],
      ["hook:started", "beforeLLM", "watcher", undefined],
      ["hook:completed", "beforeLLM", "watcher", undefined],
    ]);
  });
});
