import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Run } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { FleetReport } from "../insights/read-coordinator.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { RunningCommands } from "../testing/running-commands.ts";

const commands = new RunningCommands();
let api: ApiClient;
beforeAll(async () => {
  const prices = join(commands.root, "prices.json");
  writeFileSync(prices, JSON.stringify({ models: { small: { input: 1, output: 10 } } }));
  await commands.start(["serve", "--port", "0", "--prices", prices]).printed(/data +\S+/);
  const read = (name: string) => readFileSync(join(commands.data, name), "utf8").trim();
  api = new ApiClient(read("address"), read("token"));
  await api.put("/agents/echo", { name: "echo", type: "procedural", command: ["cat"] });
  await api.put("/hooks/curfew", { type: "agent", agent_name: "echo", on_error: "block" });
  const runner = await TestRunner.register(api);
  await api.post<Run>("/runs", { agent_name: "echo" });
  const run = await runner.claim();
  await runner.report(run, "started");
  const tally = (hook: string, outcome: string, count: number) => ({
    ...{ hook, event: "before_tool", tool: "Shell", outcome, count, duration_ms: 2 * count },
    durations: [0, 0, 0, 0, count],
  });
  const usage = { model: "small", input_tokens: 1_000, output_tokens: 1_000 };
  const tallies = [
    tally("guard", "passed", 40),
    tally("guard", "blocked", 2),
    tally("tried", "passed", 4_298),
    tally("tried", "would_block", 12),
    tally("it's; ls $HOME", "would_block", 1),
  ];
  const acted = { event: "before_tool", hook: "guard", action: "refuse", reason: "no rm", tallied: true };
  const { status } = await runner.report(run, "events", {
    first: 1,
    events: [
      { event_type: "hook_tallies", data: { tallies } },
      { event_type: "hook_acted", data: acted },
      { event_type: "step_start", data: { step: 1 } },
      { event_type: "step_end", data: { step: 1, status: "completed", usage } },
    ],
  });
  expect(status).toBe(204);
  await runner.complete(run);
  await vi.waitFor(
    async () => {
      const { body } = await api.get<FleetReport>("/insights");
      expect(body).toMatchObject({ current: { runs: { completed: 1 } }, behind_seconds: 0 });
    },
    { timeout: 60_000, interval: 200 },
  );
});
afterAll(() => commands.close());

test("--json is the coordinator's response, with the source and the sentences", async () => {
  const read = await commands.json<FleetReport>(["insights", "--since", "1d"]);
  const { body } = await api.get<FleetReport>(`/insights?since=${read.since}&until=${read.until}`);
  const { source, findings, behind_seconds: _, ...rest } = read;
  expect(body).toMatchObject(rest);
  expect(source).toEqual({ type: "coordinator", url: expect.stringContaining("http://127.0.0.1:") });
  expect(findings.map(({ finding, text }) => [finding, text])).toEqual([
    ["never_fired", expect.stringMatching(/^curfew was never called since /)],
    [
      "not_enforced",
      expect.stringMatching(
        /^tried is not enforced: since .* it would have blocked 12 of 4,310 calls\. .*: tenterhook enforce tried$/,
      ),
    ],
    // What a runner reports as a name must be one argument where a person pastes the command.
    ["not_enforced", expect.stringMatching(/: tenterhook enforce 'it'\\''s; ls \$HOME'$/)],
  ]);
});

test("the output says which coordinator it is, with runs, tokens, cost and reasons", async () => {
  const { code, stdout } = await commands.run(["insights"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Coordinator at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(stdout).toMatch(/^1 run \(0 in the period before\): 1 completed, 0 failed, 0 stopped$/m);
  expect(stdout).toMatch(/^small +echo +1 +1,000 +1,000 +\$0\.011$/m);
  expect(stdout).toMatch(/^guard +before_tool +42 +40 +2 +0 +~\S+ ms +~\S+ ms$/m);
  expect(stdout).toMatch(/^1 {2}guard {2}blocked {2}no rm$/m);
});

test("--hook shows one hook, and an unknown one is named with the one that may be meant", async () => {
  const { hooks, findings } = await commands.json<FleetReport>(["insights", "--hook", "guard"]);
  expect(hooks.map(({ hook, calls }) => [hook, calls])).toEqual([["guard", 42]]);
  expect(findings).toEqual([]);
  const never = await commands.json<FleetReport>(["insights", "--hook", "curfew"]);
  expect(never.findings).toMatchObject([{ hook: "curfew", finding: "never_fired" }]);
  for (const [given, meant] of [
    ["gaurd", "guard"],
    ["curfiw", "curfew"],
  ] as const) {
    const { code, stderr } = await commands.run(["insights", "--hook", given]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Did you mean ${meant}?`)]);
  }
});

test("a period that is too long is refused as the coordinator says", async () => {
  const { code, stderr } = await commands.run(["insights", "--since", "500d"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("longer than 400 days")]);
});

test("a coordinator of an earlier version is named as one", async () => {
  const problem = {
    title: "Not found",
    status: 404,
    code: "not_found",
    detail: "there is nothing at /insights",
  };
  const server = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await new CommandSandbox().run(["insights", "--url", url, "--token", "t"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`the coordinator at ${url} is of an earlier version, which has no insights.`);
  expect(stderr).toContain("tenterhook log --summary");
});

test("a coordinator of the user's data folder is read without an option, and --local reads the log", async () => {
  const sandbox = new CommandSandbox();
  const env = { XDG_DATA_HOME: join(sandbox.root, "data") };
  for (const name of ["address", "token"]) {
    const text = readFileSync(join(commands.data, name), "utf8");
    sandbox.write(join(sandbox.root, "data", "tenterhook", name), text);
  }
  expect((await sandbox.run(["insights"], { env })).stdout).toContain("Coordinator at http");
  const entry = { hook: "mine", verdict: "proceed" };
  const record = { time: new Date().toISOString(), event: "before_tool", client: "codex", entries: [entry] };
  sandbox.write(sandbox.auditFile, `${JSON.stringify(record)}\n`);
  const { stdout } = await sandbox.run(["insights", "--local"], { env });
  expect(stdout).toContain("Decision log of this machine");
  expect(stdout).toMatch(/^mine +before_tool +1 +1/m);
});
