import { describe, expect, test, vi } from "vitest";
import { createHooks } from "../hooks.ts";
import { newMetadata, proceed } from "../index.ts";
import { type BudgetOptions, budget } from "./budget.ts";

const CALL = { toolName: "Shell", toolInput: { command: "ls" } };
const ASK = { messages: [] };
const answered = (inputTokens: number, outputTokens: number) => ({
  messages: [],
  text: "",
  toolUses: [],
  usage: { inputTokens, outputTokens },
});

/** A host with a clock that the test moves, and one run. */
function host(options: Omit<BudgetOptions, "now">) {
  const clock = { ms: 1_000 };
  const hooks = createHooks();
  const unregister = budget(hooks, { ...options, now: () => clock.ms });
  const run = { metadata: newMetadata() };
  const callTool = (payload = CALL, where = run) => hooks.dispatch("before_tool", payload, where);
  const callModel = () => hooks.dispatch("before_llm", ASK, run);
  return { clock, hooks, unregister, run, callTool, callModel };
}

describe("totals", () => {
  test("stops the run at the tool call after the last one it may make", async () => {
    const { callTool } = host({ maxToolCalls: 2 });
    const actions = [(await callTool()).action, (await callTool()).action];
    const third = await callTool();
    expect(actions).toEqual(["go_on", "go_on"]);
    expect(third.action).toBe("stop");
    expect(third.reason).toBe("The budget of this run is used up: 2 of 2 tool calls (maxToolCalls).");
    expect((await callTool()).action).toBe("stop");
  });

  test("counts model calls apart from tool calls", async () => {
    const { callTool, callModel } = host({ maxLlmCalls: 1 });
    await callTool();
    expect((await callModel()).action).toBe("go_on");
    expect((await callModel()).reason).toContain("1 of 1 model calls (maxLlmCalls)");
    expect((await callTool()).action).toBe("go_on");
  });

  test("adds up the tokens of every answer and stops the next call of either kind", async () => {
    const { hooks, run, callTool, callModel } = host({ maxTokens: 100 });
    await hooks.dispatch("after_llm", answered(40, 20), run);
    expect((await callModel()).action).toBe("go_on");
    await hooks.dispatch("after_llm", answered(30, 15), run);
    expect((await callModel()).reason).toContain("105 of 100 tokens (maxTokens)");
    expect((await callTool()).action).toBe("stop");
  });

  test("counts the tokens of an answer that another hook refuses", async () => {
    const { hooks, run, callModel } = host({ maxTokens: 10 });
    hooks.on("after_llm", () => ({ type: "block", reason: "no" }), { priority: 1_000 });
    await hooks.dispatch("after_llm", answered(10, 0), run);
    expect((await callModel()).action).toBe("stop");
  });

  test("measures time from the first event of the turn", async () => {
    const { clock, hooks, run, callTool, callModel } = host({ maxDurationMs: 500 });
    await hooks.dispatch("before_agent", { message: "go" }, run);
    clock.ms += 499;
    expect((await callTool()).action).toBe("go_on");
    clock.ms += 1;
    expect((await callTool()).reason).toContain("500 of 500 ms (maxDurationMs)");
    expect((await callModel()).action).toBe("stop");
  });

  test("does not count a call twice when it is judged again", async () => {
    const { hooks, callTool } = host({ maxToolCalls: 2, rate: { calls: 2, perMs: 60_000 } });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "ls -l" } }));
    const first = await callTool();
    expect(first.trace.entries.map(({ hook, pass }) => [hook, pass])).toContainEqual(["budget", "judging"]);
    expect((await callTool()).action).toBe("go_on");
    expect((await callTool()).action).toBe("stop");
  });

  test("allows nothing with a limit of zero", async () => {
    expect((await host({ maxToolCalls: 0 }).callTool()).action).toBe("stop");
  });
});

describe("a rate", () => {
  test("blocks the call beyond the limit, with the time to try again, and lets it pass then", async () => {
    const { clock, callTool } = host({ rate: { calls: 2, perMs: 1_000 } });
    await callTool();
    clock.ms += 400;
    await callTool();
    clock.ms += 100;
    const early = await callTool();
    expect(early.action).toBe("refuse");
    expect(early.reason).toContain("2 calls per 1000 ms");
    expect(early.reason).toContain("Try again in 500 ms");
    clock.ms += 500;
    expect((await callTool()).action).toBe("go_on");
    expect((await callTool()).reason).toContain("in 400 ms");
  });

  test("does not hold blocked attempts against the next call", async () => {
    const { clock, callTool } = host({ rate: { calls: 1, perMs: 1_000 } });
    await callTool();
    for (let attempt = 0; attempt < 9; attempt++) {
      clock.ms += 100;
      expect((await callTool()).action).toBe("refuse");
    }
    clock.ms += 100;
    expect((await callTool()).action).toBe("go_on");
  });

  test("counts attempts that it blocks towards the total, so that a loop of them ends", async () => {
    const { callTool } = host({ maxToolCalls: 3, rate: { calls: 1, perMs: 1_000 } });
    const actions = [];
    for (let attempt = 0; attempt < 4; attempt++) actions.push((await callTool()).action);
    expect(actions).toEqual(["go_on", "refuse", "refuse", "stop"]);
  });

  test("for one tool leaves the others alone", async () => {
    const { callTool } = host({ rate: { calls: 1, perMs: 1_000, tool: "web_*" } });
    const fetch = { toolName: "web_fetch", toolInput: { command: "" } };
    await callTool(fetch);
    expect((await callTool(fetch)).action).toBe("refuse");
    expect((await callTool()).action).toBe("go_on");
  });
});

describe("the scope", () => {
  test("run: another run has a budget of its own", async () => {
    const { callTool } = host({ maxToolCalls: 1 });
    await callTool();
    expect((await callTool()).action).toBe("stop");
    expect((await callTool(CALL, { metadata: newMetadata() })).action).toBe("go_on");
  });

  test("run: refuses when the host gives no metadata, because nothing could be counted", async () => {
    const { hooks } = host({ maxToolCalls: 1 });
    const { action, reason } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("refuse");
    expect(reason).toContain("the same { metadata }");
  });

  test("session: runs of one session share it until the session ends", async () => {
    const { hooks, callTool } = host({ maxToolCalls: 1, scope: "session" });
    const inSession = (sessionId: string) =>
      callTool({ ...CALL, sessionId } as typeof CALL, { metadata: {} });
    expect((await inSession("a")).action).toBe("go_on");
    expect((await inSession("a")).action).toBe("stop");
    expect((await inSession("b")).action).toBe("go_on");
    await hooks.dispatch("session_end", { sessionId: "a" });
    expect((await inSession("a")).action).toBe("go_on");
    expect((await callTool()).reason).toContain("no sessionId");
  });

  test("session: forgets the longest unused one when there are too many", async () => {
    const { callTool } = host({ maxToolCalls: 1, scope: "session" });
    const inSession = async (id: number) =>
      (await callTool({ ...CALL, sessionId: `s${id}` } as typeof CALL)).action;
    for (let id = 0; id <= 10_000; id++) await inSession(id);
    expect([await inSession(10_000), await inSession(0)]).toEqual(["stop", "go_on"]);
  });

  test("process: everything counts, with or without metadata", async () => {
    const { hooks, callTool } = host({ maxToolCalls: 2, scope: "process" });
    await callTool();
    await hooks.dispatch("before_tool", CALL);
    expect((await callTool(CALL, { metadata: {} })).action).toBe("stop");
  });
});

describe("budget", () => {
  test("warns once when answers carry no usage although tokens are limited", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { hooks, run } = host({ maxTokens: 10 });
    await hooks.dispatch("after_llm", { ...ASK, text: "", toolUses: [], status: "skipped" }, run);
    expect(warned).not.toHaveBeenCalled();
    for (let i = 0; i < 3; i++) await hooks.dispatch("after_llm", { ...ASK, text: "", toolUses: [] }, run);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  test.each([
    [{}, /no limit/],
    [{ maxToolCalls: -1 }, /maxToolCalls/],
    [{ maxTokens: Number.NaN }, /maxTokens/],
    [{ maxToolcalls: 3 }, /no option "maxToolcalls"/],
    [{ rate: { calls: 0, perMs: 5 } }, /rate.calls/],
    [{ rate: { calls: 3 } }, /rate.perMs/],
    [{ rate: { calls: 3, perMs: 5, tool: "" } }, /tool matcher/],
    [{ maxTokens: 3, scope: "user" }, /scope/],
  ])("refuses %j when it is registered, and registers nothing", (options, message) => {
    const hooks = createHooks();
    expect(() => budget(hooks, options as BudgetOptions)).toThrowError(message);
    expect(hooks.list()).toEqual([]);
  });

  test("is removed by the function that it returns", () => {
    const { hooks, unregister } = host({
      maxToolCalls: 1,
      maxTokens: 1,
      maxDurationMs: 1,
      rate: { calls: 1, perMs: 1 },
    });
    expect(hooks.list().length).toBeGreaterThan(3);
    unregister();
    expect(hooks.list()).toEqual([]);
  });
});
