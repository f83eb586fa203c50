import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { type ServedCoordinator, serveCoordinator } from "@tenterhook/coordinator";
import type { BlueprintInput, RunDetail } from "@tenterhook/protocol/runs";
import { RunningClock, restartPort } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Client, eventually } from "./client.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

// Runners with the real coordinator: one for all tests, which begin with runners of their own.

const folder = temporaryFolder();
let served: ServedCoordinator;
const client = new Client(() => served);

beforeAll(async () => {
  served = await serveCoordinator({ folder, port: await restartPort() });
});
afterAll(() => served.close());

const agent = (
  name: string,
  script: readonly unknown[],
  more: Partial<BlueprintInput> = {},
): BlueprintInput => ({ name, type: "autonomous", model: { provider: "scripted", script }, ...more });

const shell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });

/** An agent that answers every hook the same way. */
const hookAgent = (name: string, answer: object): BlueprintInput =>
  agent(name, [JSON.stringify(answer)], { output_schema: { type: "object" } });

test("a run of an agent goes from claim to result, with its events numbered without a gap", async () => {
  await new RunnerSandbox(served).start();
  const script = [{ text: "Let me see.", ...shell("echo hi") }, "Hello!"];
  await client.put(agent("greeter", script, { tools: ["Shell"] }));
  const run = await client.run("greeter", { message: "Greet." });
  expect(run).toMatchObject({ status: "completed", result_text: "Hello!" });
  const events = await client.events(run);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ event_type }) => event_type)).toEqual([
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

test("a runner that is stopped has left, and is not lost", async () => {
  const runner = await new RunnerSandbox(served).start({ name: "stopped on purpose" });
  const read = async () =>
    (await client.api.runners.list({})).runners.find(({ runner_id }) => runner_id === runner.id);
  expect(await read()).toMatchObject({ state: "online", left_at: null });
  await runner.stop();
  expect(await read()).toMatchObject({ state: "gone", left_at: expect.any(String) });
});

test("a run whose assignment was lost is executed at once, and once", async () => {
  const { port, hostname } = new URL(served.url);
  let cuts = 0;
  const between = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    socket.pipe(onward).on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy()).on("close", () => onward.destroy());
    onward.on("data", (bytes: Buffer) => {
      if (cuts === 0 && bytes.includes('"type":"run"')) {
        cuts++;
        socket.resetAndDestroy();
      } else socket.write(bytes);
    });
    onward.on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void between.close());
  await once(between, "listening");
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  await new RunnerSandbox({ url, token: served.token }).start();
  await client.put({ name: "copy", type: "procedural", command: ["cat"] });
  const run = await client.run("copy", { a: 1 });
  expect(run).toMatchObject({ status: "completed", result_data: { a: 1 } });
  expect((await client.events(run)).map(({ event_type }) => event_type)).toEqual([
    "run_created",
    "run_claimed",
    "run_released",
    "run_claimed",
    "run_started",
    "run_completed",
  ]);
  expect(cuts).toBe(1);
});

test("text that a database cannot store is replaced, in results and in events", async () => {
  await new RunnerSandbox(served).start();
  const script = `console.error("a\\0b"); console.log(JSON.stringify({ text: "x\\0y\\ud83d" }))`;
  await client.put({ name: "strange", type: "procedural", command: [process.execPath, "-e", script] });
  const run = await client.run("strange", {});
  expect(run).toMatchObject({ status: "completed", result_data: { text: "x\ufffdy\ufffd" } });
  expect(await client.events(run)).toContainEqual(
    expect.objectContaining({ event_type: "log", text: "a\ufffdb" }),
  );
});

test.each([2, 7])("a result of %i MiB fails its run, with what the limit is", async (mebibytes) => {
  await new RunnerSandbox(served).start();
  const script = `console.log(JSON.stringify({ text: "x".repeat(${mebibytes} * 1024 * 1024) }))`;
  await client.put({ name: "large", type: "procedural", command: [process.execPath, "-e", script] });
  expect(await client.run("large", {})).toMatchObject({
    status: "failed",
    error_code: "result_refused",
    error: expect.stringContaining("the body is larger than 1048576 bytes"),
  });
});

test("a single runner with one slot executes every type of hook of its own run", async () => {
  await new RunnerSandbox(served).start({ concurrency: 1 });
  await client.put(hookAgent("on-start", { action: "continue", parameters: { message: "Better." } }));
  await client.put(hookAgent("on-tool", { action: "continue", tool_input: { command: "echo hooked" } }));
  await client.put(hookAgent("on-result", { action: "continue", result_text: "judged" }));
  await client.put(hookAgent("on-finish", {}));
  const hook = (agent_name: string) => ({ type: "agent", agent_name, on_error: "block" }) as const;
  await client.put(
    agent("hooked", [shell("echo plain"), "raw"], {
      tools: ["Shell"],
      hooks: {
        on_run_start: hook("on-start"),
        on_tool_call: hook("on-tool"),
        on_result: hook("on-result"),
        on_run_finish: { ...hook("on-finish"), mode: "sync" },
      },
    }),
  );
  const run = await client.run("hooked", { message: "Go." });
  expect(run).toMatchObject({
    status: "completed",
    result_text: "judged",
    parameters: { message: "Better." },
  });
  const events = await client.events(run);
  expect(events.find(({ event_type }) => event_type === "tool_end")).toMatchObject({
    result: { stdout: "hooked\n" },
  });
  expect(events.some(({ event_type }) => event_type === "text")).toBe(false);
});

test("ask of a hook on the runner's machine becomes an approval, and the person's edit is what runs", async () => {
  const sandbox = new RunnerSandbox(served);
  await sandbox.start();
  sandbox.hook(sandbox.userHooks, "careful", {}, `echo '{"decision": "ask", "reason": "is this meant?"}'`);
  await client.put(agent("risky", [shell("echo risky"), "done"], { tools: ["Shell"] }));
  const { run_id } = await client.start("risky");
  const { approvals } = await eventually(
    () => client.api.approvals.list({ state: "pending", run: run_id }),
    (page) => page.approvals.length === 1,
  );
  const value = { command: "echo safe" };
  await client.api.approvals.decide(approvals[0]?.approval_id ?? "", { decision: "edit", value });
  const run = await client.until(run_id, ({ status }) => status === "completed");
  const end = (await client.events(run)).find(({ event_type }) => event_type === "tool_end");
  expect(end).toMatchObject({ result: { stdout: "safe\n" } });
});

test("a run that is stopped has ended within a second", async () => {
  const sandbox = new RunnerSandbox(served);
  await sandbox.start();
  await client.put({ name: "waiter", type: "procedural", command: sandbox.gate().command });
  const sinceStart = new RunningClock();
  const run = await client.start("waiter");
  await eventually(
    () => client.events(run),
    (events) => events.some(({ event_type }) => event_type === "log"),
  );
  const startMs = sinceStart.elapsedMs;
  const since = new RunningClock();
  await client.api.runs.stop(run.run_id);
  await client.until(run.run_id, ({ status }) => status === "stopped");
  // And as much longer as everything takes on a busy machine.
  expect(since.elapsedMs).toBeLessThan(1_000 + 5 * startMs);
});

test("a session that is resumed has its conversation, on another runner", async () => {
  const before = await new RunnerSandbox(served).start();
  await client.put(agent("talker", ["Hello."]));
  const first = await client.run("talker", { message: "Hi." });
  await before.stop();
  await new RunnerSandbox(served).start();
  const resumed = { parameters: { message: "Hi again." } };
  const { run_id, session_id } = await client.api.sessions.resume(first.session_id, resumed);
  expect(session_id).toBe(first.session_id);
  const second = await client.until(run_id, ({ status }) => status === "completed");
  const tokens = async (run: RunDetail) =>
    (await client.events(run)).find(({ event_type }) => event_type === "agent_usage")?.input_tokens;
  expect(Number(await tokens(second))).toBeGreaterThan(Number(await tokens(first)));
});

test("a result that does not fit the schema fails the run", async () => {
  await new RunnerSandbox(served).start();
  const output_schema = { type: "object", required: ["total"] };
  await client.put({ name: "counter", type: "procedural", command: ["cat"], output_schema });
  expect(await client.run("counter", { total: 3 })).toMatchObject({ result_data: { total: 3 } });
  expect(await client.run("counter", { sum: 3 })).toMatchObject({
    status: "failed",
    error_code: "bad_output",
  });
});

test("a run continues through a restart of the coordinator", async () => {
  const sandbox = new RunnerSandbox(served);
  await sandbox.start();
  const gate = sandbox.gate();
  await client.put({ name: "patient", type: "procedural", command: gate.command });
  const { run_id } = await client.start("patient");
  await client.until(run_id, ({ status }) => status === "running");
  await served.close();
  await gate.open();
  served = await serveCoordinator({ folder, port: Number(new URL(served.url).port) });
  const run = await client.until(run_id, ({ status }) => status !== "running");
  expect(run).toMatchObject({ status: "completed", result_text: "passed" });
});
