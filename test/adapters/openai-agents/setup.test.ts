import { applyPatchTool, computerTool, Runner, shellTool, webSearchTool } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { block, createHooks, proceed } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { agentWith, ScriptedModel, say, weather } from "./script.ts";

const agent = () => agentWith(new ScriptedModel([]), [weather()]);

test("a hook on an event that the SDK has no place for throws when the agent or the runner is built", () => {
  const hooks = createHooks();
  hooks.on("pre_compact", () => block("no"), { name: "keeper" });
  expect(() => withHooks(agent(), hooks)).toThrow(/hook "keeper".*pre_compact/s);
  expect(() => withHooks(new Runner(), hooks)).toThrow(/hook "keeper".*pre_compact/s);
});

test.each(["before_agent", "session_start"] as const)("a hook on %s throws for an agent alone", (event) => {
  const hooks = createHooks();
  hooks.on(event, () => proceed(), { name: "first" });
  expect(() => withHooks(agent(), hooks)).toThrow(new RegExp(`hook "first".*${event}`, "s"));
});

test("a hook that only observes an event that is not fired gives a warning", () => {
  const hooks = createHooks();
  hooks.on("pre_compact", () => {}, { name: "observer", observes: true });
  const warnings: string[] = [];
  withHooks(agent(), hooks, { warn: (message) => warnings.push(message) });
  expect(warnings).toEqual([expect.stringMatching(/observer/)]);
});

test("an event can be ignored by name", () => {
  const hooks = createHooks();
  hooks.on("before_agent", () => proceed());
  expect(() => withHooks(agent(), hooks, { ignoredEvents: ["before_agent"] })).not.toThrow();
});

test("a hook that is registered later on an event that is not fired throws where it is registered", () => {
  const hooks = createHooks();
  withHooks(agent(), hooks);
  expect(() => hooks.on("before_agent", () => proceed(), { name: "late" })).toThrow(
    /hook "late".*before_agent/s,
  );
  expect(() => hooks.on("before_tool", () => block("no"))).not.toThrow();
});

test("a hook in a file that appears later and would not be called is reported once in each run", async () => {
  const hooks = createHooks();
  let isRegistered = false;
  hooks.beforeEachDispatch((event) => {
    if (event !== "pre_compact" || isRegistered) return;
    isRegistered = true;
    hooks.on("pre_compact", () => block("no"), { name: "late", source: "project", onError: "continue" });
  });
  const warnings: string[] = [];
  const runner = withHooks(new Runner(), hooks, { warn: (message) => warnings.push(message) });
  const agent = agentWith(new ScriptedModel([[say("done")], [say("done")]]), []);
  for (let n = 1; n <= 2; n++) {
    await runner.run(agent, "Hello");
    expect(warnings).toEqual(Array(n).fill(expect.stringMatching(/"late".*would not be called/)));
  }
});

test("explain lists what is not enforced", () => {
  const hooks = createHooks();
  hooks.on("before_agent", () => proceed());
  withHooks(agent(), hooks, { ignoredEvents: ["before_agent"] });
  expect(JSON.stringify(hooks.explain("pre_compact", {}))).toContain("OpenAI Agents");
});

test("tools that the provider executes are reported as not covered", () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("no"));
  const warnings: string[] = [];
  const searching = agentWith(new ScriptedModel([]), [weather(), webSearchTool()]);
  withHooks(searching, hooks, { warn: (message) => warnings.push(message) });
  expect(warnings).toEqual([expect.stringMatching(/web_search.*executed by the provider/)]);
});

test.each([
  ["shell", shellTool({ shell: { run: async () => ({ output: [] }) } })],
  ["apply_patch", applyPatchTool({ editor: {} as never })],
  ["computer", computerTool({ computer: {} as never })],
] as const)(
  "a guard of tools throws for an agent with the tool %s, which has no place for hooks",
  (_name, tool) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no"), { name: "guard" });
    const risky = agentWith(new ScriptedModel([]), [tool]);
    expect(() => withHooks(risky, hooks)).toThrow(
      new RegExp(`hook "guard".*before_tool.*"${tool.name}".*no extension point`, "s"),
    );
  },
);

test("an agent that may end with the result of a tool cannot be kept running, and says so", () => {
  const hooks = createHooks();
  hooks.on("before_stop", () => block("no"), { name: "gate" });
  const hasty = agent().clone({ toolUseBehavior: "stop_on_first_tool" });
  expect(() => withHooks(hasty, hooks)).toThrow(/hook "gate".*before_stop.*toolUseBehavior/s);
});
