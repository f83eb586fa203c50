import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_KINDS, openEarlierSchema } from "../testing/earlier-schema.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** The number of migrations before rows said what a hook would have done, and how many runs were removed. */
const BEFORE = 13;

describe.each(DATABASE_KINDS)("an %s store with runs and hooks that were not enforced", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  const run = (text: string) => database.run({ name: "", text });
  beforeAll(async () => {
    database = await openEarlierSchema(kind, folder, BEFORE);
    await run(`INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, mode, state, input, output, finished_at)
      SELECT id, id, 'deploy', now(), 'on_run_start', CASE WHEN id LIKE 'enforced%' THEN '{}' ELSE '{"enforce": false}' END::jsonb, 'sync', state,
        '{"parameters": {"a": 1}}', output::jsonb, now()
      FROM (VALUES ('blocks', 'done', '{"action": "block"}'), ('asks', 'done', '{"action": "ask"}'),
        ('changes', 'done', '{"parameters": {"a": 2}}'), ('same', 'done', '{"parameters": {"a": 1}}'), ('passes', 'done', '{}'),
        ('fails', 'failed', NULL), ('silent', 'done', NULL), ('enforced', 'done', '{"parameters": {"a": 2}}'),
        ('enforced-block', 'blocked', '{"action": "block"}')) AS hook (id, state, output)`);
    // Of five runs that were counted two are left; those of another agent are all there.
    await run(
      `INSERT INTO sessions (id, agent_name, kind) SELECT 'ses_' || n, 'plain', 'client' FROM generate_series(1, 3) AS n`,
    );
    await run(`INSERT INTO runs (id, session_id, agent_name, kind, state, execution_mode, revision, parameters, created_at, started_at, finished_at)
      SELECT 'run_' || n, 'ses_' || n, CASE n WHEN 3 THEN 'other' ELSE 'plain' END, 'client', 'completed', 'sync', 1, '{}',
        '2026-11-01T10:01:00Z', '2026-11-01T10:02:00Z', '2026-11-01T10:20:00Z' FROM generate_series(1, 3) AS n`);
    await run(`INSERT INTO run_rollups (step, since, agent, created, started, completed, failed)
      VALUES (15, '2026-11-01T10:00:00Z', 'plain', 5, 4, 0, 0), (15, '2026-11-01T10:15:00Z', 'plain', 0, 0, 3, 2),
        (1440, '2026-11-01T00:00:00Z', 'plain', 5, 4, 3, 2), (1440, '2026-11-01T00:00:00Z', 'other', 1, 1, 1, 0),
        (1440, '2026-10-01T00:00:00Z', '', 7, 0, 0, 0)`);
    await migrate(database);
  });
  afterAll(() => database.close());

  test("says of each hook that was not enforced what it would have done", async () => {
    expect(
      await run("SELECT id, would_have FROM run_hooks WHERE would_have IS NOT NULL ORDER BY id"),
    ).toEqual([
      { id: "asks", would_have: "would_ask" },
      { id: "blocks", would_have: "would_block" },
      { id: "changes", would_have: "would_change" },
    ]);
  });

  test("knows how many of the counted runs are not stored any more", async () => {
    expect(
      await run(`SELECT step, to_char(since AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS since, agent, created, started, completed, failed, stopped
        FROM removed_rollups ORDER BY step, removed_rollups.since`),
    ).toEqual([
      {
        step: 15,
        since: "11-01 10:00",
        agent: "plain",
        created: 3,
        started: 2,
        completed: 0,
        failed: 0,
        stopped: 0,
      },
      {
        step: 15,
        since: "11-01 10:15",
        agent: "plain",
        created: 0,
        started: 0,
        completed: 1,
        failed: 2,
        stopped: 0,
      },
      {
        step: 1440,
        since: "10-01 00:00",
        agent: "",
        created: 7,
        started: 0,
        completed: 0,
        failed: 0,
        stopped: 0,
      },
      {
        step: 1440,
        since: "11-01 00:00",
        agent: "plain",
        created: 3,
        started: 2,
        completed: 1,
        failed: 2,
        stopped: 0,
      },
    ]);
  });
});
