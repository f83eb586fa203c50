import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ask, block, proceed, recover, skip, stop, ToolFailure } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import type { ApprovalDecision } from "../answer/approval.ts";
import { createHooks } from "../hooks.ts";
import { callTool, endExecutedCall } from "./call-tool.ts";
import { decideApproval } from "./evaluate-tool.ts";
import { newRun } from "./testing/test-support.ts";
import type { ToolPort } from "./tool-port.ts";
import { afterStep, beforeStep } from "./turn.ts";

const call = { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" };
const echo: ToolPort = { execute: (input) => `ran ${JSON.stringify(input)}` };

describe("callTool", () => {
  test("fires the events of a tool call in order, and gives the tool the framework's own input", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_tool", () => void fired.push("before_tool"));
    hooks.around("around_tool", (_ctx, next) => {
      fired.push("around_tool");
      return next();
    });
    hooks.on("after_tool", ({ toolResult }) => void fired.push(`after_tool ${String(toolResult)}`));
    const inputs: unknown[] = [];
    const end = await callTool(newRun(hooks), call, {
      execute: (input) => {
        inputs.push(input);
        return "done";
      },
    });
    expect(end).toMatchObject({ type: "result", value: "done", status: "completed" });
    expect(fired).toEqual(["before_tool", "around_tool", "after_tool done"]);
    expect(inputs[0]).toBe(call.toolInput);
  });

  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  test.each([
    ["a BigInt", { size: 1n }],
    ["a cycle", cycle],
    ["lists in lists, 20,000 levels deep", deep],
  ])(
    "executes a call that was evaluated before, whose input has %s, which no JSON can have",
    async (_what, part) => {
      const hooks = createHooks();
      hooks.on("before_tool", () => undefined);
      const run = newRun(hooks);
      const given = { ...call, toolInput: { part } };
      expect(await decideApproval(run, given)).toMatchObject({ type: "free" });
      const end = await callTool(run, given, { execute: () => "done" });
      expect(end).toMatchObject({ type: "result", value: "done" });
    },
  );

  test("gives the tool the framework's own input after an evaluation that changed nothing, and never a frozen one", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    const run = newRun(hooks);
    for (const toolInput of [{ paths: ["a"], more: { b: 1 } }, "a text"]) {
      const given = { ...call, toolInput };
      await decideApproval(run, given);
      const inputs: unknown[] = [];
      await callTool(run, given, { execute: (input) => inputs.push(input) });
      expect(inputs[0]).toBe(toolInput);
    }
    hooks.on("before_tool", () => proceed({ toolInput: { paths: ["b"] } }));
    for (const decide of [decideApproval, () => undefined]) {
      const given = { ...call, toolInput: { paths: ["a"] } };
      await decide(run, given);
      const write = (input: unknown) => (input as { paths: string[] }).paths.push("c");
      expect(await callTool(run, given, { execute: write })).toMatchObject({ type: "result", value: 2 });
    }
  });

  test("gives the tool a copy of a frozen input, which it may write to", async () => {
    const toolInput = Object.freeze({ paths: Object.freeze(["a"]) });
    const write = (input: unknown) => (input as { paths: string[] }).paths.push("b");
    const end = await callTool(newRun(createHooks()), { ...call, toolInput }, { execute: write });
    expect(end).toMatchObject({ type: "result", value: 2 });
    expect(toolInput).toEqual({ paths: ["a"] });
  });

  test.each([
    ["undefined", () => undefined],
    ["null", () => null],
    ["a text", () => "ls"],
    ["a list", () => ["ls"]],
    ["an object", () => ({ command: "ls" })],
    ["a frozen object", () => Object.freeze({ command: "ls" })],
  ])("executes the tool, and a second time, with the input of prepare: %s", async (_what, parse) => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    const execute = (input: unknown) => {
      seen.push(structuredClone(input));
      if (typeof input === "object" && input !== null) Object.assign(input, { 1: "more" });
    };
    const port: ToolPort = { prepare: () => ({ type: "run", input: parse() }), execute };
    await callTool(newRun(hooks), call, port);
    hooks.around("around_tool", async (_ctx, next) => {
      await next();
      return next();
    });
    expect(await callTool(newRun(hooks), call, port)).toMatchObject({ type: "result" });
    expect(seen).toEqual([parse(), parse(), parse()]);
  });

  test("executes a tool again with the input that hooks saw, although the tool has written to it", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", async (_ctx, next) => {
      await next();
      return next();
    });
    const execute = (input: unknown) => (input as { paths: string[] }).paths.push("more");
    const end = await callTool(newRun(hooks), { ...call, toolInput: { paths: ["a"] } }, { execute });
    expect(end).toMatchObject({ type: "result", value: 2 });
  });

  test("says which input would be executed: the framework's own, a writable copy of a changed one, or none", async () => {
    const hooks = createHooks();
    const toolInput = { paths: ["a"] };
    const decide = (given: object) => decideApproval(newRun(hooks), { ...call, ...given });
    hooks.on("before_tool", () => undefined);
    expect((await decide({ toolInput })) as object).toHaveProperty("input", toolInput);
    expect(await decide({ toolInput: undefined })).toEqual({ type: "free", input: {} });
    hooks.on("before_tool", () => proceed({ toolInput: { paths: ["b"] } }));
    const changed = (await decide({ toolInput })) as { input: { paths: string[] } };
    expect(changed.input.paths.push("c")).toBe(2);
    hooks.on("before_tool", () => block("no"));
    expect(await decide({ toolInput })).toEqual({ type: "free" });
  });

  test("starts two calls that were evaluated before in their order", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    const run = newRun(hooks);
    const started: string[] = [];
    const calls = ["1", "2"].map((toolUseId) => ({ ...call, toolUseId }));
    await Promise.all(
      calls.map(async (each) => {
        await decideApproval(run, each);
        await callTool(run, each, { execute: () => started.push(each.toolUseId) });
      }),
    );
    expect(started).toEqual(["1", "2"]);
  });

  test("executes a changed input, which the framework has checked", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    const end = await callTool(newRun(hooks), call, echo);
    expect(end).toMatchObject({ type: "result", value: 'ran {"command":"pwd"}', input: { command: "pwd" } });
    const refused = await callTool(newRun(hooks), call, { ...echo, validate: () => "no pwd here" });
    expect(refused).toMatchObject({ type: "refused", reason: expect.stringContaining("no pwd here") });
  });

  test("does not execute a blocked call, nor one that a failing hook was asked about", async () => {
    const hooks = createHooks();
    const unregister = hooks.on("before_tool", () => block("not today"));
    let runs = 0;
    const port = { execute: () => ++runs };
    expect(await callTool(newRun(hooks), call, port)).toMatchObject({ type: "refused", reason: "not today" });
    unregister();
    hooks.on("before_tool", () => {
      throw new Error("broken");
    });
    expect(await callTool(newRun(hooks), call, port)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("broken"),
    });
    expect(runs).toBe(0);
  });

  test("returns a skipped call's result, withholds results, and recovers failures", async () => {
    const skipping = createHooks();
    skipping.on("before_tool", () => skip("cached"));
    expect(await callTool(newRun(skipping), call, echo)).toMatchObject({
      value: "cached",
      status: "skipped",
    });

    const withholding = createHooks();
    withholding.on("after_tool", () => block("secret"));
    expect(await callTool(newRun(withholding), call, echo)).toMatchObject({
      type: "refused",
      reason: "The result was withheld: secret",
    });

    const recovering = createHooks();
    recovering.on("after_tool_failure", () => recover("better"));
    const failing = {
      execute: () => {
        throw new Error("disk full");
      },
    };
    expect(await callTool(newRun(recovering), call, failing)).toMatchObject({
      type: "result",
      value: "better",
    });
    expect(await callTool(newRun(createHooks()), call, failing)).toMatchObject({
      type: "failed",
      shown: "disk full",
    });
  });

  test("lists a failed call with what hooks know of it as data", async () => {
    const hooks = createHooks();
    const calls: unknown[] = [];
    const failure = new ToolFailure("2 of 3 tests fail", { result: { failed: ["a", "b"] } });
    hooks.on("after_tool", () => proceed({ toolResult: failure }));
    hooks.on("after_step", ({ toolCalls }) => void calls.push(toolCalls?.[0]?.result));
    const run = newRun(hooks);
    await beforeStep(run, []);
    await callTool(run, call, echo);
    await afterStep(run, []);
    expect(calls).toEqual([{ success: false, error: "2 of 3 tests fail", result: { failed: ["a", "b"] } }]);
  });

  test("measures how long the tool took, without the hooks before it, and not at all if it was not executed", async () => {
    const hooks = createHooks();
    const times: (number | undefined)[] = [];
    hooks.on("before_tool", () => new Promise((resolve) => setTimeout(resolve, 30)));
    hooks.on(["after_tool", "after_tool_failure"], ({ durationMs }) => void times.push(durationMs));
    await callTool(newRun(hooks), call, echo);
    hooks.on("before_tool", () => block("no"));
    await callTool(newRun(hooks), call, echo);
    expect(times).toEqual([expect.any(Number), 0]);
    expect(times[0]).toBeLessThan(30);
  });

  test.each([
    ["before the hooks", { before: () => Promise.reject(new Error("broken")) }, ["after_tool_failure"]],
    [
      "after them",
      { prepare: () => Promise.reject(new Error("broken")) },
      ["before_tool", "after_tool_failure"],
    ],
  ])("fails a call that cannot be evaluated, %s, with its events", async (_when, checks, expected) => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on(["before_tool", "after_tool_failure", "on_error"], ({ event }) => void fired.push(event));
    for (const decide of [decideApproval, async () => undefined]) {
      fired.length = 0;
      const run = newRun(hooks);
      await decide(run, call, checks);
      const end = await callTool(run, call, { ...echo, ...checks });
      expect(end).toMatchObject({ type: "failed", error: { message: "broken" }, started: false });
      expect(fired).toEqual([...expected, "on_error"]);
    }
  });

  const unreadable = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const throwing = () => ({
    get command() {
      throw new Error("no disk");
    },
  });

  test.each([
    ["has a getter that throws", throwing()],
    ["is a revoked proxy", unreadable()],
  ])("fails a call whose input %s, and decides about the next one", async (_what, toolInput) => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on(["before_tool", "after_tool_failure"], ({ event, toolUseId, context }) => {
      fired.push(`${event} ${toolUseId} ${JSON.stringify(context ?? {})}`);
    });
    for (const decide of [decideApproval, () => undefined]) {
      fired.length = 0;
      const run = newRun(hooks);
      await decide(run, { ...call, toolInput });
      const end = await callTool(run, { ...call, toolInput }, { ...echo, ask: () => undefined });
      expect(end).toMatchObject({ type: "failed", input: {}, started: false });
      expect(await callTool(run, { ...call, toolUseId: "2" }, echo)).toMatchObject({ type: "result" });
      expect(fired).toEqual(['after_tool_failure 1 {"beforeToolFired":false}', "before_tool 2 {}"]);
      expect(run.stopped).toBeUndefined();
    }
  });

  test.each([
    ["has a getter that throws", throwing],
    ["is a revoked proxy", unreadable],
  ])("fails a call whose result %s, with its after-event", async (_what, execute) => {
    const hooks = createHooks();
    const fired: unknown[] = [];
    hooks.on(["after_tool", "after_tool_failure"], ({ event, status }) => void fired.push([event, status]));
    const run = newRun(hooks);
    expect(await callTool(run, call, { execute })).toMatchObject({ type: "failed", started: true });
    expect(fired).toEqual([["after_tool_failure", "failed"]]);
  });

  test("stores a stop in the run, aborts its signal and does not evaluate the following call", async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on("before_tool", ({ toolUseId }) => {
      asked.push(toolUseId);
      return stop("enough");
    });
    const run = newRun(hooks);
    const ends = await Promise.all([
      callTool(run, call, echo),
      callTool(run, { ...call, toolUseId: "2" }, echo),
    ]);
    expect(ends.map(({ type }) => type)).toEqual(["stopped", "stopped"]);
    expect(asked).toEqual(["1"]);
    expect(run.signal.aborted).toBe(true);
    expect(run.stopped).toMatchObject({ by: "hook", reason: "enough" });
    expect(() => run.check()).toThrow("enough");
  });

  test("abandons a tool that ignores the abort of its run", async () => {
    const caller = new AbortController();
    const run = newRun(createHooks(), { signal: caller.signal });
    const running = callTool(run, call, { execute: () => new Promise(() => caller.abort(new Error("bye"))) });
    expect(await running).toMatchObject({ type: "stopped", reason: "the run was stopped: bye" });
    expect(run.stopped).toMatchObject({ by: "caller", error: { message: "bye" } });
  });
});

describe("a tool whose run is aborted", () => {
  const start = (execute: () => unknown) => {
    const caller = new AbortController();
    const run = newRun(createHooks(), { signal: caller.signal });
    return { caller, run, running: callTool(run, call, { execute }) };
  };
  const never = () => new Promise<never>(() => {});

  test("is not waited for, and no listener stays", async () => {
    const { caller, running } = start(never);
    await nextTurn();
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    caller.abort(new Error("the user left"));
    expect(await running).toMatchObject({ type: "stopped", reason: "the run was stopped: the user left" });
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  test.each([
    ["answers", () => Promise.resolve("done")],
    ["fails", () => Promise.reject(new Error("failed"))],
  ])("is stopped when it %s after the abort, in the same turn", async (_, tool) => {
    const { caller, running } = start(async () => {
      caller.abort(new Error("the user left"));
      return tool();
    });
    expect(await running).toMatchObject({ type: "stopped", reason: "the run was stopped: the user left" });
  });

  test("is not waited for when a hook stops the run", async () => {
    const { run, running } = start(never);
    await nextTurn();
    run.stop(new Error("stopped by a hook"));
    expect(await running).toMatchObject({ type: "stopped" });
  });
});

describe("a pause by the tool", () => {
  test("leaves callTool without an event that the call has ended", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("after_tool_failure", () => void fired.push("after_tool_failure"));
    hooks.on("on_error", () => void fired.push("on_error"));
    const pause = new Error("paused");
    const paused = callTool(newRun(hooks), call, {
      execute: () => Promise.reject(pause),
      isPause: (error) => error === pause,
    });
    await expect(paused).rejects.toBe(pause);
    expect(fired).toEqual([]);
  });

  test("asks a person through the framework, which may pause the run by an error, and goes on with the answer", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    const traces: string[] = [];
    hooks.onTrace(({ event, action }) => void traces.push(`${event} ${action}`));
    const run = newRun(hooks);
    const pause = new Error("pause");
    const port = { ...echo, isPause: (error: unknown) => error === pause };
    const callWith = (give: () => ApprovalDecision) => callTool(run, call, { ...port, ask: give });
    const paused = callWith(() => {
      throw pause;
    });
    await expect(paused).rejects.toBe(pause);
    expect(traces).toEqual([]);
    expect(await callWith(() => ({ type: "approve" }))).toMatchObject({ type: "result" });
    expect(await callWith(() => ({ type: "reject" }))).toMatchObject({ type: "refused", isRejected: true });
    const broken = callWith(() => {
      throw new Error("no store for questions");
    });
    expect(await broken).toMatchObject({ type: "refused" });
  });
});

describe("decideApproval", () => {
  test("asks each question of hooks while they run, if the framework can be asked", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("one?"));
    hooks.on("before_tool", () => ask("two?"));
    const questions: string[] = [];
    const approval = await decideApproval(newRun(hooks), call, {
      ask: ({ reason }) => {
        questions.push(reason);
        return reason === "one?" ? { type: "approve" } : undefined;
      },
    });
    expect(approval).toMatchObject({ type: "needs_approval", reason: "two?" });
    expect(questions).toEqual(["one?", "two?"]);
  });

  test("fires the after-event of a call that a hook stopped, once, and none of calls that hooks were not asked about", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_tool", () => stop("enough"));
    hooks.on("after_tool_failure", ({ status }) => void fired.push(String(status)));
    const run = newRun(hooks);
    await expect(decideApproval(run, call)).rejects.toThrow("enough");
    expect(fired).toEqual(["blocked"]);
    expect(await callTool(run, call, echo)).toMatchObject({ type: "stopped" });
    const next = { ...call, toolUseId: "2" };
    await expect(decideApproval(run, next)).rejects.toThrow("enough");
    expect(await callTool(run, next, echo)).toMatchObject({ type: "stopped" });
    expect(fired).toEqual(["blocked"]);
  });

  test("asks hooks about one call after another, and about the next one while a person is asked", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", async ({ toolUseId }) => {
      asked.push(`${toolUseId} begins`);
      await nextTurn();
      asked.push(`${toolUseId} ends`);
      return ask("sure?");
    });
    const run = newRun(hooks);
    const approvals = ["1", "2"].map((toolUseId) => decideApproval(run, { ...call, toolUseId }));
    expect(await Promise.all(approvals)).toMatchObject([
      { type: "needs_approval" },
      { type: "needs_approval" },
    ]);
    expect(asked).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  });

  test("calls hooks once for a call that needs no approval", async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on("before_tool", () => {
      asked++;
      return proceed({ toolInput: { command: "pwd" } });
    });
    const run = newRun(hooks);
    expect(await decideApproval(run, call)).toMatchObject({ type: "free" });
    expect(await callTool(run, call, echo)).toMatchObject({ value: 'ran {"command":"pwd"}' });
    expect(asked).toBe(1);
  });

  test("calls hooks again about an input that is not the one that was decided about", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no") : undefined));
    const run = newRun(hooks);
    await decideApproval(run, call);
    const other = { ...call, toolInput: { command: "rm" } };
    expect(await callTool(run, other, echo)).toMatchObject({ type: "refused", reason: "no" });
  });

  test("leaves no trace of a question that was only passed on, and one of the decided call", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    const traces: string[] = [];
    hooks.onTrace(({ event, action }) => void traces.push(`${event} ${action}`));
    const paused = newRun(hooks);
    expect(await decideApproval(paused, call)).toMatchObject({ type: "needs_approval", reason: "sure?" });
    paused.stop(new Error("the caller is gone"));
    expect(traces).toEqual([]);
    const approved = await callTool(newRun(hooks), call, { ...echo, decision: { type: "approve" } });
    expect(approved).toMatchObject({ type: "result" });
    expect(traces).toEqual(["before_tool go_on"]);
    const rejected = await callTool(newRun(hooks), call, {
      ...echo,
      decision: { type: "reject", reason: "no" },
    });
    expect(rejected).toMatchObject({ type: "refused", reason: "no", isRejected: true });
  });

  test("refuses a call that a hook asks about where no person can be asked", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    expect(await callTool(newRun(hooks), call, echo)).toMatchObject({ type: "refused", isRejected: false });
    const fails = () => {
      throw new Error("no connection");
    };
    const unasked = await callTool(newRun(hooks, { approve: fails }), call, echo);
    expect(unasked).toMatchObject({ type: "refused", isRejected: false });
    const approving = newRun(hooks, { approve: () => ({ type: "approve" }) });
    expect(await callTool(approving, call, echo)).toMatchObject({ type: "result" });
  });
});

describe("a call that the provider has executed", () => {
  test("fires after_tool, whose hooks may change the result or withhold it", async () => {
    const hooks = createHooks();
    const run = newRun(hooks);
    const contexts: unknown[] = [];
    const unregister = hooks.on("after_tool", ({ toolResult, context, durationMs }) => {
      contexts.push([context, durationMs]);
      return proceed({ toolResult: `${toolResult}!` });
    });
    expect(await endExecutedCall(run, call, { value: "hits" })).toMatchObject({
      type: "result",
      value: "hits!",
    });
    expect(contexts).toEqual([[{ providerExecuted: true, beforeToolFired: false }, undefined]]);
    unregister();
    hooks.on("after_tool", () => block("it is secret"));
    const withheld = await endExecutedCall(run, call, { value: "hits" });
    expect(withheld).toMatchObject({ type: "refused", reason: "The result was withheld: it is secret" });
  });

  test("offers its failure to on_error, and lists the recovery in the step", async () => {
    const hooks = createHooks();
    const run = newRun(hooks);
    hooks.on("on_error", () => recover("two hits"));
    await beforeStep(run, []);
    const end = await endExecutedCall(run, call, { error: "the search is down" });
    expect(end).toMatchObject({ type: "result", value: "two hits", status: "recovered" });
    expect(run.steps.end().toolCalls).toMatchObject([{ id: "1", result: { result: "two hits" } }]);
  });

  test("ends as stopped when a hook stops the run", async () => {
    const hooks = createHooks();
    const run = newRun(hooks);
    hooks.on("after_tool", () => stop("enough"));
    expect(await endExecutedCall(run, call, { value: 1 })).toMatchObject({ type: "stopped" });
    expect(run.stopped).toMatchObject({ by: "hook", reason: "enough" });
  });
});
