import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_KINDS, openEarlierSchema } from "../testing/earlier-schema.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** The number of migrations before roll-ups by fewer keys. */
const BEFORE = 11;

/** The slots of a call at one of these times, as they were written then. */
const SLOTS = `(VALUES (15, '2026-11-01T10:15:00Z'), (15, '2026-11-01T10:45:00Z'), (15, '2026-11-01T11:00:00Z'),
  (1440, '2026-11-01T00:00:00Z')) AS slot (step, since)`;
const COUNT = "CASE step WHEN 15 THEN 1 ELSE 3 END";

describe.each(DATABASE_KINDS)("an %s store with roll-ups by all keys", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  const run = (text: string) => database.run({ name: "", text });
  beforeAll(async () => {
    database = await openEarlierSchema(kind, folder, BEFORE);
    await run(`INSERT INTO hook_rollups (step, since, hook, kind, event, agent, tool, outcome, count, duration_ms, durations)
      SELECT step, since::timestamptz, 'guard', 'runner', 'before_tool', agent, tool, 'passed', ${COUNT}, 0.5 * ${COUNT}, ARRAY[0, ${COUNT}]
      FROM ${SLOTS}, unnest(ARRAY['plain', 'other']) AS agent, unnest(ARRAY['Shell', 'Read']) AS tool`);
    await run(`INSERT INTO hook_rollups (step, since, hook, kind, event, agent, tool, outcome, count)
      SELECT step, since::timestamptz, 'guard', 'runner', 'before_tool', 'plain', 'Shell', 'asked', ${COUNT} FROM ${SLOTS}`);
    await run(`INSERT INTO decision_rollups (step, since, outcome, count)
      SELECT step, since, outcome, sum(count) FROM hook_rollups GROUP BY 1, 2, 3`);
    await run(`INSERT INTO run_rollups (step, since, agent, created, started, completed, waits, durations)
      SELECT step, since::timestamptz, agent, ${COUNT}, ${COUNT}, ${COUNT}, ARRAY[${COUNT}], ARRAY[0, 0, ${COUNT}]
      FROM ${SLOTS}, unnest(ARRAY['plain', 'other']) AS agent`);
    await run(`INSERT INTO model_rollups (step, since, agent, model, calls, input_tokens, output_tokens, cost, unpriced_calls)
      SELECT step, since::timestamptz, 'plain', 'large', ${COUNT}, 10 * ${COUNT}, ${COUNT}, 0.1 * ${COUNT}, 0 FROM ${SLOTS}`);
    await run(`INSERT INTO runner_rollups (step, since, runner, busy_ms, attempts)
      SELECT step, since::timestamptz, 'builder', 100 * ${COUNT}, ${COUNT} FROM ${SLOTS}`);
    // One slot has calls of hooks, and nothing else.
    await run(`INSERT INTO total_rollups (step, since, created, calls, input_tokens, cost, busy_ms)
      SELECT step, since::timestamptz, 2 * ${COUNT}, ${COUNT}, 10 * ${COUNT}, 0.1 * ${COUNT}, 100 * ${COUNT}
      FROM ${SLOTS} WHERE since <> '2026-11-01T11:00:00Z'`);
    await migrate(database);
  });
  afterAll(() => database.close());

  const iso = "to_char(since AT TIME ZONE 'UTC', 'HH24:MI') AS since";

  test("has the calls of each hook for all agents and tools, also by the hour", async () => {
    const calls = (step: number, since: string, count: number) => [
      { step, since, outcome: "asked", count, duration_ms: 0, durations: [] },
      {
        ...{ step, since, outcome: "passed", count: 4 * count },
        ...{ duration_ms: 2 * count, durations: [0, 4 * count] },
      },
    ];
    expect(
      await run(`SELECT step, ${iso}, outcome, count, duration_ms, to_jsonb(durations) AS durations FROM hook_total_rollups
        WHERE hook = 'guard' AND kind = 'runner' AND event = 'before_tool' ORDER BY step, hook_total_rollups.since, outcome`),
    ).toEqual([
      ...calls(15, "10:15", 1),
      ...calls(15, "10:45", 1),
      ...calls(15, "11:00", 1),
      ...calls(60, "10:00", 2),
      ...calls(60, "11:00", 1),
      ...calls(1440, "00:00", 3),
    ]);
  });

  test("has decisions by agent and by tool", async () => {
    const byStep = (table: string, key: string) =>
      run(
        `SELECT step, ${key}, outcome, sum(count)::float8 AS count FROM ${table} WHERE step >= 60 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      );
    const rows = (key: string, [first, second]: readonly [string, string]) =>
      [60, 1440].flatMap((step) => [
        { step, [key]: first, outcome: "passed", count: 6 },
        { step, [key]: second, outcome: "asked", count: 3 },
        { step, [key]: second, outcome: "passed", count: 6 },
      ]);
    expect(await byStep("agent_decision_rollups", "agent")).toEqual(rows("agent", ["other", "plain"]));
    expect(await byStep("tool_decision_rollups", "tool")).toEqual(rows("tool", ["Read", "Shell"]));
  });

  test("has times in its totals, also of a slot in which only hooks were called", async () => {
    const total = (step: number, since: string, count: number, created: number) => ({
      ...{ step, since, created, cost: expect.closeTo(created / 20, 9), busy_ms: 50 * created },
      ...{
        waits: [2 * count],
        durations: [0, 0, 2 * count],
        hook_ms: 2 * count,
        hook_durations: [0, 4 * count],
      },
    });
    expect(
      await run(`SELECT step, ${iso}, created, cost, busy_ms, to_jsonb(waits) AS waits, to_jsonb(durations) AS durations, hook_ms,
          to_jsonb(hook_durations) AS hook_durations
        FROM total_rollups ORDER BY step, total_rollups.since`),
    ).toEqual([
      total(15, "10:15", 1, 2),
      total(15, "10:45", 1, 2),
      total(15, "11:00", 1, 0),
      total(60, "10:00", 2, 4),
      total(60, "11:00", 1, 0),
      total(1440, "00:00", 3, 6),
    ]);
  });

  test.each([
    ["decision_rollups", "sum(count)", 15],
    ["run_rollups", "sum(completed)", 6],
    ["run_rollups", "sum(durations[3])", 6],
    ["model_rollups", "sum(input_tokens)", 30],
    ["runner_rollups", "sum(busy_ms)", 300],
  ])("has hours in %s with the same %s as days", async (table, sum, expected) => {
    expect(
      await run(
        `SELECT step, ${sum}::float8 AS sum FROM ${table} WHERE step >= 60 GROUP BY step ORDER BY step`,
      ),
    ).toEqual([
      { step: 60, sum: expected },
      { step: 1440, sum: expected },
    ]);
  });

  test("leaves no function behind", async () => {
    expect(await run("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace")).toEqual([]);
  });
});
