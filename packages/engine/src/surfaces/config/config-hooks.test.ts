import { type Message, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../../hooks.ts";
import { ConfigHooks } from "./config-hooks.ts";
import type { HookContext, HookEvent } from "./types.ts";

const shell = { sessionId: "s1", iteration: 2, toolName: "bash", toolInput: { command: "ls" } };
const system: Message = { role: "system", content: "Be kind." };
const user: Message = { role: "user", content: "Hello" };
const request = {
  sessionId: "s1",
  iteration: 1,
  messages: [system, user],
  tools: [{ name: "bash" }],
  systemPrompt: "Be kind.",
};

describe("registering by type", () => {
  test("runs lower priorities first, and ties in order of registration", async () => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks);
    const order: string[] = [];
    config.register("beforeTool", () => void order.push("late"), { priority: 10 });
    config.register("beforeTool", () => void order.push("default"));
    config.register("beforeTool", () => void order.push("early"), { priority: -10 });
    config.register("beforeTool", () => void order.push("default too"));
    await hooks.dispatch("before_tool", shell);
    expect(order).toEqual(["early", "default", "default too", "late"]);
  });

  test("counts, unregisters by id and clears by type", () => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks, {
      beforeTool: [() => undefined, () => undefined],
      afterTool: [() => undefined],
    });
    const id = config.register("onError", () => undefined);
    expect([config.count(), config.count("beforeTool"), config.count("afterLLM")]).toEqual([4, 2, 0]);
    expect([config.unregister(id), config.unregister(id), config.unregister("unknown")]).toEqual([
      true,
      false,
      false,
    ]);
    config.clear("beforeTool");
    expect([config.count(), config.count("afterTool")]).toEqual([1, 1]);
    config.clear();
    expect([config.count(), hooks.list().length]).toEqual([0, 0]);
  });

  test("returns the ids of its own hooks, in the order in which they are called", () => {
    const hooks = createHooks();
    hooks.on("after_tool", () => undefined);
    new ConfigHooks(hooks, { afterTool: [() => undefined] });
    const config = new ConfigHooks(hooks);
    const late = config.register("afterTool", () => undefined, { priority: 10 });
    const error = config.register("onError", () => undefined);
    const early = config.register("afterTool", () => undefined, { priority: -10 });
    expect(config.getHookIds("afterTool")).toEqual([early, late]);
    expect([config.getHookIds("beforeTool"), config.getHookIds().toSorted()]).toEqual([
      [],
      [late, error, early].toSorted(),
    ]);
    config.unregister(early);
    expect(config.getHookIds("afterTool")).toEqual([late]);
  });

  test("refuses an unknown type and what is no function", () => {
    const config = new ConfigHooks(createHooks());
    expect(() => config.register("beforeTools" as never, (() => undefined) as never)).toThrow(
      /no hook type "beforeTools"/,
    );
    expect(() => config.register("beforeTool", "x" as never, { name: "mine" })).toThrow(
      /hook "mine".*function/,
    );
    expect(() => new ConfigHooks(createHooks(), { afterTool: [undefined as never] })).toThrow(/afterTool/);
  });

  test("calls handlers with exactly this surface's events, names and fields", async () => {
    const hooks = createHooks({ report: () => undefined });
    const config = new ConfigHooks(hooks);
    const events: HookEvent[] = [];
    config.onEvent((event) => events.push(event));
    const boom = new Error("boom");
    const id = config.register("afterTool", () => undefined, { name: "logger" });
    const broken = config.register("beforeTool", () => Promise.reject(boom), { name: "broken" });
    hooks.on("session_start", () => undefined, { name: "not of this surface" });
    await hooks.dispatch("after_tool", { ...shell, toolResult: "ok" });
    await hooks.dispatch("before_tool", shell);
    config.unregister(id);
    expect(
      events.map(({ durationMs, ...event }) => ({ ...event, timed: typeof durationMs === "number" })),
    ).toEqual([
      { type: "hook:registered", hookType: "afterTool", hookId: id, hookName: "logger", timed: false },
      { type: "hook:registered", hookType: "beforeTool", hookId: broken, hookName: "broken", timed: false },
      { type: "hook:started", hookType: "afterTool", hookId: id, hookName: "logger", timed: false },
      { type: "hook:completed", hookType: "afterTool", hookId: id, hookName: "logger", timed: true },
      { type: "hook:started", hookType: "beforeTool", hookId: broken, hookName: "broken", timed: false },
      {
        type: "hook:error",
        hookType: "beforeTool",
        hookId: broken,
        hookName: "broken",
        error: boom,
        timed: true,
      },
      { type: "hook:unregistered", hookType: "afterTool", hookId: id, hookName: "logger", timed: false },
    ]);
  });
});

describe("several on one set of hooks", () => {
  test("have ids of their own, and each removes its own hooks alone", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    const configs = ["one", "two", "three"].map(
      (name) => new ConfigHooks(hooks, { beforeTool: [() => void order.push(name)] }),
    );
    const ids = configs.map((config) => config.register("onError", () => undefined));
    expect(new Set(ids).size).toBe(3);
    configs[1]?.clear();
    await hooks.dispatch("before_tool", shell);
    expect([order, configs.map((config) => config.count())]).toEqual([
      ["one", "three"],
      [2, 0, 2],
    ]);
  });
});

describe("a second judgement", () => {
  const change = {
    beforeLLM: () => ({ systemPrompt: "Be brief." }),
    beforeTool: () => ({ input: { command: "pwd" } }),
    afterTool: () => ({ result: { success: true, result: "changed" } }),
  };
  const ask = async (type: "beforeLLM" | "beforeTool" | "afterTool", options?: { rejudge?: boolean }) => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks);
    const events: HookEvent[] = [];
    config.onEvent((event) => events.push(event));
    const asked: boolean[] = [];
    config.register(type, ({ judging }: HookContext) => void asked.push(judging), {
      ...options,
      name: "first",
    });
    config.register(type, change[type] as never);
    if (type === "beforeLLM") await hooks.dispatch("before_llm", request);
    else if (type === "beforeTool") await hooks.dispatch("before_tool", shell);
    else await hooks.dispatch("after_tool", { ...shell, toolResult: "raw" });
    const completed = events.filter((event) => event.hookName === "first" && event.type === "hook:completed");
    return { asked, completed: completed.map(({ judging = false }) => judging) };
  };

  test.each(["beforeLLM", "beforeTool", "afterTool"] as const)("is not asked of %s", async (type) => {
    expect(await ask(type)).toEqual({ asked: [false], completed: [false] });
  });

  test("is asked of a hook that sets rejudge: its context and the hook events say so", async () => {
    expect(await ask("beforeTool", { rejudge: true })).toEqual({
      asked: [false, true],
      completed: [false, true],
    });
    expect((await ask("beforeLLM", { rejudge: true })).asked).toEqual([false, true]);
    expect((await ask("beforeTool", { rejudge: false })).asked).toEqual([false]);
    expect(() =>
      new ConfigHooks(createHooks()).register("onError", () => undefined, { rejudge: 1 as never }),
    ).toThrow(/rejudge must be true or false/);
  });

  test("is not asked of an iteration hook when another one changed the messages", async () => {
    const hooks = createHooks();
    let asked = 0;
    new ConfigHooks(hooks, { beforeIteration: [() => void asked++] });
    hooks.on("before_step", () => proceed({ messages: [] }));
    await hooks.dispatch("before_step", { messages: [user] });
    expect(asked).toBe(1);
  });

  test("counts a failing result of afterTool as a refusal", async () => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks);
    const secret = ({ result }: { result: { result?: unknown } }) =>
      result.result === "secret" ? { result: { success: false, error: "it has a secret" } } : undefined;
    config.register("afterTool", secret, { rejudge: true });
    config.register("afterTool", () => ({ result: { success: true, result: "secret" } }));
    const dispatch = await hooks.dispatch("after_tool", { ...shell, toolResult: "fine" });
    expect([dispatch.action, dispatch.reason]).toEqual(["refuse", "it has a secret"]);
  });
});

describe("a hook that returns something else", () => {
  const events = {
    beforeIteration: ["before_step", { messages: [] }],
    afterIteration: ["after_step", { messages: [] }],
    beforeLLM: ["before_llm", request],
    afterLLM: ["after_llm", { ...request, text: "", toolUses: [] }],
    beforeTool: ["before_tool", shell],
    afterTool: ["after_tool", { ...shell, toolResult: 1 }],
    onError: ["on_error", { error: new Error("boom"), phase: "llm" }],
  } as const;
  const failures = async (type: keyof typeof events, answer: unknown) => {
    const hooks = createHooks({ report: () => undefined });
    new ConfigHooks(hooks).register(type, (() => answer) as never, { name: "mine" });
    const [event, payload] = events[type];
    return (await hooks.dispatch(event as "before_tool", payload as never)).failures.map(
      ({ code, message }) => [code, message],
    );
  };

  test.each([
    ["beforeIteration", /return \{ skip: true \}, or nothing/],
    ["afterIteration", /return nothing/],
    ["beforeLLM", /return \{ messages, tools, systemPrompt \}, each optional, or nothing/],
    ["afterLLM", /return nothing/],
    ["beforeTool", /return \{ skip, result, input \}/],
    ["afterTool", /return \{ result \}/],
    ["onError", /return \{ handled, error, recovery \}/],
  ] as const)("such as null from %s: the error names it and what to return", async (type, hint) => {
    const [[code, message] = []] = await failures(type, null);
    expect([code, message]).toEqual(["bad_outcome", expect.stringMatching(/^hook "mine".*returned null/)]);
    expect(message).toMatch(new RegExp(hint.source, "i"));
    expect(await failures(type, Promise.resolve(null))).toEqual([[code, message]]);
  });

  test.each([
    ["beforeTool", false],
    ["beforeTool", "no"],
    ["afterTool", [1]],
    ["beforeTool", { skip: true, result: "cached" }],
    ["afterTool", { result: null }],
    ["afterTool", { result: { result: 1 } }],
    ["onError", { recovery: 5 }],
  ] as const)("such as, from %s, %j", async (type, answer) => {
    expect(await failures(type, answer)).toEqual([["bad_outcome", expect.stringMatching(/^hook "mine"/)]]);
  });
});

describe("contexts and results", () => {
  test("a promise of any kind is waited for: a guard that returns a thenable is not let pass", async () => {
    const hooks = createHooks();
    const answer = { skip: true, result: { success: true, result: "mocked" } };
    // biome-ignore lint/suspicious/noThenProperty: what is tested is a promise that is no `Promise`.
    const thenable = { then: (resolve: (value: unknown) => void) => resolve(answer) };
    new ConfigHooks(hooks, { beforeTool: [() => thenable as never] });
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ action: "skip", result: "mocked" });
  });

  test.each([["a text"], [undefined], [{ rows: 2 }]])(
    "a result handed back as it was, %j, is no change",
    async (toolResult) => {
      const hooks = createHooks();
      new ConfigHooks(hooks, { afterTool: [({ result }) => ({ result })] });
      const { trace, payload } = await hooks.dispatch("after_tool", { ...shell, toolResult });
      expect([payload.toolResult, trace.entries[0]?.changes]).toEqual([toolResult, undefined]);
    },
  );

  test("beforeIteration sees the history and may skip the iteration", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    new ConfigHooks(hooks, {
      beforeIteration: [
        ({ sessionId, iteration, maxIterations, messages, metadata, signal }) => {
          seen.push({ sessionId, iteration, maxIterations, messages, metadata, aborted: signal?.aborted });
          return { skip: true };
        },
      ],
    });
    const payload = { sessionId: "s1", iteration: 3, maxIterations: 10, messages: [user] };
    const dispatch = await hooks.dispatch("before_step", payload, { metadata: { tries: 1 } });
    expect(seen).toEqual([
      {
        sessionId: "s1",
        iteration: 3,
        maxIterations: 10,
        messages: [user],
        metadata: { tries: 1 },
        aborted: false,
      },
    ]);
    expect(dispatch.action).toBe("skip");
  });

  test("afterIteration sees the tool calls with their results, and whether it ended with text", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    new ConfigHooks(hooks, {
      afterIteration: [({ toolCalls, completedWithText }) => void seen.push(toolCalls, completedWithText)],
    });
    const toolCalls = [
      { name: "bash", input: { command: "ls" }, result: "a.txt" },
      { name: "bash", input: {}, result: { success: false, error: "no command" } },
    ];
    await hooks.dispatch("after_step", { messages: [], toolCalls, completedWithText: false });
    expect(seen).toEqual([
      [
        { name: "bash", input: { command: "ls" }, result: { success: true, result: "a.txt" } },
        { name: "bash", input: {}, result: { success: false, error: "no command" } },
      ],
      false,
    ]);
  });

  test("beforeLLM may change messages, tools and system prompt; the prompt updates the first message", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    new ConfigHooks(hooks, {
      beforeLLM: [
        ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt} Be brief.` }),
        ({ messages, systemPrompt }) => void seen.push(messages[0], systemPrompt),
        ({ messages }) => ({
          messages: [...messages, { role: "user", content: "Again" }],
          tools: [],
          systemPrompt: "New.",
        }),
      ],
    });
    const { payload } = await hooks.dispatch("before_llm", request);
    expect(seen.slice(0, 2)).toEqual([
      { role: "system", content: "Be kind. Be brief." },
      "Be kind. Be brief.",
    ]);
    expect(payload).toMatchObject({
      messages: [{ role: "system", content: "New." }, user, { role: "user", content: "Again" }],
      tools: [],
      systemPrompt: "New.",
    });
  });

  test("a system prompt for a history without one becomes its first message", async () => {
    const hooks = createHooks();
    new ConfigHooks(hooks, { beforeLLM: [() => ({ systemPrompt: "Hi." })] });
    const { payload } = await hooks.dispatch("before_llm", { messages: [user] });
    expect(payload.messages).toEqual([{ role: "system", content: "Hi." }, user]);
  });

  test("afterLLM sees the answer, its usage and its duration", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    new ConfigHooks(hooks, {
      afterLLM: [
        ({ text, toolUses, usage, model, durationMs }) =>
          void seen.push({ text, toolUses, usage, model, durationMs }),
      ],
    });
    const answer = {
      text: "Hi",
      toolUses: [{ id: "1", name: "bash", input: {} }],
      usage: { inputTokens: 5, outputTokens: 2 },
      model: "m",
      durationMs: 12,
    };
    await hooks.dispatch("after_llm", { ...request, ...answer });
    expect(seen).toEqual([answer]);
  });

  test("beforeTool may change the input, or skip with a result, or without one", async () => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks);
    config.register("beforeTool", ({ toolName, input }) => ({ input: { ...input, by: toolName } }));
    expect((await hooks.dispatch("before_tool", shell)).payload.toolInput).toEqual({
      command: "ls",
      by: "bash",
    });
    const mock = config.register("beforeTool", () => ({
      skip: true,
      result: { success: true, result: "mocked" },
    }));
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ action: "skip", result: "mocked" });
    config.unregister(mock);
    config.register("beforeTool", async () => ({ skip: true }));
    const skipped = await hooks.dispatch("before_tool", shell);
    expect([skipped.action, skipped.result]).toEqual(["skip", undefined]);
  });

  test("afterTool sees successes and failures and may replace either", async () => {
    const hooks = createHooks();
    const config = new ConfigHooks(hooks);
    const seen: unknown[] = [];
    config.register(
      "afterTool",
      ({ input, result, durationMs }) => void seen.push([input, result, durationMs]),
    );
    config.register("afterTool", ({ result }) => ({
      result: { success: true, result: result.success ? "cleaned" : "recovered" },
    }));
    const failure = { ...shell, error: new Error("no such file"), durationMs: 4 };
    expect(
      (await hooks.dispatch("after_tool", { ...shell, toolResult: "raw", durationMs: 3 })).payload.toolResult,
    ).toBe("cleaned");
    expect(await hooks.dispatch("after_tool_failure", failure)).toMatchObject({
      action: "recover",
      result: "recovered",
    });
    expect(seen).toEqual([
      [{ command: "ls" }, { success: true, result: "raw" }, 3],
      [{ command: "ls" }, { success: false, error: "no such file" }, 4],
    ]);
  });

  test("onError may recover, handle, or exchange the error, in that order of precedence", async () => {
    const error = new Error("overloaded");
    const other = new Error("try later");
    const answers = [
      [
        { handled: true, error: other, recovery: { success: true, result: "plan B" } },
        { action: "recover", result: "plan B" },
      ],
      [
        { handled: true, error: other },
        { action: "recover", result: undefined },
      ],
      [
        { handled: false, error: other },
        { action: "go_on", payload: { error: other } },
      ],
      [{}, { action: "go_on", payload: { error } }],
    ] as const;
    for (const [answer, expected] of answers) {
      const hooks = createHooks();
      const seen: unknown[] = [];
      new ConfigHooks(hooks, {
        onError: [
          ({ error: caught, phase, toolName }) => {
            seen.push(caught, phase, toolName);
            return answer;
          },
        ],
      });
      const dispatch = await hooks.dispatch("on_error", { error, phase: "tool", toolName: "bash" });
      expect(seen).toEqual([error, "tool", "bash"]);
      expect({ action: dispatch.action, result: dispatch.result, payload: dispatch.payload }).toMatchObject(
        expected,
      );
    }
  });

  test("metadata passes between hooks of different types in one run", async () => {
    const hooks = createHooks();
    let took = 0;
    new ConfigHooks(hooks, {
      beforeTool: [({ metadata }) => void (metadata.startTime = 100)],
      afterTool: [({ metadata }) => void (took = 105 - Number(metadata.startTime))],
    });
    const run = { metadata: {} };
    await hooks.dispatch("before_tool", shell, run);
    await hooks.dispatch("after_tool", { ...shell, toolResult: "" }, run);
    expect(took).toBe(5);
  });
});
