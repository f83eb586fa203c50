import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTick } from "node:timers/promises";
import { block } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

const endless = () => new Promise<undefined>(() => undefined);

function verdicts(trace: { entries: readonly { hook: string; verdict: string }[] }): string[] {
  return trace.entries.map(({ hook, verdict }) => `${hook}: ${verdict}`);
}

describe("async hooks that answer nothing", () => {
  test("are called one after another, and all are in the trace", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    for (const name of ["one", "two", "three"]) {
      hooks.on(
        "before_tool",
        async () => {
          order.push(`${name} starts`);
          await undefined;
          order.push(`${name} ends`);
        },
        { name },
      );
    }
    const { action, trace } = await hooks.dispatch("before_tool", shell);
    expect(action).toBe("go_on");
    expect(order).toEqual(["one starts", "one ends", "two starts", "two ends", "three starts", "three ends"]);
    expect(verdicts(trace)).toEqual(["one: proceed", "two: proceed", "three: proceed"]);
  });

  test("that take time are in the trace with their duration, and the hooks behind them are called", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", async () => undefined, { name: "quick" });
    hooks.on("before_tool", async () => void (await nextTick()), { name: "slow" });
    hooks.on("before_tool", async () => block("no"), { name: "last" });
    const { reason, trace } = await hooks.dispatch("before_tool", shell);
    expect(reason).toBe("no");
    expect(verdicts(trace)).toEqual(["quick: proceed", "slow: proceed", "last: block"]);
    expect(trace.entries[1]?.durationMs).toBeGreaterThan(0);
  });

  test("do not hide a later hook that rejects, throws or refuses without a promise", async () => {
    const refusals: readonly [() => unknown, string][] = [
      [() => Promise.reject(new Error("rejected")), "rejected"],
      [
        () => {
          throw new Error("thrown");
        },
        "thrown",
      ],
      [() => block("refused"), "refused"],
    ];
    for (const [last, reason] of refusals) {
      const hooks = createHooks();
      hooks.on("before_tool", async () => undefined);
      hooks.on("before_tool", last as () => undefined, { onError: "block" });
      const dispatch = await hooks.dispatch("before_tool", shell);
      expect(dispatch.action).toBe("refuse");
      expect(dispatch.reason).toContain(reason);
    }
  });

  test("are followed by an observer that was added while one of them ran", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    hooks.on(
      "before_tool",
      async () => void hooks.onHookEvent(({ type, hookName }) => events.push(`${type} ${hookName}`)),
      {
        name: "first",
      },
    );
    hooks.on("before_tool", async () => undefined, { name: "second" });
    const { trace } = await hooks.dispatch("before_tool", shell);
    expect(events).toEqual(["hook:started second", "hook:completed second"]);
    expect(verdicts(trace)).toEqual(["first: proceed", "second: proceed"]);
  });

  test("each have their whole time, however long the tick was in which they were called", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_tool", async () => undefined, { timeoutMs: 500, onError: "block" });
    hooks.on(
      "before_tool",
      async () => {
        const until = performance.now() + 700;
        while (performance.now() < until);
        await nextTick();
      },
      { timeoutMs: 500, onError: "block" },
    );
    expect((await hooks.dispatch("before_tool", shell)).action).toBe("go_on");
  });

  test("do not let a later one run longer than its own timeout", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", async () => undefined, { timeoutMs: 60_000 });
    hooks.on("before_tool", endless, { name: "hung", timeoutMs: 20, onError: "block" });
    hooks.on("before_tool", async () => undefined, { timeoutMs: 60_000 });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch).toMatchObject({ action: "refuse", hook: "hung", error: { code: "hook_timeout" } });
  });

  test("that answer after their timeout change nothing", async () => {
    const hooks = createHooks({ report: () => undefined });
    let answer: (outcome: ReturnType<typeof block>) => void = () => undefined;
    hooks.on("before_tool", () => new Promise((resolve) => (answer = resolve)), {
      timeoutMs: 10,
      onError: "continue",
    });
    const dispatch = await hooks.dispatch("before_tool", shell);
    answer(block("too late"));
    await nextTick();
    expect(dispatch.action).toBe("go_on");
    expect(verdicts(dispatch.trace)).toEqual(["before_tool#1: failed"]);
  });

  test("run in the async context of their own dispatch", async () => {
    const store = new AsyncLocalStorage<string>();
    const hooks = createHooks();
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count++)
      hooks.on("before_agent", async ({ message }) => void seen.push([message, store.getStore()]));
    const run = (name: string) => store.run(name, () => hooks.dispatch("before_agent", { message: name }));
    await Promise.all(["one", "two"].map(run));
    expect(seen).toHaveLength(6);
    expect(seen.every((pair) => Array.isArray(pair) && pair[0] === pair[1])).toBe(true);
  });
});

test("a dispatch inside a hook does not disturb the one around it", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => void hooks.dispatch("on_error", { error: new Error(), phase: "tool" }));
  hooks.on("before_tool", () => block("outer"), { name: "outer" });
  hooks.on("on_error", () => undefined);
  hooks.on("on_error", () => undefined);
  hooks.on("on_error", () => block("inner"), { name: "inner" });
  for (let count = 0; count < 5; count++) {
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ hook: "outer", reason: "outer" });
  }
});

test("a set without trace entries has none in any dispatch", async () => {
  const hooks = createHooks({ trace: false });
  hooks.on("before_tool", () => undefined);
  for (let count = 0; count < 5; count++) {
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.trace.entries).toEqual([]);
  }
});

test("a signal that is aborted already keeps all hooks from being called", async () => {
  const hooks = createHooks();
  const called: string[] = [];
  hooks.on("before_tool", () => void called.push("hook"));
  for (let count = 0; count < 5; count++) {
    const dispatch = await hooks.dispatch("before_tool", shell, { signal: AbortSignal.abort("enough") });
    expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
  }
  expect(called).toEqual([]);
});
