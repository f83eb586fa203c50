import {
  AfterInvocationEvent,
  BeforeInvocationEvent,
  Message,
  type Plugin,
  TextBlock,
} from "@strands-agents/sdk";
import { block, createHooks, proceed, skip, stop } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { callThen, hookedAgent, readTexts, recordEvents } from "./testing.ts";

describe("the user's message", () => {
  test("reaches hooks, although Strands' own event before the run does not have it", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_agent", ({ message }) => void seen.push(message));
    const atBeginning: number[] = [];
    const look: Plugin = {
      name: "look",
      initAgent: (agent) =>
        void agent.addHook(BeforeInvocationEvent, () => void atBeginning.push(agent.messages.length)),
    };
    const { agent } = hookedAgent(hooks, ["hello"], { plugins: [look] });
    await agent.invoke("hi");
    expect([seen, atBeginning]).toEqual([["hi"], [0]]);
  });

  test("is changed, with context, in the conversation", async () => {
    const hooks = createHooks();
    hooks.on("session_start", () => proceed({}, { context: "a new session" }));
    hooks.on("before_agent", ({ message }) => proceed({ message: `${message}!` }, { context: "it is late" }));
    const { agent } = hookedAgent(hooks, ["hello", "again"]);
    await agent.invoke("hi");
    await agent.invoke("more");
    expect(readTexts(agent.messages)).toEqual([
      "user: hi!\n\n<hook_context>\na new session\nit is late\n</hook_context>",
      "assistant: hello",
      "user: more!\n\n<hook_context>\nit is late\n</hook_context>",
      "assistant: again",
    ]);
  });

  test("in several messages is one text for hooks", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_agent", ({ message }) => {
      seen.push(message);
      return proceed({ message: "changed" });
    });
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    const user = (text: string) => new Message({ role: "user", content: [new TextBlock(text)] });
    await agent.invoke([user("one"), user("two")]);
    expect(seen).toEqual(["one\n\ntwo"]);
    expect(readTexts(model.requests[0]?.messages ?? [])).toEqual(["user: changed"]);
  });

  test("is refused with the reason as the answer, without a model call or a trace in the conversation", async () => {
    const { hooks, fired } = recordEvents();
    const off = hooks.on("before_agent", () => block("not on Sundays"));
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    const result = await agent.invoke("hi");
    expect(result.toString()).toBe("not on Sundays");
    expect([model.requests.length, agent.messages.length]).toEqual([0, 0]);
    expect(fired).toEqual(["session_start", "before_agent", "after_agent"]);
    off();
    expect(String(await agent.invoke("hi"))).toContain("hello");
    expect(readTexts(agent.messages)).toEqual(["user: hi", "assistant: hello"]);
  });

  test("fails the run, without a model call or a trace in the conversation, when a guard fails", async () => {
    const hooks = createHooks();
    const off = hooks.on("before_agent", () => {
      throw new Error("broken guard");
    });
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    await expect(agent.invoke("hi")).rejects.toThrow("broken guard");
    expect([model.requests.length, agent.messages.length]).toEqual([0, 0]);
    off();
    expect(String(await agent.invoke("hi"))).toContain("hello");
  });

  test("is not processed in a session that a hook stops", async () => {
    const hooks = createHooks();
    hooks.on("session_start", () => stop("not here"));
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    await expect(agent.invoke("hi")).rejects.toThrow("not here");
    expect(model.requests).toEqual([]);
  });

  test("is not processed in a session that a hook refuses", async () => {
    const hooks = createHooks();
    const off = hooks.on("session_start", () => block("not here"));
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    await expect(agent.invoke("hi")).rejects.toThrow("not here");
    expect(model.requests).toEqual([]);
    off();
    expect(String(await agent.invoke("hi"))).toContain("hello");
  });
});

describe("a step", () => {
  test("begins with the messages that a hook leaves, and ends with them", async () => {
    const hooks = createHooks();
    hooks.on("before_step", ({ messages, stepIndex }) =>
      stepIndex === 0 ? proceed({ messages: [...messages, { role: "user", content: "before" }] }) : undefined,
    );
    hooks.on("after_step", ({ messages, stepIndex }) =>
      stepIndex === 0 ? proceed({ messages: [...messages, { role: "user", content: "after" }] }) : undefined,
    );
    const { agent, model } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("hi");
    expect(readTexts(model.requests[1]?.messages ?? [])).toEqual([
      "user: hi",
      "user: before",
      'call: shell {"command":"ls"}',
      "success: ran ls",
      "user: after",
    ]);
  });

  test("lists its calls and its text", async () => {
    const hooks = createHooks();
    const steps: unknown[] = [];
    hooks.on("after_step", ({ step, toolCalls, status }) => void steps.push([step?.text, toolCalls, status]));
    const { agent } = hookedAgent(hooks, callThen("ls"));
    await agent.invoke("hi");
    const result = { success: true, result: "ran ls" };
    expect(steps).toEqual([
      ["", [{ id: "call-1", name: "shell", input: { command: "ls" }, result }], "completed"],
      ["done", [], "completed"],
    ]);
  });

  test("is skipped and counted, and skipping forever fails the run", async () => {
    const hooks = createHooks();
    const off = hooks.on("before_step", ({ stepIndex }) => (stepIndex === 0 ? skip() : undefined));
    const statuses: unknown[] = [];
    hooks.on("after_step", ({ status, stepIndex }) => void statuses.push([stepIndex, status]));
    const { agent, model } = hookedAgent(hooks, ["hello", "unused"]);
    await agent.invoke("hi");
    expect(statuses).toEqual([
      [0, "skipped"],
      [1, "completed"],
    ]);
    off();
    hooks.on("before_step", () => skip());
    await expect(agent.invoke("hi")).rejects.toThrow("in a row");
    expect(model.requests.length).toBe(1);
  });

  test("that fails at its end fails the run, which is not asked whether it may stop", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("after_step", () => {
      throw new Error("no snapshot");
    });
    await expect(hookedAgent(hooks, ["hello"]).agent.invoke("hi")).rejects.toThrow("no snapshot");
    expect(fired.slice(fired.indexOf("after_step"))).toEqual(["after_step", "agent_failed", "after_agent"]);
  });

  test("that a hook stops at its end is the last one", async () => {
    const hooks = createHooks();
    hooks.on("after_step", () => stop("one is enough"));
    const { agent, model, runs } = hookedAgent(hooks, callThen("ls"));
    const result = await agent.invoke("hi");
    expect([result.stopReason, runs, model.requests.length]).toEqual(["cancelled", ["ls"], 1]);
  });
});

describe("the end of a run", () => {
  test("is delayed with the feedback of a hook, under the same call", async () => {
    const { hooks, fired } = recordEvents();
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "half" ? block("do the rest") : undefined,
    );
    const { agent, model } = hookedAgent(hooks, ["half", "whole"]);
    const result = await agent.invoke("hi");
    expect(result.toString()).toContain("whole");
    expect(readTexts(model.requests[1]?.messages ?? [])).toEqual([
      "user: hi",
      "assistant: half",
      "user: do the rest",
    ]);
    expect(fired.filter((event) => /agent|stop/.test(event))).toEqual([
      "before_agent",
      "before_stop",
      "before_stop",
      "after_agent",
    ]);
  });

  test("comes at the limit, as a failure, although Strands itself would go on forever", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("before_stop", () => block("not yet"));
    hooks.on("after_agent", ({ status, gateUnsatisfied }) => void ends.push([status, gateUnsatisfied]));
    const { agent, model } = hookedAgent(hooks, ["a", "b", "c", "d"], { options: { maxHolds: 2 } });
    const error = await agent.invoke("hi").catch((thrown: unknown) => thrown);
    expect(TenterhookError.isInstance(error) && error.code).toBe("gate_unsatisfied");
    expect([model.requests.length, ends]).toEqual([3, [["failed", true]]]);
  });

  test("is delayed for a run with structured output too", async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on("before_stop", () => (asked++ === 0 ? block("check it") : undefined));
    const schema = z.object({ count: z.number() });
    const answer = (count: number) => ({ calls: [{ name: "strands_structured_output", input: { count } }] });
    const { agent } = hookedAgent(hooks, [answer(1), answer(2)]);
    const result = await agent.invoke("hi", { structuredOutputSchema: schema });
    expect([result.structuredOutput, asked]).toEqual([{ count: 2 }, 2]);
  });

  test("is reported once for a run that failed, was aborted, or is continued by another plugin", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", ({ status, error }) => void ends.push([status, error?.message]));
    hooks.on("agent_failed", ({ error }) => void ends.push(error.message));
    const failing = hookedAgent(hooks, [{ error: new Error("overloaded") }]);
    await expect(failing.agent.invoke("hi")).rejects.toThrow("overloaded");
    const caller = new AbortController();
    const off = hooks.on("before_step", () => caller.abort());
    const aborted = hookedAgent(hooks, ["hello"]);
    const result = await aborted.agent.invoke("hi", { cancelSignal: caller.signal });
    expect(result.stopReason).toBe("cancelled");
    off();
    let isResumed = false;
    const resume: Plugin = {
      name: "resume",
      initAgent: (agent) =>
        void agent.addHook(AfterInvocationEvent, (event) => {
          if (!isResumed) event.resume = "more";
          isResumed = true;
        }),
    };
    await hookedAgent(hooks, ["a", "b"], { plugins: [resume] }).agent.invoke("hi");
    expect(ends).toEqual([
      "overloaded",
      ["failed", "overloaded"],
      ["stopped", undefined],
      ["completed", undefined],
    ]);
  });

  test("rejects when a hook at the end fails", async () => {
    const hooks = createHooks();
    hooks.on(
      "after_agent",
      () => {
        throw new Error("no audit");
      },
      { onError: "block" },
    );
    const { agent } = hookedAgent(hooks, ["hello"]);
    await expect(agent.invoke("hi")).rejects.toThrow("no audit");
  });
});

describe("an abort", () => {
  test("of the caller ends the run as cancelled, and after-events are fired", async () => {
    const { hooks, fired } = recordEvents();
    const controller = new AbortController();
    hooks.on("before_tool", () => controller.abort());
    const { agent, runs } = hookedAgent(hooks, callThen("ls"));
    const result = await agent.invoke("hi", { cancelSignal: controller.signal });
    expect([result.stopReason, runs]).toEqual(["cancelled", []]);
    expect(fired.at(-1)).toBe("after_agent");
  });

  test("of one run does not concern the next", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "a" ? stop("enough") : undefined));
    const { agent, runs } = hookedAgent(hooks, [
      { calls: [{ name: "shell", input: { command: "a" } }] },
      { calls: [{ name: "shell", input: { command: "b" } }] },
      "done",
    ]);
    expect((await agent.invoke("first")).stopReason).toBe("cancelled");
    expect((await agent.invoke("second")).stopReason).toBe("endTurn");
    expect(runs).toEqual(["b"]);
  });
});
