import { block, createHooks, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { RunStream } from "./run-stream.ts";

const echo = { inputSchema: { type: "object" }, execute: (input: unknown) => input };

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const model = scriptedModel(script);
  return { hooks, model, agent: createAgent({ model, hooks, tools: { echo }, retryDelayMs: 0, ...more }) };
}

async function collect(stream: RunStream): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const deltas = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "text_delta" ? [event.text] : []));

describe("a stream", () => {
  test("has text as it is written, tools, steps and the end", async () => {
    const { agent } = setUp([
      { text: "Let me see.", toolCalls: [{ id: "c", name: "echo", input: { a: 1 } }] },
      "All done.",
    ]);
    const events = await collect(agent.stream("Hi"));
    expect(deltas(events).length).toBeGreaterThan(2);
    expect(deltas(events).join("")).toBe("Let me see.All done.");
    expect(events.filter(({ type }) => type !== "text_delta").map(({ type }) => type)).toEqual([
      "run_start",
      "step_start",
      "answer",
      "tool_start",
      "tool_end",
      "step_end",
      "step_start",
      "answer",
      "step_end",
      "run_end",
    ]);
    expect(events.find(({ type }) => type === "tool_end")).toMatchObject({
      toolName: "echo",
      toolUseId: "c",
      status: "completed",
      result: { a: 1 },
    });
  });

  test("of text alone is text alone", async () => {
    const { agent } = setUp(["Hello there."]);
    let text = "";
    for await (const piece of agent.stream("Hi").text()) text += piece;
    expect(text).toBe("Hello there.");
  });

  test("emits answer_buffered when a hook may change the answer, and nothing of the original", async () => {
    const { hooks, agent } = setUp(["call 555-1234"]);
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace(/\d/g, "x") }));
    const events = await collect(agent.stream("Hi"));
    expect(events).toContainEqual({ type: "answer_buffered", step: 1, reason: expect.any(String) });
    expect(deltas(events)).toEqual(["call xxx-xxxx"]);
    expect(JSON.stringify(events)).not.toContain("555-1234");
  });

  test("is buffered when the call is wrapped, and shows nothing of an answer that is refused", async () => {
    const { hooks, agent } = setUp(["secret", "public"]);
    hooks.around("around_llm", (_ctx, next) => next());
    hooks.on("after_llm", ({ text }) => (text === "secret" ? block("no secrets") : undefined));
    const events = await collect(agent.stream("Hi"));
    expect(deltas(events)).toEqual(["public"]);
  });

  test("is not buffered for hooks that only observe", async () => {
    const { hooks, agent } = setUp(["one two three"]);
    recordEvents(hooks);
    hooks.on("after_llm", () => undefined, { mode: "background" });
    const events = await collect(agent.stream("Hi"));
    expect(events.some(({ type }) => type === "answer_buffered")).toBe(false);
    expect(deltas(events).length).toBeGreaterThan(1);
  });

  test("discards what was shown of a call that broke off, and shows the next one", async () => {
    const { agent } = setUp([{ text: "half of it", halfway: "cut" }, "whole"]);
    const events = await collect(agent.stream("Hi"));
    const shown = events.filter(({ type }) =>
      ["text_delta", "answer_discarded", "retry", "answer"].includes(type),
    );
    const discarded = shown.findIndex(({ type }) => type === "answer_discarded");
    expect(deltas(shown.slice(0, discarded)).join("")).not.toBe("");
    expect(deltas(shown.slice(discarded)).join("")).toBe("whole");
  });

  test("shows reasoning apart from text", async () => {
    const { agent } = setUp([{ text: "4", reasoning: "2 and 2" }]);
    const events = await collect(agent.stream("2+2?"));
    const reasoning = events.flatMap((event) => (event.type === "reasoning_delta" ? [event.text] : []));
    expect([reasoning.join(""), deltas(events).join("")]).toEqual(["2 and 2", "4"]);
  });

  test("has the effects of hooks", async () => {
    const { hooks, agent } = setUp([{ toolCalls: [{ name: "echo", input: { a: 1 } }] }, "done"]);
    hooks.on("before_tool", () => proceed({ toolInput: { a: 2 } }), { name: "rewriter" });
    hooks.on("after_tool", () => Promise.reject(new Error("oops")), { name: "clumsy", onError: "continue" });
    hooks.on("before_tool", () => undefined, { name: "quiet" });
    const acts = (await collect(agent.stream("Hi"))).flatMap((event) =>
      event.type === "hook_acted" ? [event.act] : [],
    );
    expect(acts).toMatchObject([
      { event: "before_tool", hook: "rewriter", action: "go_on", changed: ["toolInput"] },
      {
        event: "after_tool",
        hook: "clumsy",
        action: "go_on",
        failed: true,
        reason: expect.stringMatching(/oops/),
      },
    ]);
  });

  test("whose reader leaves is aborted", async () => {
    const { agent, hooks } = setUp([{ toolCalls: [{ name: "echo", input: {} }] }], { maxSteps: 1_000 });
    const recorded = recordEvents(hooks);
    const stream = agent.stream("Hi");
    for await (const event of stream) if (event.type === "tool_end") break;
    expect(await stream.finished).toMatchObject({ status: "stopped", stopReason: "aborted" });
    expect(recorded.words.at(-1)).toBe("session_end");
  });

  test("runs to its end when its events are not read", async () => {
    const { agent } = setUp(["Hello!"]);
    expect(await agent.stream("Hi").finished).toMatchObject({ status: "completed", text: "Hello!" });
  });

  test("of a run that failed ends with the run and its error, and rejects nowhere", async () => {
    const boom = new Error("boom");
    const { agent } = setUp([{ error: boom }]);
    const stream = agent.stream("Hi");
    const events = await collect(stream);
    expect(events.at(-1)).toMatchObject({ type: "run_end", run: { status: "failed", error: boom } });
    expect((await stream.finished).error).toBe(boom);
  });

  test("refuses what run() refuses: a busy session rejects", async () => {
    const { agent } = setUp(["a", "b"]);
    const first = agent.stream("Hi", { sessionId: "s" });
    await expect(agent.run("Hi", { sessionId: "s" })).rejects.toMatchObject({ code: "session_busy" });
    await first.finished;
    expect((await agent.run("Hi", { sessionId: "s" })).text).toBe("b");
  });
});

test("a run that cannot start rejects both finished and the reader of its events", async () => {
  const { agent } = setUp(["ok"]);
  const stream = agent.stream("Hi", { maxSteps: 0 });
  await expect(collect(stream)).rejects.toMatchObject({ code: "bad_agent" });
  await expect(stream.finished).rejects.toMatchObject({ code: "bad_agent" });
  await expect(agent.stream("Hi", { maxSteps: 0 }).finished).rejects.toMatchObject({ code: "bad_agent" });
});
