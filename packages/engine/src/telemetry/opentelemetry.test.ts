import { setImmediate as nextTick } from "node:timers/promises";
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { ask, block, proceed, type TenterhookError } from "@tenterhook/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { openTelemetry } from "./opentelemetry.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterAll(() => {
  context.disable();
});

beforeEach(() => {
  exporter.reset();
});

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

describe("which spans there are", () => {
  test("is one per hook that runs, in the order in which they end, named after event and hook", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => {}, { name: "second" });
    hooks.on("before_tool", () => {}, { name: "first", priority: 1 });
    await hooks.dispatch("before_tool", shell);
    expect(names()).toEqual(["hook before_tool first", "hook before_tool second"]);
    expect(spans().map(({ kind }) => kind)).toEqual([SpanKind.INTERNAL, SpanKind.INTERNAL]);
  });

  test("leaves out hooks that do not match and hooks behind a refusal", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => {}, { name: "other tool", matcher: "Read" });
    hooks.on("before_tool", () => block("no"), { name: "guard" });
    hooks.on("before_tool", () => {}, { name: "never reached" });
    await hooks.dispatch("before_tool", shell);
    expect(names()).toEqual(["hook before_tool guard"]);
  });

  test("ends when it is unregistered", async () => {
    const hooks = createHooks();
    const undo = openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => {}, { name: "watch" });
    await hooks.dispatch("before_tool", shell);
    undo();
    await hooks.dispatch("before_tool", shell);
    expect(names()).toEqual(["hook before_tool watch"]);
  });

  test("still ends the span of a hook that was running when it was unregistered", async () => {
    const hooks = createHooks();
    const undo = openTelemetry(hooks, { tracer });
    hooks.on("before_tool", async () => void (await nextTick()), { name: "slow" });
    const dispatch = hooks.dispatch("before_tool", shell);
    undo();
    await dispatch;
    expect(names()).toEqual(["hook before_tool slow"]);
  });

  test("come from the global provider when no tracer is given, also when that is registered later", async () => {
    const hooks = createHooks();
    openTelemetry(hooks);
    hooks.on("before_tool", () => {}, { name: "watch" });
    trace.setGlobalTracerProvider(provider);
    try {
      await hooks.dispatch("before_tool", shell);
      expect(span("hook before_tool watch").instrumentationScope.name).toBe("@tenterhook/engine");
    } finally {
      trace.disable();
    }
  });

  test("are not made, and hooks decide as before, while OpenTelemetry is not set up", async () => {
    const hooks = createHooks();
    openTelemetry(hooks);
    hooks.on("before_tool", () => block("no"));
    expect((await hooks.dispatch("before_tool", shell)).action).toBe("refuse");
    expect(names()).toEqual([]);
  });
});

describe("whose child a span is", () => {
  test("has no parent when no span is active", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => {}, { name: "watch" });
    await hooks.dispatch("before_tool", shell);
    expect(span("hook before_tool watch").parentSpanContext).toBeUndefined();
  });

  test("is the span's that was active at dispatch, for every hook of an async chain", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", async () => void (await nextTick()), { name: "one" });
    hooks.on("before_tool", () => {}, { name: "two" });
    hooks.on("before_tool", async () => void (await nextTick()), { name: "three" });
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    for (const name of ["one", "two", "three"]) expect(parentOf(`hook before_tool ${name}`)).toBe("outer");
  });

  test("does not mix up dispatches that run at the same time", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", async () => void (await nextTick()), { name: "tool" });
    hooks.on("before_agent", async () => void (await nextTick()), { name: "agent" });
    await Promise.all([
      inSpan("left", () => hooks.dispatch("before_tool", shell)),
      inSpan("right", () => hooks.dispatch("before_agent", { message: "hi" })),
    ]);
    expect(parentOf("hook before_tool tool")).toBe("left");
    expect(parentOf("hook before_agent agent")).toBe("right");
  });

  test("is the hook's for a span that a sync hook makes", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => tracer.startSpan("inner").end(), { name: "guard" });
    await hooks.dispatch("before_tool", shell);
    expect(parentOf("inner")).toBe("hook before_tool guard");
  });

  test("is the hook's for a span that an async hook makes after an await", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const guard = async () => {
      await nextTick();
      await inSpan("lookup", () => nextTick());
    };
    hooks.on("before_tool", guard);
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    expect(parentOf("lookup")).toBe("hook before_tool guard");
    expect(parentOf("hook before_tool guard")).toBe("outer");
  });

  test("is the dispatching hook's for the hooks of a nested dispatch", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const nest = async () => {
      await nextTick();
      await hooks.dispatch("on_error", { error: new Error("boom"), phase: "tool" });
    };
    hooks.on("before_tool", nest);
    hooks.on("on_error", () => {}, { name: "inner" });
    hooks.on("before_tool", () => {}, { name: "after" });
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    expect(parentOf("hook on_error inner")).toBe("hook before_tool nest");
    expect(parentOf("hook before_tool after")).toBe("outer");
  });

  test("is the middleware's for the hooks that it wraps", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.use(
      "before_tool",
      async (_, next) => {
        await nextTick();
        await next();
      },
      { name: "wrap" },
    );
    hooks.on("before_tool", async () => void (await nextTick()), { name: "inner" });
    hooks.on("before_tool", () => {}, { name: "inner too" });
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    expect(parentOf("hook before_tool wrap")).toBe("outer");
    expect(parentOf("hook before_tool inner")).toBe("hook before_tool wrap");
    expect(parentOf("hook before_tool inner too")).toBe("hook before_tool wrap");
  });

  test("is the span's that was active at dispatch for a background hook, though that has ended since", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("after_tool", async () => void (await nextTick()), { name: "sync before it" });
    const audit = async () => {
      await nextTick();
      tracer.startSpan("write").end();
    };
    hooks.on("after_tool", audit, { mode: "background" });
    await inSpan("outer", () => hooks.dispatch("after_tool", { ...shell, toolResult: "ok" }));
    expect(names()).toEqual(["hook after_tool sync before it", "outer"]);
    await hooks.drain();
    expect(names().slice(2)).toEqual(["write", "hook after_tool audit"]);
    expect(parentOf("hook after_tool audit")).toBe("outer");
    expect(parentOf("write")).toBe("hook after_tool audit");
  });

  test("is the outer span's for a second judgement, which has a span of its own", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const guard = async () => {
      await nextTick();
      tracer.startSpan("inner").end();
    };
    hooks.on("before_tool", guard);
    hooks.on("before_tool", () => proceed({ toolInput: { command: "ls -l" } }), { name: "rewrite" });
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    expect(names()).toEqual([
      "inner",
      "hook before_tool guard",
      "hook before_tool rewrite",
      "inner",
      "hook before_tool guard",
      "outer",
    ]);
    const [first, second] = spans().filter(({ name }) => name === "hook before_tool guard");
    const inner = spans().filter(({ name }) => name === "inner");
    expect(inner.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      first?.spanContext().spanId,
      second?.spanContext().spanId,
    ]);
    const outer = span("outer").spanContext().spanId;
    expect(first?.parentSpanContext?.spanId).toBe(outer);
    expect(second?.parentSpanContext?.spanId).toBe(outer);
    expect([first, second].map((each) => each?.attributes["tenterhook.pass"])).toEqual(["first", "judging"]);
  });

  test("is the outer span's for both spans when two listeners make one each", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const second = new InMemorySpanExporter();
    const other = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(second)] });
    openTelemetry(hooks, { tracer: other.getTracer("other") });
    hooks.on("before_tool", () => {}, { name: "guard" });
    await inSpan("outer", () => hooks.dispatch("before_tool", shell));
    expect(parentOf("hook before_tool guard")).toBe("outer");
    const [copy] = second.getFinishedSpans();
    expect(copy?.parentSpanContext?.spanId).toBe(span("outer").spanContext().spanId);
  });
});

describe("the attributes of a span", () => {
  test("names the hook before it runs, so that a sampler can decide by it", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    let seen: unknown;
    const look = () => {
      seen = (trace.getActiveSpan() as unknown as ReadableSpan).attributes;
    };
    hooks.on("before_tool", look, { name: "guard", id: "g1", source: ".agents/hooks/guard", priority: 7 });
    await hooks.dispatch("before_tool", shell);
    expect(seen).toMatchObject({
      "tenterhook.event": "before_tool",
      "tenterhook.hook.name": "guard",
      "tenterhook.hook.id": "g1",
      "tenterhook.hook.source": ".agents/hooks/guard",
      "tenterhook.hook.mode": "sync",
      "tenterhook.hook.priority": 7,
    });
  });

  test("of a hook without objections holds exactly these attributes", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => {}, { name: "watch", id: "w" });
    await hooks.dispatch("before_tool", shell);
    expect(span("hook before_tool watch").attributes).toEqual({
      "tenterhook.event": "before_tool",
      "tenterhook.hook.name": "watch",
      "tenterhook.hook.id": "w",
      "tenterhook.hook.source": "code",
      "tenterhook.hook.mode": "sync",
      "tenterhook.hook.priority": 0,
      "tenterhook.verdict": "proceed",
      "tenterhook.action": "go_on",
      "tenterhook.pass": "first",
    });
  });

  test.each([
    ["before_tool", shell, "refuse"],
    ["before_stop", { stopReason: "no_tool_calls" }, "hold"],
    ["before_step", { messages: [] }, "skip"],
    ["session_end", {}, "record"],
  ] as const)("keeps outcome and action apart: block at %s", async (event, payload, action) => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on(event, () => block("not now"), { name: "guard" });
    await hooks.dispatch(event, payload as never);
    const { attributes, status, events } = span(`hook ${event} guard`);
    expect(attributes["tenterhook.verdict"]).toBe("block");
    expect(attributes["tenterhook.action"]).toBe(action);
    expect(status).toEqual({ code: SpanStatusCode.UNSET });
    expect(events).toEqual([]);
  });

  test("marks a background hook as one", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("session_end", () => {}, { name: "audit", mode: "background" });
    await hooks.dispatch("session_end", {});
    await hooks.drain();
    expect(span("hook session_end audit").attributes).toMatchObject({
      "tenterhook.hook.mode": "background",
      "tenterhook.verdict": "proceed",
    });
  });

  test("marks a hook that was called because its matcher could not be decided", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const toolInput: { command: string; self?: object } = { command: "ls" };
    toolInput.self = toolInput;
    hooks.on("before_tool", () => {}, { name: "guard", matcher: { pattern: "rm -rf" } });
    await hooks.dispatch("before_tool", { toolName: "Shell", toolInput });
    expect(span("hook before_tool guard").attributes["tenterhook.match.undecided"]).toBe(true);
  });

  test.each([
    [{ type: "approve" }, "go_on"],
    [{ type: "reject" }, "refuse"],
    [{ type: "edit", value: { command: "ls -l" } }, "go_on"],
  ] as const)("records what a person decided: %o", async (decision, action) => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => ask("sure?"), { name: "guard" });
    const approve = async () => {
      await nextTick();
      return decision;
    };
    await inSpan("outer", () => hooks.dispatch("before_tool", shell, { approve }));
    expect(parentOf("hook before_tool guard")).toBe("outer");
    expect(span("hook before_tool guard").attributes).toMatchObject({
      "tenterhook.verdict": "ask",
      "tenterhook.approval": decision.type,
      "tenterhook.action": action,
    });
  });
});

describe("content", () => {
  const secret = "s3cret";

  test("stays out: a change is recorded by the names of the fields, a refusal without its reason", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_llm", () => proceed({ systemPrompt: secret, model: secret }), { name: "rewrite" });
    hooks.on("before_llm", () => block(secret), { name: "guard" });
    await hooks.dispatch("before_llm", { messages: [], model: "small" });
    expect(span("hook before_llm rewrite").attributes["tenterhook.changed_fields"]).toEqual([
      "systemPrompt",
      "model",
    ]);
    expect(everythingSaid()).not.toContain(secret);
  });

  test("stays out of exceptions, whose type, meaning and stack frames are recorded all the same", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    const leaky = () => {
      throw new Error(`cannot read ${secret}\n    at ${secret} (file.ts:1:1)`);
    };
    const changed = () => {
      const error = new Error(`cannot read it\n    at ${secret} (file.ts:1:1)`);
      // The stack is written down when it is first asked for.
      expect(error.stack).toContain(secret);
      throw Object.assign(error, { message: "something else" });
    };
    hooks.on("before_tool", changed, { onError: "continue" });
    hooks.on("before_tool", leaky);
    await hooks.dispatch("before_tool", shell);
    expect(everythingSaid()).not.toContain(secret);
    const [exception] = span("hook before_tool leaky").events;
    expect(exception?.attributes).toMatchObject({
      "exception.type": "hook_threw",
      "exception.message": "A hook threw, or its promise was rejected.",
      "exception.stacktrace": expect.stringMatching(/^ +at .*leaky .*opentelemetry\.test\.ts/),
    });
  });

  test("is recorded with captureContent: reasons, and changed values from before and after", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer, captureContent: true });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "ls -l" } }), { name: "rewrite" });
    hooks.on("before_tool", () => block(secret), { name: "guard" });
    await hooks.dispatch("before_tool", shell);
    expect(span("hook before_tool rewrite").attributes).toMatchObject({
      "tenterhook.changed_fields": ["toolInput"],
      "tenterhook.changed.toolInput.before": '{"command":"ls"}',
      "tenterhook.changed.toolInput.after": '{"command":"ls -l"}',
    });
    expect(span("hook before_tool guard").attributes["tenterhook.reason"]).toBe(secret);
  });

  test("that is no JSON is named by its kind", async () => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer, captureContent: true });
    hooks.on("after_tool", () => proceed({ toolResult: { count: 1n } }), { name: "big" });
    hooks.on("after_tool", () => proceed({ toolResult: "plain" }), { name: "text" });
    await hooks.dispatch("after_tool", { ...shell, toolResult: undefined });
    expect(span("hook after_tool big").attributes).toMatchObject({
      "tenterhook.changed.toolResult.before": "undefined",
      "tenterhook.changed.toolResult.after": "[object Object]",
    });
    expect(span("hook after_tool text").attributes["tenterhook.changed.toolResult.after"]).toBe("plain");
  });
});

describe("a hook that fails", () => {
  test("has an exception and an error status, whatever its failure means for the action", async () => {
    const hooks = createHooks({ report: () => {} });
    openTelemetry(hooks, { tracer, captureContent: true });
    const fails = async () => {
      await nextTick();
      throw new Error("no disk");
    };
    hooks.on("before_tool", fails, { onError: "continue" });
    const dispatch = await hooks.dispatch("before_tool", shell);
    expect(dispatch.action).toBe("go_on");
    const { attributes, status, events } = span("hook before_tool fails");
    expect(attributes).toMatchObject({
      "tenterhook.verdict": "failed",
      "tenterhook.action": "go_on",
      "error.type": "hook_threw",
    });
    expect(status).toEqual({
      code: SpanStatusCode.ERROR,
      message: 'hook "fails" on before_tool: it failed: no disk.',
    });
    expect(events.map(({ name }) => name)).toEqual(["exception"]);
    expect(events[0]?.attributes).toMatchObject({
      "exception.type": "hook_threw",
      "exception.message": 'hook "fails" on before_tool: it failed: no disk.',
      "exception.stacktrace": expect.stringMatching(/^Error: no disk\n +at .*fails /),
    });
  });

  test.each([
    ["hook_timeout", () => new Promise<undefined>(() => {})],
    ["hook_threw", () => Promise.reject("a string")],
    ["bad_outcome", () => "nonsense" as never],
    ["outcome_not_allowed", () => ({ type: "recover" }) as never],
  ] as const)("is an error of type %s", async (code, handler) => {
    const hooks = createHooks();
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", handler, { name: "broken", timeoutMs: 5 });
    expect((await hooks.dispatch("before_tool", shell)).action).toBe("refuse");
    const { attributes, status, events } = span("hook before_tool broken");
    expect(attributes["error.type"]).toBe(code);
    expect(attributes["tenterhook.action"]).toBe("refuse");
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(events.map(({ name, attributes }) => [name, attributes?.["exception.type"]])).toEqual([
      ["exception", code],
    ]);
  });

  test("in the background has an error status too", async () => {
    const hooks = createHooks({ report: () => {} });
    openTelemetry(hooks, { tracer });
    hooks.on("session_end", () => Promise.reject(new Error("late")), { name: "audit", mode: "background" });
    await inSpan("outer", () => hooks.dispatch("session_end", {}));
    await hooks.drain();
    const { attributes, status } = span("hook session_end audit");
    expect(attributes["tenterhook.verdict"]).toBe("failed");
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(parentOf("hook session_end audit")).toBe("outer");
  });
});

describe("a tracer that throws", () => {
  const boom = () => {
    throw new Error("the tracer is broken");
  };

  test.each([
    ["when a span starts", { startSpan: boom, startActiveSpan: boom } satisfies Tracer],
    ["when a span is described", tracerWith({ setAttributes: boom, setStatus: boom, recordException: boom })],
    ["when a span ends", tracerWith({ end: boom })],
  ])("%s changes nothing for the dispatch, and is reported", async (_, broken) => {
    const reported: TenterhookError[] = [];
    const hooks = createHooks({ report: (failure) => reported.push(failure) });
    openTelemetry(hooks, { tracer: broken });
    const asked: string[] = [];
    hooks.on("before_tool", async () => {
      await nextTick();
      asked.push("rewrite");
      return proceed({ toolInput: { command: "ls -l" } });
    });
    hooks.on("before_tool", ({ toolInput }) => {
      asked.push(`guard ${toolInput.command}`);
      return block("no");
    });
    hooks.on("before_tool", () => void asked.push("audit"), { mode: "background", always: true });
    const dispatch = await hooks.dispatch("before_tool", shell);
    await hooks.drain();
    expect(dispatch.outcome).toEqual(block("no"));
    expect(asked).toEqual(["rewrite", "guard ls -l", "audit"]);
    expect(reported.map(({ message }) => message)).toEqual(
      Array(3).fill("a listener failed: the tracer is broken."),
    );
  });

  test("while it is described still ends its span", async () => {
    const hooks = createHooks({ report: () => {} });
    openTelemetry(hooks, { tracer: tracerWith({ setAttributes: boom }) });
    hooks.on("before_tool", () => {}, { name: "watch" });
    await hooks.dispatch("before_tool", shell);
    expect(names()).toEqual(["hook before_tool watch"]);
  });

  test("does not keep another listener from making its spans", async () => {
    const hooks = createHooks({ report: () => {} });
    openTelemetry(hooks, { tracer: { startSpan: boom, startActiveSpan: boom } });
    openTelemetry(hooks, { tracer });
    hooks.on("before_tool", () => tracer.startSpan("inner").end(), { name: "watch" });
    await hooks.dispatch("before_tool", shell);
    expect(parentOf("inner")).toBe("hook before_tool watch");
  });
});

/** The real tracer, but its spans have some methods replaced. */
function tracerWith(broken: Partial<Span>): Tracer {
  return {
    startSpan: (...args) => Object.assign(tracer.startSpan(...args), broken),
    startActiveSpan: tracer.startActiveSpan.bind(tracer),
  };
}

function spans(): readonly ReadableSpan[] {
  return exporter.getFinishedSpans();
}

/** The names of all spans in the order in which they ended. */
function names(): readonly string[] {
  return spans().map(({ name }) => name);
}

function span(name: string): ReadableSpan {
  const found = spans().find((each) => each.name === name);
  if (found === undefined) throw new Error(`no span "${name}" among ${names().join(", ")}`);
  return found;
}

function parentOf(name: string): string | undefined {
  const id = span(name).parentSpanContext?.spanId;
  return spans().find((each) => each.spanContext().spanId === id)?.name;
}

function everythingSaid(): string {
  return JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
}

function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, async (outer) => {
    try {
      return await work();
    } finally {
      outer.end();
    }
  });
}
