import { block, proceed } from "@tenterhook/protocol";
import { recordWarnings } from "@tenterhook/test-support/record-warnings";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import type { HookLifecycleEvent } from "./hook-lifecycle-event.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

describe("hook events", () => {
  test("report registering, running and unregistering, in order", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    hooks.onHookEvent(({ type, hookName }) => events.push(`${type} ${hookName}`));
    const undo = hooks.on("before_tool", () => undefined, { name: "a" });
    hooks.on("before_tool", async () => block("no"), { name: "b" });
    await hooks.dispatch("before_tool", shell);
    undo();
    expect(events).toEqual([
      "hook:registered a",
      "hook:registered b",
      "hook:started a",
      "hook:completed a",
      "hook:started b",
      "hook:completed b",
      "hook:blocked b",
      "hook:unregistered a",
    ]);
  });

  test("report a timeout beside its failure, never instead", async () => {
    const hooks = createHooks({ report: () => undefined });
    const events: HookLifecycleEvent[] = [];
    hooks.onHookEvent((event) => events.push(event));
    hooks.on("before_tool", () => new Promise(() => undefined), {
      name: "slow",
      timeoutMs: 10,
      onError: "continue",
    });
    hooks.on("before_tool", () => Promise.reject(new Error("boom")), { name: "broken" });
    await hooks.dispatch("before_tool", shell);
    const reported = events
      .filter(({ type }) => type !== "hook:registered")
      .map(({ type, hookName, error }) => [type, hookName, error?.code]);
    expect(reported).toEqual([
      ["hook:started", "slow", undefined],
      ["hook:timeout", "slow", "hook_timeout"],
      ["hook:error", "slow", "hook_timeout"],
      ["hook:started", "broken", undefined],
      ["hook:error", "broken", "hook_threw"],
      ["hook:blocked", "broken", "hook_threw"],
    ]);
    expect(events.find(({ type }) => type === "hook:timeout")?.durationMs).toBeGreaterThanOrEqual(10);
  });
});

describe("listeners", () => {
  test("there may be any number, and unregistering one leaves the others", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    const received: string[] = [];
    const undo = hooks.onTrace(() => received.push("first"));
    hooks.onTrace(() => received.push("second"));
    await hooks.dispatch("before_tool", shell);
    undo();
    await hooks.dispatch("before_tool", shell);
    expect(received).toEqual(["first", "second", "second"]);
  });

  test("a function that is registered twice is called twice, and unregistering one leaves the other", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    let received = 0;
    const listener = () => void received++;
    const undo = hooks.onTrace(listener);
    hooks.onTrace(listener);
    await hooks.dispatch("before_tool", shell);
    undo();
    await hooks.dispatch("before_tool", shell);
    expect(received).toBe(3);
  });

  test("a listener that throws or rejects is reported and changes nothing else", async () => {
    const reported: string[] = [];
    const hooks = createHooks({ report: ({ message }) => reported.push(message) });
    hooks.on("before_tool", () => undefined);
    const received: string[] = [];
    hooks.onTrace(() => {
      throw new Error("deaf");
    });
    hooks.onTrace((async () => {
      throw new Error("slow and deaf");
    }) as never);
    hooks.onTrace(() => received.push("still here"));
    hooks.instrument(() => {
      throw new Error("no span");
    });
    hooks.instrument(() => ({
      run: () => {
        throw new Error("does not run the hook");
      },
      end: () => {
        throw new Error("cannot end");
      },
    }));
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.outcome.type).toBe("proceed");
    expect(received).toEqual(["still here"]);
    expect(reported.join()).toMatch(/no span.*does not run the hook.*cannot end.*deaf.*slow and deaf/);
  });

  test("an instrument that runs the hook twice, or swallows its answer, changes nothing", async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on("before_tool", () => {
      asked++;
      return block("no");
    });
    hooks.instrument(() => ({
      run: (work) => {
        work();
        work();
        return undefined as never;
      },
      end: () => undefined,
    }));
    expect((await hooks.dispatch("before_tool", shell)).reason).toBe("no");
    expect(asked).toBe(1);
  });

  test("a failure that decides nothing is reported, and one that decides is in the outcome", async () => {
    const reported: string[] = [];
    const hooks = createHooks({ report: ({ hook }) => reported.push(String(hook)) });
    const fail = () => {
      throw new Error("boom");
    };
    hooks.on("before_tool", fail, { name: "open", onError: "continue" });
    hooks.on("before_tool", fail, { name: "closed" });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(reported).toEqual(["open"]);
    expect(dispatch).toMatchObject({
      hook: "closed",
      reason: 'hook "closed" on before_tool: it failed: boom. Its onError is block.',
    });
  });

  test("without a reporter a failure becomes a warning of the process", async () => {
    const warnings = recordWarnings();
    const hooks = createHooks();
    hooks.on("session_end", () => Promise.reject(new Error("disk full")), { name: "archiver" });
    await hooks.dispatch("session_end", {});
    await expect
      .poll(() => warnings)
      .toMatchObject([
        { name: "TenterhookWarning", code: "hook_threw", message: expect.stringContaining("archiver") },
      ]);
  });
});

test.each<[string, (work: () => unknown) => unknown]>([
  ["never", () => undefined],
  ["twice", (work) => [work(), work()][1]],
  ["later", (work) => setImmediate(work)],
  ["at once and later", (work) => [setImmediate(work), work()][1]],
])("a hook is called once by a span that calls its work %s", async (_when, run) => {
  const hooks = createHooks({ report: () => undefined });
  hooks.instrument(() => ({ run: run as never, end: () => undefined }));
  let calls = 0;
  hooks.on("before_tool", () => void calls++);
  hooks.on("before_tool", () => void calls++, { mode: "background" });
  await hooks.dispatch("before_tool", shell);
  await hooks.drain();
  await new Promise(setImmediate);
  expect(calls).toBe(2);
});

test("a hook's duration is without the host's check of a change by the hook before it, and without matchers", async () => {
  const hooks = createHooks();
  const durations: (number | undefined)[] = [];
  hooks.onTrace(({ entries }) => durations.push(...entries.map(({ durationMs }) => durationMs)));
  const compute = (ms: number) => {
    for (const start = performance.now(); performance.now() - start < ms; );
  };
  hooks.on("before_tool", () => undefined, { rejudge: false });
  hooks.on("before_tool", () => proceed({ toolInput: {} }), { rejudge: false });
  hooks.on("before_tool", () => undefined);
  hooks.on("before_tool", () => undefined, { matcher: () => [compute(200), true][1] as boolean });
  hooks.on("before_tool", () => undefined);
  const validate = async () => void (await new Promise((resolve) => setTimeout(resolve, 200)));
  await hooks.dispatch("before_tool", shell, { validate });
  expect(durations.map((duration = Number.NaN) => duration < 150)).toEqual([true, true, true, true, true]);
});
