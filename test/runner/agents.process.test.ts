import { fileURLToPath } from "node:url";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";
import type { AssignedRun, BlueprintInput } from "@tenterhook/protocol/runs";
import type { RunnerOptions } from "@tenterhook/runner";
import { expect, test } from "vitest";
import { DENY } from "../file-hooks/file-hooks-sandbox.ts";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

const MCP_SERVER = fileURLToPath(
  new URL("../../packages/agent/src/tools/mcp/testing/stdio-server.mjs", import.meta.url),
);

/** A runner whose model `main` plays a script, over all runs. */
async function fleet(script: Script, options: Partial<RunnerOptions> = {}) {
  const coordinator = await CoordinatorDouble.start();
  const sandbox = new RunnerSandbox(coordinator);
  const model = scriptedModel(script);
  await sandbox.start({ models: { main: model }, ...options });
  const execute = async (agent: Partial<BlueprintInput> = {}, more: Partial<AssignedRun> = {}) => {
    const parameters = { message: "Go." };
    const described = { type: "autonomous", model: "main", ...agent } as const;
    const run = coordinator.offer(described, { parameters, ...more });
    const { kind, body } = await coordinator.ending(run);
    const { lease_token: _, ...facts } = body;
    return { run, kind, facts, events: coordinator.eventsOf(run).map(({ type, data }) => ({ type, data })) };
  };
  return { coordinator, sandbox, model, execute };
}

const shell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });

test("an agent has its instructions, message and tools from the blueprint, and its answer is the result", async () => {
  const { model, execute } = await fleet([shell("echo hello"), "It said hello."]);
  const { kind, facts } = await execute(
    { system_prompt: "Be brief.", tools: ["Shell", "ReadFile"] },
    { parameters: { message: "Say hello." } },
  );
  expect([kind, facts]).toEqual(["completed", { result_text: "It said hello.", result_data: null }]);
  const [first, second] = model.requests;
  expect(first?.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Say hello." },
  ]);
  expect(first?.tools.map(({ name }) => name).sort()).toEqual(["ReadFile", "Shell"]);
  expect(JSON.stringify(second?.messages)).toContain("hello\\n");
});

test("events are reported as they happen, in order, and the text of the answer in few pieces", async () => {
  const { execute } = await fleet([{ text: "one two three", ...shell("true") }, "done"]);
  const { events } = await execute({ tools: ["Shell"] });
  expect(events.map(({ type }) => type)).toEqual([
    "step_start",
    "text",
    "tool_start",
    "tool_end",
    "step_end",
    "step_start",
    "text",
    "step_end",
    "agent_usage",
  ]);
  expect(events[1]?.data).toEqual({ step: 1, text: "one two three" });
  expect(events[3]?.data).toMatchObject({
    tool_name: "Shell",
    status: "completed",
    duration_ms: expect.any(Number),
    result: { exit_code: 0 },
  });
});

test("the text of an answer that a result hook is to judge is not reported", async () => {
  const { execute } = await fleet([{ text: "a secret", ...shell("true") }, "another secret"]);
  const { events, facts } = await execute({ tools: ["Shell"] }, { withhold_text: true });
  expect(JSON.stringify(events)).not.toContain("secret");
  expect(events.some(({ type }) => type === "tool_end")).toBe(true);
  expect(facts.result_text).toBe("another secret");
});

test("with an output_schema the result is data, and an answer that never fits is a failure", async () => {
  const output_schema = { type: "object", required: ["n"], properties: { n: { type: "number" } } };
  const { execute } = await fleet(["many", '{"n": 3}', "no", "no", "no", "no", "no"]);
  expect((await execute({ output_schema })).facts).toEqual({ result_text: null, result_data: { n: 3 } });
  expect(await execute({ output_schema })).toMatchObject({
    kind: "failed",
    facts: { error_code: "bad_output" },
  });
});

test("a session that is continued has its conversation, and the session of a hook leaves none", async () => {
  const { model, coordinator, execute } = await fleet(["one", "two", "three", "four"]);
  await execute({}, { session_id: "ses_a" });
  await execute(
    {},
    { session_id: "ses_a", kind: "callback", parameters: { callback: { status: "completed" } } },
  );
  await execute({}, { session_id: "ses_b" });
  await execute({}, { session_id: "ses_hook", kind: "hook" });
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 1, 1]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: expect.stringContaining('"status": "completed"'),
  });
  const kept = new Set(coordinator.conversations.map(({ sessionId }) => sessionId));
  expect([...kept]).toEqual(["ses_a", "ses_b"]);
});

test("a run that was lost leaves nothing in the conversation", async () => {
  const { coordinator, model, execute } = await fleet(
    [{ text: "half an answer here", halfway: "stall" }, "whole"],
    {},
  );
  coordinator.heartbeatSeconds = 0.05;
  const lost = coordinator.offer(
    { type: "autonomous", model: "main" },
    { session_id: "ses_a", parameters: { message: "First." } },
  );
  await coordinator.until(() => coordinator.eventsOf(lost).some(({ type }) => type === "text"));
  coordinator.lost.add(lost.run_id);
  await execute({}, { session_id: "ses_a", attempt: 2, parameters: { message: "First." } });
  expect(model.requests[1]?.messages).toEqual([{ role: "user", content: "First." }]);
});

test("a model that fails, does not exist or lacks a tool fails the run with its code", async () => {
  const { execute } = await fleet([{ error: new Error("out of order") }]);
  expect(await execute()).toMatchObject({
    kind: "failed",
    facts: { error: "out of order", error_code: "agent_failed" },
  });
  expect((await execute({ model: "other" })).facts).toMatchObject({
    error_code: "bad_agent",
    error: 'this runner has no model "other". It has: main.',
  });
  expect((await execute({ tools: ["Shel"] })).facts.error).toMatch(/no tool "Shel"\. Did you mean Shell/);
  expect((await execute({ mcp_servers: ["x"] })).facts.error).toMatch(/no MCP server "x"/);
});

test("a model may be described in the blueprint", async () => {
  const { execute } = await fleet([]);
  const model = { provider: "scripted", script: ["from the blueprint"] };
  expect((await execute({ model })).facts.result_text).toBe("from the blueprint");
});

test("file hooks of the machine are called, and their effects are reported", async () => {
  const { sandbox, execute } = await fleet([shell("rm -rf /"), "I could not."]);
  sandbox.hook(sandbox.userHooks, "no-destruction", { matcher: { tool: "Shell", pattern: "rm -rf" } }, DENY);
  const { events, facts } = await execute({ tools: ["Shell"] });
  expect(events).toContainEqual({
    type: "hook_acted",
    data: expect.objectContaining({ hook: "no-destruction", action: "refuse", reason: "denied" }),
  });
  expect(events).toContainEqual({ type: "tool_end", data: expect.objectContaining({ status: "blocked" }) });
  expect(facts.result_text).toBe("I could not.");
});

test("a hook that stops the agent stops the run, with its reason", async () => {
  const { sandbox, execute } = await fleet([shell("ls")]);
  sandbox.hook(sandbox.userHooks, "curfew", {}, `echo '{"decision": "stop", "reason": "it is late"}'`);
  expect(await execute({ tools: ["Shell"] })).toMatchObject({
    kind: "stopped",
    facts: { reason: "it is late" },
  });
});

test("tools of the runner's own and MCP servers are called like all others", async () => {
  const greet = {
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
    execute: ({ name }: { name: string }) => `Hello ${name}`,
  };
  const { model, execute } = await fleet(
    [
      { toolCalls: [{ name: "Greet", input: { name: "Ada" } }] },
      { toolCalls: [{ name: "fixture__echo", input: { text: "again" } }] },
      "done",
    ],
    { tools: { Greet: greet }, mcpServers: { fixture: { command: process.execPath, args: [MCP_SERVER] } } },
  );
  const { events } = await execute({ tools: ["Greet"], mcp_servers: ["fixture"] });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("fixture__echo");
  const results = events.flatMap(({ type, data }) => (type === "tool_end" ? [data.status] : []));
  expect(results).toEqual(["completed", "completed"]);
  expect(JSON.stringify(events)).toContain("Hello Ada");
});

test("background hooks do not delay the result", async () => {
  const { coordinator, sandbox, execute } = await fleet(["done", "again"]);
  const gate = sandbox.gate();
  const [, , , path] = gate.command;
  sandbox.hook(
    sandbox.userHooks,
    "slow-observer",
    { trigger: "after_agent", async: true },
    `read -r _ < "${path}"`,
  );
  expect((await execute()).kind).toBe("completed");
  // They take no slot either.
  expect((await execute()).kind).toBe("completed");
  expect(coordinator.reports.map(({ kind }) => kind)).not.toContain("stopped");
});
