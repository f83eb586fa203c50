import { block, proceed, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { endRun, holdAtStop, readFailure } from "./ending.ts";
import { newRun } from "./testing/test-support.ts";
import { beforeStep, beginTurn, joinContext } from "./turn.ts";

describe("the events of a turn", () => {
  test("gives the model the message as hooks changed it, with the context that they added", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => proceed({ message: "Hello" }, { context: "It rains." }));
    const start = await beginTurn(newRun(hooks), "Hi");
    expect(start).toEqual({ type: "go_on", message: "Hello", context: ["It rains."] });
    const text = "Hello\n\n<hook_context>\nIt rains.\n</hook_context>";
    expect(joinContext("Hello", ["It rains."])).toBe(text);
  });

  test("refuses a turn with the reason of the hook, and counts it as stopped", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("before_agent", () => block("not now"), { name: "curfew" });
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    const run = newRun(hooks);
    const beginning = await beginTurn(run, "Hi");
    expect(beginning).toMatchObject({ type: "refused", reason: "not now", error: { code: "turn_refused" } });
    if (beginning.type !== "refused") throw new Error("not refused");
    await endRun(run, readFailure(run, beginning.error));
    expect(ends).toEqual(["stopped"]);
  });

  test("keeps the agent running until its gate is satisfied, only so often", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "tested" ? undefined : block("run the tests"),
    );
    const run = newRun(hooks, { maxHolds: 1 });
    expect(await holdAtStop(run, "done")).toEqual({ type: "go_on", feedback: "run the tests" });
    expect(await holdAtStop(run, "tested")).toEqual({ type: "stop" });
    await expect(holdAtStop(run, "done")).rejects.toMatchObject({ code: "gate_unsatisfied" });
  });

  test("fires after_agent once, with the error that reached the caller", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", ({ status, error }) => void ends.push([status, error?.message]));
    hooks.on("agent_failed", ({ error }) => void ends.push(error.message));
    const run = newRun(hooks);
    await beginTurn(run, "Hi");
    const failure = readFailure(run, new Error("no model"));
    expect(await endRun(run, failure)).toBe(failure.error);
    await endRun(run, { status: "completed" });
    expect(ends).toEqual(["no model", ["failed", "no model"]]);
  });

  test("ends a step that is open before the next begins, and at the end of the run", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_step", ({ stepIndex }) => void fired.push(`before ${stepIndex}`));
    hooks.on("after_step", ({ stepIndex, status }) => void fired.push(`after ${stepIndex} ${status}`));
    const run = newRun(hooks);
    await beginTurn(run, "Hi");
    await beforeStep(run, []);
    await beforeStep(run, []);
    await endRun(run, { status: "completed" });
    expect(fired).toEqual(["before 0", "after 0 completed", "before 1", "after 1 completed"]);
  });

  test("begins no step of a run that is stopped, also while the step before it ends", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on("before_step", ({ stepIndex }) => void fired.push(`before ${stepIndex}`));
    hooks.on("after_step", ({ stepIndex, status }) => void fired.push(`after ${stepIndex} ${status}`));
    const run = newRun(hooks);
    await beforeStep(run, []);
    run.stop(new Error("enough"));
    await expect(beforeStep(run, [])).rejects.toThrow("enough");
    await endRun(run, { status: "stopped" });
    expect(fired).toEqual(["before 0", "after 0 stopped"]);

    fired.length = 0;
    const caller = new AbortController();
    const aborted = newRun(hooks, { signal: caller.signal });
    const beginning = beforeStep(aborted, []);
    caller.abort(new Error("the user left"));
    await expect(beginning).rejects.toThrow("the user left");
    await endRun(aborted, { status: "stopped" });
    expect(fired).toEqual([]);
  });

  test("gives a step the messages as the end of the step before it has changed them", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("after_step", ({ messages }) =>
      proceed({ messages: [...messages, { role: "user", content: "Be brief." }] }),
    );
    hooks.on("before_step", ({ messages }) => void seen.push(messages.map(({ content }) => content)));
    const run = newRun(hooks, { support: undefined });
    const messages = [{ role: "user", content: "Hi" }] as const;
    await beforeStep(run, messages);
    const next = await beforeStep(run, messages);
    expect(next.messages).toEqual([...messages, { role: "user", content: "Be brief." }]);
    expect(seen).toEqual([["Hi"], ["Hi", "Be brief."]]);
  });

  test("has no after_agent if before_agent was never fired", async () => {
    const hooks = createHooks();
    const fired: string[] = [];
    hooks.on(["before_agent", "after_agent"], ({ event }) => void fired.push(event));
    const refused = newRun(hooks, { refusal: () => "a hook would not be called" });
    expect(await beginTurn(refused, "Hi")).toMatchObject({ type: "refused" });
    await endRun(refused, { status: "stopped" });
    const stopped = newRun(hooks);
    stopped.stop(new Error("enough"));
    await expect(beginTurn(stopped, "Hi")).rejects.toThrow("enough");
    await endRun(stopped, { status: "stopped" });
    const caller = new AbortController();
    const refusal = () => caller.abort(new Error("enough")) as undefined;
    const aborted = newRun(hooks, { refusal, signal: caller.signal });
    await expect(beginTurn(aborted, "Hi")).rejects.toThrow("enough");
    await endRun(aborted, { status: "stopped" });
    expect(fired).toEqual([]);
  });

  test("fails a run whose last step a guard fails", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_step", () => {
      throw new Error("no policy");
    });
    hooks.on(["agent_failed", "after_agent"], (ctx) => {
      ends.push([ctx.event, "status" in ctx ? ctx.status : undefined, ctx.error?.message]);
    });
    const run = newRun(hooks);
    await beginTurn(run, "Hi");
    await beforeStep(run, []);
    const error = await endRun(run, { status: "completed" });
    expect(error?.message).toContain("no policy");
    expect(ends).toEqual([
      ["agent_failed", undefined, error?.message],
      ["after_agent", "failed", error?.message],
    ]);
  });

  test("ends a step that is open at the end of the run with the messages that it began with", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_step", ({ messages }) =>
      proceed({ messages: [...messages, { role: "user", content: "Be brief." }] }),
    );
    hooks.on("after_step", ({ messages }) => void seen.push(messages.map(({ content }) => content)));
    const run = newRun(hooks, { support: undefined });
    await beforeStep(run, [{ role: "user", content: "Hi" }]);
    await endRun(run, { status: "stopped" });
    expect(seen).toEqual([["Hi", "Be brief."]]);
  });

  test("shows the last step that the model answered as the current one, after a step without an answer", async () => {
    const hooks = createHooks();
    const texts: unknown[] = [];
    hooks.on("before_step", ({ state }) => void texts.push(state?.currentStep?.text));
    const run = newRun(hooks);
    await beforeStep(run, []);
    run.steps.recordAnswer("Looking.", []);
    await beforeStep(run, []);
    await beforeStep(run, []);
    expect(texts).toEqual([undefined, "Looking.", "Looking."]);
  });

  test("stops the run, and the run above it, when a hook stops it at its gate", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => stop("enough"));
    const parent = newRun(hooks);
    const run = newRun(hooks, { parent });
    await expect(holdAtStop(run, "done")).rejects.toThrow("enough");
    expect(parent.stopped?.reason).toContain("enough");
  });
});
