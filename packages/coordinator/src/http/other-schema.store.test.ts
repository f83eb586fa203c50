import { freshPostgres } from "@tenterhook/test-support";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";
import { openDatabase } from "../database/open-database.ts";
import { openServer } from "../database/server/server-database.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let url: string;
let coordinator: TestCoordinator;
beforeEach(async () => {
  url = await freshPostgres();
  coordinator = await TestCoordinator.open({ url });
  onTestFinished(() => coordinator.close());
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
});

/** Changes the database as another program would. */
async function administer(...texts: readonly string[]): Promise<void> {
  const database = await openServer(url);
  for (const text of texts) await database.run({ name: "", text });
  await database.close();
}

/** Starts a coordinator of the next version, as far as the database can tell. */
async function upgrade(...statements: readonly string[]): Promise<void> {
  const database = await openServer(url);
  const known = readMigrations();
  const next = { number: known.length, name: "9999_next", statements, hash: "next" };
  await migrate(database, [...known, next]);
  await database.close();
}

test("an older coordinator beside a newer one refuses everything with the reason, and is not ready", async () => {
  const runner = await coordinator.runner();
  await upgrade("ALTER TABLE runs ADD COLUMN priority integer NOT NULL");
  const problem = {
    status: 503,
    code: "schema_changed",
    detail:
      'The database has the migration "9999_next", which this version does not know. Start the version that wrote it, or a newer one.',
  };
  const ready = await coordinator.admin.get("/readyz");
  expect(ready.body).toMatchObject(problem);
  expect(ready.headers.get("retry-after")).toBe("5");
  expect((await coordinator.admin.post("/runs", { agent_name: "echo" })).body).toMatchObject(problem);
  expect((await coordinator.admin.get("/agents")).body).toMatchObject(problem);
  expect((await coordinator.admin.get(`/runner/runs?runner_id=${runner.id}&wait=0`)).body).toMatchObject(
    problem,
  );
  expect((await coordinator.admin.get("/healthz")).body).toEqual({ status: "ok" });
  expect(coordinator.errors.length).toBeLessThanOrEqual(1);
});

test("an older coordinator that nobody asks notices by itself, and writes nothing from then on", async () => {
  await upgrade("ALTER TABLE runs ADD COLUMN priority integer");
  const { database } = coordinator.served.coordinator;
  const run = () => database.run({ name: "", text: "SELECT 1" }).then(String, ({ code }) => code);
  await expect.poll(run).toBe("store_newer");
});

test("a coordinator whose table lost a column says which, and continues when it is back", async () => {
  await administer("ALTER TABLE runs RENAME COLUMN result_data TO other");
  const { body } = await coordinator.admin.get("/readyz");
  expect(body).toMatchObject({
    status: 503,
    code: "schema_changed",
    detail: expect.stringContaining("Missing: runs.result_data."),
  });
  expect((await coordinator.admin.post("/runs", { agent_name: "echo" })).status).toBe(503);
  const opening = openDatabase({ url, folder: coordinator.folder });
  await expect(opening).rejects.toMatchObject({ code: "store_changed" });
  await administer("ALTER TABLE runs RENAME COLUMN other TO result_data");
  expect((await coordinator.admin.get("/readyz")).status).toBe(200);
  expect((await coordinator.admin.post("/runs", { agent_name: "echo" })).status).toBe(201);
});

test.each(["runs", "migrations", "settings"])(
  "a coordinator without the table %s is not ready",
  async (table) => {
    await administer(`ALTER TABLE ${table} RENAME TO other`);
    expect((await coordinator.admin.get("/readyz")).body).toMatchObject({
      code: "schema_changed",
      detail: expect.stringContaining(table),
    });
    await administer(`ALTER TABLE other RENAME TO ${table}`);
    expect((await coordinator.admin.get("/readyz")).status).toBe(200);
  },
);
