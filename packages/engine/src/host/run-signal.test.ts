import { onAbort } from "@tenterhook/internal";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { RunSignal } from "./run-signal.ts";

describe("the signal of a run", () => {
  test("is aborted with a signal that it follows, whether or not something listens", () => {
    for (const isListened of [false, true]) {
      const caller = new AbortController();
      const signal = new RunSignal();
      signal.follow(caller.signal);
      let calls = 0;
      if (isListened) signal.onAbort(() => calls++);
      expect(signal.aborted).toBe(false);
      caller.abort("enough");
      expect([signal.aborted, signal.reason, calls]).toEqual([true, "enough", isListened ? 1 : 0]);
    }
  });

  test("follows a signal for each one who asked, until the last has left", () => {
    const caller = new AbortController();
    const signal = new RunSignal();
    const leave = signal.follow(caller.signal);
    signal.follow(caller.signal);
    leave();
    caller.abort();
    expect(signal.aborted).toBe(true);
  });

  test("is not aborted by a signal that it followed before it was released, nor by one that it left", () => {
    const [left, released] = [new AbortController(), new AbortController()];
    const signal = new RunSignal();
    signal.onAbort(() => expect.fail("it was aborted"));
    signal.follow(left.signal)();
    left.abort();
    signal.follow(released.signal);
    signal.release();
    released.abort();
    expect(signal.aborted).toBe(false);
  });

  test("keeps the first reason, and calls each listener once", () => {
    const signal = new RunSignal();
    const reasons: unknown[] = [];
    const remove = signal.onAbort(() => expect.fail("it was removed"));
    onAbort(signal, () => reasons.push(signal.reason));
    remove();
    signal.abort("first");
    signal.abort("second");
    onAbort(signal, () => reasons.push("at once"));
    expect(reasons).toEqual(["first", "at once"]);
  });

  test("gives a real signal that is aborted with it", () => {
    const caller = new AbortController();
    const signal = new RunSignal();
    signal.follow(caller.signal);
    const real = signal.signal;
    expect(real).toBeInstanceOf(AbortSignal);
    caller.abort("enough");
    expect([real.aborted, real.reason]).toEqual([true, "enough"]);
    const late = new RunSignal();
    late.abort("before");
    expect(late.signal.reason).toBe("before");
  });

  test("cancels a dispatch while a hook of it waits", async () => {
    const hooks = createHooks();
    let cancelled: unknown;
    hooks.on("before_tool", (ctx) => new Promise(() => ctx.onAbort((reason) => (cancelled = reason))));
    const signal = new RunSignal();
    const dispatching = hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} }, { signal });
    signal.abort("enough");
    expect((await dispatching).action).toBe("stop");
    expect(cancelled).toBe("enough");
  });
});
