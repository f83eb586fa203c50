import { block, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { StopGate } from "./stop-gate.ts";

const stopping = { stopReason: "no_tool_calls", stepCount: 3 };

describe("the stop gate", () => {
  test("lets the agent stop when no hook objects", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => undefined);
    expect(await new StopGate(hooks).ask(stopping)).toMatchObject({ type: "stop", endsRun: false });
  });

  test("holds the agent three times, then ends the turn as unsatisfied", async () => {
    const hooks = createHooks();
    const active: unknown[] = [];
    hooks.on(
      "before_stop",
      (ctx) => {
        active.push(ctx.stopHookActive);
        return block("tests fail");
      },
      { name: "tests" },
    );
    const gate = new StopGate(hooks);
    for (let n = 0; n < 3; n++)
      expect(await gate.ask(stopping)).toMatchObject({ type: "go_on", reason: "tests fail" });
    const verdict = await gate.ask(stopping);
    expect(verdict).toMatchObject({ type: "stop", unsatisfied: { code: "gate_unsatisfied", hook: "tests" } });
    expect(verdict.reason).toContain("held 3 times");
    expect(verdict.unsatisfied?.message).toMatch(/maxHolds/);
    expect(active).toEqual([false, true, true, true]);
  });

  test("holds at most maxBlocks times", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => block("more"));
    const gate = new StopGate(hooks, { maxBlocks: 1 });
    expect((await gate.ask(stopping)).type).toBe("go_on");
    expect((await gate.ask(stopping)).unsatisfied).toBeDefined();
    expect(() => new StopGate(hooks, { maxBlocks: -1 })).toThrow(/maxBlocks/);
  });

  test.each(["tool_rejected", "max_steps"])(
    "never overrides %s: the block is recorded and shown",
    async (stopReason) => {
      const hooks = createHooks();
      hooks.on("before_stop", () => block("unfinished"));
      const verdict = await new StopGate(hooks).ask({ stopReason });
      expect(verdict.type).toBe("stop");
      expect(verdict.reason).toContain("unfinished");
      expect(verdict.unsatisfied?.code).toBe("gate_unsatisfied");
    },
  );

  test("whose hook fails lets the agent stop, marked", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_stop", () => {
      throw new Error("npm is not installed");
    });
    const verdict = await new StopGate(hooks).ask(stopping);
    expect(verdict).toMatchObject({ type: "stop", unsatisfied: { code: "gate_unsatisfied" } });
    expect(verdict.reason).toContain("npm is not installed");
  });

  test("whose hook answers stop ends the run", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => stop("enough"));
    expect(await new StopGate(hooks).ask(stopping)).toMatchObject({
      type: "stop",
      endsRun: true,
      reason: "enough",
    });
  });

  test("works for subagents on their own event", async () => {
    const hooks = createHooks();
    hooks.on("subagent_stop", () => block("review it again"));
    const gate = new StopGate(hooks, { event: "subagent_stop" });
    expect(await gate.ask({ subagentName: "reviewer", taskDescription: "Review" })).toMatchObject({
      type: "go_on",
    });
  });
});
