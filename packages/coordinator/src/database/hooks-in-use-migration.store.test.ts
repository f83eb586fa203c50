import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_KINDS, openEarlierSchema } from "../testing/earlier-schema.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** The number of migrations before hooks were listed with their results. */
const BEFORE = 10;

const acted = (more: object) => ({ event: "before_tool", hook: "no-rm", action: "refuse", ...more });
const EVENTS: readonly (readonly [run: string, type: string, data: object])[] = [
  ["run_1", "hook_acted", acted({})],
  ["run_1", "hook_acted", acted({ reason: "again" })],
  ["run_1", "hook_acted", acted({ action: "go_on", failed: true })],
  ["run_1", "hook_acted", acted({ action: "go_on", changed: ["toolInput"] })],
  ["run_1", "hook_acted", acted({ hook: null })],
  ["run_1", "hook_acted", acted({ hook: "on_tool_call" })],
  ["run_1", "hook_acted", acted({ action: "of a newer runner" })],
  ["run_2", "subagent", { subagent: "a", event: { event_type: "hook_acted", ...acted({ action: "stop" }) } }],
  [
    "run_2",
    "subagent",
    {
      subagent: "a",
      event: {
        event_type: "subagent",
        subagent: "b",
        event: { event_type: "hook_acted", ...acted({ action: "skip" }) },
      },
    },
  ],
  ["run_2", "subagent", { subagent: "a", event: "not an object" }],
  ["run_gone", "hook_acted", acted({})],
  ["run_2", "log", { text: "hook_acted" }],
];

describe.each(DATABASE_KINDS)("an %s store without results of hooks", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  const run = (text: string, values: readonly string[] = []) => database.run({ name: "", text }, values);
  beforeAll(async () => {
    database = await openEarlierSchema(kind, folder, BEFORE);
    await run(`INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, created_at)
      SELECT id, 'ses', 'deploy', 1, 'client', 'completed', 'sync', '{}', '2026-11-01T10:00:00.123456Z'
      FROM unnest(ARRAY['run_1', 'run_2']) AS id`);
    for (const [id, type, data] of EVENTS) {
      await run("INSERT INTO events (run_id, type, data) VALUES ($1, $2, $3::jsonb)", [
        id,
        type,
        JSON.stringify(data),
      ]);
    }
    await run(`INSERT INTO run_hooks (id, run_id, hook_type, definition, name, mode, state, input, finished_at)
      SELECT 'hook_' || run, run, 'on_run_start', '{}', 'gate', 'sync', 'done', '{}', now()
      FROM unnest(ARRAY['run_1', 'run_gone']) AS run`);
    await run(`INSERT INTO named_hooks (name, definition, etag, updated_at, updated_by)
      VALUES ('gate', '{"type": "agent"}', 'e', '2026-10-01T00:00:00Z', 'ana')`);
    await migrate(database);
  });
  afterAll(() => database.close());

  test("counts what runners have reported, also of hooks in subagents", async () => {
    expect(
      await run(
        "SELECT run_id, hook, event, outcome, agent_name, count FROM runner_hook_results ORDER BY run_id, outcome",
      ),
    ).toEqual(
      [
        ["run_1", "blocked", 2],
        ["run_1", "changed", 1],
        ["run_1", "failed", 1],
        ["run_2", "skipped", 1],
        ["run_2", "stopped", 1],
      ].map(([run_id, outcome, count]) => ({
        run_id,
        hook: "no-rm",
        event: "before_tool",
        outcome,
        agent_name: "deploy",
        count,
      })),
    );
  });

  test("gives hooks the agent and the time of their run, to the microsecond, and one without a run its own", async () => {
    expect(
      await run(`SELECT run_hooks.id, run_hooks.agent_name, run_created_at = runs.created_at AS is_same,
        run_created_at = run_hooks.created_at AS is_own
        FROM run_hooks LEFT JOIN runs ON runs.id = run_id ORDER BY run_hooks.id`),
    ).toEqual([
      { id: "hook_run_1", agent_name: "deploy", is_same: true, is_own: false },
      { id: "hook_run_gone", agent_name: "", is_same: null, is_own: true },
    ]);
  });

  test("makes the saved hook its first revision, and demands a number of the next", async () => {
    expect(
      await run(
        "SELECT name, revision, definition, created_by, created_at::date::text AS day FROM named_hook_revisions",
      ),
    ).toEqual([
      { name: "gate", revision: 1, definition: { type: "agent" }, created_by: "ana", day: "2026-10-01" },
    ]);
    await expect(
      run("INSERT INTO named_hooks (name, definition, etag) VALUES ('x', '{}', 'e')"),
    ).rejects.toThrow(/revision/);
  });
});
