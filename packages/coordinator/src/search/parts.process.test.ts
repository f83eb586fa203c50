import { type RunsPage, runsQuery } from "@tenterhook/protocol/runs";
import { connectPostgres, freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { EventFeed } from "../events/feed.ts";
import { listRuns } from "../lists/run-list.ts";
import { Wakeups } from "../wakeups.ts";
import { RunIndexer } from "./run-indexer.ts";

const SIZE = 100;
/** The indexer writes so many runs at once: a part gets no more than that above its size. */
const BATCH = 64;

describe.each(["an embedded database", "a database of a server", "a database whose first events come late"])(
  "the index of words in %s",
  (kind) => {
    let database: Database;
    let indexer: RunIndexer;
    let writer: Awaited<ReturnType<typeof connectPostgres>> | undefined;
    const folder = temporaryFolder();
    beforeAll(async () => {
      const url = kind === "an embedded database" ? undefined : await freshPostgres();
      database = await openDatabase({ folder, url });
      const wakeups = new Wakeups(database);
      indexer = new RunIndexer(database, new EventFeed(database, wakeups), wakeups, SIZE);
      if (kind !== "a database whose first events come late") return;
      writer = await connectPostgres(`${url}?application_name=tenterhook`);
      await writer.query("BEGIN; SELECT pg_current_xact_id()");
    });
    afterAll(() => database.close());

    const ask = <R>(text: string) => database.run<R>({ name: "", text });

    /** Creates runs, each so many seconds from now, and indexes them. */
    async function create(seconds: string, note: string): Promise<void> {
      await ask(`
      WITH made AS (
        INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, event_count, created_at)
        SELECT 'run_${note}_' || n, 'ses_1', 'echo', 1, 'client', 'completed', 'async_poll',
          jsonb_build_object('task', 'report', 'note', '${note}'), 1, now() + n * interval '1 second'
        FROM generate_series(${seconds}) AS n RETURNING *)
      INSERT INTO events (run_id, session_id, number, type, data, created_at)
      SELECT id, session_id, 1, 'run_created', '{}', created_at FROM made ORDER BY created_at`);
      await index();
    }

    /**
     * Other transactions of the server may hold the stream of events back for a while. The index then begins before the runs, and gets
     * them twice: by their events, the oldest first, and as older runs, the newest first. Only the end of both puts each into its part.
     */
    async function index(): Promise<void> {
      const left = `
      SELECT (SELECT count(*) FROM runs) <> (SELECT count(*) FROM run_texts) OR value->'before' <> 'null' AS is_left
      FROM settings WHERE name = 'run_texts'`;
      await indexer.index();
      await writer?.end();
      writer = undefined;
      do await indexer.index();
      while ((await ask<{ is_left: boolean }>(left))[0]?.is_left);
    }

    const parts = () =>
      ask<{ since: string; count: number }>(`
      SELECT since::text AS since, (SELECT count(*) FROM run_texts WHERE part = number) AS count
      FROM run_text_parts ORDER BY run_text_parts.since`);
    const misplaced = () =>
      ask(`SELECT run_id FROM run_texts WHERE part <> (
      SELECT number FROM run_text_parts WHERE since <= created_at ORDER BY since DESC LIMIT 1) LIMIT 5`);

    async function found(search: string): Promise<string[]> {
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: RunsPage = await listRuns(
          database,
          runsQuery.parse({ search, limit: "30", ...(cursor && { cursor }) }),
        );
        ids.push(...page.runs.map(({ run_id }) => run_id));
        cursor = page.next_cursor;
      }
      return ids;
    }

    const stored = async (condition: string) =>
      (
        await ask<{ id: string }>(`SELECT id FROM runs WHERE ${condition} ORDER BY created_at DESC, id DESC`)
      ).map(({ id }) => id);

    test("has small parts of runs that were there before it, and finds each of them once, in order", async () => {
      await create("-2000, -1401", "old");
      const found600 = await found("report");
      expect(found600).toHaveLength(600);
      expect(found600).toEqual(await stored("true"));
      const sizes = (await parts()).map(({ count }) => count);
      expect(sizes.length).toBeGreaterThan(3);
      expect(Math.max(...sizes)).toBeLessThan(SIZE + BATCH);
      expect(await misplaced()).toEqual([]);
    });

    test("begins a part when the newest is full", async () => {
      const before = (await parts()).length;
      for (let n = 0; n < 5; n++) await create(`${-1_000 + n * 60}, ${-1_000 + n * 60 + 59}`, `new${n}`);
      const after = await parts();
      expect(after.length).toBeGreaterThan(before);
      // It begins now: these runs are older, and so the part before it got them, as late ones.
      expect(await found("report")).toEqual(await stored("true"));
      expect(await misplaced()).toEqual([]);
      await create("1, 150", "next");
      await create("151, 300", "later");
      const sizes = (await parts()).map(({ count }) => count);
      // The last one has just begun.
      expect(sizes.slice(after.length - 1)).toEqual([150, 150, 0]);
      expect(await found("report")).toEqual(await stored("true"));
      expect(await found("later")).toEqual(await stored("id LIKE 'run_later%'"));
      expect(await found("report old")).toEqual(await stored("id LIKE 'run_old%'"));
      expect(await misplaced()).toEqual([]);
    });

    test("takes a run that comes late, from another time", async () => {
      await create("-1700, -1698", "late");
      expect(await found("late")).toEqual(await stored("id LIKE 'run_late%'"));
      expect(await found("report")).toEqual(await stored("true"));
      expect(await misplaced()).toEqual([]);
    });

    test("forgets the parts whose runs were removed", async () => {
      const before = (await parts()).length;
      await ask("DELETE FROM run_texts WHERE run_id LIKE 'run_old%' OR run_id LIKE 'run_late%'");
      await ask("DELETE FROM runs WHERE id LIKE 'run_old%' OR id LIKE 'run_late%'");
      await create("1000, 1200", "last");
      expect((await parts()).length).toBeLessThan(before);
      expect((await parts())[0]?.since).toBe("-infinity");
      expect(await found("report")).toEqual(await stored("true"));
      expect(await misplaced()).toEqual([]);
    });
  },
);
