import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_KINDS, openEarlierSchema } from "../testing/earlier-schema.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** The number of migrations before hooks had a mark that they asked. */
const BEFORE = 12;

describe.each(DATABASE_KINDS)("an %s store with questions in approvals alone", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  const run = (text: string) => database.run({ name: "", text });
  beforeAll(async () => {
    database = await openEarlierSchema(kind, folder, BEFORE);
    await run(`INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, mode, state, input, finished_at)
      SELECT 'hook_' || state, 'run_' || state, 'deploy', now(), 'on_run_start', '{}', 'sync', state, '{}',
        CASE WHEN state <> 'asking' THEN now() END
      FROM unnest(ARRAY['asking', 'done', 'blocked', 'cancelled', 'failed']) AS state`);
    // One that a hook on a runner asked has no hook of the run.
    await run(`INSERT INTO approvals (id, run_id, hook_id, hook_type, asked_by, reason, subject, state, expires_at)
      SELECT 'apr_' || hook, 'run_1', nullif(hook, ''), 'on_run_start', 'gate', 'why', '{}', state, now()
      FROM (VALUES ('hook_asking', 'pending'), ('hook_done', 'approved'), ('hook_cancelled', 'cancelled'), ('', 'pending'),
        ('hook_removed', 'approved')) AS asked (hook, state)`);
    await migrate(database);
  });
  afterAll(() => database.close());

  test("marks the hooks that asked, decided or not, and no others", async () => {
    expect(await run("SELECT id FROM run_hooks WHERE asked ORDER BY id")).toEqual([
      { id: "hook_asking" },
      { id: "hook_cancelled" },
      { id: "hook_done" },
    ]);
  });
});
