import { block, createHooks, proceed, recover, skip } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";

const tools = {
  add: {
    description: "Adds.",
    inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    execute: ({ a }: { a: number }) => a + 1,
  },
  search: { inputSchema: { type: "object" }, execute: () => "found" },
};

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks();
  const model = scriptedModel(script);
  const agent = createAgent({
    model,
    hooks,
    tools,
    instructions: "Be kind.",
    retryDelayMs: 0,
    maxRetries: 2,
    ...more,
  });
  return { hooks, model, agent };
}

const overloaded = () => Object.assign(new Error("overloaded"), { isRetryable: true });

describe("before_llm", () => {
  test("shows the conversation with the system prompt first, the tools, and the model", async () => {
    const { hooks, agent } = setUp(["ok"]);
    const recorded = recordEvents(hooks);
    await agent.run("Hi");
    expect(recorded.of("before_llm")[0]?.payload).toMatchObject({
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "Hi" },
      ],
      systemPrompt: "Be kind.",
      model: "scripted",
      tools: [{ name: "add", description: "Adds." }, { name: "search" }],
    });
  });

  test("changes messages, tools and system prompt of this call, and not the conversation", async () => {
    const { hooks, model, agent } = setUp(["ok"]);
    hooks.on("before_llm", ({ messages, tools: all = [] }) =>
      proceed({
        messages: [...messages, { role: "user", content: "(remember the rules)" }],
        tools: all.filter(({ name }) => name !== "search"),
        systemPrompt: "Be brief.",
      }),
    );
    const run = await agent.run("Hi");
    expect(model.requests[0]?.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "user", content: "(remember the rules)" },
    ]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["add"]);
    expect(run.messages.map(({ content }) => content)).not.toContain("(remember the rules)");
  });

  test("a changed first message is the system prompt too", async () => {
    const { hooks, agent } = setUp(["ok"]);
    const recorded = recordEvents(hooks);
    hooks.on("before_llm", ({ messages }) =>
      proceed({ messages: [{ role: "system", content: "Be loud." }, ...messages.slice(1)] }),
    );
    await agent.run("Hi");
    expect(recorded.of("after_llm")[0]?.systemPrompt).toBe("Be loud.");
  });

  test("may choose another of the agent's models", async () => {
    const big = scriptedModel(["from the big one"], { modelId: "big-1" });
    const { hooks, model, agent } = setUp([], { models: { big } });
    hooks.on("before_llm", () => proceed({ model: "big" }));
    expect((await agent.run("Hi")).text).toBe("from the big one");
    expect([model.calls, big.calls]).toEqual([0, 1]);
  });

  test.each(["before_llm", "around_llm"] as const)(
    "the usage of a step names the model that was called, which a hook chose on %s",
    async (point) => {
      const big = scriptedModel(["from the big one"], { modelId: "big-1" });
      const { hooks, agent } = setUp([], { models: { big } });
      if (point === "before_llm") hooks.on(point, () => proceed({ model: "big" }));
      else hooks.around(point, (_, next) => next({ model: "big" }));
      const models: unknown[] = [];
      for await (const event of agent.stream("Hi"))
        if (event.type === "step_end") models.push(event.usage?.model);
      expect(models).toEqual(["big-1"]);
    },
  );

  test("an unknown model fails the turn with the known names", async () => {
    const { hooks, agent } = setUp([]);
    hooks.on("before_llm", () => proceed({ model: "huge" }));
    await expect(agent.run("Hi")).rejects.toThrow(/no model "huge".*scripted/);
  });

  test("a cache answers instead of the model, with text or with tool calls", async () => {
    const { hooks, model, agent } = setUp([]);
    const cached = [{ toolUses: [{ id: "c1", name: "add", input: { a: 1 } }] }, { text: "It is 2." }];
    hooks.on("before_llm", () => skip(cached.shift()));
    const run = await agent.run("1+1?");
    expect([run.text, run.stepCount, model.calls]).toEqual(["It is 2.", 2, 0]);
    expect(run.messages.at(-2)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "c1", output: { value: 2 } }],
    });
  });

  test("a refusal fails the turn with its reason, and no error handler can undo that", async () => {
    const { hooks, model, agent } = setUp(["ok"]);
    hooks.on("before_llm", () => block("the budget is gone"), { name: "treasurer" });
    hooks.on("on_error", () => recover("never mind"));
    const failed = agent.run("Hi");
    await expect(failed).rejects.toThrow(/treasurer.*the budget is gone/);
    await expect(failed).rejects.toMatchObject({ code: "model_call_refused" });
    expect(model.calls).toBe(0);
  });

  test("a hook that throws fails the turn, and no error handler can undo that either", async () => {
    const { hooks, agent } = setUp(["ok"]);
    hooks.on("before_llm", () => Promise.reject(new Error("guard is down")), { name: "guard" });
    hooks.on("on_error", () => recover("never mind"));
    await expect(agent.run("Hi")).rejects.toMatchObject({ code: "hook_threw", hook: "guard" });
  });
});

describe("a model call that fails", () => {
  test("is retried when the error is retryable, and the hooks run once", async () => {
    const { hooks, model, agent } = setUp([{ error: overloaded() }, { error: overloaded() }, "at last"]);
    const recorded = recordEvents(hooks);
    const stream = agent.stream("Hi");
    const retries = [];
    for await (const event of stream) if (event.type === "retry") retries.push(event.attempt);
    expect((await stream.finished).text).toBe("at last");
    expect([model.calls, retries]).toEqual([3, [1, 2]]);
    expect(recorded.of("before_llm")).toHaveLength(1);
    expect(recorded.of("on_error")).toHaveLength(0);
  });

  test("is not retried when the error is not retryable, nor more often than allowed", async () => {
    const once = setUp([{ error: new Error("no such key") }, "unreached"]);
    await expect(once.agent.run("Hi")).rejects.toThrow("no such key");
    expect(once.model.calls).toBe(1);
    const thrice = setUp(Array.from({ length: 9 }, () => ({ error: overloaded() })));
    await expect(thrice.agent.run("Hi")).rejects.toThrow("overloaded");
    expect(thrice.model.calls).toBe(3);
  });

  test("reaches on_error once, with its phase; what a hook recovers with is the answer", async () => {
    const { hooks, agent } = setUp([{ error: new Error("boom") }]);
    const recorded = recordEvents(hooks);
    hooks.on("on_error", ({ phase }) => (phase === "llm" ? recover({ text: "Sorry." }) : undefined));
    expect((await agent.run("Hi")).text).toBe("Sorry.");
    expect(recorded.of("on_error").map(({ phase, error }) => [phase, error.message])).toEqual([
      ["llm", "boom"],
    ]);
  });

  test("that a hook handles without an answer is tried again in the next iteration", async () => {
    const { hooks, agent } = setUp([{ error: new Error("boom") }, "second try"]);
    hooks.on("on_error", () => recover());
    expect(await agent.run("Hi")).toMatchObject({ text: "second try", stepCount: 2 });
  });

  test("rejects with the very error, or with the one that a hook put in its place", async () => {
    const boom = new Error("boom");
    const plain = setUp([{ error: boom }]);
    await expect(plain.agent.run("Hi")).rejects.toBe(boom);
    const better = new Error("the model is down, call Ann");
    const { hooks, agent } = setUp([{ error: boom }]);
    const recorded = recordEvents(hooks);
    hooks.on("on_error", () => proceed({ error: better }));
    await expect(agent.run("Hi")).rejects.toBe(better);
    expect(recorded.of("agent_failed")[0]?.error).toBe(better);
    expect(recorded.of("on_error")).toHaveLength(1);
  });

  test("leaves the original error when the error handler itself fails", async () => {
    const boom = new Error("boom");
    const reported: string[] = [];
    const hooks = createHooks({ report: ({ message }) => reported.push(message) });
    const { agent } = setUp([{ error: boom }], { hooks });
    hooks.on("on_error", () => Promise.reject(new Error("handler is down")), { name: "handler" });
    await expect(agent.run("Hi")).rejects.toBe(boom);
    expect(reported.join()).toMatch(/handler is down/);
  });
});

describe("around_llm", () => {
  test("wraps the call itself: it may try again, or ask another model", async () => {
    const small = scriptedModel(["from the small one"], { modelId: "small-1" });
    const { hooks, agent } = setUp([{ error: new Error("boom") }], { models: { small } });
    hooks.around("around_llm", async (_ctx, next) => {
      try {
        return await next();
      } catch {
        return next({ model: "small" });
      }
    });
    const recorded = recordEvents(hooks);
    expect((await agent.run("Hi")).text).toBe("from the small one");
    expect(recorded.of("on_error")).toEqual([]);
  });

  test("may answer from a cache, as text", async () => {
    const { hooks, model, agent } = setUp([]);
    hooks.around("around_llm", () => "cached");
    expect((await agent.run("Hi")).text).toBe("cached");
    expect(model.calls).toBe(0);
  });

  test("is in error when what it returns is no answer", async () => {
    const { hooks, agent } = setUp(["ok"]);
    hooks.around("around_llm", () => 42);
    await expect(agent.run("Hi")).rejects.toThrow(/neither text nor/);
  });
});

describe("after_llm", () => {
  test("has usage, model and duration", async () => {
    const { hooks, agent } = setUp([{ text: "ok", usage: { inputTokens: 7, outputTokens: 5 } }]);
    const recorded = recordEvents(hooks);
    const run = await agent.run("Hi");
    const [seen] = recorded.of("after_llm");
    expect(seen?.payload).toMatchObject({
      text: "ok",
      toolUses: [],
      usage: { inputTokens: 7, outputTokens: 5 },
    });
    expect(seen?.durationMs).toBeGreaterThanOrEqual(0);
    expect(run.usage).toEqual({ inputTokens: 7, outputTokens: 5 });
  });

  test("changes the text that the person sees and the conversation keeps", async () => {
    const { hooks, agent } = setUp([{ text: "call 555-1234", reasoning: "their number is 555-1234" }]);
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace(/\d/g, "x") }));
    const run = await agent.run("Hi");
    expect(run.text).toBe("call xxx-xxxx");
    expect(JSON.stringify(run.messages)).not.toContain("555");
  });

  test("changes the tool calls: another input, one less, one more", async () => {
    const { hooks, agent } = setUp([
      {
        toolCalls: [
          { id: "a", name: "add", input: { a: 1 } },
          { id: "b", name: "search", input: {} },
        ],
      },
      "done",
    ]);
    hooks.on("after_llm", ({ toolUses }) =>
      toolUses.length === 0
        ? undefined
        : proceed({
            toolUses: [
              { id: "a", name: "add", input: { a: 10 } },
              { id: "c", name: "add", input: { a: 20 } },
            ],
          }),
    );
    const run = await agent.run("Hi");
    expect(run.messages.slice(1, 3)).toMatchObject([
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "a", input: { a: 10 } },
          { type: "tool-call", toolCallId: "c", input: { a: 20 } },
        ],
      },
      {
        role: "tool",
        content: [
          { toolCallId: "a", output: { type: "json", value: 11 } },
          { toolCallId: "c", output: { type: "json", value: 21 } },
        ],
      },
    ]);
  });

  test("refuses an answer: it is not kept, and the model gets the reason and answers again", async () => {
    const { hooks, model, agent } = setUp(["Darn.", "Oh dear."]);
    hooks.on("after_llm", ({ text }) => (text.includes("Darn") ? block("mind your language") : undefined));
    const run = await agent.run("Hi");
    expect(run.text).toBe("Oh dear.");
    expect(JSON.stringify(run.messages)).not.toContain("Darn");
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: "Your last answer was refused: mind your language",
    });
    expect(run.acts).toMatchObject([{ event: "after_llm", action: "refuse", reason: "mind your language" }]);
  });

  test("refuses at most so many times; then the turn fails with an error", async () => {
    const { hooks, model, agent } = setUp(["a", "b", "c", "d"], { maxRefusals: 2 });
    hooks.on("after_llm", () => block("no"));
    await expect(agent.run("Hi")).rejects.toMatchObject({ code: "answer_refused" });
    expect(model.calls).toBe(3);
  });
});
