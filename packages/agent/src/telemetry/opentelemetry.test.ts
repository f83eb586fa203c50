import { setImmediate as nextTick } from "node:timers/promises";
import { context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { block, createHooks, type EventName, proceed } from "@tenterhook/engine";
import { recordWarnings } from "@tenterhook/test-support/record-warnings";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { type Script, scriptedModel } from "../testing/index.ts";
import { agentTelemetry } from "./opentelemetry.ts";

/** In the order in which they began. */
let started: ReadableSpan[] = [];
const exporter = new InMemorySpanExporter();
const beginnings = {
  onStart: (span: unknown) => void started.push(span as ReadableSpan),
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
const provider = new BasicTracerProvider({ spanProcessors: [beginnings, new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterAll(() => {
  context.disable();
});

beforeEach(() => {
  exporter.reset();
  started = [];
});

const echo = {
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }) => text,
};
const callEcho = { toolCalls: [{ name: "echo", input: { text: "hi" } }] };
const failing = (error: unknown) => ({
  inputSchema: { type: "object" },
  execute: () => Promise.reject(error),
});
const callFails = { toolCalls: [{ name: "fails", input: {} }] };

const EVENTS = [
  ...["session_start", "before_agent", "before_step", "before_llm", "after_llm"],
  ...["before_tool", "after_tool", "before_stop", "after_agent", "session_end"],
] as EventName[];

function agentWith(script: Script, more: Partial<AgentOptions> = {}) {
  return createAgent({
    name: "tester",
    model: scriptedModel(script),
    tools: { echo },
    retryDelayMs: 0,
    ...more,
  });
}

describe("the tree of spans", () => {
  test("has the run, its model calls, its tool calls, and each hook in what it is asked about", async () => {
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent, { tracer });
    for (const event of EVENTS) agent.hooks.on(event, () => {}, { name: "look" });
    await agent.run("go");
    expect(tree()).toEqual([
      "invoke_agent tester",
      "  hook session_start look",
      "  hook before_agent look",
      "  hook before_step look",
      "  chat scripted",
      "    hook before_llm look",
      "    hook after_llm look",
      "  execute_tool echo",
      "    hook before_tool look",
      "    hook after_tool look",
      "  hook before_step look",
      "  chat scripted",
      "    hook before_llm look",
      "    hook after_llm look",
      "  hook before_stop look",
      "  hook after_agent look",
      "  hook session_end look",
    ]);
    expect(names()).toHaveLength(started.length);
  });

  test("is the same for stream()", async () => {
    const trees: (readonly string[])[] = [];
    for (const streams of [false, true]) {
      started = [];
      const agent = agentWith([callEcho, "done"]);
      agentTelemetry(agent, { tracer });
      agent.hooks.on("after_llm", () => {}, { name: "look" });
      await (streams ? agent.stream("go").finished : agent.run("go"));
      trees.push(tree());
    }
    expect(trees[0]).toHaveLength(6);
    expect(trees[1]).toEqual(trees[0]);
  });

  test("is the parent of spans that the model, a tool or a hook creates, also after an await", async () => {
    const inner = async (name: string) => {
      await nextTick();
      tracer.startSpan(name).end();
    };
    const asked = async () => {
      await inner("POST /chat");
      return "done";
    };
    const tools = { echo: { ...echo, execute: () => inner("SELECT") } };
    const agent = agentWith([callEcho, asked], { tools });
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_stop", () => inner("GET /gate"), { name: "gate" });
    await tracer.startActiveSpan("request", async (outer) => {
      await agent.run("go");
      outer.end();
    });
    expect(tree()).toEqual([
      "request",
      "  invoke_agent tester",
      "    chat scripted",
      "    execute_tool echo",
      "      SELECT",
      "    chat scripted",
      "      POST /chat",
      "    hook before_stop gate",
      "      GET /gate",
    ]);
  });

  test("separates tool calls that run in parallel", async () => {
    let arrived = 0;
    let open = () => {};
    const bothAreThere = new Promise<void>((resolve) => (open = resolve));
    const meet = async ({ text }: { text: string }) => {
      if (++arrived === 2) open();
      await bothAreThere;
      tracer.startSpan(`inside ${text}`).end();
    };
    const both = ["left", "right"].map((text) => ({ id: text, name: "echo", input: { text } }));
    const agent = agentWith([{ toolCalls: both }, "done"], { tools: { echo: { ...echo, execute: meet } } });
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_tool", ({ toolUseId }) => tracer.startSpan(`judged ${toolUseId}`).end(), {
      name: "look",
    });
    await agent.run("go");
    for (const side of ["left", "right"]) {
      const call = parentOf(span(`inside ${side}`));
      expect(call?.name).toBe("execute_tool echo");
      expect(call?.attributes["gen_ai.tool.call.id"]).toBe(side);
      expect(parentOf(parentOf(span(`judged ${side}`)))).toBe(call);
    }
    const parents = started.filter(({ name }) => name === "execute_tool echo").map(parentOf);
    expect(parents.map((parent) => parent?.name)).toEqual(["invoke_agent tester", "invoke_agent tester"]);
  });

  test("has a subagent's run inside the tool call that delegates to it, with the hooks of both", async () => {
    const helper = agentWith([callEcho, "helped"], { name: "helper" });
    helper.hooks.on("before_tool", () => {}, { name: "of helper" });
    const agent = agentWith([{ toolCalls: [{ name: "helper", input: { task: "help" } }] }, "done"], {
      subagents: [helper],
    });
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_tool", () => {}, { name: "of parent", priority: 1 });
    agent.hooks.on("subagent_start", () => {}, { name: "of parent" });
    await agent.run("go");
    expect(tree()).toEqual([
      "invoke_agent tester",
      "  chat scripted",
      "  execute_tool helper",
      "    hook before_tool of parent",
      "    hook subagent_start of parent",
      "    invoke_agent helper",
      "      chat scripted",
      "      execute_tool echo",
      "        hook before_tool of parent",
      "        hook before_tool of helper",
      "      chat scripted",
      "  chat scripted",
    ]);
  });

  test("includes the model call of a compaction, with its purpose", async () => {
    const compaction = { maxTokens: 1, keepMessages: 1 };
    const agent = agentWith(["one", "a summary", "two"], { compaction });
    agentTelemetry(agent, { tracer });
    for (const message of ["first", "second"]) await agent.run(message, { sessionId: "s" });
    const calls = started.filter(({ name }) => name === "chat scripted");
    const purposes = calls.map(({ attributes }) => attributes["tenterhook.purpose"]);
    expect(purposes).toEqual([undefined, "compaction", undefined]);
    expect(calls.map((call) => parentOf(call)?.name)).toEqual(Array(3).fill("invoke_agent tester"));
  });

  test("can be sampled, with the attributes of the start", async () => {
    const sampler = {
      shouldSample: (...[, , , , { "gen_ai.tool.name": tool }]: Parameters<Sampler["shouldSample"]>) => ({
        decision: tool === "echo" ? SamplingDecision.NOT_RECORD : SamplingDecision.RECORD_AND_SAMPLED,
      }),
    };
    const sampled = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent, { tracer: sampled.getTracer("sampled"), captureContent: true });
    await agent.run("go");
    expect(names()).toEqual(["chat scripted", "chat scripted", "invoke_agent tester"]);
  });
});

describe("telemetry of several agents", () => {
  const delegating = (helper: ReturnType<typeof agentWith>, hooks = createHooks()) =>
    agentWith([{ toolCalls: [{ name: "helper", input: { task: "help" } }] }, "done"], {
      hooks,
      subagents: [helper],
    });
  const expected = [
    "invoke_agent tester",
    "  chat scripted",
    "  execute_tool helper",
    "    hook before_tool look",
    "    invoke_agent helper",
    "      chat scripted",
    "      execute_tool echo",
    "        hook before_tool look",
    "      chat scripted",
    "  chat scripted",
  ];

  test("makes one span for each operation when a subagent has the listener too", async () => {
    const helper = agentWith([callEcho, "helped"], { name: "helper" });
    const agent = delegating(helper);
    agent.hooks.on("before_tool", () => {}, { name: "look" });
    agentTelemetry(helper, { tracer });
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    expect(tree()).toEqual(expected);
  });

  test("makes one span for each hook when they share a set of hooks", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => {}, { name: "look" });
    const [first, second] = [agentWith([callEcho, "done"], { hooks }), agentWith(["done"], { hooks })];
    agentTelemetry(first, { tracer });
    agentTelemetry(second, { tracer });
    await first.run("go");
    expect(names().filter((name) => name === "hook before_tool look")).toHaveLength(1);
  });

  test("makes spans of each operation with each tracer", async () => {
    const second = new InMemorySpanExporter();
    const other = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(second)] });
    const helper = agentWith([callEcho, "helped"], { name: "helper" });
    const agent = delegating(helper);
    agent.hooks.on("before_tool", () => {}, { name: "look" });
    agentTelemetry(agent, { tracer });
    agentTelemetry(helper, { tracer: other.getTracer("other") });
    await agent.run("go");
    expect(names()).toHaveLength(expected.length);
    expect(second.getFinishedSpans().map(({ name }) => name)).toEqual([
      "chat scripted",
      "hook before_tool look",
      "execute_tool echo",
      "chat scripted",
      "invoke_agent helper",
    ]);
  });
});

describe("the beginning and the end of telemetry", () => {
  test("is the global provider when no tracer is given, also when that is registered later", async () => {
    const agent = agentWith(["done"]);
    agentTelemetry(agent);
    agent.hooks.on("before_agent", () => {}, { name: "look" });
    trace.setGlobalTracerProvider(provider);
    try {
      await agent.run("go");
    } finally {
      trace.disable();
    }
    const scopes = started.map(({ name, instrumentationScope }) => [name, instrumentationScope.name]);
    expect(scopes).toEqual([
      ["invoke_agent tester", "@tenterhook/agent"],
      ["hook before_agent look", "@tenterhook/engine"],
      ["chat scripted", "@tenterhook/agent"],
    ]);
  });

  test("creates no spans and does not affect the agent without an OpenTelemetry SDK", async () => {
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent);
    expect((await agent.run("go")).text).toBe("done");
    expect(names()).toEqual([]);
  });

  test("removes the listener, also during a run: open spans end, and no new ones start", async () => {
    const agent = agentWith([callEcho, "done", "again"]);
    const undo = agentTelemetry(agent, { tracer });
    agent.hooks.on("before_tool", () => undo(), { name: "last" });
    agent.hooks.on("after_tool", () => {}, { name: "too late" });
    await agent.run("go");
    await agent.run("again");
    expect(names()).toEqual([
      "chat scripted",
      "hook before_tool last",
      "execute_tool echo",
      "invoke_agent tester",
    ]);
  });
});

describe("content", () => {
  const secret = "s3cret";

  test("stays out of every span: messages, instructions, inputs, results, reasons and errors", async () => {
    const leaky = () => {
      throw new Error(`cannot read ${secret}\n    at ${secret} (file.ts:1:1)`);
    };
    const say = { text: secret, reasoning: secret, toolCalls: [{ name: "echo", input: { text: secret } }] };
    const agent = agentWith([say, { toolCalls: [{ name: "fails", input: { secret } }] }, secret], {
      instructions: secret,
      tools: { echo, fails: { inputSchema: { type: "object" }, execute: leaky } },
    });
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_tool", ({ toolName }) => (toolName === "fails" ? undefined : block(secret)));
    await agent.run(secret).catch(() => {});
    expect(names()).toContain("execute_tool fails");
    expect(everythingSaid()).not.toContain(secret);
    const [exception] = span("execute_tool fails").events;
    expect(exception?.attributes).toEqual({
      "exception.type": "Error",
      "exception.stacktrace": expect.stringMatching(/^ +at .*leaky .*opentelemetry\.test\.ts/),
    });
  });

  test("of a run is recorded with captureContent: what it was asked after the hooks, and its final text", async () => {
    const agent = agentWith(["done"]);
    agentTelemetry(agent, { tracer, captureContent: true });
    agent.hooks.on("before_agent", () => proceed({ message: "go on" }));
    await agent.run("go");
    expect(json("invoke_agent tester", "gen_ai.input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "go on" }] },
    ]);
    expect(json("invoke_agent tester", "gen_ai.output.messages")).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "done" }], finish_reason: "stop" },
    ]);
  });

  test("of a model call is recorded with captureContent, in the schema of the conventions", async () => {
    const agent = agentWith([{ reasoning: "hm", text: "wait", ...callEcho }, "done"], {
      instructions: "Be kind.",
    });
    agentTelemetry(agent, { tracer, captureContent: true });
    await agent.run("go");
    const call = { type: "tool_call", id: "call-1", name: "echo", arguments: { text: "hi" } };
    const asked = { role: "user", parts: [{ type: "text", content: "go" }] };
    const thought = [{ type: "reasoning", content: "hm" }, { type: "text", content: "wait" }, call];
    expect(json("chat scripted", "gen_ai.system_instructions")).toEqual([
      { type: "text", content: "Be kind." },
    ]);
    expect(json("chat scripted", "gen_ai.input.messages")).toEqual([asked]);
    expect(json("chat scripted", "gen_ai.output.messages")).toEqual([
      { role: "assistant", parts: thought, finish_reason: "tool_call" },
    ]);
    const last = spans().findLast(({ name }) => name === "chat scripted");
    expect(JSON.parse(String(last?.attributes["gen_ai.input.messages"]))).toEqual([
      asked,
      { role: "assistant", parts: thought },
      { role: "tool", parts: [{ type: "tool_call_response", id: "call-1", response: "hi" }] },
    ]);
  });

  test("of a tool call is recorded with captureContent: the input that it ran with, and the result", async () => {
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent, { tracer, captureContent: true });
    agent.hooks.on("before_tool", () => proceed({ toolInput: { text: "ho" } }), { name: "rewrite" });
    await agent.run("go");
    expect(span("execute_tool echo").attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"text":"ho"}',
      "gen_ai.tool.call.result": "ho",
    });
    expect(span("hook before_tool rewrite").attributes["tenterhook.changed.toolInput.before"]).toBe(
      '{"text":"hi"}',
    );
  });

  test("of an error is recorded with captureContent: its message, and the stack as it is", async () => {
    const agent = agentWith([callFails, "ok"], { tools: { fails: failing(new Error("out of paper")) } });
    agentTelemetry(agent, { tracer, captureContent: true });
    await agent.run("go");
    const { status, events, attributes } = span("execute_tool fails");
    expect(status).toEqual({ code: SpanStatusCode.ERROR, message: "out of paper" });
    expect(events[0]?.attributes).toMatchObject({
      "exception.message": "out of paper",
      "exception.stacktrace": expect.stringMatching(/^Error: out of paper\n +at /),
    });
    expect(attributes).not.toHaveProperty("gen_ai.tool.call.result");
  });
});

describe("a tracer that throws", () => {
  const boom = () => {
    throw new Error("the tracer is broken");
  };
  const brokenProvider = new BasicTracerProvider({ spanProcessors: [{ ...beginnings, onEnd: boom }] });

  test.each([
    ["when a span starts", { startSpan: boom, startActiveSpan: boom } satisfies Tracer],
    ["when a span is described", tracerWith({ setAttributes: boom, setStatus: boom, updateName: boom })],
    ["when a span ends", tracerWith({ end: boom })],
    ["in a processor of the SDK", brokenProvider.getTracer("broken")],
  ])("%s changes nothing for the run, and is reported once", async (_, broken) => {
    const asked: string[] = [];
    const warnings = recordWarnings();
    const hooks = createHooks({ report: () => {} });
    hooks.on("before_tool", ({ toolName }) => void asked.push(toolName));
    const tools = { echo, fails: failing(new Error("no")) };
    const agent = agentWith([callEcho, callFails, "done"], { hooks, tools });
    agentTelemetry(agent, { tracer: broken, captureContent: true });
    const run = await agent.run("go");
    // Warnings come with the next tick.
    await nextTick();
    expect(run).toMatchObject({ status: "completed", text: "done", stepCount: 3 });
    expect(asked).toEqual(["echo", "fails"]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "The agent's telemetry fails, and spans are missing: the tracer is broken",
    ]);
  });

  test("lets the run's own error through", async () => {
    recordWarnings();
    const error = new Error("down");
    const agent = agentWith([{ error }]);
    agentTelemetry(agent, { tracer: tracerWith({ end: boom }) });
    await expect(agent.run("go")).rejects.toBe(error);
  });

  test("while it is described still ends its span", async () => {
    recordWarnings();
    const agent = agentWith(["done"]);
    agentTelemetry(agent, { tracer: tracerWith({ setAttributes: boom }) });
    await agent.run("go");
    expect(names()).toEqual(["chat scripted", "invoke_agent tester"]);
  });

  test("does not keep another tracer from making its spans", async () => {
    recordWarnings();
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent, { tracer: { startSpan: boom, startActiveSpan: boom } });
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    expect(tree()).toEqual([
      "invoke_agent tester",
      "  chat scripted",
      "  execute_tool echo",
      "  chat scripted",
    ]);
  });

  test("in its context manager does not matter: the work is done once, outside its span", async () => {
    recordWarnings();
    const manager = new AsyncLocalStorageContextManager().enable();
    context.disable();
    context.setGlobalContextManager(Object.assign(manager, { with: boom }));
    try {
      const model = scriptedModel([callEcho, "done"]);
      const agent = agentWith([], { model });
      agentTelemetry(agent, { tracer });
      expect((await agent.run("go")).text).toBe("done");
      expect(model.calls).toBe(2);
    } finally {
      context.disable();
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    }
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

/** The first span of that name that ended. */
function span(name: string): ReadableSpan {
  const found = spans().find((each) => each.name === name);
  if (found === undefined) throw new Error(`no span "${name}" among ${names().join(", ")}`);
  return found;
}

function parentOf(child: ReadableSpan | undefined): ReadableSpan | undefined {
  const id = child?.parentSpanContext?.spanId;
  return id === undefined ? undefined : started.find((each) => each.spanContext().spanId === id);
}

/** All spans, each indented below its parent, siblings in the order in which they began. */
function tree(parent?: ReadableSpan, indent = ""): readonly string[] {
  return started
    .filter((each) => parentOf(each) === parent)
    .flatMap((each) => [`${indent}${each.name}`, ...tree(each, `${indent}  `)]);
}

function json(name: string, attribute: string): unknown {
  return JSON.parse(String(span(name).attributes[attribute]));
}

function everythingSaid(): string {
  return JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
}
