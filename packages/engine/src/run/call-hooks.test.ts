import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTick } from "node:timers/promises";
import { block, proceed, skip, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

describe("middleware", () => {
  test("wraps the hooks behind it and gets their outcome", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.use(
      "before_tool",
      {
        async handle(ctx, next) {
          order.push("in");
          const outcome = await next(ctx);
          order.push(`out: ${outcome.type}`);
          return outcome;
        },
      },
      { priority: 1 },
    );
    hooks.on("before_tool", async () => {
      order.push("guard");
      return block("no");
    });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(order).toEqual(["in", "guard", "out: block"]);
    expect(dispatch).toMatchObject({ action: "refuse", reason: "no", hook: "before_tool#2" });
  });

  test("that passes on what next returns decides nothing itself", async () => {
    const hooks = createHooks();
    hooks.use("before_tool", (_ctx, next) => next() as never);
    hooks.on("before_tool", () => skip(1));
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ action: "skip", result: 1 });
  });

  test("that does not call next does not keep the hooks behind it from running", async () => {
    const hooks = createHooks();
    hooks.use("before_tool", () => proceed(), { priority: 1 });
    hooks.on("before_tool", () => block("still here"));
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ reason: "still here" });
  });

  test("that refuses without calling next ends the chain", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    class RateLimit {
      handle() {
        return block("Rate limit exceeded");
      }
    }
    hooks.use("before_tool", new RateLimit(), { priority: 1 });
    hooks.on("before_tool", () => void asked.push("later"));
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({
      reason: "Rate limit exceeded",
      hook: "RateLimit",
    });
    expect(asked).toEqual([]);
  });

  test("cannot soften what was refused further in, and may make it stricter", async () => {
    const soft = createHooks();
    soft.use(
      "before_tool",
      async (_ctx, next) => {
        await next();
        return skip("let it pass");
      },
      { priority: 1 },
    );
    soft.on("before_tool", () => block("no"));
    expect(await soft.dispatch("before_tool", shell)).toMatchObject({ action: "refuse", reason: "no" });

    const strict = createHooks();
    strict.use(
      "before_tool",
      async (_ctx, next) => {
        const outcome = await next();
        return outcome.type === "block" ? stop("and no more") : outcome;
      },
      { priority: 1 },
    );
    strict.on("before_tool", () => block("no"));
    expect(await strict.dispatch("before_tool", shell)).toMatchObject({
      action: "stop",
      reason: "and no more",
    });
  });

  test("passes a changed value to the hooks behind it, as a patch or as a changed context", async () => {
    for (const change of [
      (_ctx: object) => ({ toolInput: { command: "pwd" } }),
      (ctx: object) => ({ ...(ctx as { payload: object }).payload, toolInput: { command: "pwd" } }),
    ]) {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.use("before_tool", (ctx, next) => next(change(ctx) as never), { priority: 1 });
      hooks.on("before_tool", (ctx) => void seen.push(ctx.toolInput));
      const dispatch = await hooks.dispatch("before_tool", shell);
      expect(seen).toEqual([{ command: "pwd" }]);
      expect(dispatch.payload.toolInput).toEqual({ command: "pwd" });
    }
  });

  test("whose change the host refuses on the way in learns it from next", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    hooks.onHookEvent(({ type, hookName }) => events.push(`${type} ${hookName}`));
    hooks.use("before_tool", async (_ctx, next) => next({ toolInput: { bogus: 1 } }) as never, {
      name: "sly",
    });
    for (const validate of [() => "no field bogus", async () => "no field bogus"]) {
      const dispatch = await hooks.dispatch("before_tool", shell, { validate });
      expect(dispatch.error).toMatchObject({ code: "bad_patch", hook: "sly" });
      expect(dispatch.payload).toEqual(shell);
    }
    expect(events.filter((event) => event === "hook:started sly")).toHaveLength(2);
  });

  test("that changes the value after the others have run makes all of them judge again", async () => {
    const hooks = createHooks();
    hooks.use(
      "before_tool",
      async (_ctx, next) => {
        await next();
        return proceed({ toolInput: { command: "rm -rf /" } });
      },
      { priority: 1, rejudge: false },
    );
    hooks.on("before_tool", () => block("dangerous"), { matcher: { pattern: "rm -rf" } });
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({
      action: "refuse",
      reason: "dangerous",
    });
  });

  test.each([
    ["and lets the error out", (next: () => unknown) => [next(), next()]],
    [
      "and swallows the error",
      (next: () => unknown) => {
        next();
        try {
          next();
        } catch {}
      },
    ],
  ])("that calls next twice %s fails, and the hooks behind it ran once", async (_how, twice) => {
    const hooks = createHooks();
    let asked = 0;
    hooks.use("before_tool", (_ctx, next) => void twice(next), { name: "greedy", priority: 1 });
    hooks.on("before_tool", () => void asked++);
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.error).toMatchObject({ code: "next_called_twice", hook: "greedy", event: "before_tool" });
    expect(dispatch.action).toBe("refuse");
    expect(asked).toBe(1);
  });

  test("is not timed out for the time that the hooks behind it take", async () => {
    const hooks = createHooks();
    let finish: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    hooks.use("before_tool", async (_ctx, next) => next() as never, { timeoutMs: 5, priority: 1 });
    hooks.on("before_tool", () => slow);
    // A hook of another dispatch whose time is up after the middleware's would have been.
    const clock = createHooks({ report: () => undefined });
    clock.on("before_tool", () => new Promise(() => undefined), { timeoutMs: 30, onError: "continue" });
    const waited = clock.dispatch("before_tool", shell).then(() => finish());
    const dispatch = await hooks.dispatch("before_tool", shell);
    await waited;
    expect(dispatch.failures).toEqual([]);
  });
});

describe("a second judgement", () => {
  test.each([
    ["at once", (next: () => unknown) => next()],
    ["later", async (next: () => unknown) => next()],
  ])("calls the guards behind a middleware that calls next %s", async (_when, call) => {
    const hooks = createHooks();
    hooks.use("before_tool", (_ctx, next) => call(next) as never, { priority: 3 });
    hooks.use("before_tool", (_ctx, next) => call(next) as never, { priority: 2, rejudge: false });
    hooks.on("before_tool", () => block("dangerous"), { priority: 1, matcher: { pattern: "rm -rf" } });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "rm -rf /" } }));
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({
      action: "refuse",
      reason: "dangerous",
    });
  });

  test("a hook that only observes is not called again about what a later one changed, unless it sets rejudge", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", () => void asked.push("watcher"), { observes: true });
    hooks.on("before_tool", () => void asked.push("auditor"), { observes: true, rejudge: true });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["watcher", "auditor", "auditor"]);
  });
});

describe("time", () => {
  test("a timed-out hook's signal is aborted, and the next hook's is not", async () => {
    const hooks = createHooks({ report: () => undefined });
    const seen: Record<string, AbortSignal> = {};
    hooks.on(
      "before_tool",
      (ctx) => {
        seen.slow = ctx.signal;
        return new Promise(() => undefined);
      },
      { timeoutMs: 10, onError: "continue" },
    );
    hooks.on("before_tool", async (ctx) => void (seen.next = ctx.signal));
    await hooks.dispatch("before_tool", shell);
    expect(seen.slow?.aborted).toBe(true);
    expect(seen.slow?.reason).toMatchObject({ code: "hook_timeout" });
    expect(seen.next?.aborted).toBe(false);
  });

  test("what a timed-out hook answers later changes nothing", async () => {
    const hooks = createHooks({ report: () => undefined });
    let answer: (value: never) => void = () => undefined;
    const late = new Promise<never>((resolve) => {
      answer = resolve;
    });
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    hooks.on("before_tool", () => late, { timeoutMs: 10, onError: "continue" });
    hooks.on("before_tool", async () => {
      answer(block("too late") as never);
      await late;
      open();
      await gate;
    });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.outcome.type).toBe("proceed");
    expect(dispatch.failures.map(({ code }) => code)).toEqual(["hook_timeout"]);
  });

  test("a hook that is called late in a long tick has all of its time", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_tool", () => new Promise(() => undefined), { timeoutMs: 30, onError: "continue" });
    const early = hooks.dispatch("before_tool", shell);
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    const askedAt = performance.now();
    const late = hooks.dispatch("before_tool", shell);
    await early;
    await late;
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(30);
  });

  test("hooks of different timeouts expire each in its own time", async () => {
    const hooks = createHooks({ report: () => undefined });
    const order: number[] = [];
    const dispatches = [40, 10, 25].map((timeoutMs) => {
      const each = createHooks({ report: () => undefined });
      each.on("before_tool", () => new Promise(() => undefined), { timeoutMs });
      return each.dispatch("before_tool", shell).then(() => order.push(timeoutMs));
    });
    await Promise.all(dispatches);
    expect(order).toEqual([10, 25, 40]);
    expect(hooks.pending).toBe(0);
  });

  test("hooks whose time is up at once, because the process was busy, expire in the order of their timeouts", async () => {
    const order: number[] = [];
    const dispatches = [40, 10, 25].map((timeoutMs) => {
      const hooks = createHooks({ report: () => undefined });
      hooks.on("before_tool", () => new Promise(() => undefined), { timeoutMs });
      return hooks.dispatch("before_tool", shell).then(() => order.push(timeoutMs));
    });
    // Two ticks later, so that the deadlines count already.
    await nextTick();
    await nextTick();
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    await Promise.all(dispatches);
    expect(order).toEqual([10, 25, 40]);
  });

  test("cancelling a dispatch aborts the running hook, calls no other and ends it as stop", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    const asked: string[] = [];
    let received: AbortSignal | undefined;
    hooks.on("before_tool", (ctx) => {
      asked.push("slow");
      received = ctx.signal;
      queueMicrotask(() => controller.abort(new Error("the user pressed escape")));
      return new Promise(() => undefined);
    });
    hooks.on("before_tool", () => void asked.push("later"));
    const dispatch = await hooks.dispatch("before_tool", shell, { signal: controller.signal });
    expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: the user pressed escape" });
    expect(received?.aborted).toBe(true);
    expect(asked).toEqual(["slow"]);
  });

  test("a hook that was cancelled is in the trace as a failure", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    const ended: string[] = [];
    hooks.onHookEvent(({ type }) => events.push(type));
    hooks.instrument(() => ({ run: (work) => work(), end: ({ verdict }) => ended.push(verdict) }));
    const controller = new AbortController();
    hooks.on("before_tool", () => new Promise(() => undefined), { name: "endless" });
    const asked = hooks.dispatch("before_tool", shell, { signal: controller.signal });
    controller.abort("gone");
    const { trace, failures } = await asked;
    expect(trace.entries.map(({ hook, verdict }) => [hook, verdict])).toEqual([["endless", "failed"]]);
    expect(failures.map(({ code }) => code)).toEqual(["hook_cancelled"]);
    expect(events).toEqual(["hook:registered", "hook:started", "hook:error", "hook:blocked"]);
    expect(ended).toEqual(["failed"]);
  });

  test("hooks after a timeout run in the async context of their own dispatch", async () => {
    const store = new AsyncLocalStorage<string>();
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_agent", () => new Promise(() => undefined), { timeoutMs: 20, onError: "continue" });
    const seen: unknown[] = [];
    hooks.on("before_agent", ({ message }) => void seen.push([message, store.getStore()]));
    await Promise.all(
      ["one", "two"].map((name) => store.run(name, () => hooks.dispatch("before_agent", { message: name }))),
    );
    expect(seen).toEqual([
      ["one", "one"],
      ["two", "two"],
    ]);
  });

  test("cancelling while a person decides ends the dispatch, and the late answer changes nothing", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("before_tool", () => ({ type: "ask", reason: "sure?" }) as const);
    let decide: () => void = () => undefined;
    const dispatch = await hooks.dispatch("before_tool", shell, {
      signal: controller.signal,
      approve: () => {
        queueMicrotask(() => controller.abort("gone"));
        return new Promise((resolve) => {
          decide = () => resolve({ type: "edit", value: { command: "rm" } });
        });
      },
    });
    decide();
    await Promise.resolve();
    expect(dispatch).toMatchObject({ action: "stop", payload: shell });
  });
});

test("a host that cancels while a hook is being called does not wait for it", async () => {
  for (const watched of [false, true]) {
    const hooks = createHooks();
    if (watched) hooks.onTrace(() => undefined);
    const controller = new AbortController();
    hooks.on("before_tool", () => {
      controller.abort(new Error("the user left"));
      return new Promise<undefined>(() => undefined);
    });
    const dispatch = await hooks.dispatch(
      "before_tool",
      { toolName: "Shell", toolInput: {} },
      { signal: controller.signal },
    );
    expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: the user left" });
  }
});
