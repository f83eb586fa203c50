import type { Interrupt } from "@strands-agents/sdk";
import { ask, block, createHooks, type Hooks, type Trace } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { callThen, hookedAgent, readTexts } from "./testing.ts";

describe("a run that was paused in another process", () => {
  const pause = async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("may it?"), { name: "careful" });
    const { agent, runs } = hookedAgent(hooks, callThen("rm"));
    const { interrupts = [] } = await agent.invoke("remove");
    expect([runs, interrupts.length]).toEqual([[], 1]);
    return {
      text: JSON.stringify(agent.takeSnapshot({ preset: "session" })),
      interrupt: interrupts[0] as Interrupt,
    };
  };
  const resume = async (
    hooks: Hooks,
    text: string,
    { id: interruptId }: Interrupt,
    onRuns?: (runs: string[]) => void,
  ) => {
    const traces: Trace[] = [];
    hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
    const { agent, model, runs } = hookedAgent(hooks, ["done"]);
    onRuns?.(runs);
    await agent.initialize();
    agent.loadSnapshot(JSON.parse(text));
    const result = await agent.invoke([{ interruptResponse: { interruptId, response: true } }]);
    return { result, runs, traces, read: readTexts(model.requests[0]?.messages ?? []).at(-1) };
  };

  test("calls the hooks again, and records the call once", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_tool", () => ask("may it?"), { name: "careful" });
    for (const event of ["before_agent", "after_agent"] as const)
      hooks.on(event, () => void fired.push(event));
    const { text, interrupt } = await pause();
    const { result, runs, traces } = await resume(hooks, text, interrupt);
    expect([result.toString(), runs]).toEqual(["done", ["rm"]]);
    expect(traces.map(({ entries }) => entries.map(({ approval }) => approval))).toEqual([["approve"]]);
    expect(fired).toEqual(["after_agent"]);
  });

  test("does not execute what a hook refuses that was added meanwhile", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("changes are frozen"));
    const { text, interrupt } = await pause();
    const { runs, read } = await resume(hooks, text, interrupt);
    expect([runs, read]).toEqual([[], "error: changes are frozen"]);
  });

  test("shows hooks the input that was changed in the store, and asks about it", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(
      "before_tool",
      ({ toolInput }) => {
        seen.push(toolInput.command);
        return ask("may it?");
      },
      { name: "careful" },
    );
    const { text, interrupt } = await pause();
    const changed = text.replaceAll('"command":"rm"', '"command":"rm -rf"');
    const { result, runs } = await resume(hooks, changed, interrupt);
    expect(new Set(seen)).toEqual(new Set(["rm -rf"]));
    expect([result.stopReason, runs]).toEqual(["interrupt", []]);
  });

  test("is not continued if a guard has appeared that would not be called", async () => {
    const hooks = createHooks();
    let isRegistered = false;
    hooks.beforeEachDispatch((event) => {
      if (event !== "pre_compact" || isRegistered) return;
      isRegistered = true;
      hooks.on("pre_compact", () => undefined, { name: "late", source: "project", onError: "block" });
    });
    const { text, interrupt } = await pause();
    let executed: string[] = [];
    const resuming = resume(hooks, text, interrupt, (runs) => {
      executed = runs;
    });
    await expect(resuming).rejects.toMatchObject({ code: "turn_refused" });
    expect(executed).toEqual([]);
  });
});
