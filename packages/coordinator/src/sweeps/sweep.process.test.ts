import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { DEFAULT_LIMITS } from "../domain/limits.ts";
import { RunLifecycle } from "../lifecycle/index.ts";
import { RepeatedFailures } from "../repeated-failures.ts";
import { sweep } from "./sweep.ts";

let database: Database;
const folder = temporaryFolder();
beforeAll(async () => {
  database = await openDatabase({ folder });
  await execute(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'no % of % today', TG_OP, TG_TABLE_NAME; END $$`);
});
afterAll(() => database.close());

const execute = <R>(text: string) => database.run<R>({ name: "", text });

afterEach(async () => {
  for (const table of ["runs", "run_hooks", "runners", "events"]) {
    await execute(`DROP TRIGGER IF EXISTS refuse ON ${table}`);
    await execute(`TRUNCATE ${table}`);
  }
});

const PAST = "now() - interval '1 hour'";

/** A run whose lease has expired, a hook whose lease has expired, and a runner that is gone. */
async function overdue(): Promise<void> {
  await execute(`INSERT INTO runs
      (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, lease_token, lease_until, runner_id, attempt)
    SELECT id, 'ses', 'echo', 1, 'client', 'running', 'async_poll', '{}', gen_random_uuid(), ${PAST}, 'runner', 1
    FROM unnest(ARRAY['run_1', 'run_2']) AS id`);
  await execute(`INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, mode, state, input, lease_until)
    VALUES ('hook', 'run_3', 'echo', now(), 'on_run_start', '{}', 'sync', 'running', '{}', ${PAST})`);
  await execute(
    `INSERT INTO runners (id, name, concurrency, seen_at) VALUES ('runner', 'runner', 1, ${PAST})`,
  );
}

async function swept() {
  const reported: string[] = [];
  const lifecycle = new RunLifecycle(database, DEFAULT_LIMITS, () => undefined);
  const failures = new RepeatedFailures((error) => reported.push(String(error)));
  const outcome = await sweep({ database, lifecycle, limits: DEFAULT_LIMITS }, failures).catch(
    (error) => error,
  );
  const states = await execute<{ id: string; state: string }>(`
    SELECT id, state FROM runs UNION ALL SELECT id, state FROM run_hooks
    UNION ALL SELECT id, CASE WHEN gone_at IS NULL THEN 'online' ELSE 'gone' END FROM runners ORDER BY id`);
  return { outcome, reported, states: Object.fromEntries(states.map(({ id, state }) => [id, state])) };
}

test("a sweep takes what is overdue in every category", async () => {
  await overdue();
  const { outcome, reported, states } = await swept();
  expect(outcome).toBe(true);
  expect(reported).toEqual([]);
  expect(states).toEqual({ run_1: "failed", run_2: "failed", hook: "pending", runner: "gone" });
});

test("a row that fails is reported, and the other rows and categories are processed", async () => {
  await overdue();
  await execute(
    `CREATE TRIGGER refuse BEFORE UPDATE ON runs FOR EACH ROW WHEN (OLD.id = 'run_1') EXECUTE FUNCTION refuse()`,
  );
  const { outcome, reported, states } = await swept();
  expect(outcome).toBe(true);
  expect(reported).toEqual([expect.stringContaining("no UPDATE of runs today")]);
  expect(states).toEqual({ run_1: "running", run_2: "failed", hook: "pending", runner: "gone" });
});

test("a category that fails does not keep the later ones from being processed", async () => {
  await overdue();
  await execute(`CREATE TRIGGER refuse BEFORE UPDATE ON run_hooks FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const { outcome, states } = await swept();
  expect(String(outcome)).toContain("no UPDATE of run_hooks today");
  expect(states).toEqual({ run_1: "failed", run_2: "failed", hook: "running", runner: "gone" });
});

test("the failures of all categories are thrown together", async () => {
  await overdue();
  for (const table of ["run_hooks", "runners"]) {
    await execute(`CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
  }
  const { outcome, states } = await swept();
  expect(outcome).toBeInstanceOf(AggregateError);
  expect(String(outcome)).toMatch(/no UPDATE of run_hooks today; no UPDATE of runners today/);
  expect(states).toMatchObject({ run_1: "failed", run_2: "failed" });
});
