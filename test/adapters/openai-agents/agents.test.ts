import { Agent, handoff, Runner, RunState, run } from "@openai/agents";
import { modelError } from "@openai/agents/testing";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { ask, block, createHooks, proceed, recover, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  ALL,
  type AnyAgent,
  type AnyHandoff,
  agentWith,
  call,
  lastInput,
  MODES,
  record,
  runHooked,
  ScriptedModel,
  say,
  tool,
  weather,
} from "./script.ts";

/** An agent that hands over to another one, which has a tool. */
function pair(runs: unknown[], wrap: (agent: Agent) => AnyAgent | AnyHandoff = (agent) => agent) {
  const expertModel = new ScriptedModel([
    [call("weather", { city: "Rome" }, "w1")],
    [say("from the expert")],
  ]);
  const expert = agentWith(expertModel, [weather(runs)], "expert");
  const model = new ScriptedModel([[call("transfer_to_expert", {}, "h1")], [say("from the first")]]);
  const first = new Agent({ name: "first", model, handoffs: [wrap(expert)] });
  return { first, model, expertModel };
}

describe.each(MODES)("with %o", (mode) => {
  test.each([
    ["an agent", undefined],
    ["a handoff", (agent: Agent) => handoff(agent)],
  ])("%s that is handed over to has the hooks", async (_what, wrap) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no"));
    const runs: unknown[] = [];
    const { first, expertModel } = pair(runs, wrap);
    const result = await runHooked(first, hooks, mode);
    expect([runs, lastInput(expertModel).at(-1), result.finalOutput]).toEqual([
      [],
      "result no",
      "from the expert",
    ]);
  });

  test("a refused handoff stays with its agent, and the model reads the reason", async () => {
    const hooks = createHooks();
    const names: unknown[] = [];
    hooks.on("subagent_start", ({ subagentName }) => {
      names.push(subagentName);
      return block("the expert is away");
    });
    const { first, model, expertModel } = pair([]);
    const result = await runHooked(first, hooks, mode);
    expect([names, expertModel.calls, result.finalOutput]).toEqual([["expert"], [], "from the first"]);
    expect(lastInput(model).at(-1)).toBe("result the expert is away");
  });

  test("a stop at a handoff ends the run", async () => {
    const hooks = createHooks();
    hooks.on("subagent_start", () => stop("no experts"));
    const { first, expertModel } = pair([]);
    await expect(runHooked(first, hooks, mode)).rejects.toMatchObject({ code: "run_stopped" });
    expect(expertModel.calls).toEqual([]);
  });

  test("agents that hand over to each other get hooks once", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["before_llm"]);
    const model = new ScriptedModel([
      [call("transfer_to_b", {}, "h1")],
      [call("transfer_to_a", {}, "h2")],
      [say("done")],
    ]);
    const a = new Agent({ name: "a", model });
    const b = new Agent({ name: "b", model, handoffs: [a] });
    a.handoffs.push(b);
    expect((await runHooked(a, hooks, mode)).finalOutput).toBe("done");
    expect(fired).toHaveLength(3);
  });

  test("an agent as a tool has its own run: its events, its tools and its end", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ALL);
    const runs: unknown[] = [];
    const { main } = delegating(hooks, runs);
    const result = await runHooked(main, hooks, mode);
    expect([result.finalOutput, runs]).toEqual(["done", ["Rome"]]);
    expect(fired).toEqual([
      "before_agent",
      "before_step",
      "before_llm",
      "after_llm completed",
      "before_tool",
      "subagent_start",
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
      "subagent_stop",
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

  test("a delegation is refused, or its task changed", async () => {
    const refusing = createHooks();
    refusing.on("subagent_start", () => block("do it yourself"));
    const refused = delegating(refusing);
    await runHooked(refused.main, refusing, mode);
    expect([refused.subModel.calls, lastInput(refused.model).at(-1)]).toEqual([[], "result do it yourself"]);
    const changing = createHooks();
    changing.on("subagent_start", ({ taskDescription }) =>
      proceed({ taskDescription: `${taskDescription}, please` }, { context: "Be kind." }),
    );
    const changed = delegating(changing);
    await runHooked(changed.main, changing, mode);
    expect(changed.subModel.firstCall?.request.input).toEqual([
      expect.objectContaining({ content: "look, please\n\n<hook_context>\nBe kind.\n</hook_context>" }),
    ]);
  });

  test.each(["subagent_start", "subagent_stop"] as const)(
    "a stop at %s ends the run that delegates",
    async (event) => {
      const hooks = createHooks();
      hooks.on(event, () => stop("enough"));
      const { main, model } = delegating(hooks);
      await expect(runHooked(main, hooks, mode)).rejects.toMatchObject({ code: "run_stopped" });
      expect(model.calls).toHaveLength(1);
    },
  );

  test("the failure of a subagent is a failure of its call, with the error", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["subagent_stop", "after_tool_failure", "after_agent"]);
    hooks.on("after_tool_failure", ({ error }) => recover(`instead of: ${error.message}`));
    const { main, model } = delegating(hooks, [], [modelError(new Error("overloaded"))]);
    await runHooked(main, hooks, mode);
    expect(lastInput(model).at(-1)).toBe("result instead of: overloaded");
    expect(fired).toEqual(["subagent_stop", "after_tool_failure failed", "after_agent completed"]);
  });

  test("the failure of a subagent is a failure of its call, also where no hook sees its model", async () => {
    const hooks = createHooks();
    const failures: unknown[] = [];
    hooks.on("after_tool_failure", ({ error }) => void failures.push(error.message));
    const { main, model } = delegating(hooks, [], [modelError(new Error("overloaded"))]);
    await runHooked(main, hooks, mode);
    expect(failures).toEqual(["overloaded"]);
    expect(lastInput(model).at(-1)).toContain("An error occurred");
  });

  test("a subagent that ends with the result of a tool has not failed", async () => {
    const hooks = createHooks();
    const fired = record(hooks, ["before_llm", "after_tool", "after_tool_failure"]);
    const subModel = new ScriptedModel([[call("weather", { city: "Rome" }, "w1")]]);
    const hasty = agentWith(subModel, [weather()], "looker").clone({ toolUseBehavior: "stop_on_first_tool" });
    const looker = withHooks(hasty, hooks, { runner: true });
    const model = new ScriptedModel([[call("look", { input: "look" }, "l1")], [say("done")]]);
    const main = agentWith(model, [looker.asTool({ toolName: "look", toolDescription: "Looks." })], "main");
    await runHooked(main, hooks, mode);
    expect(lastInput(model).at(-1)).toBe("result sunny in Rome");
    expect(fired).toEqual([
      "before_llm",
      "before_llm",
      "after_tool completed",
      "after_tool completed",
      "before_llm",
    ]);
  });

  test("hooks keep a subagent running", async () => {
    const hooks = createHooks();
    hooks.on("subagent_stop", ({ stopHookActive }) => (stopHookActive ? proceed() : block("look again")));
    const { main, model, subModel } = delegating(hooks, [], [[say("first look")], [say("second look")]]);
    await runHooked(main, hooks, mode);
    expect(lastInput(subModel).at(-1)).toBe("user: look again");
    expect(lastInput(model).at(-1)).toBe("result second look");
  });

  test("a stop inside a subagent ends the whole run, although the SDK makes a result of its error", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolName }) => (toolName === "weather" ? stop("enough") : proceed()));
    const { main, model } = delegating(hooks);
    await expect(runHooked(main, hooks, mode)).rejects.toMatchObject({ code: "run_stopped" });
    expect(model.calls).toHaveLength(1);
  });

  test("an agent that a tool runs itself has the bag of the run, and its stop ends that", async () => {
    const hooks = createHooks();
    const counts: unknown[] = [];
    hooks.on("before_llm", ({ metadata }) => {
      metadata.calls = Number(metadata.calls ?? 0) + 1;
      counts.push(metadata.calls);
      return metadata.calls === 2 ? stop("enough") : proceed();
    });
    const subModel = new ScriptedModel([[say("looked")]]);
    const looker = agentWith(subModel, [], "looker");
    const look = tool({
      name: "look",
      description: "Looks.",
      parameters: z.object({}),
      execute: async () => String((await runHooked(looker, hooks, mode)).finalOutput),
    });
    const model = new ScriptedModel([[call("look", {}, "l1")], [say("done")]]);
    await expect(runHooked(agentWith(model, [look]), hooks, mode)).rejects.toMatchObject({
      code: "run_stopped",
    });
    expect([counts, subModel.calls, model.calls.length]).toEqual([[1, 2], [], 1]);
  });

  test("the model of a subagent gets a signal that a stop of the run aborts", async () => {
    const hooks = createHooks();
    const subModel = new ScriptedModel([[call("weather", { city: "Rome" }, "w1")]]);
    hooks.on("before_tool", ({ toolName }) => (toolName === "weather" ? stop("enough") : proceed()));
    const looker = withHooks(agentWith(subModel, [weather()], "looker"), hooks, { runner: true });
    const model = new ScriptedModel([[call("look", { input: "look" }, "l1")], [say("done")]]);
    const main = agentWith(model, [looker.asTool({ toolName: "look", toolDescription: "Looks." })], "main");
    await expect(runHooked(main, hooks, mode)).rejects.toMatchObject({ code: "run_stopped" });
    expect(subModel.firstCall?.request.signal?.aborted).toBe(true);
  });

  test("a question inside a subagent pauses the run, and the answer continues it, also after it was stored", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolName }) => (toolName === "weather" ? ask("really?") : proceed()));
    const fired = record(hooks, ["subagent_start", "subagent_stop", "after_tool"]);
    const runs: unknown[] = [];
    const { main } = delegating(hooks, runs);
    const runner = withHooks(new Runner(), hooks);
    const agent = withHooks(main, hooks, { runner: true });
    const paused = await runHooked(agent, hooks, { ...mode, runner });
    expect([paused.interruptions.length, runs, fired]).toEqual([1, [], ["subagent_start"]]);
    const state = await RunState.fromString(agent, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    const result = await runHooked(agent, hooks, { ...mode, runner, input: state as never });
    expect([result.finalOutput, runs]).toEqual(["done", ["Rome"]]);
    expect(fired).toEqual([
      "subagent_start",
      "after_tool completed",
      "subagent_stop",
      "after_tool completed",
    ]);
  });
});

/** An agent with an agent as a tool. */
function delegating(
  hooks: ReturnType<typeof createHooks>,
  runs: unknown[] = [],
  script: ConstructorParameters<typeof ScriptedModel>[0] = [
    [call("weather", { city: "Rome" }, "w1")],
    [say("looked")],
  ],
) {
  const subModel = new ScriptedModel(script);
  const looker = withHooks(agentWith(subModel, [weather(runs)], "looker"), hooks, { runner: true });
  const model = new ScriptedModel([[call("look", { input: "look" }, "l1")], [say("done")]]);
  const main = agentWith(model, [looker.asTool({ toolName: "look", toolDescription: "Looks." })], "main");
  return { main, model, subModel };
}

test("an agent as a tool that has no hooks itself is reported", () => {
  const hooks = createHooks();
  const sub = agentWith(new ScriptedModel([]), [], "sub");
  const main = agentWith(new ScriptedModel([]), [sub.asTool({ toolName: "sub_tool", toolDescription: "" })]);
  const warnings: string[] = [];
  withHooks(main, hooks, { warn: (message) => warnings.push(message) });
  expect(warnings).toEqual([expect.stringMatching(/"sub_tool".*agent without hooks/)]);
});

test("a subagent with hooks works in an agent without them", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", ({ toolName }) => (toolName === "weather" ? block("no") : proceed()));
  const runs: unknown[] = [];
  const looker = withHooks(
    agentWith(
      new ScriptedModel([[call("weather", { city: "Rome" }, "w1")], [say("looked")]]),
      [weather(runs)],
      "looker",
    ),
    hooks,
  );
  const model = new ScriptedModel([[call("look", { input: "look" }, "l1")], [say("done")]]);
  await run(agentWith(model, [looker.asTool({ toolName: "look", toolDescription: "Looks." })]), "hi");
  expect([runs, lastInput(model).at(-1)]).toEqual([[], "result looked"]);
});
