import { Runner, RunState, run } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { ask, block, createHooks, type Hooks, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import {
  agentWith,
  call,
  lastInput,
  MODES,
  record,
  runHooked,
  ScriptedModel,
  say,
  weather,
} from "./script.ts";

const oneCall = () => new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);

function asking(): Hooks {
  const hooks = createHooks();
  hooks.on("before_tool", () => ask("really?"), { name: "careful" });
  return hooks;
}

/** The traces of `before_tool` that were recorded, as the decisions of persons. */
function approvals(hooks: Hooks): unknown[] {
  const recorded: unknown[] = [];
  hooks.onTrace(({ event, entries }) => {
    if (event === "before_tool") recorded.push(entries.map(({ approval }) => approval));
  });
  return recorded;
}

describe.each(MODES)("with %o", (mode) => {
  test("a hook asks through the SDK: the run pauses before the tool, and continues with the approval", async () => {
    const hooks = asking();
    const fired = record(hooks, ["before_agent", "before_stop", "after_agent"]);
    const recorded = approvals(hooks);
    const [model, runs] = [oneCall(), [] as unknown[]];
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model, [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    expect(paused.interruptions).toHaveLength(1);
    expect([runs, fired]).toEqual([[], ["before_agent"]]);
    for (const item of paused.interruptions) paused.state.approve(item);
    const result = await runHooked(agent, hooks, { ...mode, runner, input: paused.state as never });
    expect(result.finalOutput).toBe("done");
    expect(runs).toEqual(["Rome"]);
    expect(fired).toEqual(["before_agent", "before_stop", "after_agent completed"]);
    expect(recorded).toEqual([["approve"]]);
  });

  test("a rejected call does not run, and the model reads why", async () => {
    const hooks = asking();
    const [model, runs] = [oneCall(), [] as unknown[]];
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model, [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    for (const item of paused.interruptions) paused.state.reject(item, { message: "not now" });
    const result = await runHooked(agent, hooks, { ...mode, runner, input: paused.state as never });
    expect([runs, lastInput(model).at(-1), result.finalOutput]).toEqual([[], "result not now", "done"]);
  });

  test.each(["with hooks", "without hooks"])(
    "a run that was stored and read again for an agent %s has its hooks",
    async (which) => {
      const hooks = asking();
      const recorded = approvals(hooks);
      const runs: unknown[] = [];
      const first = withHooks(new Runner(), hooks);
      const paused = await runHooked(agentWith(oneCall(), [weather(runs)]), hooks, {
        ...mode,
        runner: first,
      });
      const text = paused.state.toString();
      // As in another process: nothing but the text is left.
      const model = new ScriptedModel([[call("weather", { city: "Bonn" }, "c2")], [say("done")]]);
      const plain = agentWith(model, [weather(runs)]);
      const agent = which === "with hooks" ? withHooks(plain, hooks, { runner: true }) : plain;
      const state = await RunState.fromString(agent, text);
      for (const item of state.getInterruptions()) state.approve(item);
      const second = withHooks(new Runner(), hooks);
      const again = await runHooked(agent, hooks, { ...mode, runner: second, input: state as never });
      expect(runs).toEqual(["Rome"]);
      // The hook asks about the next call too: it was called in the second run.
      expect(again.interruptions).toHaveLength(1);
      expect(recorded).toEqual([["approve"]]);
    },
  );

  test("a stored run of an agent without hooks whose approvals cannot be read does not continue", async () => {
    const hooks = asking();
    const runs: unknown[] = [];
    const plain = agentWith(oneCall(), [weather(runs)]);
    const paused = await runHooked(plain, hooks, { ...mode, runner: withHooks(new Runner(), hooks) });
    const state = await RunState.fromString(plain, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    Object.defineProperty(state, "_context", { value: undefined });
    const runner = withHooks(new Runner(), hooks);
    await expect(runHooked(plain, hooks, { ...mode, runner, input: state as never })).rejects.toMatchObject({
      code: "unsupported_hook",
      hint: expect.stringContaining("RunState.fromString(withHooks("),
    });
    expect(runs).toEqual([]);
  });

  test("a hook that refuses after the approval has the last word", async () => {
    const hooks = createHooks();
    let isClosed = false;
    hooks.on("before_tool", () => (isClosed ? block("closed meanwhile") : ask("really?")));
    const [model, runs] = [oneCall(), [] as unknown[]];
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model, [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    for (const item of paused.interruptions) paused.state.approve(item);
    isClosed = true;
    await runHooked(agent, hooks, { ...mode, runner, input: paused.state as never });
    expect([runs, lastInput(model).at(-1)]).toEqual([[], "result closed meanwhile"]);
  });

  test("calls that no hook asks about run before the pause, and once", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.city === "Oslo" ? ask("really?") : proceed()));
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" }, "a"), call("weather", { city: "Oslo" }, "b")],
      [say("done")],
    ]);
    const runs: unknown[] = [];
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model, [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    expect(runs).toEqual(["Rome"]);
    for (const item of paused.interruptions) paused.state.approve(item);
    await runHooked(agent, hooks, { ...mode, runner, input: paused.state as never });
    expect(runs).toEqual(["Rome", "Oslo"]);
  });

  test("an approval for all calls of a tool answers later questions", async () => {
    const hooks = asking();
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" })],
      [call("weather", { city: "Oslo" }, "c2")],
      [say("done")],
    ]);
    const runs: unknown[] = [];
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model, [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    for (const item of paused.interruptions) paused.state.approve(item, { alwaysApprove: true });
    const result = await runHooked(agent, hooks, { ...mode, runner, input: paused.state as never });
    expect([result.finalOutput, runs]).toEqual(["done", ["Rome", "Oslo"]]);
  });

  test("a copy of the agent asks with a runner that has no hooks", async () => {
    const hooks = asking();
    const recorded = approvals(hooks);
    const runs: unknown[] = [];
    const agent = withHooks(agentWith(oneCall(), [weather(runs)]), hooks);
    const paused = await finish(run(agent, "hi", mode as { stream: true }));
    expect(paused.interruptions).toHaveLength(1);
    const state = await RunState.fromString(agent, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    const result = await finish(run(agent, state, mode as { stream: true }));
    expect([result.finalOutput, runs, recorded]).toEqual(["done", ["Rome"], [["approve"]]]);
  });
});

async function finish<R extends { readonly completed: Promise<void> }>(running: Promise<R>): Promise<R> {
  const result = await running;
  await result.completed;
  return result;
}

test("the tool's own need for approval stays", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => proceed());
  const runs: unknown[] = [];
  const paused = await runHooked(agentWith(oneCall(), [weather(runs, { needsApproval: true })]), hooks);
  expect([paused.interruptions.length, runs]).toEqual([1, []]);
});

test("no person is asked about a call that hooks refuse", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("no"));
  const model = oneCall();
  const result = await runHooked(agentWith(model, [weather([], { needsApproval: true })]), hooks);
  expect([result.interruptions.length, lastInput(model).at(-1)]).toEqual([0, "result no"]);
});

test("hooks are called once for a call that nobody is asked about", async () => {
  const hooks = createHooks();
  const fired = record(hooks, ["before_tool"]);
  await runHooked(agentWith(oneCall(), [weather()]), hooks);
  expect(fired).toEqual(["before_tool"]);
});
