import { getEventListeners } from "node:events";
import { ask, block, proceed, recover, skip, TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "./hooks.ts";
import { reservePosition } from "./host/index.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

/** The error that a registration fails with. */
function refusal(register: (hooks: Hooks) => unknown): TenterhookError {
  try {
    register(createHooks());
  } catch (error) {
    if (TenterhookError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("registering", () => {
  test("returns a function that unregisters that hook once", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    const undo = hooks.on("before_tool", () => void asked.push("a"));
    hooks.on("before_tool", () => void asked.push("b"));
    undo();
    undo();
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["b"]);
    expect(hooks.list("before_tool")).toHaveLength(1);
  });

  test("takes several events and aliases of events", () => {
    const hooks = createHooks();
    hooks.on(["before_step", "PostToolUse"], () => undefined, { name: "many" });
    expect(hooks.list().map(({ event }) => event)).toEqual([
      "before_step",
      "after_tool",
      "after_tool_failure",
    ]);
  });

  test("gives a hook the name of its function, or one made of the event", () => {
    const hooks = createHooks();
    hooks.on("before_tool", function guardShell() {});
    hooks.on("before_tool", () => undefined);
    expect(hooks.list().map(({ name }) => name)).toEqual(["guardShell", "before_tool#2"]);
  });

  test("a hook registered during a dispatch is called from the next one on", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", () => {
      asked.push("outer");
      if (asked.length === 1) hooks.on("before_tool", () => void asked.push("inner"));
    });
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["outer"]);
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["outer", "outer", "inner"]);
  });

  test.each<[string, string, RegExp, (hooks: Hooks) => unknown]>([
    [
      "an unknown event",
      "unknown_event",
      /no event "before_tol".*Did you mean before_tool/,
      (h) => h.on("before_tol" as never, () => undefined),
    ],
    [
      "something that is no function",
      "bad_hook",
      /hook "x" on before_tool.*must be a function/,
      (h) => h.on("before_tool", 5 as never, { name: "x" }),
    ],
    [
      "a fractional priority",
      "bad_priority",
      /hook "x" on before_tool.*integer, not 1.5/,
      (h) => h.on("before_tool", () => undefined, { name: "x", priority: 1.5 }),
    ],
    [
      "a priority that is text",
      "bad_priority",
      /integer, not high/,
      (h) => h.on("before_tool", () => undefined, { priority: "high" as never }),
    ],
    [
      "a timeout of nothing",
      "bad_timeout",
      /hook "x" on before_tool.*not 0/,
      (h) => h.on("before_tool", () => undefined, { name: "x", timeoutMs: 0 }),
    ],
    [
      "a broken regular expression",
      "bad_pattern",
      /hook "x" on before_tool.*\/\(unclosed\//,
      (h) => h.on("before_tool", () => undefined, { name: "x", matcher: "/(unclosed/" }),
    ],
    [
      "an unsupported regular expression",
      "unsupported_pattern",
      /hook "x" on before_tool.*linear-time/,
      (h) => h.on("before_tool", () => undefined, { name: "x", matcher: { pattern: "a(?=b)" } }),
    ],
    [
      "a tool matcher where there is no tool",
      "bad_matcher",
      /hook "x" on before_step.*no tool/,
      (h) => h.on("before_step", () => undefined, { name: "x", matcher: "Shell" as never }),
    ],
    [
      "a matcher that is none",
      "bad_matcher",
      /not a matcher/,
      (h) => h.on("before_tool", () => undefined, { matcher: 5 as never }),
    ],
    [
      "an option that does not exist",
      "bad_hook",
      /no option "prority"/,
      (h) => h.on("before_tool", () => undefined, { prority: 1 } as never),
    ],
    [
      "a mode that does not exist",
      "bad_hook",
      /mode must be sync or background/,
      (h) => h.on("before_tool", () => undefined, { mode: "async" as never }),
    ],
    [
      "always on a sync hook",
      "bad_hook",
      /background/,
      (h) => h.on("before_tool", () => undefined, { always: true }),
    ],
    [
      "a middleware without handle",
      "bad_hook",
      /must be a function/,
      (h) => h.use("before_tool", {} as never),
    ],
    [
      "a duplicate id",
      "duplicate_hook",
      /id "mine" already/,
      (h) => {
        h.on("before_tool", () => undefined, { id: "mine" });
        h.on("after_tool", () => undefined, { id: "mine" });
      },
    ],
  ])("refuses %s at once", (_what, code, message, register) => {
    const error = refusal(register);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test("refuses all events of a registration when one of them is wrong", () => {
    const hooks = createHooks();
    expect(() =>
      hooks.on(["before_tool", "before_step"], () => undefined, { matcher: "Shell" as never }),
    ).toThrow(/before_step/);
    expect(hooks.list()).toEqual([]);
  });
});

describe("dispatching", () => {
  test("an unknown event is an error, not silence", async () => {
    await expect(createHooks().dispatch("nonsense" as never, {} as never)).rejects.toMatchObject({
      code: "unknown_event",
    });
  });

  test("takes what sync hooks answer: a change, a result, a refusal or a failure", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    hooks.on("before_llm", () => skip("cached"));
    hooks.on("after_tool_failure", () => recover("instead"));
    hooks.on("before_agent", () => block("no"));
    hooks.on("before_step", () => {
      throw new Error("boom");
    });
    expect(await hooks.dispatch("before_tool", shell)).toMatchObject({
      payload: { toolInput: { command: "pwd" } },
    });
    expect(await hooks.dispatch("before_llm", { messages: [] })).toMatchObject({
      action: "skip",
      result: "cached",
    });
    const failure = { ...shell, error: new Error("x") };
    expect(await hooks.dispatch("after_tool_failure", failure)).toMatchObject({
      action: "recover",
      result: "instead",
    });
    expect(await hooks.dispatch("before_agent", { message: "Hi" })).toMatchObject({
      action: "refuse",
      reason: "no",
    });
    expect(await hooks.dispatch("before_step", { messages: [] })).toMatchObject({ action: "fail" });
  });

  test.each([
    ["nothing", () => undefined],
    ["nothing, later", async () => undefined],
    ["a refusal", () => block("no")],
    ["a refusal, later", async () => block("no")],
    ["a change", () => proceed({ toolInput: { command: "pwd" } })],
  ])("leaves no listener on the host's signal, which a hook reads and then returns %s", async (_, answer) => {
    const { signal } = new AbortController();
    const [hooks, observed] = [createHooks(), createHooks()];
    observed.onTrace(() => undefined);
    for (const each of [hooks, observed]) {
      each.on("before_tool", (ctx) => {
        ctx.onAbort(() => undefined);
        expect(ctx.signal.aborted).toBe(false);
        return answer();
      });
      each.on("before_tool", ({ toolInput }) =>
        toolInput.command === "pwd" ? proceed({ toolInput: { command: "id" } }) : undefined,
      );
      await each.dispatch("before_tool", shell, { signal });
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a hook may dispatch the same event itself", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_tool", ({ toolInput }) => {
      asked.push(String(toolInput.command));
      if (toolInput.command === "outer")
        void hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "inner" } });
    });
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "inner" ? block("inner") : undefined));
    for (let n = 0; n < 200; n++) {
      const dispatch = await hooks.dispatch("before_tool", {
        toolName: "Shell",
        toolInput: { command: "outer" },
      });
      expect(dispatch.outcome.type).toBe("proceed");
    }
    expect(asked.slice(0, 2)).toEqual(["outer", "inner"]);
  });

  test("keeps one metadata bag from the first event of a run to the last", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", (ctx) => void (ctx.metadata.startedAt = 40));
    let took: unknown;
    hooks.on("after_agent", (ctx) => void (took = 42 - Number(ctx.metadata.startedAt)));
    const run = { metadata: {} };
    await hooks.dispatch("before_agent", { message: "Hi" }, run);
    await hooks.dispatch("after_agent", { status: "completed" }, run);
    expect(took).toBe(2);
  });

  test("a context cannot be assigned to, and that is an error of the hook", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", (ctx) => {
      (ctx as { toolInput: unknown }).toolInput = { command: "rm" };
    });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch).toMatchObject({ action: "refuse", payload: shell });
  });

  test("a context prints as its fields", () => {
    const hooks = createHooks();
    let printed = "";
    hooks.on("before_tool", (ctx) => void (printed = JSON.stringify(ctx)));
    void hooks.dispatch("before_tool", shell);
    expect(JSON.parse(printed)).toEqual({ event: "before_tool", ...shell });
  });

  test("gives an approver what it needs and blocks when it has no answer", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("deploys to production"), { name: "deploy-guard" });
    const requests: unknown[] = [];
    const dispatch = await hooks.dispatch("before_tool", shell, {
      approve: (request) => {
        requests.push({ ...request, signal: request.signal.aborted });
        return undefined as never;
      },
    });
    expect(requests).toEqual([
      {
        event: "before_tool",
        hook: "deploy-guard",
        reason: "deploys to production",
        payload: shell,
        edits: "toolInput",
        signal: false,
      },
    ]);
    expect(dispatch).toMatchObject({ action: "refuse", error: { code: "approver_failed" } });
  });
});

describe("the trace", () => {
  test("has the hooks that were called, what each answered and changed, and which one decided", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { name: "other", matcher: { pattern: "rm -rf" } });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }), { name: "rewriter" });
    hooks.on("before_tool", () => block("no"), { name: "guard" });
    hooks.on("before_tool", () => undefined, { name: "unreached" });
    const { trace } = await hooks.dispatch("before_tool", shell);
    expect(trace).toMatchObject({
      event: "before_tool",
      original: shell,
      final: { toolInput: { command: "pwd" } },
      outcome: { type: "block", reason: "no" },
      action: "refuse",
      decidedBy: "guard",
    });
    expect(trace.entries.map(({ hook, verdict, action }) => [hook, verdict, action])).toEqual([
      ["other", "unmatched", "go_on"],
      ["rewriter", "proceed", "go_on"],
      ["guard", "block", "refuse"],
    ]);
    expect(trace.entries[1]?.changes).toEqual([
      { field: "toolInput", before: { command: "ls" }, after: { command: "pwd" } },
    ]);
  });

  test("exists for a dispatch in which no hook answered, however often there was one", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { name: "a" });
    hooks.on("before_tool", () => undefined, { name: "b" });
    for (let n = 0; n < 200; n++) {
      const dispatch = await hooks.dispatch("before_tool", shell);
      expect(dispatch.trace.entries.map(({ hook, verdict }) => [hook, verdict])).toEqual([
        ["a", "proceed"],
        ["b", "proceed"],
      ]);
    }
  });

  test("times every hook while there is a listener", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { name: "sync" });
    hooks.on("before_tool", async () => undefined, { name: "async" });
    const traces: unknown[] = [];
    hooks.onTrace(({ entries }) => traces.push(entries.map(({ durationMs }) => typeof durationMs)));
    await hooks.dispatch("before_tool", shell);
    expect(traces).toEqual([["number", "number"]]);
  });

  test("is not kept when it is switched off, while outcomes stay the same", async () => {
    const hooks = createHooks({ trace: false });
    hooks.on("before_tool", () => block("no"));
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch).toMatchObject({ reason: "no", trace: { entries: [] } });
  });
});

describe("sources of hooks", () => {
  test("hooks that come and go keep their position among equal priorities", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    const say = (name: string) => () => void asked.push(name);
    hooks.on("before_tool", say("before"));
    const position = reservePosition(hooks);
    hooks.on("before_tool", say("after"));
    hooks.on("before_tool", say("late 1"), { position });
    hooks.on("before_tool", say("late 2"), { position });
    hooks.on("before_tool", say("urgent"), { position, priority: 1 });
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["urgent", "before", "late 1", "late 2", "after"]);
  });

  test("a preparation runs before each dispatch and may register hooks for it", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    const undo = hooks.beforeEachDispatch((event) => {
      asked.push(`prepare ${event}`);
      if (hooks.list().length === 0) hooks.on("before_tool", () => void asked.push("fresh"));
    });
    await hooks.dispatch("before_tool", shell);
    undo();
    await hooks.dispatch("before_tool", shell);
    expect(asked).toEqual(["prepare before_tool", "fresh", "fresh"]);
  });
});
