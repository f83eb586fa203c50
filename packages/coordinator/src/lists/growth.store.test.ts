import {
  approvalsQuery,
  hooksInUseQuery,
  runCountQuery,
  runEvent,
  runsQuery,
  sessionsQuery,
} from "@tenterhook/protocol/runs";
import { fillStore, freshPostgres, writeWords } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "../database/database.ts";
import { openEmbedded } from "../database/embedded/embedded-database.ts";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";
import { openServer } from "../database/server/server-database.ts";
import { hookRunsToStop } from "../lifecycle/hook-rows.ts";
import { Metrics } from "../metrics/metrics.ts";
import { deleteSession } from "../sessions/delete-session.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { listApprovals } from "./approval-list.ts";
import { listLatestEvents, listRunEvents } from "./event-list.ts";
import { listHooksInUse } from "./hooks-in-use.ts";
import { listNamedHooks } from "./named-hook-list.ts";
import { readRunDetail } from "./run-detail.ts";
import { countRuns, listRuns } from "./run-list.ts";
import { listRunners } from "./runner-list.ts";
import { listSessions, readSessionDetail } from "./session-list.ts";

/** Enough that reading a whole table would exceed the limits below. */
const RUNS = 20_000;
/** What a page of fifty may read, with what its rows are shown with; named hooks count their latest thousand. */
const MAX_ROWS_READ = 1_500;

const SESSION = "ses_0000000000000001";
const RUN = "run_0000000000000101";
/** Half of the made-up pending approvals are of runs that have ended. */
const NEEDS_APPROVAL = "finished_at IS NULL AND id IN (SELECT run_id FROM approvals WHERE state = 'pending')";
const READER = { name: "ana", lineage: ["tok_0000000000000001"] };

/** Most runs have a question of one hook; another hook has as many calls, and a question among the oldest. */
const ASK = `
  WITH asked AS (
    UPDATE run_hooks SET asked = true WHERE finished_at IS NOT NULL AND run_id NOT LIKE '%9' RETURNING id, run_id, run_created_at
  ), others AS (
    INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, name, mode, state, input, asked, finished_at)
    SELECT 'other_' || name || id, run_id, agent_name, run_created_at, 'on_run_finish', definition, nullif(name, ''), mode, 'done', '{}',
      run_id LIKE '%0000777', now()
    FROM (SELECT id, run_id, agent_name, run_created_at, definition, mode,
        CASE WHEN agent_name = 'rare' THEN '' ELSE 'seldom' END AS name
      FROM run_hooks WHERE finished_at IS NOT NULL) AS called
    RETURNING id, run_id, run_created_at, asked
  )
  INSERT INTO approvals (id, run_id, hook_id, hook_type, asked_by, reason, subject, state, expires_at, created_at)
  SELECT 'asked_' || id, run_id, id, 'on_run_start', 'policy', 'look', '{}', 'approved', now(), run_created_at
  FROM (SELECT id, run_id, run_created_at FROM asked UNION ALL SELECT id, run_id, run_created_at FROM others WHERE asked) AS asking`;

const runs = (query: object) => (database: Database) => listRuns(database, runsQuery.parse(query));
const sessions = (query: object) => (queries: Queries) => listSessions(queries, sessionsQuery.parse(query));
const approvals = (query: object) => (queries: Queries) =>
  listApprovals(queries, approvalsQuery.parse(query), READER);

/** Everything that a page, a command or a scrape asks for, and would ask for at a million runs as well. */
const READS: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  "all runs": runs({}),
  "pending runs": runs({ status: "pending" }),
  "running runs": runs({ status: "running" }),
  "preparing runs": runs({ status: "preparing" }),
  "stopping runs": runs({ status: "stopping" }),
  "finishing runs": runs({ status: "finishing" }),
  "finishing and ready runs": runs({ status: "finishing,ready" }),
  "completed runs": runs({ status: "completed" }),
  "failed runs": runs({ status: "failed" }),
  "failed and stopped runs": runs({ status: "failed,stopped" }),
  "pending and failed runs": runs({ status: "pending,failed" }),
  "runs of hooks": runs({ kind: "hook" }),
  "runs of callbacks and chains": runs({ kind: "callback,chained" }),
  "runs of a rare agent": runs({ agent: "rare" }),
  "runs of an unknown agent": runs({ agent: "nobody" }),
  "runs of a session": runs({ session: SESSION }),
  "runs of a runner": runs({ runner: "runner_full" }),
  "runs by their ids": runs({ id: `${RUN},run_0000000000000200` }),
  "runs with hooks": runs({ has_hooks: "true" }),
  "blocked runs": runs({ status: "blocked" }),
  "runs that need approval": runs({ status: "needs_approval" }),
  "blocked and failed runs, and those that need approval": runs({ status: "blocked,failed,needs_approval" }),
  "runs before a time": runs({ to: new Date(Date.now() - 600_000).toISOString() }),
  "runs found by an id": runs({ search: "run_00000000000001" }),
  "runs found by an agent": runs({ search: "rare" }),
  "runs that are not found": runs({ search: "zzz" }),
  "runs that a hook passed": runs({ hook: "named:policy", hook_outcome: "passed" }),
  "runs that a hook blocked": runs({ hook: "named:policy", hook_outcome: "blocked" }),
  "runs with any result of a hook": runs({ hook: "named:policy" }),
  "runs in which a hook on the runner acted": runs({ hook: "runner:no-rm" }),
  "runs in which a hook on the runner failed": runs({ hook: "runner:no-rm", hook_outcome: "failed" }),
  "runs in which a hook asked": runs({ hook: "named:policy", hook_outcome: "asked" }),
  "runs in which a hook that seldom asks did": runs({ hook: "named:seldom", hook_outcome: "asked" }),
  "runs in which a hook that seldom asks did, or blocked": runs({
    hook: "named:seldom",
    hook_outcome: "asked,blocked",
  }),
  "runs in which an inline hook asked": runs({ hook: "inline:rare/on_run_finish", hook_outcome: "asked" }),
  "runs that a hook that is not enforced would have blocked": runs({
    ...{ hook: "named:policy", hook_outcome: "would_block" },
  }),
  "runs that it would have changed or asked about": runs({
    ...{ hook: "named:policy", hook_outcome: "would_change,would_ask" },
  }),
  "runs that an inline hook would have blocked": runs({
    ...{ hook: "inline:rare/on_run_finish", hook_outcome: "would_block" },
  }),
  "runs of an unknown hook": runs({ hook: "inline:rare/on_run_start" }),
  "all sessions": sessions({}),
  "sessions of a rare agent": sessions({ agent: "rare" }),
  "sessions of hooks": sessions({ kind: "hook" }),
  "sessions of a parent": sessions({ parent: SESSION }),
  "sessions found by an agent": sessions({ search: "rare" }),
  "all approvals": approvals({}),
  "pending approvals": approvals({ state: "pending" }),
  "expired approvals": approvals({ state: "expired" }),
  "approvals of a run": approvals({ run: RUN }),
  "named hooks": (queries) => listNamedHooks(queries, { limit: 50 }),
  runners: (queries) => listRunners(queries, { limit: 50 }),
  "events of a run": (queries) => listRunEvents(queries, RUN, { after: 0, limit: 50 }),
  "latest events": (queries) => listLatestEvents(queries, 200, { nonWriters: [] }),
  "one run": (queries) => readRunDetail(queries, RUN, READER),
  "a queued run": async (queries) => {
    const [run] = (await listRuns(queries, runsQuery.parse({ status: "pending", limit: "1" }))).runs;
    const { waiting } = (await readRunDetail(queries, run?.run_id ?? "", READER)) ?? {};
    if (!waiting) throw new Error("no run waits");
  },
  "one session": (queries) => readSessionDetail(queries, SESSION),
  "what is counted": (queries) => new Metrics({ currency: "USD", models: {} }).text(queries, {}),
  "runs whose hook has ended": (queries) => hookRunsToStop(queries, RUN),
  "a session to be deleted": (queries) => deleteSession(queries, "ses_0000000000000151", "ana"),
};

const count = (query: object) => (database: Database) => countRuns(database, runCountQuery.parse(query));

/** Searches read the parts of the index in which there is something, until the page is full. A part has 4,096 runs. Counts end somewhere. */
const SEARCHES: Readonly<Record<string, readonly [most: number, (database: Database) => Promise<unknown>]>> =
  {
    "a word of all": [6_000, runs({ search: "said" })],
    "the beginning of a word of all": [6_000, runs({ search: "s" })],
    "a rare word": [2_500, runs({ search: "quarterly" })],
    "a word that nothing contains": [1_500, runs({ search: "zzz" })],
    "one ticket": [1_500, runs({ search: "t12345" })],
    "the beginning of most tickets": [6_000, runs({ search: "t1" })],
    "two hundred of them": [6_000, runs({ search: "t1", limit: "200" })],
    "a common word and a rare one": [2_500, runs({ search: "said quarterly" })],
    "a common word and one that nothing contains": [1_500, runs({ search: "zzz said" })],
    "a common word among the failed": [2_500, runs({ search: "said", status: "failed" })],
    "a common word of an agent": [2_000, runs({ search: "said", agent: "agent-7" })],
    "a word of more than half of them, the older ones": [6_000, runs({ search: "early" })],
    "the same, of an agent": [6_000, runs({ search: "early", agent: "agent-7" })],
    "a common word among those that need approval": [
      2_500,
      runs({ search: "said", status: "needs_approval" }),
    ],
    "an old word among the failed": [1_500, runs({ search: "early", status: "failed" })],
    "a rare word of another agent": [4_000, runs({ search: "quarterly", agent: "agent-7" })],
    "a word of all, before a time": [
      6_000,
      runs({ search: "said", to: new Date(Date.now() - 12_000_000).toISOString() }),
    ],
    "a word of all, counted": [7_500, count({ search: "said" })],
    "the same, of an agent, counted": [25_000, count({ search: "said", agent: "agent-7" })],
    "an old word of an agent, counted": [25_000, count({ search: "early", agent: "agent-7" })],
    "an old word, counted": [7_500, count({ search: "early" })],
    "the results of every hook, of which ten thousand are counted": [
      50_000,
      (database) => listHooksInUse(database, hooksInUseQuery.parse({})),
    ],
    "the results of every hook in a short time": [
      2_500,
      (database) =>
        listHooksInUse(
          database,
          hooksInUseQuery.parse({ from: new Date(Date.now() - 120_000).toISOString() }),
        ),
    ],
    "a rare word, counted": [3_000, count({ search: "quarterly" })],
  };

describe.each(["embedded", "server"] as const)("an %s database of the first version, with data", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const open = async () =>
      kind === "server" ? openServer(await freshPostgres(), { connections: 1 }) : openEmbedded(folder);
    database = await open();
    // An embedded database begins with all migrations: this one is emptied first.
    await change("DROP SCHEMA public CASCADE");
    await change("CREATE SCHEMA public");
    await migrate(database, readMigrations().slice(0, 1));
    for (const text of fillStore(RUNS, { isFirstVersion: true })) await change(text);
    await change("INSERT INTO idempotency_keys (key, request_hash, run_id) SELECT id, '', id FROM runs");
    await migrate(database);
    await change("UPDATE run_hooks SET state = 'blocked' WHERE run_id LIKE '%00' AND state = 'done'");
    await change(`INSERT INTO runner_hook_results (run_id, hook, event, outcome, agent_name, run_created_at, count)
      SELECT id, 'no-rm', 'before_tool', CASE WHEN id LIKE '%07' THEN 'failed' ELSE 'blocked' END, agent_name, created_at, 2
      FROM runs`);
    await change(ASK);
    // Of many calls that passed a few would have done something, all of them long ago.
    await change(`UPDATE run_hooks SET would_have = CASE WHEN run_id LIKE '%0000777' THEN 'would_block' ELSE 'would_change' END
      WHERE name = 'policy' AND finished_at IS NOT NULL AND run_id LIKE '%000077_'`);
    for (const text of writeWords(RUNS)) await change(text);
    await change("ANALYZE");
  });
  afterAll(() => database.close());

  const change = <R>(text: string) => database.run<R>({ name: "", text });

  test.each([
    ["{}", "true"],
    ['{"status":"pending"}', "state = 'pending'"],
    ['{"status":"running,preparing,failed"}', "state IN ('running', 'preparing', 'failed')"],
    ['{"kind":"hook","status":"stopped"}', "kind = 'hook' AND state = 'stopped'"],
    ['{"agent":"rare","has_hooks":"false"}', "agent_name = 'rare' AND NOT has_hooks"],
    [`{"session":"${SESSION}"}`, `session_id = '${SESSION}'`],
    ['{"search":"RARE"}', "agent_name = 'rare'"],
    ['{"search":"run_00000000000001"}', "id LIKE 'run_00000000000001%'"],
    ['{"search":"ses"}', "false"],
    ['{"search":"run_","status":"failed"}', "false"],
    ['{"status":"blocked"}', "state = 'failed' AND block_reason IS NOT NULL"],
    ['{"status":"needs_approval"}', NEEDS_APPROVAL],
    [
      '{"status":"stopped,blocked,needs_approval"}',
      `state = 'stopped' OR block_reason IS NOT NULL OR ${NEEDS_APPROVAL}`,
    ],
    ['{"search":"said","status":"needs_approval"}', NEEDS_APPROVAL],
    ['{"search":"quarter fig"}', "parameters->>'note' LIKE 'quarterly%'"],
    ['{"search":"said"}', "true"],
    ['{"search":"said","status":"failed"}', "state = 'failed'"],
    ['{"search":"early"}', "parameters->>'age' = 'early'"],
    ['{"search":"T1999"}', "parameters->>'ticket' LIKE 'T1999%'"],
    ['{"search":"t1"}', "parameters->>'ticket' LIKE 'T1%'"],
    ['{"search":"t1 said"}', "parameters->>'ticket' LIKE 'T1%'"],
    [
      '{"search":"said early quarter"}',
      "parameters->>'note' LIKE 'quarterly%' AND parameters->>'age' = 'early'",
    ],
    ['{"search":"early","agent":"agent-7"}', "parameters->>'age' = 'early' AND agent_name = 'agent-7'"],
    ['{"search":"said early","agent":"agent-7"}', "parameters->>'age' = 'early' AND agent_name = 'agent-7'"],
    ['{"search":"early","status":"failed"}', "parameters->>'age' = 'early' AND state = 'failed'"],
    ['{"search":"t1","agent":"agent-7"}', "parameters->>'ticket' LIKE 'T1%' AND agent_name = 'agent-7'"],
    ['{"search":"t19","agent":"agent-7"}', "parameters->>'ticket' LIKE 'T19%' AND agent_name = 'agent-7'"],
    ['{"search":"quarterly","agent":"agent-7"}', "false"],
    ['{"search":"quarterly","agent":"rare"}', "agent_name = 'rare'"],
    ['{"search":"allowed"}', "block_reason IS NOT NULL"],
    ['{"hook":"named:policy"}', "id IN (SELECT run_id FROM run_hooks WHERE finished_at IS NOT NULL)"],
    [
      '{"hook":"named:policy","hook_outcome":"blocked","search":"said"}',
      "id IN (SELECT run_id FROM run_hooks WHERE state = 'blocked' AND finished_at IS NOT NULL)",
    ],
    [
      '{"hook":"named:policy","hook_outcome":"blocked,failed","kind":"client"}',
      "kind = 'client' AND id IN (SELECT run_id FROM run_hooks WHERE state = 'blocked' AND finished_at IS NOT NULL)",
    ],
    ['{"hook":"runner:no-rm","hook_outcome":"failed"}', "id LIKE '%07'"],
    [
      '{"hook":"runner:no-rm","hook_outcome":"failed","status":"failed"}',
      "id LIKE '%07' AND state = 'failed'",
    ],
    ['{"hook":"inline:rare/on_run_start"}', "false"],
    [
      '{"hook":"named:policy","hook_outcome":"asked"}',
      "id IN (SELECT run_id FROM run_hooks WHERE asked AND name = 'policy')",
    ],
    ['{"hook":"named:seldom","hook_outcome":"asked"}', "id LIKE '%0000777'"],
    ['{"hook":"named:seldom","hook_outcome":"asked","search":"said"}', "id LIKE '%0000777'"],
    ['{"hook":"named:policy","hook_outcome":"would_block"}', "id LIKE '%0000777'"],
    [
      '{"hook":"named:policy","hook_outcome":"would_change,would_ask"}',
      "id IN (SELECT run_id FROM run_hooks WHERE would_have = 'would_change')",
    ],
  ])("has the runs of %s, once and in order, page by page", async (query, condition) => {
    const found: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 3 && cursor !== null; pages++) {
      const page = await listRuns(
        database,
        runsQuery.parse({ ...JSON.parse(query), limit: "40", ...(cursor && { cursor }) }),
      );
      found.push(...page.runs.map(({ run_id }) => run_id));
      cursor = page.next_cursor;
    }
    const expected = await change<{ id: string }>(
      `SELECT id FROM runs WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT 120`,
    );
    expect(found).toEqual(expected.map(({ id }) => id));
  });

  test.each(Object.entries(SEARCHES))(
    "is searched for %s and reads a bounded part",
    async (_, [most, read]) => {
      const before = await rowsRead(database);
      await read(database);
      expect((await rowsRead(database)) - before).toBeLessThan(most);
    },
  );

  test("counts what it has up to a thousand, and says when there is more", async () => {
    expect(await count({ search: "said" })(database)).toEqual({ count: 1_000, more: true });
    expect(await count({ search: "quarterly" })(database)).toEqual({ count: 200, more: false });
    expect(await count({ search: "early" })(database)).toEqual({ count: 1_000, more: true });
    expect(await count({ search: "zzz" })(database)).toEqual({ count: 0, more: false });
    expect(await count({ status: "stopped" })(database)).toEqual({ count: 200, more: false });
    expect(await count({})(database)).toEqual({ count: 1_000, more: true });
  });

  test("has the runs of each state, in order", async () => {
    for (const status of ["pending", "ready", "preparing", "claimed", "running", "stopping", "finishing"]) {
      const page = await listRuns(database, runsQuery.parse({ status, limit: "200" }));
      const stored = await change<{ id: string }>(
        `SELECT id FROM runs WHERE state = '${status}' ORDER BY created_at DESC, id DESC`,
      );
      expect(page.runs.map(({ run_id }) => run_id)).toEqual(stored.map(({ id }) => id));
    }
  });

  test("has made-up runs as the coordinator would store them: each counts its events, and those have their fields", async () => {
    const miscounted = await change(
      "SELECT id FROM runs WHERE event_count <> (SELECT count(*) FROM events WHERE run_id = runs.id) LIMIT 5",
    );
    expect(miscounted).toEqual([]);
    const { events } = await listLatestEvents(database, 50, { nonWriters: [] });
    expect(events).toHaveLength(50);
    for (const event of events) expect(runEvent.safeParse(event).error).toBeUndefined();
  });

  test.each(Object.entries(READS))("is asked for %s and reads little more than a page", async (_, read) => {
    const before = await rowsRead(database);
    await read(database);
    expect((await rowsRead(database)) - before).toBeLessThan(MAX_ROWS_READ);
  });

  // As before the first ANALYZE, or long after the last one. The last test: it takes the statistics away.
  test.each(["none", "of a small table"])("reads as little with statistics %s", async (which) => {
    await change("DELETE FROM pg_statistic WHERE starelid = 'runs'::regclass");
    const size = which === "none" ? "relpages = 0, reltuples = -1" : "relpages = 1, reltuples = 10";
    await change(
      `UPDATE pg_class SET ${size} WHERE relname IN ('runs', 'run_texts', 'run_hooks', 'run_text_parts')`,
    );
    for (const [name, read] of Object.entries(READS)) {
      if (!name.includes("runs")) continue;
      const before = await rowsRead(database);
      await read(database);
      expect((await rowsRead(database)) - before, name).toBeLessThan(MAX_ROWS_READ);
    }
    for (const [name, [most, read]] of Object.entries(SEARCHES)) {
      const before = await rowsRead(database);
      await read(database);
      expect((await rowsRead(database)) - before, name).toBeLessThan(most);
    }
  });
});
