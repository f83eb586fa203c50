import { connectPostgres, type PostgresServer, startPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let postgres: PostgresServer;
let coordinator: TestCoordinator;
beforeAll(async () => {
  postgres = await startPostgres();
  coordinator = await TestCoordinator.open({ url: await postgres.freshDatabase(), connectTimeoutMs: 300 });
  await coordinator.save(
    { name: "judge", type: "procedural", command: ["cat"] },
    {
      name: "echo",
      type: "procedural",
      command: ["cat"],
      hooks: { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } },
    },
  );
});
afterAll(async () => {
  await coordinator.close();
  await postgres.remove();
});

test("the description is OpenAPI 3.1, and every reference in it leads somewhere", async () => {
  const { body } = await coordinator.admin.get<{
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, unknown> };
  }>("/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  const names = [...references].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) expect(body.components.schemas).toHaveProperty(name);
  const ids = Object.values(body.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("postRunnerRunsIdCompleted");
});

test("what happens is counted", async () => {
  const runner = await coordinator.runner();
  const { run_id } = await coordinator.start("echo");
  const judging = await runner.claim();
  const during = (await coordinator.admin.get<string>("/metrics")).body;
  expect(during).toMatch(/^tenterhook_runs\{state="preparing"\} 1$/m);
  await runner.complete(judging, { result_data: { action: "block", block_reason: "no" } });
  await coordinator.ended(run_id);
  const lines = [
    'tenterhook_runs{state="preparing"} 0',
    'tenterhook_runs_ended_total{state="failed"} 1',
    'tenterhook_runs_ended_total{state="completed"} 1',
    "tenterhook_run_claims_total 1",
    'tenterhook_runner_reports_total{report="completed",status="200"} 1',
    'tenterhook_hooks_total{type="on_run_start",outcome="blocked"} 1',
    'tenterhook_hook_duration_seconds_count{type="on_run_start"} 1',
    'tenterhook_http_requests_total{route="/runs",method="POST",status="201"} 1',
    "tenterhook_event_subscribers 0",
  ];
  // Ends of runs are counted when the stream of events has delivered them.
  const read = () => coordinator.admin.get<string>("/metrics");
  await expect.poll(async () => (await read()).body.split("\n")).toEqual(expect.arrayContaining(lines));
  const { body, headers } = await read();
  expect(headers.get("content-type")).toContain("text/plain");
  expect(body).not.toContain(run_id);
});

test("without its database the process is alive and not ready until it is back", async () => {
  expect((await coordinator.admin.get("/readyz")).status).toBe(200);
  const stream = await coordinator.follow();
  await postgres.stop();
  expect((await coordinator.admin.get("/healthz")).body).toEqual({ status: "ok" });
  expect((await coordinator.admin.get("/readyz")).body).toMatchObject({ status: 503, code: "unavailable" });
  expect((await coordinator.admin.get("/runs")).body).toMatchObject({ status: 503, code: "no_writes" });
  await postgres.start();
  await expect.poll(async () => (await coordinator.admin.get("/readyz")).status).toBe(200);
  const { run_id } = await coordinator.start("judge");
  const [event] = await stream.take(1);
  expect(event).toMatchObject({ run_id, event_type: "run_created" });
  stream.close();
});

test("a server that takes no writes makes the coordinator unready, and not ill", async () => {
  const admin = await connectPostgres(postgres.url());
  const set = async (readOnly: "on" | "off") => {
    await admin.query("SET default_transaction_read_only = off");
    await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`);
    await admin.query("SELECT pg_reload_conf()");
  };
  const metric = async (name: string) =>
    new RegExp(`^${name} (\\d+)$`, "m").exec((await coordinator.admin.get<string>("/metrics")).body)?.[1];
  const read = { method: "GET", headers: { authorization: `Bearer ${coordinator.admin.token}` } };
  await set("on");
  try {
    // The outage of the test before may be reported for a second.
    await expect
      .poll(() => coordinator.admin.get("/readyz"))
      .toMatchObject({ status: 503, body: { detail: expect.stringContaining("read-only") } });
    const refused = await coordinator.admin.post("/runs", { agent_name: "judge" });
    expect(refused.body).toMatchObject({ status: 503, code: "no_writes" });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await coordinator.admin.get("/healthz")).status).toBe(200);
    expect((await fetch(`${coordinator.served.url}/runs`, read)).status).toBe(200);
    expect(await metric("tenterhook_store_writable")).toBe("0");
    expect(Number(await metric("tenterhook_store_refusals_total"))).toBeGreaterThan(0);
  } finally {
    await set("off");
  }
  await expect.poll(async () => (await coordinator.admin.get("/readyz")).status).toBe(200);
  await expect.poll(() => metric("tenterhook_store_writable")).toBe("1");
  await admin.end();
});

test("many readiness checks write at most once a second", async () => {
  const url = await postgres.freshDatabase();
  const idle = await openDatabase({ folder: coordinator.folder, url });
  const admin = await connectPostgres(url);
  // Every attempt to insert a probe takes a transaction id, also when it is rolled back.
  const transactions = async () => {
    const { rows } = await admin.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next");
    return Number(rows[0].next);
  };
  const before = await transactions();
  const started = performance.now();
  for (let checks = 0; checks < 200; checks++) expect(await idle.trouble()).toBeUndefined();
  const seconds = (performance.now() - started) / 1_000;
  const others = 20;
  expect((await transactions()) - before).toBeLessThanOrEqual(Math.ceil(seconds) + others);
  await admin.end();
  await idle.close();
});
