import { setImmediate as nextTick } from "node:timers/promises";
import { block } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import type { HookLifecycleEvent } from "./hook-lifecycle-event.ts";
import type { Trace } from "./trace.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };
/** So many dispatches that the code which runs them is optimised. */
const MANY = 100;

function traced(hooks: Hooks): Trace[] {
  const traces: Trace[] = [];
  hooks.onTrace((trace) => traces.push(trace));
  return traces;
}

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("a trace listener", () => {
  test("gets when every quiet hook started and how long it took, cold and hot", () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { name: "first" });
    hooks.on("before_tool", () => work(2), { name: "slow" });
    hooks.on("before_tool", () => undefined, { name: "last" });
    const traces = traced(hooks);
    for (let i = 0; i < MANY; i++) {
      const before = performance.now();
      void hooks.dispatch("before_tool", shell);
      const after = performance.now();
      const [first, slow, last] = traces.at(-1)?.entries ?? [];
      expect([first?.hook, slow?.hook, last?.hook]).toEqual(["first", "slow", "last"]);
      expect(slow?.durationMs).toBeGreaterThanOrEqual(2);
      // One reading is the end of a hook and the start of the next.
      const starts = [first?.startedAt, slow?.startedAt, last?.startedAt].map(Number);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      // The two clocks are the same one up to what it takes to read both.
      expect(starts[0]).toBeGreaterThan(before - 1);
      expect((last?.startedAt ?? 0) + (last?.durationMs ?? 0)).toBeLessThan(after + 1);
    }
  });

  test("keeps a trace that later dispatches do not change, also when it reads the entries only then", () => {
    const hooks = createHooks();
    let ms = 2;
    hooks.on("before_tool", () => work(ms));
    const traces = traced(hooks);
    void hooks.dispatch("before_tool", shell);
    ms = 0;
    for (let i = 0; i < MANY; i++) void hooks.dispatch("before_tool", shell);
    expect(traces[0]?.entries[0]?.durationMs).toBeGreaterThanOrEqual(2);
    expect(traces[0]?.entries).toBe(traces[0]?.entries);
  });

  test.each([
    ["a spread", (trace: Trace) => ({ ...trace })],
    ["JSON", (trace: Trace) => JSON.parse(JSON.stringify(trace)) as Trace],
    ["a structured clone", (trace: Trace) => structuredClone(trace) as Trace],
    ["Object.assign", (trace: Trace) => Object.assign({}, trace)],
  ])("can copy a trace with its entries: by %s", (_, copy) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { name: "quiet" });
    const traces = traced(hooks);
    void hooks.dispatch("before_tool", shell);
    const copied = copy(traces[0] as Trace);
    expect(copied).toMatchObject({ event: "before_tool", action: "go_on", original: shell, final: shell });
    expect(copied.entries[0]).toMatchObject({ hook: "quiet", durationMs: expect.any(Number) });
  });

  test.each([
    ["blocks", () => block("no"), "block"],
    ["throws", () => fail("no"), "failed"],
    ["answers later", () => nextTick().then(() => block("no")), "block"],
  ] as const)("gets the times of all hooks when one %s, cold and hot", async (_, answer, verdict) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => work(1), { name: "slow" });
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? answer() : undefined), {
      name: "guard",
    });
    const traces = traced(hooks);
    for (let i = 0; i < MANY; i++) {
      const isLast = i === 0 || i === MANY - 1;
      await hooks.dispatch("before_tool", isLast ? { ...shell, toolInput: { command: "rm" } } : shell);
      if (!isLast) continue;
      const [slow, guard] = traces.at(-1)?.entries ?? [];
      expect(slow).toMatchObject({ hook: "slow", verdict: "proceed" });
      expect(slow?.durationMs).toBeGreaterThanOrEqual(1);
      expect(guard).toMatchObject({ hook: "guard", verdict });
      expect(guard?.startedAt).toBeGreaterThanOrEqual((slow?.startedAt ?? 0) + 1);
      expect(guard?.durationMs).toBeGreaterThanOrEqual(0);
    }
  });

  test("gets the outer times of a dispatch in which another was made", () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => void hooks.dispatch("on_error", { error: new Error(), phase: "tool" }), {
      name: "outer",
    });
    hooks.on("before_tool", () => work(1), { name: "slow" });
    hooks.on("on_error", () => undefined, { name: "inner" });
    const traces = traced(hooks);
    for (let i = 0; i < MANY; i++) void hooks.dispatch("before_tool", shell);
    const [inner, outer] = traces.slice(-2);
    expect(inner?.entries.map(({ hook }) => hook)).toEqual(["inner"]);
    expect(outer?.entries.map(({ hook }) => hook)).toEqual(["outer", "slow"]);
    expect(outer?.entries[1]?.durationMs).toBeGreaterThanOrEqual(1);
    expect(inner?.entries[0]?.startedAt).toBeGreaterThanOrEqual(outer?.entries[0]?.startedAt ?? 0);
  });
});

test("what a listener does with an event is not part of any hook's time", async () => {
  const hooks = createHooks();
  for (const name of ["a", "b", "c"]) hooks.on("before_tool", () => undefined, { name });
  const events: (HookLifecycleEvent & { readonly began: number; readonly ended: number })[] = [];
  hooks.onHookEvent((event) => {
    const began = performance.now();
    work(5);
    events.push({ ...event, began, ended: performance.now() });
  });
  const { entries } = (await hooks.dispatch("before_tool", shell)).trace;
  expect(entries.map(({ hook }) => hook)).toEqual(["a", "b", "c"]);
  for (const { hook, startedAt = 0, durationMs = 0 } of entries) {
    const [started, completed] = events.filter(({ hookName }) => hookName === hook);
    expect(started?.type).toBe("hook:started");
    expect(startedAt).toBeGreaterThan((started?.ended ?? 0) - 1);
    expect(completed).toMatchObject({ type: "hook:completed", durationMs });
    expect(startedAt + durationMs).toBeLessThan((completed?.began ?? 0) + 1);
  }
});

describe("an instrument that is not active", () => {
  test("makes no spans until it is active, and hooks are timed nevertheless", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    let active = false;
    let spans = 0;
    const span = { run: <T>(inside: () => T) => inside(), end: () => undefined };
    const instrument = () => {
      spans++;
      return span;
    };
    hooks.instrument(instrument, { isActive: () => active });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.trace.entries[0]?.durationMs).toEqual(expect.any(Number));
    expect(spans).toBe(0);
    active = true;
    void hooks.dispatch("before_tool", shell);
    expect(spans).toBe(1);
  });

  test("counts as active when asking it throws, which is reported", () => {
    const reported: string[] = [];
    const hooks = createHooks({ report: ({ message }) => reported.push(message) });
    hooks.on("before_tool", () => undefined);
    let spans = 0;
    const span = { run: <T>(inside: () => T) => inside(), end: () => undefined };
    const instrument = () => {
      spans++;
      return span;
    };
    hooks.instrument(instrument, { isActive: () => fail("cannot tell") });
    void hooks.dispatch("before_tool", shell);
    expect(spans).toBe(1);
    expect(reported).toEqual(["a listener failed: cannot tell."]);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
