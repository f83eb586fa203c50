import { MockMemory } from "@mastra/core/memory";
import { block, createHooks, type Hooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { hookedAgent, readRequest, run } from "./testing.ts";

const oneCall = [{ calls: [{ name: "shell", input: { command: "ls" } }] }, "Done."];

/** Records how runs ended. */
function recordEnds(hooks: Hooks): string[] {
  const ends: string[] = [];
  hooks.on("after_agent", ({ status }) => void ends.push(String(status)), { observes: true });
  return ends;
}

describe.each([false, true])("runs of Mastra, streaming: %s,", (isStreamed) => {
  test("a refused message is a tripwire with the bare reason, and the model is not called", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => block("closed today"));
    const ends = recordEnds(hooks);
    const { agent, model } = hookedAgent(hooks, []);
    expect(await run(agent, isStreamed)).toMatchObject({ error: "closed today" });
    expect(model.requests).toEqual([]);
    expect(ends).toEqual(["stopped"]);
  });

  test("a refused message is refused although the call replaces the agent's processors", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => block("closed today"));
    const { agent, model } = hookedAgent(hooks, []);
    const end = await run(agent, isStreamed, { inputProcessors: [] });
    expect(end.error).toContain("closed today");
    expect(model.requests).toEqual([]);
  });

  test("a changed message is sent in every request although the call replaces the agent's processors", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => proceed({ message: "Good morning" }));
    const { agent, model } = hookedAgent(hooks, oneCall);
    await run(agent, isStreamed, { inputProcessors: [] });
    expect(model.requests).toHaveLength(2);
    for (const request of model.requests) {
      expect(readRequest(request)).toContain("Good morning");
      expect(readRequest(request)).not.toContain("Hello");
    }
  });

  test("the memory keeps the message that a hook changed, not the original", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", ({ message }) => proceed({ message: message.replace("hunter2", "[secret]") }));
    const memory = new MockMemory();
    const { agent, model } = hookedAgent(hooks, ["Noted.", "Done."], { memory: memory as never });
    const options = { memory: { thread: "thread", resource: "user" } };
    await run(agent, isStreamed, options, "My password is hunter2.");
    await run(agent, isStreamed, options, "What is it?");
    const read = readRequest(model.requests[1]);
    expect(read).toContain("My password is [secret].");
    expect(read).not.toContain("hunter2");
  });

  test("a hook that fails in after_agent fails the run, and does not keep a stream from ending", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("after_agent", () => {
      throw new Error("no log");
    });
    const { agent } = hookedAgent(hooks, oneCall);
    expect((await run(agent, isStreamed)).error).toContain("no log");
  });

  test("a run that ends at its limit of steps ends as stopped, once", async () => {
    const hooks = createHooks();
    const ends = recordEnds(hooks);
    const reasons: unknown[] = [];
    hooks.on("before_stop", ({ stopReason }) => void reasons.push(stopReason));
    const { agent, executed } = hookedAgent(hooks, oneCall);
    await run(agent, isStreamed, { maxSteps: 1 });
    expect({ executed, ends, reasons }).toEqual({
      executed: ["ls"],
      ends: ["stopped"],
      reasons: ["max_steps"],
    });
  });

  test("a hook that fails at the limit of steps does not keep a stream from ending", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_stop", () => {
      throw new Error("no policy");
    });
    const { agent } = hookedAgent(hooks, oneCall);
    expect((await run(agent, isStreamed, { maxSteps: 1 })).error).toBeUndefined();
  });

  test("an agent is kept running, reads the feedback, and its provider never sees the tool for it", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "Almost." ? block("run the tests") : undefined,
    );
    const { agent, model } = hookedAgent(hooks, ["Almost.", "Done."]);
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([["shell"], ["shell"]]);
    const read = readRequest(model.requests[1]);
    expect(read).toContain("run the tests");
    expect(read).not.toContain("keep_running");
  });

  test("the feedback reaches the model although the call replaces onIterationComplete and hides tools", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ finalMessage }) =>
      finalMessage?.content === "Almost." ? block("run the tests") : undefined,
    );
    const { agent, model } = hookedAgent(hooks, ["Almost.", "Done."]);
    const options = { onIterationComplete: () => undefined, activeTools: ["shell"] };
    expect((await run(agent, isStreamed, options)).text).toBe("Done.");
    expect(readRequest(model.requests[1])).toContain("run the tests");
  });

  test("an agent that never satisfies its gate fails", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => block("run the tests"));
    const { agent } = hookedAgent(hooks, ["1", "2", "3", "4", "5"], { options: { maxHolds: 2 } });
    expect((await run(agent, isStreamed, { maxSteps: 9 })).error).toContain("run the tests");
  });

  test("a stop before a model call fails the run and does not call the model", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => stop("enough"));
    const ends = recordEnds(hooks);
    const { agent, model } = hookedAgent(hooks, oneCall);
    expect((await run(agent, isStreamed)).error).toContain("enough");
    expect(model.requests).toEqual([]);
    expect(ends).toEqual(["stopped"]);
  });

  test("an abort while a tool runs ends the run as stopped, although Mastra does not reject", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("before_tool", () => controller.abort());
    const ends = recordEnds(hooks);
    const { agent, model, executed } = hookedAgent(hooks, oneCall);
    await run(agent, isStreamed, { abortSignal: controller.signal });
    expect({ executed, ends, requests: model.requests.length }).toEqual({
      executed: [],
      ends: ["stopped"],
      requests: 1,
    });
  });

  test("an abort while the model answers ends the run as stopped", async () => {
    const hooks = createHooks();
    const ends = recordEnds(hooks);
    const controller = new AbortController();
    const { agent } = hookedAgent(hooks, oneCall, { onCall: () => controller.abort() });
    await run(agent, isStreamed, { abortSignal: controller.signal });
    expect(ends).toEqual(["stopped"]);
  });

  test("Mastra's retries are one step, and end the run once", async () => {
    const hooks = createHooks();
    const ends = recordEnds(hooks);
    const steps: unknown[] = [];
    hooks.on("before_step", ({ stepIndex }) => void steps.push(stepIndex));
    const overloaded = Object.assign(new Error("overloaded"), { isRetryable: true });
    const { agent } = hookedAgent(hooks, [overloaded, "Done."], { maxRetries: 1 });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect({ steps, ends }).toEqual({ steps: [0], ends: ["completed"] });
  });

  test("a refusal is not tried again", async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on("before_llm", () => {
      asked++;
      return block("too expensive");
    });
    const { agent, model } = hookedAgent(hooks, oneCall, { maxRetries: 1 });
    expect((await run(agent, isStreamed)).error).toContain("too expensive");
    expect({ asked, requests: model.requests.length }).toEqual({ asked: 1, requests: 0 });
  });

  test("no text leaves before a hook that may change it", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("hunter2", "[secret]") }));
    const { agent } = hookedAgent(hooks, ["It is hunter2."]);
    const end = await run(agent, isStreamed);
    expect(end.text).toBe("It is [secret].");
  });
});
