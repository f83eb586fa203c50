import { Runner, run } from "@openai/agents";
import { modelError, modelStream } from "@openai/agents/testing";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { block, createHooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import {
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
  test("hooks see instructions, messages and tools, and no internal tool", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_llm", ({ messages, tools, systemPrompt }) => {
      seen.push({
        roles: messages.map(({ role }) => role),
        tools: tools?.map(({ name }) => name),
        systemPrompt,
      });
    });
    const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(seen).toEqual([
      { roles: ["system", "user"], tools: ["weather"], systemPrompt: "Be short." },
      { roles: ["system", "user", "assistant", "tool"], tools: ["weather"], systemPrompt: "Be short." },
    ]);
    expect(model.calls.map(({ request }) => request.tools.map(({ name }) => name))).toEqual([
      ["weather"],
      ["weather"],
    ]);
  });

  test("a request is sent as hooks changed it: messages, instructions and tools", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", ({ messages }) =>
      proceed({
        messages: messages.map((message) =>
          message.role === "user" ? { ...message, content: "hello" } : message,
        ),
        tools: [],
        systemPrompt: "Be kind.",
      }),
    );
    const model = new ScriptedModel([[say("done")]]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(inputs(model)).toEqual([["user: hello"]]);
    expect(model.firstCall?.request).toMatchObject({ systemInstructions: "Be kind.", tools: [] });
  });

  test("items that hooks left alone are sent as they were", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", ({ messages }) =>
      proceed({ messages: [...messages, { role: "user", content: "be quick" }] }),
    );
    const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(lastInput(model)).toEqual([
      "user: hi",
      'call weather {"city":"Rome"}',
      "result sunny in Rome",
      "user: be quick",
    ]);
  });

  test("a skipped call has the hook's answer, and the model is not called", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => skip("cached"));
    const model = new ScriptedModel([]);
    const result = await runHooked(agentWith(model), hooks, mode);
    expect([result.finalOutput, model.calls.length]).toEqual(["cached", 0]);
  });

  test("a hook may answer with tool calls", async () => {
    const hooks = createHooks();
    let calls = 0;
    hooks.on("before_llm", () =>
      calls++ === 0
        ? skip({ text: "", toolUses: [{ id: "h1", name: "weather", input: { city: "Rome" } }] })
        : proceed(),
    );
    const [model, runs] = [new ScriptedModel([[say("done")]]), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual(["Rome"]);
  });

  test("a refused call fails the run with the reason, and after_agent fires", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["after_llm", "agent_failed", "after_agent"]);
    hooks.on("before_llm", () => block("no more calls"), { name: "budget" });
    const model = new ScriptedModel([]);
    const running = runHooked(agentWith(model), hooks, mode);
    await expect(running).rejects.toMatchObject({ code: "model_call_refused", hook: "budget" });
    expect(fired).toEqual(["after_llm failed", "agent_failed", "after_agent failed"]);
  });

  test("a changed text is the output", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("secret", "***") }));
    const result = await runHooked(agentWith(new ScriptedModel([[say("the secret")]])), hooks, mode);
    expect(result.finalOutput).toBe("the ***");
  });

  test("tool calls are removed or changed before they are made", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ toolUses }) =>
      proceed({ toolUses: toolUses.slice(1).map((use) => ({ ...use, input: { city: "Oslo" } })) }),
    );
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" }, "a"), call("weather", { city: "Bonn" }, "b")],
      [say("done")],
    ]);
    const runs: unknown[] = [];
    hooks.on("before_llm", () => proceed());
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual(["Oslo"]);
  });

  test("a refused answer is asked for again, with the reason, and is in no history", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => (text === "bad" ? block("be polite") : proceed()));
    const model = new ScriptedModel([[say("bad")], [say("good")]]);
    const result = await runHooked(agentWith(model), hooks, mode);
    expect(result.finalOutput).toBe("good");
    expect(lastInput(model)).toEqual(["user: hi", "user: Your last answer was refused: be polite"]);
    expect(result.history).toHaveLength(2);
  });

  test("answers that are refused again and again fail the run", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", () => block("never"));
    const model = new ScriptedModel([1, 2, 3, 4].map((n) => [say(`answer ${n}`)]));
    await expect(runHooked(agentWith(model), hooks, mode)).rejects.toMatchObject({ code: "answer_refused" });
    expect(model.calls).toHaveLength(4);
  });

  test("an error of the model is recovered by a hook's answer", async () => {
    const hooks = createHooks();
    hooks.on("on_error", ({ error, phase }) => recover(`${phase}: ${error.message}`));
    const model = new ScriptedModel([modelError(new Error("overloaded"))]);
    const result = await runHooked(agentWith(model), hooks, mode);
    expect(result.finalOutput).toBe("llm: overloaded");
  });

  test("an error that no hook recovers reaches the caller as it is", async () => {
    const error = new Error("overloaded");
    const hooks = createHooks();
    const fired = record(hooks, ["on_error", "after_llm", "after_agent"]);
    const running = runHooked(agentWith(new ScriptedModel([modelError(error)])), hooks, mode);
    await expect(running).rejects.toBe(error);
    expect(fired).toEqual(["on_error", "after_llm failed", "after_agent failed"]);
  });

  test("around_llm may answer from elsewhere", async () => {
    const hooks = createHooks();
    hooks.around("around_llm", async () => "from a cache");
    const result = await runHooked(agentWith(new ScriptedModel([])), hooks, mode);
    expect(result.finalOutput).toBe("from a cache");
  });

  test("a hook chooses another model, which the runner's provider knows by name", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => proceed({ model: "small" }));
    const small = new ScriptedModel([[say("from the small one")]]);
    const large = new ScriptedModel([]);
    const runner = withHooks(
      new Runner({ modelProvider: { getModel: (name) => (name === "small" ? small : large) } }),
      hooks,
    );
    const result = await runHooked(agentWith("large"), hooks, { ...mode, runner });
    expect(result.finalOutput).toBe("from the small one");
  });

  test("a model that the runner resolves by its name has hooks, and they see the name", async () => {
    const hooks = createHooks();
    const names: unknown[] = [];
    hooks.on("before_llm", ({ model }) => void names.push(model));
    hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
    const model = new ScriptedModel([[say("done")]]);
    const runner = withHooks(new Runner({ modelProvider: { getModel: () => model } }), hooks);
    const result = await runHooked(agentWith("large"), hooks, { ...mode, runner });
    expect([names, result.finalOutput]).toEqual([["large"], "DONE"]);
  });

  test("messages that before_step changed are sent in this step only", async () => {
    const hooks = createHooks();
    hooks.on("before_step", ({ stepIndex, messages }) =>
      stepIndex === 0
        ? proceed({ messages: [...messages, { role: "user", content: "first step" }] })
        : proceed(),
    );
    const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(inputs(model).map((texts) => texts.includes("user: first step"))).toEqual([true, false]);
  });

  test("a skipped step fails the run, because a step cannot be left out", async () => {
    const hooks = createHooks();
    hooks.on("before_step", () => skip(), { name: "lazy" });
    await expect(runHooked(agentWith(new ScriptedModel([])), hooks, mode)).rejects.toMatchObject({
      code: "unsupported_hook",
      hook: "lazy",
    });
  });

  test("a stop in after_step ends the run before the next model call", async () => {
    const hooks = createHooks();
    hooks.on("after_step", () => stop("one step is enough"));
    const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
    await expect(runHooked(agentWith(model, [weather()]), hooks, mode)).rejects.toMatchObject({
      code: "run_stopped",
    });
    expect(model.calls).toHaveLength(1);
  });
});

/** A stream of the model that says one word after another, and records how many were read. */
function words(read: string[]) {
  return modelStream(
    (async function* () {
      yield { type: "response_started" as const };
      for (const delta of ["one ", "two"]) {
        read.push(delta);
        yield { type: "output_text_delta" as const, delta };
      }
      const output = [say("one two")];
      yield {
        type: "response_done" as const,
        response: { id: "r1", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 }, output },
      };
    })(),
  );
}

async function readDeltas(
  hooks: ReturnType<typeof createHooks>,
): Promise<{ deltas: string[]; readAtFirst: number }> {
  const read: string[] = [];
  const runner = withHooks(new Runner(), hooks);
  const result = await runner.run(agentWith(new ScriptedModel([words(read)])), "hi", { stream: true });
  const deltas: string[] = [];
  let readAtFirst = 0;
  for await (const event of result) {
    if (event.type !== "raw_model_stream_event" || event.data.type !== "output_text_delta") continue;
    if (deltas.length === 0) readAtFirst = read.length;
    deltas.push(event.data.delta);
  }
  return { deltas, readAtFirst };
}

test("text is streamed while it is written if no hook may change it", async () => {
  const hooks = createHooks();
  record(hooks, ["before_llm", "before_tool"]);
  let continueWriting = () => {};
  const wasRead = new Promise<void>((resolve) => {
    continueWriting = resolve;
  });
  const stream = modelStream(
    (async function* () {
      yield { type: "output_text_delta" as const, delta: "one " };
      // Never ends if the text is delayed.
      await wasRead;
      yield { type: "output_text_delta" as const, delta: "two" };
      const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
      yield { type: "response_done" as const, response: { id: "r1", usage, output: [say("one two")] } };
    })(),
  );
  const runner = withHooks(new Runner(), hooks);
  const result = await runner.run(agentWith(new ScriptedModel([stream])), "hi", { stream: true });
  const deltas: string[] = [];
  for await (const event of result) {
    if (event.type !== "raw_model_stream_event" || event.data.type !== "output_text_delta") continue;
    deltas.push(event.data.delta);
    continueWriting();
  }
  expect(deltas).toEqual(["one ", "two"]);
});

test("text that a hook may change is delayed, and streamed as the hook changed it", async () => {
  const hooks = createHooks();
  hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
  expect(await readDeltas(hooks)).toEqual({ deltas: ["ONE TWO"], readAtFirst: 2 });
});

test("delayed text that the hook left alone is streamed as the model wrote it", async () => {
  const hooks = createHooks();
  hooks.on("after_llm", () => proceed());
  expect(await readDeltas(hooks)).toEqual({ deltas: ["one ", "two"], readAtFirst: 2 });
});

test("an agent whose model is a name cannot enforce hooks on the model alone, and says so when it is built", () => {
  const hooks = createHooks();
  hooks.on("before_llm", () => proceed(), { name: "watch" });
  expect(() => withHooks(agentWith("large"), hooks)).toThrow(/hook "watch".*before_llm.*is a name/s);
});

test("hooks on tools alone do not need the model", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("no"));
  const model = new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);
  const runs: unknown[] = [];
  const runner = new Runner({ modelProvider: { getModel: () => model } });
  await runner.run(withHooks(agentWith("large", [weather(runs)]), hooks), "hi");
  expect(runs).toEqual([]);
});

test("a retry of the SDK is a call of its own for hooks", async () => {
  const hooks = createHooks();
  const fired = record(hooks, ["before_llm"]);
  const model = new ScriptedModel([
    modelError(new Error("overloaded"), { suggested: true, replaySafety: "safe" }),
    [say("done")],
  ]);
  const agent = agentWith(model).clone({
    modelSettings: { retry: { maxRetries: 1, backoff: { initialDelayMs: 0 }, policy: () => true } },
  });
  await run(withHooks(agent, hooks), "hi");
  expect(fired).toEqual(["before_llm", "before_llm"]);
});
