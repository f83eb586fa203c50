import { block, proceed, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { HookedRun } from "./hooked-run.ts";
import { RunEvents } from "./run-events.ts";
import { newRun } from "./testing/test-support.ts";

describe("RunEvents", () => {
  test("gives the model the message as hooks changed it, with the context that they added", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => proceed({ message: "Hello" }, { context: "It rains." }));
    const events = new RunEvents(newRun(hooks));
    expect(await events.begin("Hi")).toMatchObject({
      type: "go_on",
      message: "Hello",
      text: "Hello\n\n<hook_context>\nIt rains.\n</hook_context>",
    });
  });

  test("refuses a turn with the reason of the hook, and counts it as stopped", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("before_agent", () => block("not now"), { name: "curfew" });
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    const events = new RunEvents(newRun(hooks));
    const beginning = await events.begin("Hi");
    expect(beginning).toMatchObject({ type: "refused", reason: "not now", error: { code: "turn_refused" } });
    if (beginning.type !== "refused") throw new Error("not refused");
    await events.end(events.readFailure(beginning.error));
    expect(ends).toEqual(["stopped"]);
  });

  test("keeps the agent running until its gate is satisfied, only so often", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "tested" ? undefined : block("run the tests"),
    );
    const events = new RunEvents(newRun(hooks, { maxHolds: 1 }));
    expect(await events.askStop("done")).toEqual({ type: "go_on", feedback: "run the tests" });
    expect(await events.askStop("tested")).toEqual({ type: "stop" });
    await expect(events.askStop("done")).rejects.toMatchObject({ code: "gate_unsatisfied" });
  });

  test("fires after_agent once, with the error that reached the caller", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", ({ status, error }) => void ends.push([status, error?.message]));
    hooks.on("agent_failed", ({ error }) => void ends.push(error.message));
    const events = new RunEvents(newRun(hooks));
    await events.begin("Hi");
    const failure = events.readFailure(new Error("no model"));
    expect(await events.end(failure)).toBe(failure.error);
    await events.end({ status: "completed" });
    expect(ends).toEqual(["no model", ["failed", "no model"]]);
  });

  test("ends a step that is open before the next begins, and at the end of the run", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_step", ({ stepIndex }) => void fired.push(`before ${stepIndex}`));
    hooks.on("after_step", ({ stepIndex, status }) => void fired.push(`after ${stepIndex} ${status}`));
    const events = new RunEvents(newRun(hooks));
    await events.begin("Hi");
    await events.beforeStep([]);
    await events.beforeStep([]);
    await events.end({ status: "completed" });
    expect(fired).toEqual(["before 0", "after 0 completed", "before 1", "after 1 completed"]);
  });

  test("stops the run, and the run above it, when a hook stops it at its gate", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => stop("enough"));
    const parent = newRun(hooks);
    const run = new HookedRun(hooks, { ...parent.details, parent });
    await expect(new RunEvents(run).askStop("done")).rejects.toThrow("enough");
    expect(parent.stopped?.message).toContain("enough");
  });
});
