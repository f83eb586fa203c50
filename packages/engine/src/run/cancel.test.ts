import { block, proceed, skip } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import { RunSignal } from "../host/run-signal.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

/** The kinds of signal that a host may give, and what aborts each. */
const signals = [
  () => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
  },
  () => {
    const signal = new RunSignal();
    return { signal, abort: () => signal.abort(new Error("enough")) };
  },
];

const watchers: readonly (readonly [string, (hooks: Hooks) => unknown])[] = [
  ["", () => undefined],
  [", traced", (hooks) => hooks.onTrace(() => undefined)],
  [", followed by a listener", (hooks) => hooks.onHookEvent(() => undefined)],
];

describe("a sync hook that aborts the run", () => {
  describe.each(watchers)("in a set%s", (_watched, watch) => {
    test.each<[string, (abort: () => void) => unknown, (string | undefined)[]?]>([
      ["returns nothing", (abort) => abort()],
      ["proceeds", (abort) => [abort(), proceed()][1]],
      ["changes the input", (abort) => [abort(), proceed({ toolInput: {} })][1]],
      ["skips the call", (abort) => [abort(), skip(1)][1]],
      ["refuses", (abort) => [abort(), block("no")][1]],
      [
        "throws",
        (abort) => {
          abort();
          throw new Error("broken");
        },
      ],
      ["returns a promise", (abort) => [abort(), Promise.resolve()][1]],
      ["returns a promise that never settles", (abort) => [abort(), new Promise(() => undefined)][1]],
      ["returns a promise that is rejected", (abort) => [abort(), Promise.reject(new Error("late"))][1]],
    ])("and %s stops the hooks behind it", async (_what, work) => {
      for (const start of signals) {
        for (const before of [
          undefined,
          () => undefined,
          async () => undefined,
          () => proceed({ toolInput: {} }),
        ]) {
          for (const wraps of [false, true]) {
            const hooks = createHooks({ report: () => undefined });
            watch(hooks);
            const called: string[] = [];
            const { signal, abort } = start();
            if (wraps) hooks.use("before_tool", (_ctx, next) => next());
            if (before !== undefined) hooks.on("before_tool", before as never, { rejudge: false });
            hooks.on("before_tool", () => work(abort) as never, { timeoutMs: 5 });
            hooks.on("before_tool", () => void called.push("behind"));
            const dispatch = await hooks.dispatch("before_tool", shell, { signal });
            expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
            expect(called).toEqual([]);
          }
        }
      }
    });

    test("ends the dispatch as stopped, also when no hook is behind it", async () => {
      for (const start of signals) {
        const hooks = createHooks();
        watch(hooks);
        const { signal, abort } = start();
        hooks.on("before_tool", () => undefined, { name: "before" });
        hooks.on("before_tool", () => abort(), { name: "aborting" });
        const dispatch = await hooks.dispatch("before_tool", shell, { signal });
        expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
        expect(dispatch.trace.entries.map(({ hook, verdict }) => [hook, verdict])).toEqual([
          ["before", "proceed"],
          ["aborting", "proceed"],
        ]);
      }
    });
  });
});

test("a sync hook that aborts behind an async one ends as itself, and its promise is not waited for", async () => {
  const failures: string[] = [];
  const hooks = createHooks({ report: ({ message }) => failures.push(message) });
  const controller = new AbortController();
  hooks.on("before_tool", async () => undefined);
  hooks.on(
    "before_tool",
    () => {
      controller.abort("enough");
      return new Promise(() => undefined);
    },
    { name: "aborting", timeoutMs: 5 },
  );
  const dispatch = await hooks.dispatch("before_tool", shell, { signal: controller.signal });
  expect(dispatch.failures).toMatchObject([{ code: "hook_cancelled", hook: "aborting" }]);
  // Later than the hook's time would have been up.
  const clock = createHooks({ report: () => undefined });
  clock.on("before_tool", () => new Promise(() => undefined), { timeoutMs: 30 });
  await clock.dispatch("before_tool", shell);
  expect(dispatch.failures).toHaveLength(1);
  expect(failures).toEqual([]);
});

test("a guard that aborts when it judges again stops the guards behind it", async () => {
  const hooks = createHooks();
  const controller = new AbortController();
  const called: string[] = [];
  hooks.on("before_tool", ({ judging }) => {
    called.push(judging ? "first!" : "first");
    if (judging) controller.abort("enough");
  });
  hooks.on("before_tool", ({ judging }) => void called.push(judging ? "second!" : "second"));
  hooks.on("before_tool", () => proceed({ toolInput: {} }));
  const dispatch = await hooks.dispatch("before_tool", shell, { signal: controller.signal });
  expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
  expect(called).toEqual(["first", "second", "first!"]);
});

test.each<[string, (next: () => Promise<unknown>) => Promise<unknown>]>([
  ["at once", (next) => next()],
  ["later", async (next) => [await null, await next()][1]],
])(
  "a hook that aborts inside a middleware is recorded before that, which calls next %s",
  async (_when, wrap) => {
    for (const start of signals) {
      for (const before of [undefined, async () => undefined]) {
        for (const returned of [undefined, Promise.resolve(), new Promise(() => undefined)]) {
          const { signal, abort } = start();
          const hooks = createHooks({ report: () => undefined });
          const ended: string[] = [];
          hooks.onHookEvent(({ type, hookName }) => {
            if (type === "hook:completed" || type === "hook:error") ended.push(hookName);
          });
          hooks.use("before_tool", (_ctx, next) => wrap(next) as never, { name: "outer" });
          if (before !== undefined) hooks.on("before_tool", before, { name: "before" });
          hooks.on("before_tool", () => [abort(), returned][1] as never, { name: "aborting" });
          hooks.on("before_tool", () => void ended.push("behind"));
          const dispatch = await hooks.dispatch("before_tool", shell, { signal });
          const expected = before === undefined ? ["aborting", "outer"] : ["before", "aborting", "outer"];
          expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
          expect(dispatch.trace.entries.map(({ hook }) => hook)).toEqual(expected);
          expect(ended).toEqual(expected);
          await new Promise(setImmediate);
          expect(ended).toEqual(expected);
        }
      }
    }
  },
);

test("a host's signal that cannot be listened to fails the dispatch, and no hook is called later", async () => {
  const hooks = createHooks({ report: () => undefined });
  const called: string[] = [];
  hooks.on("before_tool", () => new Promise((_resolve, reject) => setImmediate(reject)), {
    timeoutMs: 1,
    onError: "continue",
  });
  hooks.on("before_tool", () => void called.push("behind"));
  const signal = {
    aborted: false,
    reason: undefined,
    onAbort: () => {
      throw new Error("broken signal");
    },
  };
  await expect(hooks.dispatch("before_tool", shell, { signal })).rejects.toThrow("broken signal");
  // Later than the hook's time would have been up.
  const clock = createHooks({ report: () => undefined });
  clock.on("before_tool", () => new Promise(() => undefined), { timeoutMs: 20 });
  await clock.dispatch("before_tool", shell);
  expect(called).toEqual([]);
});
