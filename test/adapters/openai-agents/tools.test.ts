import { ModelBehaviorError, Runner, run, tool as sdkTool, ToolCallError } from "@openai/agents";
import { modelError } from "@openai/agents/testing";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { ask, block, createHooks, type Hooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  ALL,
  agentWith,
  broken,
  call,
  inputs,
  lastInput,
  MODES,
  record,
  runHooked,
  ScriptedModel,
  say,
  tool,
  weather,
} from "./script.ts";

const SDK_TEXT = "result An error occurred while running the tool. Please try again.";

const oneCall = () => new ScriptedModel([[call("weather", { city: "Rome" })], [say("done")]]);

describe.each(MODES)("with %o", (mode) => {
  test("fires the events of a run with one tool call in their order", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ALL);
    const result = await runHooked(agentWith(oneCall(), [weather()]), hooks, mode);
    expect(result.finalOutput).toBe("done");
    expect(fired).toEqual([
      "before_agent",
      "before_step",
      "before_llm",
      "after_llm completed",
      "before_tool",
      "after_tool completed",
      "after_step completed",
      "before_step",
      "before_llm",
      "after_llm completed",
      "after_step completed",
      "before_stop",
      "after_agent completed",
    ]);
  });

  test("a changed input reaches the tool, and the conversation keeps the model's own", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { city: "Oslo" } }));
    const [model, runs] = [oneCall(), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual(["Oslo"]);
    expect(lastInput(model)).toEqual(["user: hi", 'call weather {"city":"Rome"}', "result sunny in Oslo"]);
  });

  test("a changed input that the tool's schema refuses does not run the tool", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { town: 1 } }));
    const [model, runs] = [oneCall(), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toBe(SDK_TEXT);
  });

  test("the model reads the reason of a refused call, and the tool does not run", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["after_tool", "after_tool_failure"]);
    hooks.on("before_tool", () => block("not today"));
    const [model, runs] = [oneCall(), [] as unknown[]];
    const result = await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toBe("result not today");
    expect(fired).toEqual(["after_tool_failure blocked"]);
    expect(result.finalOutput).toBe("done");
  });

  test("a hook that throws refuses the call, unless its failures are to be ignored", async () => {
    const strict = createHooks();
    const fail = () => {
      throw new Error("the guard is broken");
    };
    strict.on("before_tool", fail, { name: "guard" });
    const [model, runs] = [oneCall(), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), strict, mode);
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toContain("the guard is broken");
    const lenient = createHooks();
    lenient.on("before_tool", fail, { name: "guard", onError: "continue" });
    await runHooked(agentWith(oneCall(), [weather(runs)]), lenient, mode);
    expect(runs).toEqual(["Rome"]);
  });

  test("a guard judges the input as a later hook changed it", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.city === "Oslo" ? block("not Oslo") : proceed()), {
      priority: 10,
    });
    hooks.on("before_tool", () => proceed({ toolInput: { city: "Oslo" } }));
    const [model, runs] = [oneCall(), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toBe("result not Oslo");
  });

  test("a skipped call has the hook's result", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => skip("cached"));
    const [model, runs] = [oneCall(), [] as unknown[]];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toBe("result cached");
  });

  test("a result is changed or withheld", async () => {
    const changing = createHooks();
    changing.on("after_tool", () => proceed({ toolResult: "rainy" }));
    const changed = oneCall();
    await runHooked(agentWith(changed, [weather()]), changing, mode);
    expect(lastInput(changed).at(-1)).toBe("result rainy");
    const withholding = createHooks();
    withholding.on("after_tool", () => block("secret"));
    const withheld = oneCall();
    await runHooked(agentWith(withheld, [weather()]), withholding, mode);
    expect(lastInput(withheld).at(-1)).toBe("result The result was withheld: secret");
  });

  test("context of hooks is part of the result, and stays in the conversation", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({}, { context: "It is winter." }));
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" })],
      [call("weather", { city: "Bonn" }, "c2")],
      [say("done")],
    ]);
    await runHooked(agentWith(model, [weather()]), hooks, mode);
    expect(lastInput(model).filter((text) => text.includes("It is winter."))).toHaveLength(2);
  });

  test("a stop ends the run with the hook's reason, not with the SDK's error, and no model call follows", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["after_tool_failure", "after_agent"]);
    hooks.on("before_tool", () => stop("enough"), { name: "limit" });
    const [model, runs] = [oneCall(), [] as unknown[]];
    const running = runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    await expect(running).rejects.toMatchObject({
      code: "run_stopped",
      hook: "limit",
      message: expect.stringContaining("enough"),
    });
    expect(runs).toEqual([]);
    expect(model.calls).toHaveLength(1);
    expect(fired).toEqual(["after_tool_failure blocked", "after_agent stopped"]);
  });

  test("a stop after the tool ends the run too", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", () => stop("seen enough"));
    const model = oneCall();
    await expect(runHooked(agentWith(model, [weather()]), hooks, mode)).rejects.toMatchObject({
      code: "run_stopped",
    });
    expect(model.calls).toHaveLength(1);
  });

  test("a failure of a tool of hookedTool is recovered", async () => {
    const hooks = createHooks();
    hooks.on("after_tool_failure", ({ error }) => recover(`instead of: ${error.message}`));
    const model = new ScriptedModel([[call("broken", {})], [say("done")]]);
    await runHooked(agentWith(model, [broken]), hooks, mode);
    expect(lastInput(model).at(-1)).toBe("result instead of: no connection");
  });

  test("a failure that no hook changes is shown to hooks, and the model reads the text of the SDK, which hides it", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["after_tool_failure", "on_error"]);
    const model = new ScriptedModel([[call("broken", {})], [say("done")]]);
    await runHooked(agentWith(model, [broken]), hooks, mode);
    expect(lastInput(model).at(-1)).toBe(SDK_TEXT);
    expect(fired).toEqual(["after_tool_failure failed", "on_error"]);
  });

  test("the model reads a failure that a hook or a wrapper changed", async () => {
    const changes: ((hooks: Hooks) => unknown)[] = [
      (hooks) => hooks.on("after_tool_failure", () => proceed({ toolResult: "offline" })),
      (hooks) => hooks.on("on_error", () => proceed({ error: new Error("offline") })),
      (hooks) =>
        hooks.around("around_tool", (_call, next) =>
          next().catch(() => {
            throw new Error("offline");
          }),
        ),
    ];
    for (const change of changes) {
      const hooks = createHooks();
      change(hooks);
      const model = new ScriptedModel([[call("broken", {})], [say("done")]]);
      await runHooked(agentWith(model, [broken]), hooks, mode);
      expect(lastInput(model).at(-1)).toBe("result offline");
    }
  });

  test("the model reads the text of the SDK about the error of an agent that is a tool", async () => {
    const hooks = createHooks();
    const failures: unknown[] = [];
    hooks.on("after_tool_failure", ({ error }) => void failures.push(error.message));
    hooks.on("subagent_stop", () => undefined);
    const failing = new ScriptedModel([modelError(new Error("password=1234"))]);
    const looker = withHooks(agentWith(failing, [], "looker"), hooks, { runner: true });
    const model = new ScriptedModel([[call("look", { input: "Look." })], [say("done")]]);
    const look = looker.asTool({ toolName: "look", toolDescription: "Looks." });
    await runHooked(agentWith(model, [look]), hooks, mode);
    expect(failures).toEqual(["password=1234"]);
    expect(lastInput(model).at(-1)).toContain("An error occurred");
    expect(lastInput(model).at(-1)).not.toContain("password");
  });

  test("around_tool may call a failing tool again", async () => {
    const hooks = createHooks();
    let attempts = 0;
    const flaky = tool({
      name: "flaky",
      description: "Fails once.",
      parameters: z.object({}),
      execute: async () => {
        if (++attempts === 1) throw new Error("try again");
        return "better";
      },
    });
    hooks.around("around_tool", async (_context, next) => {
      try {
        return await next();
      } catch {
        return next();
      }
    });
    const model = new ScriptedModel([[call("flaky", {})], [say("done")]]);
    await runHooked(agentWith(model, [flaky]), hooks, mode);
    expect([attempts, lastInput(model).at(-1)]).toEqual([2, "result better"]);
  });

  test("of parallel calls only the refused one does not run, and results stay in the order of the calls", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.city === "Oslo" ? block("not Oslo") : proceed()));
    const model = new ScriptedModel([
      [
        call("weather", { city: "Rome" }, "a"),
        call("weather", { city: "Oslo" }, "b"),
        call("weather", { city: "Bonn" }, "c"),
      ],
      [say("done")],
    ]);
    const runs: unknown[] = [];
    await runHooked(agentWith(model, [weather(runs)]), hooks, mode);
    expect(runs).toEqual(["Rome", "Bonn"]);
    expect(lastInput(model).filter((text) => text.startsWith("result"))).toEqual([
      "result sunny in Rome",
      "result not Oslo",
      "result sunny in Bonn",
    ]);
  });

  test("when a hook stops the run, the parallel calls that have not begun do not run", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.city === "Rome" ? stop("enough") : proceed()));
    const model = new ScriptedModel([
      [call("weather", { city: "Rome" }, "a"), call("weather", { city: "Oslo" }, "b")],
      [say("done")],
    ]);
    const runs: unknown[] = [];
    const agent = agentWith(model, [weather(runs)]);
    await expect(
      runHooked(agent, hooks, { ...mode, toolExecution: { maxFunctionToolConcurrency: 1 } } as never),
    ).rejects.toMatchObject({
      code: "run_stopped",
    });
    expect(runs).toEqual([]);
  });

  test("an unknown tool reaches no hook: the SDK fails the run", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["before_tool", "after_agent"]);
    const model = new ScriptedModel([[call("nothing", {})], [say("done")]]);
    await expect(runHooked(agentWith(model, [weather()]), hooks, mode)).rejects.toBeInstanceOf(
      ModelBehaviorError,
    );
    expect(fired).toEqual(["after_agent failed"]);
  });

  test("a copy of the agent enforces hooks with a runner that has none", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not today"));
    hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
    const [model, runs] = [oneCall(), [] as unknown[]];
    const agent = withHooks(agentWith(model, [weather(runs)]), hooks);
    const result = await run(agent, "hi", mode as { stream: true });
    if (mode.stream) await result.completed;
    expect(runs).toEqual([]);
    expect(lastInput(model).at(-1)).toBe("result not today");
    expect(result.finalOutput).toBe("DONE");
  });
});

test("the events of one run have the same run id, also with a runner that has no hooks", async () => {
  const hooks = createHooks();
  const ids: unknown[] = [];
  for (const event of ["before_llm", "before_tool", "before_stop"] as const)
    hooks.on(event, ({ payload }) => void ids.push(payload.runId));
  const agent = withHooks(agentWith(oneCall(), [weather()]), hooks);
  await run(agent, "hi");
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(1);
});

test("the tools of the given agent stay without hooks", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("not today"));
  const runs: unknown[] = [];
  const agent = agentWith(oneCall(), [weather(runs)]);
  withHooks(agent, hooks);
  await run(agent, "hi");
  expect(runs).toEqual(["Rome"]);
});

test("a clone of an agent with hooks has the hooks, once", async () => {
  const hooks = createHooks();
  const fired = record(hooks, ["before_llm", "before_tool"]);
  const agent = withHooks(agentWith(oneCall(), [weather()]), hooks).clone({ instructions: "Be long." });
  await run(agent, "hi");
  expect(fired).toEqual(["before_llm", "before_tool", "before_llm"]);
});

test("a tool with an error function of its own shows its text to the model, after the hooks", async () => {
  const hooks = createHooks();
  const fired = record(hooks, ["after_tool_failure"]);
  const polite = tool({
    name: "polite",
    description: "Fails politely.",
    parameters: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error("no connection");
    },
    errorFunction: (_context, error) => `sorry: ${(error as Error).message}`,
  });
  const model = new ScriptedModel([[call("polite", {})], [say("done")]]);
  await runHooked(agentWith(model, [polite]), hooks);
  expect(fired).toEqual(["after_tool_failure failed"]);
  expect(lastInput(model).at(-1)).toBe("result sorry: no connection");
});

test("a tool that is to fail the run still does", async () => {
  const fatal = tool({
    name: "fatal",
    description: "Fails the run.",
    parameters: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error("no connection");
    },
    errorFunction: null,
  });
  const model = new ScriptedModel([[call("fatal", {})], [say("done")]]);
  await expect(runHooked(agentWith(model, [fatal]), createHooks())).rejects.toBeInstanceOf(ToolCallError);
});

test("a tool of hookedTool without hooks behaves as the SDK's own", async () => {
  const model = new ScriptedModel([[call("broken", {})], [say("done")]]);
  await run(agentWith(model, [broken]), "hi");
  expect(lastInput(model).at(-1)).toBe(SDK_TEXT);
});

test("the failure of a tool that the SDK made is invisible, so a hook on it throws when the agent is built", () => {
  const plain = sdkTool({
    name: "plain",
    description: "",
    parameters: z.object({}),
    execute: async () => "",
  });
  const hooks = createHooks();
  hooks.on("after_tool_failure", () => recover("instead"), { name: "mender" });
  expect(() => withHooks(agentWith(oneCall(), [plain]), hooks)).toThrow(
    /hook "mender".*after_tool_failure.*"plain".*hookedTool/s,
  );
});

test("an approver in this process answers without a pause", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => ask("really?"));
  const questions: string[] = [];
  const runner = withHooks(new Runner(), hooks, {
    approve: ({ reason }) => {
      questions.push(reason);
      return { type: "approve" };
    },
  });
  const [model, runs] = [oneCall(), [] as unknown[]];
  await runner.run(agentWith(model, [weather(runs)]), "hi");
  expect([questions, runs]).toEqual([["really?"], ["Rome"]]);
  expect(inputs(model)).toHaveLength(2);
});
