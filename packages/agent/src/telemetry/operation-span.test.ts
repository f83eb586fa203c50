import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { block, type EventName, type Outcome, proceed, recover, skip, stop } from "@tenterhook/engine";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { type Script, scriptedModel } from "../testing/index.ts";
import { agentTelemetry } from "./opentelemetry.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");

beforeEach(() => {
  exporter.reset();
});

const echo = {
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }) => text,
};
const failing = (error: unknown) => ({
  inputSchema: { type: "object" },
  execute: () => Promise.reject(error),
});
const callEcho = { toolCalls: [{ name: "echo", input: { text: "hi" } }] };
const callFails = { toolCalls: [{ name: "fails", input: {} }] };

function agentWith(script: Script, more: Partial<AgentOptions> = {}) {
  const model = scriptedModel(script);
  return createAgent({ name: "tester", model, tools: { echo }, retryDelayMs: 0, ...more });
}

describe("what a span records", () => {
  test("of a run holds exactly these attributes", async () => {
    const script = ["done"].map((text) => ({ text, usage: { inputTokens: 7, outputTokens: 3 } }));
    const agent = agentWith(script, { id: "t1", description: "Tests." });
    agentTelemetry(agent, { tracer });
    await agent.run("go", { sessionId: "s1" });
    const { attributes, kind, status } = span("invoke_agent tester");
    expect(attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
      "gen_ai.agent.id": "t1",
      "gen_ai.agent.name": "tester",
      "gen_ai.agent.description": "Tests.",
      "gen_ai.conversation.id": "s1",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "tenterhook.outcome": "completed",
    });
    expect(kind).toBe(SpanKind.INTERNAL);
    expect(status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test("of a model call holds exactly these attributes", async () => {
    const agent = agentWith([{ ...callEcho, usage: { inputTokens: 7, outputTokens: 3 } }, "done"]);
    agentTelemetry(agent, { tracer });
    await agent.run("go", { sessionId: "s1" });
    const { attributes, kind, status } = span("chat scripted");
    expect(attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
      "gen_ai.conversation.id": "s1",
      "gen_ai.response.model": "scripted",
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "tenterhook.outcome": "completed",
    });
    expect(kind).toBe(SpanKind.CLIENT);
    expect(status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test("of a tool call holds exactly these attributes", async () => {
    const agent = agentWith([callEcho, "done"]);
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    const { attributes, kind, status } = span("execute_tool echo");
    expect(attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.tool.description": "Says it again.",
      "tenterhook.outcome": "completed",
    });
    expect(kind).toBe(SpanKind.INTERNAL);
    expect(status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test("of a model call names the model that a hook chose, and the settings that it was asked with", async () => {
    const agent = agentWith([], {
      models: { small: scriptedModel(["done"], { modelId: "small-2" }) },
      settings: {
        temperature: 0.2,
        maxOutputTokens: 100,
        topP: 0.9,
        seed: 4,
        providerOptions: { secret: {} },
      },
    });
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_llm", () => proceed({ model: "small" }));
    await agent.run("go");
    expect(span("chat small-2").attributes).toMatchObject({
      "gen_ai.request.model": "small-2",
      "gen_ai.response.model": "small-2",
      "gen_ai.request.temperature": 0.2,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.seed": 4,
    });
    expect(JSON.stringify(span("chat small-2").attributes)).not.toContain("secret");
  });

  test("of a model call records whether the answer is streamed and whether it must be JSON", async () => {
    const agent = agentWith(["{}", "{}"]);
    agentTelemetry(agent, { tracer });
    const as = { type: "object" };
    await agent.run("go", { as });
    await agent.stream("go", { as }).finished;
    const calls = spans()
      .filter(({ name }) => name === "chat scripted")
      .map(({ attributes }) => attributes);
    expect(calls.map((each) => each["gen_ai.request.stream"])).toEqual([undefined, true]);
    expect(calls.map((each) => each["gen_ai.output.type"])).toEqual(["json", "json"]);
  });

  test("of a run adds up the tokens of its subagents", async () => {
    const usage = { inputTokens: 10, outputTokens: 1 };
    const helper = agentWith([{ text: "helped", usage }], { name: "helper" });
    const delegate = { toolCalls: [{ name: "helper", input: { task: "help" } }], usage };
    const agent = agentWith([delegate, { text: "done", usage }], { subagents: [helper] });
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    expect(span("invoke_agent helper").attributes["gen_ai.usage.input_tokens"]).toBe(10);
    expect(span("invoke_agent tester").attributes["gen_ai.usage.input_tokens"]).toBe(30);
  });
});

describe("an end that is no error", () => {
  const down = { error: new Error("down") };

  test.each<[string, Script[number], EventName, Outcome, string, string]>([
    ["a tool that a hook blocks", callEcho, "before_tool", block("no"), "execute_tool echo", "blocked"],
    ["a result that is withheld", callEcho, "after_tool", block("no"), "execute_tool echo", "blocked"],
    ["a tool that a hook skips", callEcho, "before_tool", skip("x"), "execute_tool echo", "skipped"],
    ["a tool that failed", callFails, "on_error", recover("x"), "execute_tool fails", "recovered"],
    ["a model call that a hook answers", "never", "before_llm", skip("x"), "chat scripted", "skipped"],
    ["a model call that failed", down, "on_error", recover("x"), "chat scripted", "recovered"],
    ["an error that a hook suppresses", down, "on_error", recover(), "chat scripted", "suppressed"],
    ["a model call that is stopped", "never", "before_llm", stop("x"), "chat scripted", "stopped_by_hook"],
    ["a stopped run", "never", "before_llm", stop("x"), "invoke_agent tester", "stopped_by_hook"],
    ["a refused run", "never", "before_agent", block("no"), "invoke_agent tester", "refused"],
    ["a run at its limit", callEcho, "before_step", skip(), "invoke_agent tester", "max_steps"],
  ])("is that of %s", async (_, first, event, answer, name, outcome) => {
    const tools = { echo, fails: failing(new Error("out of paper")) };
    const agent = agentWith([first, "ok"], { tools, maxSteps: 2 });
    agentTelemetry(agent, { tracer });
    agent.hooks.on(event, () => answer as never);
    await agent.run("go");
    const { attributes, status, events } = span(name);
    expect(attributes["tenterhook.outcome"]).toBe(outcome);
    expect(attributes).not.toHaveProperty("error.type");
    expect(status).toEqual({ code: SpanStatusCode.UNSET });
    expect(events).toEqual([]);
  });

  test("is that of an answer that a hook refuses, and the next one is another call", async () => {
    const agent = agentWith(["no", "yes"]);
    agentTelemetry(agent, { tracer });
    agent.hooks.on("after_llm", ({ text }) => (text === "no" ? block("rude") : undefined));
    await agent.run("go");
    const calls = spans().filter(({ name }) => name === "chat scripted");
    expect(calls.map(({ attributes }) => attributes["tenterhook.outcome"])).toEqual(["refused", "completed"]);
    expect(calls.map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
  });

  test("is that of a model call that a hook refuses, although the run fails with it", async () => {
    const agent = agentWith(["never"]);
    agentTelemetry(agent, { tracer });
    agent.hooks.on("before_llm", () => block("no"));
    await expect(agent.run("go")).rejects.toThrow("no");
    expect(span("chat scripted").attributes["tenterhook.outcome"]).toBe("refused");
    expect(span("chat scripted").status.code).toBe(SpanStatusCode.UNSET);
    expect(span("invoke_agent tester").attributes).toMatchObject({
      "error.type": "model_call_refused",
      "tenterhook.outcome": "failed",
    });
  });

  test("is that of a run that its caller aborts, though its answer never came", async () => {
    const controller = new AbortController();
    const stalled = () => {
      controller.abort();
      return new Promise<never>(() => {});
    };
    const agent = agentWith([stalled]);
    agentTelemetry(agent, { tracer });
    await agent.run("go", { signal: controller.signal });
    expect(span("invoke_agent tester").attributes["tenterhook.outcome"]).toBe("aborted");
    expect(span("chat scripted").attributes).toMatchObject({
      "tenterhook.outcome": "aborted",
      "gen_ai.response.finish_reasons": ["error"],
    });
    expect(spans().map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
  });
});

describe("a failure", () => {
  test("of a tool has its type, an exception and an error status, which the run's span has not", async () => {
    const agent = agentWith([callFails, "never mind"], { tools: { fails: failing(new TypeError("no")) } });
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    const { attributes, status, events } = span("execute_tool fails");
    expect(attributes).toMatchObject({ "error.type": "TypeError", "tenterhook.outcome": "failed" });
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(events.map(({ name, attributes }) => [name, attributes?.["exception.type"]])).toEqual([
      ["exception", "TypeError"],
    ]);
    expect(span("invoke_agent tester").status.code).toBe(SpanStatusCode.UNSET);
  });

  const endless = { ...echo, execute: () => new Promise(() => {}) };

  test.each<[string, string, Partial<AgentOptions>, string]>([
    ["that does not exist", "other", {}, "bad_tool_input"],
    ["whose input does not fit", "strict", {}, "bad_tool_input"],
    ["that takes too long", "endless", { toolTimeoutMs: 1 }, "tool_timeout"],
  ])("is a tool %s", async (_, name, more, type) => {
    const call = { name, input: name === "strict" ? {} : { text: "hi" } };
    const tools = { strict: echo, endless };
    const agent = agentWith([{ toolCalls: [call] }, "ok"], { tools, ...more });
    agentTelemetry(agent, { tracer });
    await agent.run("go");
    const { attributes, status } = span(`execute_tool ${name}`);
    expect(attributes["error.type"]).toBe(type);
    expect(status.code).toBe(SpanStatusCode.ERROR);
  });

  test("of a model is one of its call and of the run", async () => {
    const error = Object.assign(new Error("overloaded"), { statusCode: 529 });
    const agent = agentWith([{ error }]);
    agentTelemetry(agent, { tracer });
    await expect(agent.run("go")).rejects.toBe(error);
    for (const name of ["chat scripted", "invoke_agent tester"]) {
      expect(span(name).attributes).toMatchObject({ "error.type": "529", "tenterhook.outcome": "failed" });
      expect(span(name).status).toEqual({ code: SpanStatusCode.ERROR });
    }
    expect(span("chat scripted").attributes["gen_ai.response.finish_reasons"]).toEqual(["error"]);
  });

  test("of a streamed run is recorded in the same way, and the stream does not reject", async () => {
    const agent = agentWith([{ text: "half of it", halfway: "cut" }]);
    agentTelemetry(agent, { tracer });
    expect((await agent.stream("go").finished).status).toBe("failed");
    expect(span("chat scripted").status.code).toBe(SpanStatusCode.ERROR);
    expect(span("invoke_agent tester").status.code).toBe(SpanStatusCode.ERROR);
  });

  test("of ours has the meaning of its code for a message", async () => {
    const agent = agentWith([]);
    agentTelemetry(agent, { tracer });
    await expect(agent.run("go")).rejects.toThrow("turn 1");
    expect(span("invoke_agent tester").status.message).toMatch(/^A scripted model was called more often/);
  });
});

function spans(): readonly ReadableSpan[] {
  return exporter.getFinishedSpans();
}

/** The first span of that name that ended. */
function span(name: string): ReadableSpan {
  const found = spans().find((each) => each.name === name);
  if (found === undefined) throw new Error(`no span "${name}"`);
  return found;
}
