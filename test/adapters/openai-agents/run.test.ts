import { Agent, MemorySession, Runner, run, tool as sdkTool, user } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { block, createHooks, proceed, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  ALL,
  agentWith,
  call,
  inputs,
  lastInput,
  MODES,
  record,
  runHooked,
  ScriptedModel,
  say,
  weather,
} from "./script.ts";

describe.each(MODES)("with %o", (mode) => {
  test("a changed prompt is what the model reads, with the context of hooks", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", ({ message }) =>
      proceed({ message: `${message}!` }, { context: "It is Monday." }),
    );
    const model = new ScriptedModel([[say("done")]]);
    await runHooked(agentWith(model), hooks, mode);
    expect(inputs(model)).toEqual([["user: hi!\n\n<hook_context>\nIt is Monday.\n</hook_context>"]]);
  });

  test("the last message of the user is changed in a list of items, and other parts stay", async () => {
    const hooks = createHooks();
    const messages: string[] = [];
    hooks.on("before_agent", ({ message }) => {
      messages.push(message);
      return proceed({ message: "hello" });
    });
    const model = new ScriptedModel([[say("done")]]);
    const image = { type: "input_image" as const, image: "https://example.invalid/a.png" };
    const input = [user("first"), user([{ type: "input_text", text: "hi" }, image])];
    await runHooked(agentWith(model), hooks, { ...mode, input });
    expect(messages).toEqual(["hi"]);
    expect(inputs(model)).toEqual([["user: first", "user: helloinput_image"]]);
  });

  test("a refused turn calls no model, and rejects with the reason", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ALL);
    hooks.on("before_agent", () => block("not on Mondays"), { name: "calendar" });
    const model = new ScriptedModel([]);
    const running = runHooked(agentWith(model), hooks, mode);
    await expect(running).rejects.toMatchObject({
      code: "turn_refused",
      hook: "calendar",
      message: expect.stringContaining("not on Mondays"),
    });
    expect(model.calls).toEqual([]);
    expect(fired).toEqual(["before_agent", "after_agent stopped"]);
  });

  test("hooks keep the agent running: the model reads the feedback as a message of the user", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["before_stop"]);
    hooks.on("before_stop", ({ stopHookActive }) =>
      stopHookActive ? proceed() : block("write the tests too"),
    );
    const model = new ScriptedModel([[say("code")], [say("code and tests")]]);
    const result = await runHooked(agentWith(model), hooks, mode);
    expect(result.finalOutput).toBe("code and tests");
    expect(lastInput(model)).toEqual(["user: hi", "assistant: code", "user: write the tests too"]);
    expect(fired).toHaveLength(2);
  });

  test("the feedback stays in the conversation when the agent calls tools after it", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ stopHookActive }) => (stopHookActive ? proceed() : block("look outside")));
    const model = new ScriptedModel([
      [say("sunny")],
      [call("weather", { city: "Rome" })],
      [say("sunny in Rome")],
    ]);
    const result = await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(lastInput(model)).toEqual([
      "user: hi",
      "assistant: sunny",
      "user: look outside",
      'call weather {"city":"Rome"}',
      "result sunny in Rome",
    ]);
    expect(result.finalOutput).toBe("sunny in Rome");
  });

  test("an agent that does not satisfy its gate fails after the limit", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => block("never enough"));
    const fired = record(hooks, ["before_stop", "after_agent"]);
    const model = new ScriptedModel([1, 2].map((n) => [say(`answer ${n}`)]));
    const runner = withHooks(new Runner(), hooks, { maxHolds: 1 });
    await expect(runHooked(agentWith(model), hooks, { ...mode, runner })).rejects.toMatchObject({
      code: "gate_unsatisfied",
    });
    expect(fired).toEqual(["before_stop", "before_stop", "after_agent failed"]);
  });

  test("after_agent counts the steps of a run, also where it is the only hook", async () => {
    const hooks = createHooks();
    const runs: unknown[] = [];
    hooks.on("after_agent", ({ payload }) => void runs.push(payload.run));
    const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(runs).toMatchObject([{ stepCount: 2, output: "done" }]);
  });

  test("a stop at the gate ends the run", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => stop("that is all"));
    await expect(runHooked(agentWith(new ScriptedModel([[say("done")]])), hooks, mode)).rejects.toMatchObject(
      { code: "run_stopped" },
    );
  });

  test("a structured output is read after the feedback", async () => {
    const hooks = createHooks();
    hooks.on("before_stop", ({ stopHookActive }) => (stopHookActive ? proceed() : block("more")));
    const model = new ScriptedModel([[say('{"count":1}')], [say('{"count":2}')]]);
    const agent = new Agent({ name: "counter", model, outputType: z.object({ count: z.number() }) });
    const result = await runHooked(agent, hooks, mode);
    expect(result.finalOutput).toEqual({ count: 2 });
  });

  test("after_agent says that the run failed when the limit of turns is reached", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["agent_failed", "after_agent"]);
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" })],
      [call("weather", { city: "Rome" }, "c2")],
    ]);
    await expect(
      runHooked(agentWith(model, [weather()]), hooks, { ...mode, maxTurns: 1 } as never),
    ).rejects.toThrow(/turns/);
    expect(fired).toEqual(["agent_failed", "after_agent failed"]);
  });

  test("a failing after_agent hook reaches the caller", async () => {
    const hooks = createHooks();
    hooks.on(
      "after_agent",
      () => {
        throw new Error("no report");
      },
      { name: "report" },
    );
    await expect(runHooked(agentWith(new ScriptedModel([[say("done")]])), hooks, mode)).rejects.toThrow(
      /no report/,
    );
  });

  test("a session keeps the conversation, and gives hooks its id", async () => {
    const hooks = createHooks();
    const ids: unknown[] = [];
    hooks.on("before_agent", ({ payload }) => void ids.push(payload.sessionId));
    const session = new MemorySession({ sessionId: "s-1" });
    const model = new ScriptedModel([[say("one")], [say("two")]]);
    const runner = withHooks(new Runner(), hooks);
    const agent = agentWith(model);
    await runHooked(agent, hooks, { ...mode, runner, session } as never);
    await runHooked(agent, hooks, { ...mode, runner, session, input: "again" } as never);
    expect(ids).toEqual(["s-1", "s-1"]);
    expect(lastInput(model)).toEqual(["user: hi", "assistant: one", "user: again"]);
  });

  test("an aborted run fires after_agent as stopped", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["after_tool", "after_agent"]);
    const controller = new AbortController();
    const aborting = sdkTool({
      name: "aborting",
      description: "Aborts the run.",
      parameters: z.object({}),
      execute: async () => {
        controller.abort(new Error("the user left"));
        return "too late";
      },
    });
    const model = new ScriptedModel([[call("aborting", {})], [say("done")]]);
    const running = runHooked(agentWith(model, [aborting]), hooks, {
      ...mode,
      signal: controller.signal,
    } as never);
    // A stream that is aborted just ends; a run rejects with the reason.
    if (mode.stream) expect(await running).toMatchObject({ cancelled: true });
    else await expect(running).rejects.toThrow("the user left");
    expect(model.calls).toHaveLength(1);
    expect(fired.at(-1)).toBe("after_agent stopped");
  });
});

test("listeners of the given runner and of the new one are called", async () => {
  const given = new Runner();
  const heard: string[] = [];
  given.on("agent_start", () => heard.push("given"));
  const runner = withHooks(given, createHooks());
  runner.on("agent_start", () => heard.push("new"));
  const agent = agentWith(new ScriptedModel([[say("done")]]));
  agent.on("agent_start", () => heard.push("agent"));
  await runner.run(agent, "hi");
  expect(heard.sort()).toEqual(["agent", "given", "new"]);
});

test("the given runner stays without hooks", async () => {
  const hooks = createHooks();
  hooks.on("before_agent", () => block("no"));
  const given = new Runner();
  withHooks(given, hooks);
  const result = await given.run(agentWith(new ScriptedModel([[say("done")]])), "hi");
  expect(result.finalOutput).toBe("done");
});

test("an agent that needs a runner with hooks refuses to start with another one", async () => {
  const hooks = createHooks();
  hooks.on("before_agent", () => proceed());
  const model = new ScriptedModel([[say("done")]]);
  const agent = withHooks(agentWith(model), hooks, { runner: true });
  await expect(run(agent, "hi")).rejects.toMatchObject({ code: "unsupported_hook" });
  expect(model.calls).toEqual([]);
  const result = await withHooks(new Runner(), hooks).run(agent, "hi");
  expect(result.finalOutput).toBe("done");
});

test("runs of one runner at the same time do not see each other's events", async () => {
  const hooks = createHooks();
  const prompts = new Map<unknown, Set<unknown>>();
  hooks.on("before_agent", ({ payload, message }) => void prompts.set(payload.runId, new Set([message])));
  hooks.on(
    "before_llm",
    ({ payload, messages }) =>
      void prompts.get(payload.runId)?.add(messages.find(({ role }) => role === "user")?.content),
  );
  const runner = withHooks(new Runner(), hooks);
  await Promise.all(
    ["one", "two", "three"].map((prompt) =>
      runner.run(
        agentWith(new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]), [weather()]),
        prompt,
      ),
    ),
  );
  expect([...prompts.values()].map((seen) => [...seen])).toEqual([["one"], ["two"], ["three"]]);
});

test("a stop is not lost when a handler of the SDK makes an output of the error", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => stop("enough"));
  const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
  const runner = withHooks(new Runner(), hooks);
  const running = runner.run(agentWith(model, [weather()]), "hi", {
    errorHandlers: { default: () => ({ finalOutput: "all is well" }) },
  } as never);
  await expect(running).rejects.toMatchObject({ code: "run_stopped" });
});
