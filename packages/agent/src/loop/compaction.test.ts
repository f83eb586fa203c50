import { block, createHooks, proceed } from "@tenterhook/engine";
import { recordWarnings } from "@tenterhook/test-support/record-warnings";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";

const echo = { inputSchema: { type: "object" }, execute: () => "x".repeat(400) };
const callEcho = { toolCalls: [{ name: "echo", input: {} }] };

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const model = scriptedModel(script);
  const compaction = { maxTokens: 150, keepMessages: 2 };
  return { hooks, model, agent: createAgent({ model, hooks, tools: { echo }, compaction, ...more }) };
}

describe("compaction", () => {
  test("replaces the older part by a summary, and never separates a call from its result", async () => {
    const { model, agent } = setUp([callEcho, callEcho, "We echoed a lot.", "done"]);
    const run = await agent.run("Echo twice.");
    expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(run.messages[0]?.content).toMatch(/summary[\s\S]*We echoed a lot\./);
    const summaryCall = model.requests[2];
    expect(summaryCall?.tools).toEqual([]);
    expect(summaryCall?.messages.at(-1)?.content).toMatch(/^Summarise/);
    expect(model.requests[3]?.messages).toEqual(run.messages.slice(0, 3));
  });

  test("asks pre_compact, whose instructions the summary follows, and passes the model hooks like any call", async () => {
    const { hooks, model, agent } = setUp([callEcho, callEcho, "Ann's number is 555.", "done"]);
    const recorded = recordEvents(hooks);
    hooks.on("pre_compact", () => proceed(undefined, { context: "Keep the file names." }));
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("555", "[number]") }));
    const run = await agent.run("Echo twice.");
    expect(recorded.of("pre_compact")[0]?.payload).toMatchObject({
      trigger: "auto",
      tokenCount: expect.any(Number),
    });
    expect(model.requests[2]?.messages.at(-1)?.content).toMatch(/Keep the file names\.$/);
    expect(recorded.of("before_llm")[2]?.payload.context).toEqual({ purpose: "compaction" });
    expect(run.messages[0]?.content).toMatch(/Ann's number is \[number\]/);
  });

  test("does not happen while a hook blocks it", async () => {
    const { hooks, model, agent } = setUp([callEcho, callEcho, "done"]);
    hooks.on("pre_compact", () => block("not now"));
    const run = await agent.run("Echo twice.");
    expect([run.messages.length, model.calls]).toEqual([6, 3]);
  });

  test("that fails leaves the conversation as it was", async () => {
    const { hooks, agent } = setUp([callEcho, callEcho, { error: new Error("no model") }, "done"]);
    const recorded = recordEvents(hooks);
    const warnings = recordWarnings();
    const run = await agent.run("Echo twice.");
    expect(run).toMatchObject({ status: "completed", text: "done" });
    expect(run.messages).toHaveLength(6);
    expect(recorded.of("on_error")).toHaveLength(1);
    await expect.poll(() => warnings.join()).toMatch(/not compacted: no model/);
  });

  test("by hand works on a session, and is kept", async () => {
    const { hooks, model, agent } = setUp(["one", "two", "three", "a short summary", "four"], {
      compaction: { maxTokens: 1_000_000, keepMessages: 2 },
    });
    const recorded = recordEvents(hooks);
    for (const message of ["a", "b", "c"]) await agent.run(message, { sessionId: "s" });
    expect(await agent.compact("s")).toBe(true);
    expect(recorded.of("pre_compact")[0]?.trigger).toBe("manual");
    await agent.run("d", { sessionId: "s" });
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "user",
      "user",
      "assistant",
      "user",
    ]);
    expect(await setUp([]).agent.compact("unknown")).toBe(false);
  });
});
