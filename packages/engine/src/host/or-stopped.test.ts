import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { orStopped } from "./or-stopped.ts";
import { newRun } from "./testing/test-support.ts";

const startRun = (signal?: AbortSignal) => newRun(createHooks(), {}, signal);

const never = new Promise<never>(() => {});

describe("waiting for a tool", () => {
  test("does not listen to the caller's signal for a tool that answers at once", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    await expect(orStopped(Promise.resolve("done"), startRun(signal))).resolves.toBe("done");
    await nextTurn();
    expect(listeners).toBe(0);
  });

  test("ends when the caller aborts a tool that takes longer, and removes its listener", async () => {
    const controller = new AbortController();
    const waiting = orStopped(never, startRun(controller.signal));
    await nextTurn();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort(new Error("the user left"));
    await expect(waiting).rejects.toThrow("the user left");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("ends when the caller aborts before the event loop has turned", async () => {
    const controller = new AbortController();
    const waiting = orStopped(never, startRun(controller.signal));
    controller.abort(new Error("the user left"));
    await expect(waiting).rejects.toThrow("the user left");
  });

  test.each([
    ["answers", () => Promise.resolve("done")],
    ["fails", () => Promise.reject(new Error("failed"))],
  ])("rejects with the abort when a tool %s after it, in the same turn", async (_, call) => {
    const controller = new AbortController();
    const waiting = orStopped(call(), startRun(controller.signal));
    controller.abort(new Error("the user left"));
    await expect(waiting).rejects.toThrow("the user left");
  });

  test("passes on the failure of a tool", async () => {
    const failed = Promise.reject(new Error("failed"));
    await expect(orStopped(failed, startRun(new AbortController().signal))).rejects.toThrow("failed");
  });

  test.each([
    ["with a signal of the caller", new AbortController().signal],
    ["without one", undefined],
  ])("ends when a hook stops the run, %s", async (_, signal) => {
    const run = startRun(signal);
    const waiting = orStopped(never, run);
    run.stop(new Error("stopped by a hook"));
    await expect(waiting).rejects.toThrow("stopped by a hook");
  });
});
