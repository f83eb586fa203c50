import { Runner, RunState } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { ask, block, createHooks, type Hooks, type Trace } from "@tenterhook/engine";
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

describe.each(MODES)("a run that was paused in another process, with %o,", (mode) => {
  const pause = async (): Promise<string> => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("really?"));
    const runs: unknown[] = [];
    const agent = agentWith(new ScriptedModel([[call("weather", { city: "Rome" })]]), [weather(runs)]);
    const paused = await runHooked(agent, hooks, { ...mode });
    expect([runs, paused.interruptions.length]).toEqual([[], 1]);
    return paused.state.toString();
  };
  const resume = async (hooks: Hooks, text: string, onRuns?: (runs: unknown[]) => void) => {
    const traces: Trace[] = [];
    hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
    const fired = record(hooks, ["before_agent", "after_agent"]);
    const runs: unknown[] = [];
    onRuns?.(runs);
    const model = new ScriptedModel([[say("done")]]);
    const agent = agentWith(model, [weather(runs)]);
    const state = await RunState.fromString(agent, text);
    for (const item of state.getInterruptions()) state.approve(item);
    const runner = withHooks(new Runner(), hooks);
    const { finalOutput } = await runHooked(agent, hooks, { ...mode, runner, input: state as never });
    return { finalOutput, runs, traces, fired, read: lastInput(model).at(-1) };
  };

  test("calls the hooks again, and records the call once", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_tool", ({ toolInput }) => {
      seen.push(toolInput);
      return ask("really?");
    });
    const { finalOutput, runs, traces, fired } = await resume(hooks, await pause());
    expect([finalOutput, runs, seen]).toEqual(["done", ["Rome"], [{ city: "Rome" }]]);
    expect(traces.map(({ entries }) => entries.map(({ approval }) => approval))).toEqual([["approve"]]);
    expect(fired).toEqual(["after_agent completed"]);
  });

  test("does not execute what a hook refuses that was added meanwhile", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("changes are frozen"));
    const { runs, read } = await resume(hooks, await pause());
    expect([runs, read]).toEqual([[], "result changes are frozen"]);
  });

  test("shows hooks the input that was changed in the store", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) =>
      toolInput.city === "Bonn" ? block("not there") : ask("really?"),
    );
    const { runs, read } = await resume(hooks, (await pause()).replaceAll("Rome", "Bonn"));
    expect([runs, read]).toEqual([[], "result not there"]);
  });

  test("is not continued if a guard has appeared that would not be called", async () => {
    const text = await pause();
    const hooks = createHooks();
    addLater(hooks);
    let executed: unknown[] = [];
    const resuming = resume(hooks, text, (runs) => {
      executed = runs;
    });
    await expect(resuming).rejects.toMatchObject({ code: "turn_refused" });
    expect(executed).toEqual([]);
  });
});

/** A source of hooks that has a guard which is found when the first event is fired. */
function addLater(hooks: Hooks): void {
  let isRegistered = false;
  hooks.beforeEachDispatch((event) => {
    if (event !== "pre_compact" || isRegistered) return;
    isRegistered = true;
    hooks.on("pre_compact", () => undefined, { name: "late", source: "project", onError: "block" });
  });
}
