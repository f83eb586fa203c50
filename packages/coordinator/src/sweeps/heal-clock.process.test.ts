import type { ApprovalsPage, BlueprintInput } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Endpoint } from "../testing/endpoint.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const guard = { type: "agent", agent_name: "guard", on_error: "block" } as const;

/** A database whose `now()` can be set: the schema that is searched first has one of its own. */
async function databaseWithClock(): Promise<{
  url: string;
  step(seconds: number): Promise<void>;
  end(): Promise<void>;
}> {
  const url = await freshPostgres();
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("SELECT current_database() AS name");
  await client.query(`
    CREATE SCHEMA clocked;
    CREATE TABLE clocked.clock (ahead interval NOT NULL);
    INSERT INTO clocked.clock VALUES ('0');
    CREATE FUNCTION clocked.now() RETURNS timestamptz STABLE LANGUAGE sql AS
      'SELECT pg_catalog.now() + (SELECT ahead FROM clocked.clock)';
    ALTER DATABASE ${rows[0].name} SET search_path = clocked, pg_catalog, public`);
  return {
    url,
    async step(seconds) {
      await client.query("UPDATE clocked.clock SET ahead = ahead + make_interval(secs => $1)", [seconds]);
    },
    end: () => client.end(),
  };
}

describe("a clock that steps", () => {
  let clock: Awaited<ReturnType<typeof databaseWithClock>>;
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  beforeAll(async () => {
    clock = await databaseWithClock();
    coordinator = await TestCoordinator.open({
      url: clock.url,
      limits: { leaseSeconds: 5, approvalSeconds: 5 },
    });
    await coordinator.save(
      echo,
      { ...echo, name: "guard" },
      { ...echo, name: "guarded", hooks: { on_run_start: guard } },
      { ...echo, name: "limited", timeout_seconds: 3 },
    );
    runner = await coordinator.runner();
  });
  afterAll(async () => {
    await coordinator.close();
    await clock.end();
  });
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  const beat = ({ run_id, lease_token }: { run_id: string; lease_token: string }) =>
    coordinator.admin.post("/runner/heartbeat", { runner_id: runner.id, runs: [{ run_id, lease_token }] });

  test("back leaves queued runs and due hooks claimable at once", async () => {
    const plain = await coordinator.start("echo");
    const guarded = await coordinator.start("guarded");
    await clock.step(-90);
    const run = await runner.claim();
    expect(run.run_id).toBe(plain.run_id);
    await runner.complete(run);
    const judge = await runner.claim();
    expect(judge).toMatchObject({ agent_name: "guard" });
    await runner.complete(judge, { result_data: { action: "continue", parameters: {} } });
    const last = await runner.claim();
    expect(last.run_id).toBe(guarded.run_id);
    await runner.complete(last);
  });

  test("back does not delay the loss of a runner, a timeout or the end of an approval", async () => {
    const lost = await coordinator.start("echo");
    await runner.report(await runner.claim(), "started");
    const late = await coordinator.start("limited");
    const held = await runner.claim();
    await runner.report(held, "started");
    const asked = await coordinator.start("guarded");
    const question = { result_data: { action: "ask", reason: "is this wise?" } };
    await runner.complete(await runner.claim(), question);
    await clock.step(-90);
    expect(await coordinator.ended(lost.run_id)).toMatchObject({ error_code: "runner_lost" });
    const heartbeats = setInterval(() => void beat(held), 250);
    expect(await coordinator.ended(late.run_id)).toMatchObject({
      error_code: expect.stringMatching(/timeout|runner_lost/),
    });
    clearInterval(heartbeats);
    expect(await coordinator.ended(asked.run_id)).toMatchObject({
      status: "failed",
      error_code: "hook_blocked",
    });
    const { body } = await coordinator.admin.get<ApprovalsPage>(`/approvals?run=${asked.run_id}`);
    expect(body.approvals).toMatchObject([{ state: "expired" }]);
    await expect
      .poll(async () => (await coordinator.admin.get("/runners")).body)
      .toMatchObject({ runners: [{ state: "gone" }] });
  });
});

test("a clock that steps forward takes no run from a runner that is alive", async () => {
  const clock = await databaseWithClock();
  const coordinator = await TestCoordinator.open({ url: clock.url });
  try {
    await coordinator.save(echo);
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("echo");
    const run = await runner.claim();
    await runner.report(run, "started");
    await clock.step(90);
    const text = "SELECT lease_until > now() AS is_kept FROM runs WHERE id = $1";
    const { database } = coordinator.served.coordinator;
    await expect.poll(() => database.run({ name: "", text }, [run_id])).toEqual([{ is_kept: true }]);
    expect((await runner.complete(run)).status).toBe(200);
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
  } finally {
    await coordinator.close();
    await clock.end();
  }
});

test("a clock that steps back does not delay the next attempt of a hook", async () => {
  const clock = await databaseWithClock();
  const coordinator = await TestCoordinator.open({
    url: clock.url,
    webhooks: { allowPrivate: ["127.0.0.1"] },
  });
  const endpoint = await Endpoint.open((response) => {
    if (endpoint.keys.length === 1) response.writeHead(503, { "retry-after": "2" }).end();
    else response.end(JSON.stringify({ action: "continue", parameters: {} }));
  });
  try {
    const on_run_start = { type: "http", url: endpoint.url, on_error: "block" } as const;
    await coordinator.save({ ...echo, hooks: { on_run_start } });
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("echo");
    expect(await runner.next(0)).toBeUndefined();
    await expect.poll(async () => (await coordinator.run(run_id)).hooks[0]?.waiting?.reason).toBe("retry");
    await clock.step(-90);
    await runner.complete(await runner.claim());
    expect(endpoint.keys).toHaveLength(2);
  } finally {
    endpoint.close();
    await coordinator.close();
    await clock.end();
  }
});
