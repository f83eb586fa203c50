import { block } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { createHooks } from "../hooks.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

/** A promise with its handle. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

test("a dispatch does not wait for background hooks, and drain does", async () => {
  const hooks = createHooks();
  const { open, opened } = gate();
  let done = false;
  hooks.on(
    "after_agent",
    async () => {
      await opened;
      done = true;
    },
    { mode: "background" },
  );
  await hooks.dispatch("after_agent", { status: "completed" });
  expect([done, hooks.pending]).toEqual([false, 1]);
  open();
  expect(await hooks.drain()).toBe(true);
  expect([done, hooks.pending]).toEqual([true, 0]);
});

test("a background hook starts after the dispatch has returned, even if it computes", async () => {
  const hooks = createHooks();
  const order: string[] = [];
  hooks.on("before_tool", () => void order.push("background"), { mode: "background" });
  void hooks.dispatch("before_tool", shell);
  order.push("returned");
  await Promise.resolve();
  order.push("a moment later");
  await hooks.drain();
  expect(order).toEqual(["returned", "a moment later", "background"]);
});

test("background hooks run in parallel", async () => {
  const hooks = createHooks();
  const first = gate();
  const second = gate();
  hooks.on(
    "before_tool",
    async () => {
      first.open();
      await second.opened;
    },
    { mode: "background" },
  );
  hooks.on(
    "before_tool",
    async () => {
      await first.opened;
      second.open();
    },
    { mode: "background" },
  );
  await hooks.dispatch("before_tool", shell);
  expect(await hooks.drain({ timeoutMs: 5_000 })).toBe(true);
});

test("a background hook has a frozen copy: later changes do not reach it, and it changes nothing", async () => {
  const hooks = createHooks({ report: () => undefined });
  const input = { command: "ls", nested: { list: [1] } };
  const metadata: Record<string, unknown> = { step: 1 };
  const seen: unknown[] = [];
  const thrown: unknown[] = [];
  hooks.on(
    "before_tool",
    (ctx) => {
      seen.push(JSON.parse(JSON.stringify(ctx.toolInput)), { ...ctx.metadata });
      for (const write of [
        () => Object.assign(ctx.toolInput, { command: "rm" }),
        () => (ctx.toolInput.nested as { list: number[] }).list.push(2),
        () => Object.assign(ctx.metadata, { step: 9 }),
      ]) {
        try {
          write();
        } catch (error) {
          thrown.push(error);
        }
      }
    },
    { mode: "background" },
  );
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: input }, { metadata });
  input.command = "changed afterwards";
  metadata.step = 2;
  await hooks.drain();
  expect(seen).toEqual([{ command: "ls", nested: { list: [1] } }, { step: 1 }]);
  expect(thrown).toHaveLength(3);
  expect([input.nested.list, metadata]).toEqual([[1], { step: 2 }]);
});

test("an error in a background hook's payload stays an error of its class", async () => {
  const hooks = createHooks();
  let seen: unknown;
  hooks.on("agent_failed", (ctx) => void (seen = ctx.error), { mode: "background" });
  const error = new RangeError("out of range");
  await hooks.dispatch("agent_failed", { error });
  await hooks.drain();
  expect(seen).toBeInstanceOf(RangeError);
  expect(seen).not.toBe(error);
  expect((seen as Error).message).toBe("out of range");
});

test("only hooks with always get the outcome, whatever it was", async () => {
  const hooks = createHooks();
  const outcomes: unknown[] = [];
  hooks.on("before_tool", () => block("no"), { matcher: "Shell" });
  hooks.on("before_tool", (ctx) => void outcomes.push(ctx.outcome), { mode: "background", always: true });
  await hooks.dispatch("before_tool", shell);
  await hooks.dispatch("before_tool", { ...shell, toolName: "ReadFile" });
  await hooks.drain();
  expect(outcomes).toEqual([{ type: "block", reason: "no" }, { type: "proceed" }]);
});

test("drain also waits for hooks that start meanwhile", async () => {
  const hooks = createHooks();
  let deep = 0;
  hooks.on(
    "before_tool",
    async (ctx) => {
      deep = Number(ctx.toolInput.depth);
      if (deep < 5)
        await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { depth: deep + 1 } });
    },
    { mode: "background" },
  );
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { depth: 1 } });
  await hooks.drain();
  expect(deep).toBe(5);
});

test("drain resolves to false when its time is up", async () => {
  const hooks = createHooks({ report: () => undefined });
  hooks.on("before_tool", () => new Promise(() => undefined), { mode: "background" });
  await hooks.dispatch("before_tool", shell);
  expect(await hooks.drain({ timeoutMs: 10 })).toBe(false);
  hooks.cancel();
  expect(await hooks.drain()).toBe(true);
});

test("cancel aborts the hooks through their signals, reports them, and stops waiting for them", async () => {
  const reported: string[] = [];
  const hooks = createHooks({ report: ({ code, hook }) => reported.push(`${hook}: ${code}`) });
  let signal: AbortSignal | undefined;
  const started = gate();
  hooks.on(
    "before_tool",
    (ctx) => {
      signal = ctx.signal;
      started.open();
      return new Promise(() => undefined);
    },
    { mode: "background", name: "endless" },
  );
  await hooks.dispatch("before_tool", shell);
  await started.opened;
  hooks.cancel("shutting down");
  expect(await hooks.drain()).toBe(true);
  expect(signal?.aborted).toBe(true);
  expect(reported).toEqual(["endless: hook_cancelled"]);
});

test("a hook that is cancelled before it started never starts", async () => {
  const hooks = createHooks({ report: () => undefined });
  let ran = false;
  hooks.on("before_tool", () => void (ran = true), { mode: "background" });
  void hooks.dispatch("before_tool", shell);
  hooks.cancel();
  await hooks.drain();
  await new Promise(setImmediate);
  expect(ran).toBe(false);
});

test("a background hook that fails or outlives its timeout is reported, never thrown", async () => {
  const reported: string[] = [];
  const hooks = createHooks({ report: ({ code, hook }) => reported.push(`${hook}: ${code}`) });
  hooks.on("before_tool", () => Promise.reject(new Error("boom")), { mode: "background", name: "broken" });
  hooks.on("before_tool", () => new Promise(() => undefined), {
    mode: "background",
    name: "slow",
    timeoutMs: 10,
  });
  await hooks.dispatch("before_tool", shell);
  await hooks.drain();
  expect(reported.sort()).toEqual(["broken: hook_threw", "slow: hook_timeout"]);
});

test("closing waits for background hooks that end in time, and ends the others", async () => {
  const reported: string[] = [];
  const hooks = createHooks({ report: ({ code, hook }) => reported.push(`${hook}: ${code}`) });
  let done = false;
  const unregister = hooks.on("before_tool", async () => void (done = true), { mode: "background" });
  await hooks.dispatch("before_tool", shell);
  expect(await hooks.close()).toBe(0);
  expect(done).toBe(true);
  unregister();
  hooks.on("before_tool", () => new Promise(() => undefined), { mode: "background", name: "endless" });
  await hooks.dispatch("before_tool", shell);
  expect(await hooks.close({ timeoutMs: 20 })).toBe(1);
  expect(reported).toEqual(["endless: hook_cancelled"]);
  expect(hooks.pending).toBe(0);
});

test("a background hook that a listener cancels when it starts is not called", async () => {
  const hooks = createHooks({ report: () => undefined });
  const events: string[] = [];
  hooks.onHookEvent(({ type }) => {
    events.push(type);
    if (type === "hook:started") hooks.cancel();
  });
  hooks.on("before_tool", () => void events.push("called"), { mode: "background" });
  await hooks.dispatch("before_tool", shell);
  await hooks.drain();
  expect(events).toEqual(["hook:registered", "hook:started", "hook:error"]);
});
