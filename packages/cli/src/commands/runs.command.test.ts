import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Run, RunOutcomes, RunSummary } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { RunningCommands } from "../testing/running-commands.ts";

const commands = new RunningCommands();
let api: ApiClient;
let runner: TestRunner;
beforeAll(async () => {
  const prices = join(commands.root, "prices.json");
  writeFileSync(prices, JSON.stringify({ models: { small: { input: 1, output: 10 } } }));
  await commands
    .start([
      "serve",
      "--port",
      "0",
      "--prices",
      prices,
      "--allow-private",
      "127.0.0.1",
      "--target-calls",
      "1",
    ])
    .printed(/data +\S+/);
  const read = (name: string) => readFileSync(join(commands.data, name), "utf8").trim();
  api = new ApiClient(read("address"), read("token"));
  await api.put("/agents/echo", { name: "echo", type: "procedural", command: ["cat"] });
  runner = await TestRunner.register(api);
});
afterAll(() => commands.close());

const start = async () => (await api.post<Run>("/runs", { agent_name: "echo", parameters: { n: 1 } })).body;

/** A run whose only model call used a thousand tokens of a model, and as many again. */
async function usedBy(model: string): Promise<string> {
  await start();
  const run = await runner.claim();
  await runner.report(run, "started");
  const usage = { model, input_tokens: 1_000, output_tokens: 1_000 };
  const reported = await runner.report(run, "events", {
    first: 1,
    events: [
      { event_type: "step_start", data: { step: 1 } },
      { event_type: "step_end", data: { step: 1, status: "completed", usage } },
      {
        event_type: "agent_usage",
        data: { steps: 1, duration_ms: 1, input_tokens: 1_000, output_tokens: 1_000 },
      },
    ],
  });
  expect(reported.status).toBe(204);
  await runner.complete(run);
  return run.run_id;
}

test("the tokens of a run and their cost are shown with it and in the list, and only tokens without a price", async () => {
  const [priced, unpriced] = [await usedBy("small"), await usedBy("large")];
  const none = await start();
  expect((await commands.run(["runs", "show", priced])).stdout).toMatch(
    /^ {2}used +1,000 tokens in, 1,000 out, \$0\.011$/m,
  );
  expect((await commands.run(["runs", "show", unpriced])).stdout).toMatch(
    /^ {2}used +1,000 tokens in, 1,000 out$/m,
  );
  const { stdout } = await commands.run(["runs"]);
  expect(stdout).toMatch(/^run +agent +status +age +took +used/);
  expect(stdout).toMatch(new RegExp(`^${priced} .* 1,000 tokens in, 1,000 out, \\$0\\.011`, "m"));
  expect(stdout.split("\n").find((line) => line.startsWith(none.run_id))).not.toContain("tokens");
  const { runs } = await commands.json<{ runs: (RunSummary & { usage: unknown })[] }>(["runs"]);
  expect(runs.find(({ run_id }) => run_id === priced)?.usage).toEqual({
    input_tokens: 1_000,
    output_tokens: 1_000,
    cost: 0.011,
    currency: "USD",
  });
  await commands.run(["runs", "stop", none.run_id]);
});

test("several runs are stopped with one request, and one that does not exist is named", async () => {
  const [one, other] = [await start(), await start()];
  const { code, stdout, stderr } = await commands.run([
    "runs",
    "stop",
    one.run_id,
    "run_missing",
    other.run_id,
    "--reason",
    "enough",
  ]);
  expect(stdout).toBe(`${one.run_id} is stopped\n${other.run_id} is stopped\n`);
  expect(stderr).toContain('run_missing: there is no run "run_missing"');
  expect(code).toBe(1);
  expect(await commands.get<Run>(`/runs/${other.run_id}`)).toMatchObject({ stop_reason: "enough" });
});

test("several runs are retried with one request, with the parameters they were first given", async () => {
  const ids = [(await start()).run_id, (await start()).run_id];
  expect((await commands.run(["runs", "stop", ...ids])).code).toBe(0);
  const { outcomes } = await commands.json<RunOutcomes>(["runs", "retry", ...ids]);
  expect(outcomes.map(({ run_id, run }) => [run_id, run?.retry_of])).toEqual(ids.map((id) => [id, id]));
  const { code, stderr } = await commands.run(["runs", "retry", ...ids, "n=2"]);
  expect(code).toBe(1);
  expect(stderr).toContain("parameters cannot be changed for several runs at once");
});

test("what a hook refused or asked about is listed under the status that the list shows", async () => {
  const hooks = { on_run_start: { type: "agent", agent_name: "echo", on_error: "block" } };
  await api.put("/agents/guarded", { name: "guarded", type: "procedural", command: ["cat"], hooks });
  const answered = async (answer: Record<string, unknown>) => {
    const { body } = await api.post<Run>("/runs", { agent_name: "guarded", parameters: {} });
    let run = await runner.claim();
    while (run.parameters.run_id !== body.run_id) {
      await runner.complete(run);
      run = await runner.claim();
    }
    await runner.complete(run, { result_data: answer });
    return body.run_id;
  };
  const blocked = await answered({ action: "block", block_reason: "not today" });
  const asking = await answered({ action: "ask", reason: "is this wise?" });
  const listed = async (status: string) =>
    (await commands.run(["runs", "--agent", "guarded", "--status", status])).stdout
      .trim()
      .split("\n")
      .slice(1);
  expect(await listed("blocked")).toEqual([
    expect.stringMatching(`^${blocked} +guarded +blocked .* not today$`),
  ]);
  expect(await listed("needs_approval")).toEqual([
    expect.stringMatching(`^${asking} +guarded +preparing, needs approval `),
  ]);
  expect(await listed("failed")).toEqual([expect.stringMatching(`^${blocked} +guarded +blocked `)]);
  expect(await commands.run(["runs", "--blocked"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("unknown option --blocked"),
  });
});

test("a run is shown with why its hook waits", async () => {
  // Nothing listens there, so the call is repeated after a pause.
  const url = "http://127.0.0.1:9/audit";
  const hooks = { on_run_finish: { type: "http", url, on_error: "continue" } };
  await api.put("/agents/audited", { name: "audited", type: "procedural", command: ["cat"], hooks });
  const { body } = await api.post<Run>("/runs", { agent_name: "audited", parameters: {} });
  let run = await runner.claim();
  while (run.run_id !== body.run_id) {
    await runner.complete(run);
    run = await runner.claim();
  }
  await runner.complete(run);
  await expect
    .poll(async () => (await commands.run(["runs", "show", body.run_id])).stdout, { interval: 100 })
    .toMatch(
      /^ {2}on_run_finish +http:\/\/127\.0\.0\.1:9 +pending +waits: call \d failed and is repeated: .+$/m,
    );
});

test("the list of runs says why a hook waits", async () => {
  // Above the limit of calls, so that it waits for as long as the other one is called.
  const silent = createServer();
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  silent.on("connection", (socket) => onTestFinished(() => void socket.destroy()));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const hooks = { on_run_finish: { type: "http", url, on_error: "continue" } };
  await api.put("/agents/observed", { name: "observed", type: "procedural", command: ["cat"], hooks });
  for (let count = 0; count < 2; count++) {
    const { body } = await api.post<Run>("/runs", { agent_name: "observed", parameters: {} });
    let run = await runner.claim();
    while (run.run_id !== body.run_id) {
      await runner.complete(run);
      run = await runner.claim();
    }
    await runner.complete(run);
  }
  await expect
    .poll(async () => (await commands.run(["runs", "--agent", "observed"])).stdout, { interval: 200 })
    .toMatch(/completed .+ a hook waits: 1 call of its host for hooks that no run waits for is active/);
});
