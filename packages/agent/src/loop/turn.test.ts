import { block, createHooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import type { ToolCallContext } from "../tools/tool.ts";

const echo = { inputSchema: { type: "object" }, execute: (input: unknown) => input };
const callEcho = { toolCalls: [{ name: "echo", input: {} }] };

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const model = scriptedModel(script);
  return { hooks, model, agent: createAgent({ model, hooks, tools: { echo }, ...more }) };
}

describe("before_agent", () => {
  test("may rewrite the message and add context for the model", async () => {
    const { hooks, model, agent } = setUp(["ok"]);
    const recorded = recordEvents(hooks);
    hooks.on("session_start", () => proceed(undefined, { context: "It is Monday." }));
    hooks.on("before_agent", ({ message }) =>
      proceed({ message: message.trim() }, { context: "The user is Ann." }),
    );
    await agent.run("  Hi  ");
    expect(model.requests[0]?.messages).toEqual([
      { role: "user", content: "Hi\n\n<hook_context>\nIt is Monday.\nThe user is Ann.\n</hook_context>" },
    ]);
    expect(recorded.of("after_agent")[0]?.userMessage).toBe("Hi");
  });

  test("refuses as a value, with the reason; a hook that fails is an error", async () => {
    const refused = setUp(["ok"]);
    refused.hooks.on("before_agent", () => block("not on Sundays"));
    expect(await refused.agent.run("Hi")).toMatchObject({
      status: "stopped",
      stopReason: "refused",
      reason: "not on Sundays",
      text: "",
    });
    const failing = setUp(["ok"]);
    const invalid = new Error("Message cannot be empty");
    failing.hooks.on("before_agent", () => Promise.reject(invalid), { name: "validator" });
    await expect(failing.agent.run("")).rejects.toMatchObject({ hook: "validator", cause: invalid });
    expect([refused.model.calls, failing.model.calls]).toEqual([0, 0]);
  });
});

describe("steps", () => {
  test("before_step changes the conversation for good, and the state's metadata with it", async () => {
    const { hooks, model, agent } = setUp(["ok"]);
    hooks.on("before_step", ({ messages, state }) =>
      proceed({
        messages: [...messages, { role: "user", content: "and be brief" }],
        state: { agentId: "", stepCount: 0, ...state, metadata: { ...state?.metadata, mood: "brief" } },
      }),
    );
    const metadata: Record<string, unknown> = {};
    const run = await agent.run("Hi", { metadata });
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: "user", content: "and be brief" });
    expect(run.messages).toContainEqual({ role: "user", content: "and be brief" });
    expect(metadata).toEqual({ mood: "brief" });
  });

  test("after_step sees what the step did, and may change the conversation too", async () => {
    const { hooks, agent } = setUp([callEcho, "done"]);
    const recorded = recordEvents(hooks);
    hooks.on("after_step", ({ messages, stepIndex }) =>
      stepIndex === 0 ? proceed({ messages: messages.slice(0, 1) }) : undefined,
    );
    const run = await agent.run("Hi");
    expect(recorded.of("after_step").map(({ payload }) => payload)).toMatchObject([
      {
        stepIndex: 0,
        iteration: 1,
        completedWithText: false,
        toolCalls: [{ name: "echo", input: {}, result: { success: true, result: {} } }],
        step: { index: 0, toolCalls: [{ name: "echo" }], hasErrors: false },
      },
      { stepIndex: 1, iteration: 2, completedWithText: true, toolCalls: [], step: { text: "done" } },
    ]);
    expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("a skipped iteration counts, so an agent that is always skipped ends at its limit", async () => {
    const { hooks, model, agent } = setUp([], { maxSteps: 4 });
    hooks.on("before_step", () => skip());
    expect(await agent.run("Hi")).toMatchObject({ status: "stopped", stopReason: "max_steps", stepCount: 4 });
    expect(model.calls).toBe(0);
  });

  test("a hook that fails on a step fails the turn, regardless of error handlers", async () => {
    const { hooks, agent } = setUp(["ok"]);
    hooks.on("after_step", () => Promise.reject(new Error("no disk")), { name: "snapshot" });
    hooks.on("on_error", () => recover());
    await expect(agent.run("Hi")).rejects.toMatchObject({ hook: "snapshot", code: "hook_threw" });
  });

  test("an error of the store fails the turn when no hook handles it", async () => {
    let saves = 0;
    const sessions = {
      load: async () => undefined,
      delete: async () => undefined,
      append: async () => {
        if (++saves === 2) throw new Error("the store is full");
      },
    };
    const { agent } = setUp([callEcho, "done"], { sessions });
    await expect(agent.run("Hi", { sessionId: "s" })).rejects.toThrow("the store is full");
  });
});

describe("limits", () => {
  test("steps: the run is stopped, with the reason", async () => {
    const { agent } = setUp([callEcho, callEcho, callEcho], { maxSteps: 2 });
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "stopped", stopReason: "max_steps", stepCount: 2 });
    expect(run.reason).toMatch(/limit of 2 steps/);
    expect((await setUp([callEcho, callEcho]).agent.run("Hi", { maxSteps: 1 })).stepCount).toBe(1);
  });

  test("tokens: no further step is begun", async () => {
    const usage = { inputTokens: 40, outputTokens: 20 };
    const { agent, model } = setUp(
      [
        { ...callEcho, usage },
        { ...callEcho, usage },
        { ...callEcho, usage },
      ],
      { maxTokens: 100 },
    );
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "stopped", stopReason: "budget_exhausted" });
    expect(run.usage).toEqual({ inputTokens: 80, outputTokens: 40 });
    expect(model.calls).toBe(2);
  });

  test("are not overridden by a gate, and the run has gateUnsatisfied", async () => {
    const { hooks, agent } = setUp([callEcho], { maxSteps: 1 });
    hooks.on("before_stop", () => block("the tests fail"), { name: "gate" });
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "stopped", stopReason: "max_steps" });
    expect(run.gateUnsatisfied?.message).toMatch(/the tests fail.*max_steps/);
    expect(run.acts).toMatchObject([{ event: "before_stop", hook: "gate", action: "hold" }]);
    expect(recorded.of("after_agent")[0]).toMatchObject({ status: "stopped", gateUnsatisfied: true });
  });
});

describe("the stop gate", () => {
  test("holds the agent with feedback until it is satisfied", async () => {
    const { hooks, model, agent } = setUp(["done", "really done", "now it is"]);
    const asked: unknown[] = [];
    hooks.on("before_stop", ({ stopReason, stopHookActive, finalMessage }) => {
      asked.push([stopReason, stopHookActive, finalMessage?.content]);
      return asked.length < 3 ? block(`not yet (${asked.length})`) : undefined;
    });
    const run = await agent.run("Hi");
    expect(run).toMatchObject({ status: "completed", text: "now it is", stepCount: 3 });
    expect(model.requests[2]?.messages.at(-1)).toEqual({ role: "user", content: "not yet (2)" });
    expect(asked).toEqual([
      ["no_tool_calls", false, "done"],
      ["no_tool_calls", true, "really done"],
      ["no_tool_calls", true, "now it is"],
    ]);
  });

  test("stops holding after so many times, and the turn has failed", async () => {
    const { hooks, agent, model } = setUp(["a", "b", "c", "d"], { maxHolds: 2 });
    hooks.on("before_stop", () => block("no"));
    await expect(agent.run("Hi")).rejects.toMatchObject({ code: "gate_unsatisfied" });
    expect(model.calls).toBe(3);
  });

  // "This creates a powerful quality gate mechanism", which the documents give no limit
  test("may keep the agent running without a limit, if the agent says so", async () => {
    const { hooks, agent } = setUp(
      Array.from({ length: 12 }, (_, index) => `try ${index}`),
      { maxHolds: Number.POSITIVE_INFINITY },
    );
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "try 11" ? undefined : block("the tests fail"),
    );
    expect(await agent.run("Hi")).toMatchObject({ status: "completed", text: "try 11", stepCount: 12 });
  });

  test("that cannot judge lets the agent stop, marked", async () => {
    const { hooks, agent } = setUp(["done"]);
    const recorded = recordEvents(hooks);
    hooks.on("before_stop", () => Promise.reject(new Error("no npm here")), { name: "gate" });
    await expect(agent.run("Hi")).rejects.toMatchObject({ code: "gate_unsatisfied" });
    expect(recorded.of("after_agent")[0]).toMatchObject({ gateUnsatisfied: true, status: "failed" });
  });

  test("may end the whole run", async () => {
    const { hooks, agent } = setUp(["done"]);
    hooks.on("before_stop", () => stop("that is all"));
    expect(await agent.run("Hi")).toMatchObject({ status: "stopped", reason: "that is all", text: "done" });
  });
});

describe("a run that is aborted", () => {
  test("while the model thinks ends as stopped, with its after-events", async () => {
    const controller = new AbortController();
    const { hooks, agent } = setUp([
      () => {
        controller.abort(new Error("the user left"));
        return "too late";
      },
    ]);
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi", { signal: controller.signal });
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted", reason: "the user left" });
    expect(recorded.words.slice(-5)).toEqual([
      "before_llm",
      "after_llm:stopped",
      "after_step:stopped",
      "after_agent:stopped",
      "session_end",
    ]);
  });

  test("while a tool runs does not wait for the tool", async () => {
    const controller = new AbortController();
    const { hooks, agent } = setUp([{ toolCalls: [{ name: "deaf", input: {} }] }], {
      tools: {
        deaf: {
          inputSchema: { type: "object" },
          execute: (_input: unknown, _context: ToolCallContext) => {
            controller.abort(new Error("the user left"));
            return new Promise(() => undefined);
          },
        },
      },
    });
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi", { signal: controller.signal });
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted" });
    expect(recorded.of("after_tool_failure")).toHaveLength(1);
    expect(run.messages.at(-1)?.role).toBe("tool");
  });

  test("before it begins asks no model", async () => {
    const { model, agent } = setUp(["ok"]);
    const run = await agent.run("Hi", { signal: AbortSignal.abort(new Error("never mind")) });
    expect(run).toMatchObject({ status: "stopped", stopReason: "aborted", reason: "never mind" });
    expect(model.calls).toBe(0);
  });

  test("while a hook takes its time does not wait for the hook", async () => {
    const controller = new AbortController();
    const { hooks, agent } = setUp(["ok"]);
    let received: unknown;
    hooks.on("before_llm", (ctx) => {
      ctx.signal.addEventListener("abort", () => (received = ctx.signal.reason));
      controller.abort(new Error("the user left"));
      return new Promise<undefined>(() => undefined);
    });
    expect(await agent.run("Hi", { signal: controller.signal })).toMatchObject({ stopReason: "aborted" });
    expect(received).toMatchObject({ message: "the user left" });
  });
});

describe("after_agent", () => {
  test("gets the run's end, its usage and its output", async () => {
    const { hooks, agent } = setUp(["Hello!"]);
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    expect(recorded.of("after_agent")[0]?.payload).toMatchObject({
      status: "completed",
      userMessage: "Hi",
      finalMessage: { role: "assistant", content: "Hello!" },
      run: { id: run.id, stepCount: 1, output: "Hello!", usage: run.usage },
    });
  });

  test("that fails reaches the caller, and the conversation is stored", async () => {
    const { hooks, agent, model } = setUp(["first", "second"]);
    const undo = hooks.on("after_agent", () => Promise.reject(new Error("no audit, no service")));
    await expect(agent.run("Hi", { sessionId: "s" })).rejects.toThrow("no audit, no service");
    undo();
    await agent.run("Again", { sessionId: "s" });
    expect(model.requests[1]?.messages.map(({ content }) => content)).toMatchObject([
      "Hi",
      [{ text: "first" }],
      "Again",
    ]);
  });
});

describe("structured output", () => {
  const schema = z.object({ city: z.string(), degrees: z.number() });

  test("is the value by the schema, and has its type", async () => {
    const { agent, model } = setUp(['{"city":"Bonn","degrees":12}'], { instructions: "Be kind." });
    const run = await agent.run("Weather?", { as: schema });
    expect(run.output).toEqual({ city: "Bonn", degrees: 12 });
    expectTypeOf(run.output).toEqualTypeOf<{ city: string; degrees: number } | undefined>();
    expect(model.requests[0]?.outputSchema).toMatchObject({ type: "object", required: ["city", "degrees"] });
    expect(model.requests[0]?.messages[0]?.content).toMatch(/^Be kind\.[\s\S]*JSON Schema/);
  });

  test("may be in a code fence, or of a plain JSON Schema", async () => {
    const { agent } = setUp(['```json\n{"n": 3}\n```']);
    const as = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    expect((await agent.run("n?", { as })).output).toEqual({ n: 3 });
  });

  test("that does not fit is asked for again with what is wrong, and in the end fails the turn", async () => {
    const { agent, model } = setUp(["twelve", '{"city":"Bonn"}', '{"city":"Bonn","degrees":12}']);
    expect((await agent.run("Weather?", { as: schema })).output).toEqual({ city: "Bonn", degrees: 12 });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/not JSON/);
    expect(model.requests[2]?.messages.at(-1)?.content).toMatch(/degrees/);
    const hopeless = setUp(["a", "b", "c"], { maxRefusals: 1 });
    await expect(hopeless.agent.run("Hi", { as: schema })).rejects.toMatchObject({ code: "bad_output" });
  });

  test("is read from the text after the hooks", async () => {
    const { hooks, agent } = setUp(['{"city":"Bonn","degrees":12}']);
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("Bonn", "Köln") }));
    expect((await agent.run("Weather?", { as: schema })).output).toMatchObject({ city: "Köln" });
  });
});

describe("an output that is text", () => {
  // "as: String.self"
  test.each([
    ["String", String],
    ["z.string()", z.string()],
    ['{ type: "string" }', { type: "string" }],
  ])("is asked for with %s, and is the text as it is", async (_name, as) => {
    for (const text of ["Hello yourself!", '{"a": 1}', '"quoted"', "```json\n1\n```", "42"]) {
      const { agent, model } = setUp([text], { instructions: "Be kind." });
      const { output, text: whole } = await agent.run("Hi", { as });
      expect([output, whole]).toEqual([text, text]);
      expect(model.requests[0]?.outputSchema).toBeUndefined();
      expect(model.requests[0]?.messages[0]?.content).toBe("Be kind.");
    }
  });

  test("has the type string", async () => {
    const { agent } = setUp(["a", "b", "c"]);
    const [one, two] = [await agent.run("Hi", { as: String }), await agent.run("Hi", { as: z.string() })];
    expectTypeOf(one.output).toEqualTypeOf<string | undefined>();
    expectTypeOf(two.output).toEqualTypeOf<string | undefined>();
  });

  test("is checked where its schema says more, and the model gets the reason", async () => {
    const { agent, model } = setUp(["perhaps", "yes"]);
    expect((await agent.run("Well?", { as: z.enum(["yes", "no"]) })).output).toBe("yes");
    expect(model.requests[0]?.outputSchema).toBeUndefined();
    expect(model.requests[0]?.messages[0]?.content).toMatch(/as plain text[\s\S]*"enum":\["yes","no"\]/);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/does not fit[\s\S]*plain text/);
    const quoted = setUp(['"yes"']);
    expect((await quoted.agent.run("Well?", { as: z.enum(["yes", "no"]) })).output).toBe("yes");
    const hopeless = setUp(["a", "b"], { maxRefusals: 1 });
    const refused = hopeless.agent.run("Hi", { as: { type: "string", maxLength: 0 } });
    await expect(refused).rejects.toMatchObject({ code: "bad_output" });
  });

  test.each([[Number], [Boolean], [Object], [() => "text"]])("is not asked for with %s", async (as) => {
    const { agent } = setUp(["ok"]);
    await expect(agent.run("Hi", { as: as as never })).rejects.toThrow(
      /the schema of the output cannot be read/,
    );
  });
});

describe("an agent's options", () => {
  test.each([
    [{ maxStep: 3 }, /no option "maxStep".*maxSteps/],
    [{ maxSteps: 0 }, /maxSteps must be a whole number of at least 1/],
    [{ maxHolds: 2.5 }, /maxHolds must be a whole number of at least 0, or Infinity, not 2\.5/],
    [{ maxHolds: Number.NaN }, /maxHolds must be a whole number of at least 0, or Infinity, not NaN/],
    [{ maxHolds: -1 }, /maxHolds must be a whole number of at least 0, or Infinity, not -1/],
    [{ maxHolds: "3" }, /maxHolds must be a whole number of at least 0, or Infinity, not "3"/],
    [{ maxHolds: null }, /maxHolds must be a whole number of at least 0, or Infinity, not null/],
    [{ model: "gpt" }, /no model "gpt"/],
  ])("%j is refused", (options, message) => {
    expect(() => createAgent({ model: scriptedModel([]), ...options } as AgentOptions)).toThrow(message);
  });

  test("a tool with an invalid schema is rejected by name when the agent runs", async () => {
    const { agent } = setUp(["ok"], { tools: { odd: { inputSchema: 5, execute: () => 1 } } });
    await expect(agent.run("Hi")).rejects.toThrow(/tool "odd"/);
  });
});
