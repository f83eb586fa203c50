import { ask, block, type EventName, proceed, recover, skip, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { snapshot } from "../answer/snapshot.ts";
import { auditLog } from "../built-in/audit-log.ts";
import { shadow } from "../built-in/shadow.ts";
import { createHooks, type Hooks } from "../hooks.ts";
import { mayChangeAnswer } from "../host/index.ts";
import { StopGate } from "../host/stop-gate.ts";
import { ConfigHooks } from "../surfaces/config/config-hooks.ts";
import { NamedHooks } from "../surfaces/named/named-hooks.ts";
import type { Trace } from "../trace/trace.ts";

const CALL = { toolName: "Shell", toolInput: { command: "rm -rf /" } };
const OFF = { enforce: false, name: "trial" } as const;

function quietHooks(): Hooks {
  return createHooks({ report: () => {} });
}

/** What the entries of a trace say of the hooks that would have done something. */
function recorded({ entries }: Pick<Trace, "entries">) {
  return entries.filter(({ verdict }) => verdict.startsWith("would_") || verdict === "failed");
}

describe("a hook that is not enforced", () => {
  test.each([
    [block("no"), "would_block"],
    [stop("enough"), "would_stop"],
    [ask("sure?"), "would_ask"],
    [skip("done"), "would_skip"],
    [proceed({ toolInput: { command: "ls" } }), "would_change"],
    [proceed(undefined, { context: "Mind the gap." }), "would_change"],
  ])("is recorded for %j and changes nothing", async (outcome, verdict) => {
    for (const answer of [() => outcome, async () => outcome]) {
      const hooks = quietHooks();
      const seen: unknown[] = [];
      hooks.on("before_tool", answer, OFF);
      hooks.on("before_tool", ({ payload }) => void seen.push(payload));
      const approve = () => {
        throw new Error("nobody may be asked");
      };
      const dispatch = await hooks.dispatch("before_tool", CALL, { approve });
      expect(dispatch).toMatchObject({ action: "go_on", outcome: { type: "proceed" }, context: [] });
      expect(dispatch.payload).toBe(CALL);
      expect(seen).toEqual([CALL]);
      expect(seen[0]).toBe(CALL);
      expect(dispatch.hook).toBeUndefined();
      expect(recorded(dispatch.trace)).toMatchObject([{ hook: "trial", verdict, action: "go_on" }]);
      expect(dispatch.notEnforced).toMatchObject([{ hook: "trial", verdict }]);
    }
  });

  test("does not recover from an error", async () => {
    const hooks = quietHooks();
    hooks.on("on_error", () => recover("fine"), OFF);
    const { action, trace } = await hooks.dispatch("on_error", { error: new Error("no"), phase: "tool" });
    expect(action).toBe("go_on");
    expect(recorded(trace)).toMatchObject([{ verdict: "would_recover" }]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "hook_threw",
    ],
    ["rejects", () => Promise.reject(new Error("broken")), "hook_threw"],
    ["returns no outcome", () => true as never, "bad_outcome"],
    ["returns one that the event does not have", () => recover() as never, "outcome_not_allowed"],
    ["changes what cannot be changed", () => proceed({ toolName: "x" } as never), "patch_not_allowed"],
    ["does not answer in time", () => new Promise<never>(() => {}), "hook_timeout"],
  ])("that %s is recorded as failed and does not block", async (_what, handler, code) => {
    const hooks = quietHooks();
    let later = 0;
    hooks.on("before_tool", handler, { ...OFF, timeoutMs: 5, onError: "block" });
    hooks.on("before_tool", ({ signal }) => {
      later++;
      expect(signal.aborted).toBe(false);
    });
    const { action, trace, failures } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("go_on");
    expect(later).toBe(1);
    expect(recorded(trace)).toMatchObject([{ verdict: "failed", action: "go_on", error: { code } }]);
    expect(failures).toMatchObject([{ code }]);
  });

  test("cannot change a frozen value in place", async () => {
    const hooks = quietHooks();
    hooks.on(
      "before_tool",
      ({ toolInput }) => {
        (toolInput as { command: string }).command = "ls";
      },
      OFF,
    );
    const { action, payload, trace } = await hooks.dispatch("before_tool", snapshot(CALL));
    expect(action).toBe("go_on");
    expect(payload).toEqual(CALL);
    expect(recorded(trace)).toMatchObject([{ verdict: "failed" }]);
  });

  test("leaves the decision to the hooks behind it", async () => {
    const hooks = quietHooks();
    hooks.on("before_tool", () => block("on trial"), OFF);
    hooks.on("before_tool", () => block("enforced"), { name: "guard" });
    const { action, hook, reason, trace } = await hooks.dispatch("before_tool", CALL);
    expect([action, hook, reason]).toEqual(["refuse", "guard", "enforced"]);
    expect(trace.decidedBy).toBe("guard");
    expect(trace.entries.map(({ verdict }) => verdict)).toEqual(["would_block", "block"]);
  });
});

describe("a hook that is not enforced", () => {
  test("is asked about its change what the host thinks of it, as an enforced one", async () => {
    const hooks = quietHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { command: 1 } }), OFF);
    for (const validate of [() => "not a text", async () => "not a text"]) {
      const { action, payload, trace } = await hooks.dispatch("before_tool", CALL, { validate });
      expect([action, payload]).toEqual(["go_on", CALL]);
      expect(recorded(trace)).toMatchObject([{ verdict: "failed", error: { code: "bad_patch" } }]);
    }
  });

  test("is quiet when its patch has nothing new", async () => {
    const hooks = quietHooks();
    hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput }), OFF);
    const { trace, notEnforced } = await hooks.dispatch("before_tool", CALL);
    expect(trace.entries).toMatchObject([{ verdict: "proceed" }]);
    expect(notEnforced).toEqual([]);
  });

  test("that has objected is not called again about a changed value, and one that has not is", async () => {
    const hooks = quietHooks();
    let calls = 0;
    hooks.on("before_tool", () => block(`call ${++calls}`), { ...OFF, name: "always" });
    hooks.on("before_tool", ({ toolInput }) => (toolInput.late ? block("late") : undefined), OFF);
    hooks.on("before_tool", () => proceed({ toolInput: { late: true } }));
    const { action, trace } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("go_on");
    expect(recorded(trace).map(({ hook, pass, verdict }) => [hook, pass, verdict])).toEqual([
      ["always", "first", "would_block"],
      ["trial", "judging", "would_block"],
    ]);
  });

  test("as a middleware changes nothing for the hooks behind it, and softens nothing", async () => {
    const hooks = quietHooks();
    const seen: unknown[] = [];
    hooks.use(
      "before_tool",
      async (_ctx, next) => {
        await next({ toolInput: { command: "ls" } });
        return skip("instead");
      },
      OFF,
    );
    hooks.on("before_tool", ({ toolInput }) => {
      seen.push(toolInput);
      return block("inner");
    });
    const { action, reason, payload, trace } = await hooks.dispatch("before_tool", CALL);
    expect([action, reason, payload]).toEqual(["refuse", "inner", CALL]);
    expect(seen).toEqual([CALL.toolInput]);
    expect(trace.entries.map(({ verdict }) => verdict)).toEqual(["would_change", "block", "would_skip"]);
  });

  test("as a middleware that never calls next leaves the hooks behind it to run", async () => {
    const hooks = quietHooks();
    hooks.use("before_tool", () => new Promise<never>(() => {}), { ...OFF, timeoutMs: 5 });
    hooks.on("before_tool", () => block("inner"));
    expect(await hooks.dispatch("before_tool", CALL)).toMatchObject({ action: "refuse", reason: "inner" });
  });

  test("does not keep an agent running, nor marks its stop by failing", async () => {
    const hooks = quietHooks();
    hooks.on("before_stop", () => block("not yet"), OFF);
    hooks.on(
      "before_stop",
      () => {
        throw new Error("broken");
      },
      { ...OFF, name: "broken" },
    );
    const verdict = await new StopGate(hooks).ask({ stopReason: "done" } as never);
    expect(verdict).toMatchObject({ type: "stop", endsRun: false });
    expect(verdict.unsatisfied).toBeUndefined();
  });

  test("whose matcher throws does not block", async () => {
    const hooks = quietHooks();
    hooks.on("before_tool", () => undefined, {
      ...OFF,
      matcher: () => {
        throw new Error("odd");
      },
    });
    const { action, trace } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("go_on");
    expect(recorded(trace)).toMatchObject([{ error: { code: "matcher_threw" } }]);
  });

  test("in the background is recorded in the same words", async () => {
    const hooks = quietHooks();
    const ended: string[] = [];
    hooks.instrument(() => ({ run: (work) => work(), end: ({ verdict }) => void ended.push(verdict) }));
    hooks.on("after_tool", () => block("late") as never, { ...OFF, mode: "background" });
    await hooks.dispatch("after_tool", { ...CALL, result: "" } as never);
    await hooks.drain();
    expect(ended).toEqual(["would_block"]);
  });

  test("is shown as such by list and explain, and an enforced one has no such field", () => {
    const hooks = quietHooks();
    hooks.on("before_tool", () => undefined, { ...OFF, priority: 1 });
    hooks.on("before_tool", () => undefined, { enforce: true, name: "guard", rejudge: false });
    hooks.on("before_tool", () => undefined, { ...OFF, name: "behind" });
    expect(hooks.list().map(({ name, enforce }) => [name, enforce])).toEqual([
      ["trial", false],
      ["guard", undefined],
      ["behind", false],
    ]);
    const { hooks: explained } = hooks.explain("before_tool", CALL);
    expect(explained.map(({ hook, calledOnceBefore }) => [hook.enforce, calledOnceBefore])).toEqual([
      [false, undefined],
      [undefined, undefined],
      [false, undefined],
    ]);
  });

  test("must be said with true or false", () => {
    const register = () => quietHooks().on("before_tool", () => undefined, { enforce: "no" as never });
    expect(register).toThrow("enforce must be true or false");
  });

  test("does not keep a model's answer from being streamed", async () => {
    const hooks = quietHooks();
    hooks.on("after_llm", () => block("no"), OFF);
    expect(await mayChangeAnswer(hooks)).toBe(false);
    hooks.on("after_llm", () => undefined);
    expect(await mayChangeAnswer(hooks)).toBe(true);
  });

  test("is in the audit log with what it would have done", async () => {
    const hooks = quietHooks();
    const lines: string[] = [];
    const log = auditLog(hooks, { write: (line) => void lines.push(line) });
    hooks.on("before_tool", () => block("no"), OFF);
    await hooks.dispatch("before_tool", CALL);
    await log.flush();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      outcome: "proceed",
      action: "go_on",
      entries: [{ hook: "trial", verdict: "would_block", action: "go_on", reason: "no" }],
    });
  });

  test("is recorded where no trace is kept", async () => {
    const hooks = createHooks({ trace: false });
    hooks.on("before_tool", () => block("no"), OFF);
    const { trace, notEnforced } = await hooks.dispatch("before_tool", CALL);
    expect(trace.entries).toEqual([]);
    expect(notEnforced).toMatchObject([{ hook: "trial", verdict: "would_block", reason: "no" }]);
  });

  test("may be one of a configuration object, or a named one", async () => {
    const hooks = quietHooks();
    new ConfigHooks(hooks).register("beforeTool", () => ({ skip: true }), OFF);
    const named = new NamedHooks();
    named.registerPreHook({ name: "pre", enforce: false }, () => {
      throw new Error("refused");
    });
    named.registerPostHook({ name: "post", enforce: false }, () => block("no") as never);
    named.attach(hooks, { preHookNames: ["pre"], postHookNames: ["post"] });
    const agent = { id: "a", name: "A" };
    const dispatched = [
      await hooks.dispatch("before_tool", CALL),
      await hooks.dispatch("before_agent", { agent, message: "Hi" } as never),
      await hooks.dispatch("after_agent" as EventName, { agent, status: "completed" } as never),
    ];
    expect(dispatched.map(({ action }) => action)).toEqual(["go_on", "go_on", "go_on"]);
    expect(dispatched.flatMap(({ trace }) => recorded(trace).map(({ verdict }) => verdict))).toEqual([
      "would_skip",
      "failed",
      "would_block",
    ]);
    expect(() => named.registerPreHook({ name: "odd", enforce: 1 as never }, () => undefined)).toThrow(
      "enforce must be true or false",
    );
  });
});

test("a guard that passes on the answer of a shadow() is asked again about a change", async () => {
  const hooks = quietHooks();
  const onTrial = shadow<"before_tool">(() => block("on trial"), { report: () => undefined });
  hooks.on("before_tool", (context) =>
    context.toolInput.command === "ls" ? onTrial(context) : block(`no ${context.toolInput.command}`),
  );
  hooks.on("before_tool", () => proceed({ toolInput: { command: "rm" } }));
  const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
  expect(dispatch).toMatchObject({ action: "refuse", reason: "no rm" });
});

test("a middleware that is not enforced may give its context to next, also where it has a copy of an error", async () => {
  const hooks = quietHooks();
  const called: string[] = [];
  hooks.use("on_error", (context, next) => next(context), OFF);
  hooks.on("on_error", () => void called.push("behind"));
  const dispatch = await hooks.dispatch("on_error", { error: new Error("no"), phase: "tool" });
  expect(dispatch.failures).toEqual([]);
  expect(dispatch.notEnforced).toEqual([]);
  expect(called).toEqual(["behind"]);
});
