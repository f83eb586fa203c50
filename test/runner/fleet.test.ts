import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServeOptions, serveCoordinator } from "@tenterhook/coordinator";
import type { ApprovalsPage, BlueprintInput, RunEventsPage } from "@tenterhook/protocol/runs";
import { expect, onTestFinished, test } from "vitest";
import { Fleet, type RunView } from "../coordinator/fleet.ts";
import { RunnerWorld } from "./runner-world.ts";

// Runners with the real coordinator.

async function fleet(options: Partial<ServeOptions> = {}) {
  const made = await Fleet.start(options);
  return { fleet: made, world: new RunnerWorld(made.served) };
}

const agent = (
  name: string,
  script: readonly unknown[],
  more: Partial<BlueprintInput> = {},
): BlueprintInput => ({
  name,
  type: "autonomous",
  model: { provider: "scripted", script },
  ...more,
});

const shell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });

/** An agent that answers every hook the same way. */
const hookAgent = (name: string, answer: object): BlueprintInput =>
  agent(name, [JSON.stringify(answer)], { output_schema: { type: "object" } });

async function eventsOf(made: Fleet, run: RunView) {
  return (await made.demand<RunEventsPage>("GET", `/runs/${run.run_id}/events?limit=200`)).events;
}

/** Asks again until an answer is as wanted; the coordinator's pages have nothing to wait for. */
async function eventually<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
  }
}

test("a run of an agent goes from claim to result, with its events numbered without a gap", async () => {
  const { fleet: made, world } = await fleet();
  await world.start();
  await made.put(
    agent("greeter", [{ text: "Let me see.", ...shell("echo hi") }, "Hello!"], { tools: ["Shell"] }),
  );
  const run = await made.run("greeter", { message: "Greet." });
  expect(run).toMatchObject({ status: "completed", result_text: "Hello!" });
  const events = await eventsOf(made, run);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const types = events.map(({ event_type }) => event_type);
  expect(types).toEqual([
    "run_created",
    "run_claimed",
    "run_started",
    "step_start",
    "text",
    "tool_start",
    "tool_end",
    "step_end",
    "step_start",
    "text",
    "step_end",
    "agent_usage",
    "run_completed",
  ]);
});

test("a lone runner with one slot carries out every type of hook of its own run", async () => {
  const { fleet: made, world } = await fleet();
  await world.start({ concurrency: 1 });
  await made.put(hookAgent("on-start", { action: "continue", parameters: { message: "Better." } }));
  await made.put(hookAgent("on-tool", { action: "continue", tool_input: { command: "echo hooked" } }));
  await made.put(hookAgent("on-result", { action: "continue", result_text: "judged" }));
  await made.put(hookAgent("on-finish", {}));
  const hook = (agent_name: string) => ({ type: "agent", agent_name, on_error: "block" }) as const;
  await made.put(
    agent("worker", [shell("echo plain"), "raw"], {
      tools: ["Shell"],
      hooks: {
        on_run_start: hook("on-start"),
        on_tool_call: hook("on-tool"),
        on_result: hook("on-result"),
        on_run_finish: { ...hook("on-finish"), mode: "sync" },
      },
    }),
  );
  const run = await made.run("worker", { message: "Go." });
  expect(run).toMatchObject({
    status: "completed",
    result_text: "judged",
    parameters: { message: "Better." },
  });
  const events = await eventsOf(made, run);
  expect(events.find(({ event_type }) => event_type === "tool_end")).toMatchObject({
    result: { stdout: "hooked\n" },
  });
  expect(events.some(({ event_type }) => event_type === "text")).toBe(false);
});

test("ask of a hook on the runner's machine becomes an approval, and the person's edit is what runs", async () => {
  const { fleet: made, world } = await fleet();
  await world.start();
  world.hook(world.userHooks, "careful", {}, `echo '{"decision": "ask", "reason": "is this meant?"}'`);
  await made.put(agent("worker", [shell("echo risky"), "done"], { tools: ["Shell"] }));
  const started = await made.run("worker", {}, { execution_mode: "async_poll" });
  const { approvals } = await eventually(
    () => made.demand<ApprovalsPage>("GET", "/approvals?state=pending"),
    (page) => page.approvals.length === 1,
  );
  const decision = { decision: "edit", value: { command: "echo safe" } };
  await made.demand("POST", `/approvals/${approvals[0]?.approval_id}`, decision);
  const run = await eventually(
    () => made.demand<RunView>("GET", `/runs/${started.run_id}`),
    ({ status }) => status === "completed",
  );
  const events = await eventsOf(made, run);
  expect(events.find(({ event_type }) => event_type === "tool_end")).toMatchObject({
    result: { stdout: "safe\n" },
  });
});

test("a run that is stopped has ended within a second", async () => {
  const { fleet: made, world } = await fleet();
  await world.start();
  const gate = world.gate();
  await made.put({ name: "waiter", type: "procedural", command: gate.command });
  const started = await made.run("waiter", {}, { execution_mode: "async_poll" });
  const read = () => made.demand<RunView>("GET", `/runs/${started.run_id}`);
  await eventually(
    () => eventsOf(made, started),
    (events) => events.some(({ event_type }) => event_type === "log"),
  );
  const since = performance.now();
  await made.demand("POST", `/runs/${started.run_id}/stop`, {});
  await eventually(read, ({ status }) => status === "stopped");
  expect(performance.now() - since).toBeLessThan(1_000);
});

test("a session that is resumed goes on with its conversation", async () => {
  const { fleet: made, world } = await fleet();
  await world.start();
  await made.put(agent("talker", ["Hello.", "Hello again."]));
  const first = await made.run("talker", { message: "Hi." });
  const second = await made.demand<RunView>("POST", `/sessions/${first.session_id}/resume`, {
    parameters: { message: "Hi again." },
    execution_mode: "sync",
  });
  expect(second).toMatchObject({ status: "completed", session_id: first.session_id });
  const usage = async (run: RunView) =>
    (await eventsOf(made, run)).find(({ event_type }) => event_type === "agent_usage")?.input_tokens;
  expect(Number(await usage(second))).toBeGreaterThan(Number(await usage(first)));
});

test("a run goes on through a restart of the coordinator", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-restart-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let served = await serveCoordinator({ folder, port: 0 });
  onTestFinished(() => served.close());
  const port = Number(new URL(served.url).port);
  const world = new RunnerWorld(served);
  await world.start();
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${served.token}`, "content-type": "application/json" };
    const answer = await fetch(`${served.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  };
  const gate = world.gate();
  await ask("PUT", "/agents/waiter", { type: "procedural", command: gate.command });
  const { run_id } = await ask<RunView>("POST", "/runs", { agent_name: "waiter" });
  const read = () => ask<RunView>("GET", `/runs/${run_id}`);
  await eventually(read, ({ status }) => status === "running");
  await served.close();
  await gate.open();
  served = await serveCoordinator({ folder, port });
  expect(await eventually(read, ({ status }) => status !== "running")).toMatchObject({
    status: "completed",
    result_text: "passed",
  });
});
