import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { block, createHooks, type Hooks, stop } from "@tenterhook/engine";
import { jsonSchema, streamText, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import {
  type MockAnswer,
  scriptMock,
} from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/mock-model.js";

/** An answer that breaks off with an error, which version 7 may ask the model for again. */
const broken = (message = "overloaded"): MockAnswer =>
  ({
    content: [
      { type: "text", text: "Half" },
      { type: "error", error: new Error(message) },
    ],
  }) as never;
const call: MockAnswer = { calls: [{ id: "1", name: "shell", input: {} }] };
const done: MockAnswer = { text: "Done." };

const shell = tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: async () => "ran" });

describe.each([
  ["shown while it is written", false],
  ["delayed because a hook may change it", true],
])("an answer that is %s", (_title, isDelayed) => {
  async function run(
    script: readonly MockAnswer[],
    settings: object,
    register: (hooks: Hooks) => void = () => undefined,
  ) {
    const hooks = createHooks();
    const events: string[] = [];
    for (const event of ["before_step", "before_llm", "on_error", "agent_failed"] as const)
      hooks.on(event, () => void events.push(event), { observes: true });
    for (const event of ["after_llm", "after_step", "after_agent"] as const)
      hooks.on(event, ({ status }) => void events.push(`${event} ${status}`), { observes: true });
    if (isDelayed) hooks.on("after_llm", () => undefined);
    register(hooks);
    const mock = scriptMock(script);
    const model = new MockLanguageModelV4(mock as never);
    const own = { onError: undefined as never, model, tools: { shell }, ...settings };
    const agent = new ToolLoopAgent(withHooks(own, hooks));
    const result = await agent.stream({ prompt: "Hello" });
    for await (const _part of result.fullStream);
    const text = await Promise.resolve(result.text).catch((error: Error) => error);
    return { events, text, calls: mock.sent.length };
  }
  const quiet = { onError: () => undefined };

  test("is asked for again in the same step, and the run does not end before", async () => {
    const { events, text, calls } = await run([broken(), done], { ...quiet, streamRetries: 1 });
    expect({ text, calls }).toEqual({ text: "Done.", calls: 2 });
    expect(events).toEqual([
      ...["before_step", "before_llm", "on_error", "after_llm failed"],
      ...["before_llm", "after_llm completed", "after_step completed", "after_agent completed"],
    ]);
  });

  test("ends the run, once, when no retries are left", async () => {
    const { events, calls } = await run([broken(), broken()], { ...quiet, streamRetries: 1 });
    expect(calls).toBe(2);
    expect(events.slice(-3)).toEqual(["after_step failed", "agent_failed", "after_agent failed"]);
    expect(events.filter((event) => event.startsWith("after_agent"))).toHaveLength(1);
  });

  test("has as many retries in each step", async () => {
    const script = [broken(), call, broken(), done];
    const { events, text } = await run(script, { ...quiet, streamRetries: 1 });
    expect(text).toBe("Done.");
    expect(events.filter((event) => event.startsWith("after_agent"))).toEqual(["after_agent completed"]);
  });

  test("ends the run where the program asks for no retries", async () => {
    const { events, calls } = await run([broken(), done], quiet);
    expect({ calls, last: events.at(-1) }).toEqual({ calls: 1, last: "after_agent failed" });
  });

  test("is asked for again when onError of the program says so, once in a step", async () => {
    const settings = { streamRetries: 0, onError: () => ({ retry: true }) };
    const { events, text } = await run([broken(), done], settings);
    expect({ text, last: events.at(-1) }).toEqual({ text: "Done.", last: "after_agent completed" });
    const second = await run([broken(), broken(), done], settings);
    expect({ calls: second.calls, last: second.events.at(-1) }).toEqual({
      calls: 2,
      last: "after_agent failed",
    });
  });

  test("ends the run when onError of the program does not say so, or throws", async () => {
    for (const onError of [
      () => undefined,
      () => {
        throw new Error("no log");
      },
    ]) {
      const { events, calls } = await run([broken(), done], { streamRetries: 0, onError });
      expect({ calls, last: events.at(-1) }).toEqual({ calls: 1, last: "after_agent failed" });
    }
  });

  test("is not asked for again when a hook stopped the run or refused the call", async () => {
    const stopped = await run([done, done], { ...quiet, streamRetries: 2 }, (hooks) => {
      hooks.on("after_llm", () => stop("enough"));
    });
    expect({ calls: stopped.calls, last: stopped.events.at(-1) }).toEqual({
      calls: 1,
      last: "after_agent stopped",
    });
    const refused = await run([done, done], { ...quiet, streamRetries: 2 }, (hooks) => {
      hooks.on("before_llm", () => block("too expensive"));
    });
    expect({ calls: refused.calls, last: refused.events.at(-1) }).toEqual({
      calls: 0,
      last: "after_agent failed",
    });
  });

  test("is not asked for again when a hook fails about it", async () => {
    const { events, calls } = await run([done, done], { ...quiet, streamRetries: 2 }, (hooks) => {
      hooks.on("before_stop", () => {
        throw new Error("no tests");
      });
    });
    expect({ calls, ends: events.filter((event) => event.startsWith("after_agent")) }).toEqual({
      calls: 1,
      ends: ["after_agent failed"],
    });
  });

  test("is asked for again by streamText too", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    if (isDelayed) hooks.on("after_llm", () => undefined);
    const model = new MockLanguageModelV4(scriptMock([broken(), done]) as never);
    const result = streamText(
      withHooks({ model, prompt: "Hello", streamRetries: 1, onError: () => undefined }, hooks),
    );
    expect(await result.text).toBe("Done.");
    expect(ends).toEqual(["completed"]);
  });
});
