import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { createRun } from "../lifecycle/create-run.ts";
import { recordEvent } from "../lifecycle/run-changes.ts";
import type { RunRow } from "../store/rows.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { Wakeups } from "../wakeups.ts";
import type { EventFilter } from "./event-filter.ts";
import { type Cursor, EventFeed } from "./feed.ts";
import { BATCH } from "./read-events.ts";

const EVENTS = 3_000;
const BEGINNING: Cursor = { xid: "0", id: 0 };

describe.each(["embedded", "server"] as const)("replaying events from an %s database", (kind) => {
  let database: Database;
  let url: string | undefined;
  let feed: EventFeed;
  const folder = temporaryFolder();
  beforeAll(async () => {
    url = kind === "server" ? await freshPostgres() : undefined;
    database = await openDatabase({ url, folder, connections: 1 });
    feed = new EventFeed(database, new Wakeups(database));
    await change("INSERT INTO agents (name, revision, blueprint, etag) VALUES ('echo', 1, '{}', 'e')");
  });
  afterAll(() => database.close());

  const change = (text: string) => database.run({ name: "", text });

  async function run(sessionId: string): Promise<RunRow> {
    await change(`UPDATE sessions SET active_run_id = NULL WHERE id = '${sessionId}'`);
    const created = await createRun(database, {
      ...{ agentName: "echo", revision: 1, kind: "client", sessionId, executionMode: "async_poll" },
      ...{ parameters: {}, hooks: {}, tags: [], maxAttempts: 1, hasOutputSchema: false },
    });
    if (typeof created === "string") throw new Error(created);
    return created;
  }

  /** Events of some runs of a session in turns, each in a transaction of its own as far as the order is concerned. */
  const fill = (sessionId: string, ids: readonly string[]) =>
    change(`INSERT INTO events (run_id, session_id, number, type, data)
      SELECT (ARRAY['${ids.join("','")}'])[n % ${ids.length} + 1], '${sessionId}', 1 + (n + ${ids.length - 1}) / ${ids.length},
        'text', '{"text":"one of many"}' FROM generate_series(1, ${EVENTS}) AS n`);

  /** Waits until no transaction on the server, which other tests use as well, holds the events back. */
  async function settled(): Promise<void> {
    const [last] = await database.run<{ xid: string }>({
      name: "",
      text: "SELECT xid::text FROM events ORDER BY xid DESC LIMIT 1",
    });
    const end = async () => {
      await feed.horizon.refresh();
      return BigInt((await feed.end()).xid);
    };
    await expect.poll(end).toBeGreaterThanOrEqual(BigInt(last?.xid ?? "0"));
  }

  /** All events of a filter, page by page, and how many rows were read for each page. */
  async function replay(filter: EventFilter) {
    const events: string[] = [];
    const costs: number[] = [];
    await settled();
    for (let cursor = BEGINNING; ; ) {
      const before = await rowsRead(database);
      const page = await feed.read(cursor, filter);
      costs.push((await rowsRead(database)) - before);
      const last = page.at(-1);
      if (last === undefined) return { events, costs };
      events.push(...page.map(({ xid, id }) => `${xid}-${id}`));
      cursor = last;
    }
  }

  test("costs the same for every page, of a run and of a session", async () => {
    const [one, two] = [await run("ses_long"), await run("ses_long")];
    await fill("ses_long", [one.id, two.id]);
    const later = await run("ses_long");
    for (const session of ["ses_a", "ses_b", "ses_c"]) await fill(session, [(await run(session)).id]);
    await change("ANALYZE");
    for (const [filter, count] of [
      [{ session_id: "ses_long" }, EVENTS + 3],
      [{ run_id: one.id }, EVENTS / 2 + 1],
      [{ run_id: later.id }, 1],
    ] as const) {
      const { events, costs } = await replay(filter);
      expect(new Set(events).size).toBe(count);
      expect(events).toHaveLength(count);
      for (const cost of costs) expect(cost).toBeLessThan(BATCH * 1.5);
    }
  });

  test("has a run's events also when the run has been removed, and none of a run that never was", async () => {
    const { id } = await run("ses_gone");
    await change(`DELETE FROM runs WHERE id = '${id}'`);
    expect((await replay({ run_id: id })).events).toHaveLength(1);
    expect((await replay({ run_id: "run_never" })).events).toEqual([]);
  });

  test("stops a page early when its events are large", async () => {
    const { id } = await run("ses_large");
    // Such that it cannot be compressed.
    await change(`INSERT INTO events (run_id, session_id, number, type, data)
      SELECT '${id}', 'ses_large', n, 'text', to_jsonb((SELECT string_agg(md5(n || '-' || m), '') FROM generate_series(1, 3000) AS m))
      FROM generate_series(2, 21) AS n`);
    expect((await replay({ run_id: id })).events).toHaveLength(21);
    expect((await feed.read(BEGINNING, { run_id: id })).length).toBeLessThan(6);
  });

  // An embedded database has one transaction at a time.
  if (kind === "server")
    test("misses no event of a transaction that began before the run was created", async () => {
      const other = await openDatabase({ url, folder: "" });
      try {
        const { id } = await other.transaction(async (queries) => {
          await queries.run({ name: "", text: "SELECT pg_current_xact_id()" });
          const created = await run("ses_overtaken");
          await recordEvent(queries, created.id, "text", { text: "x" });
          return created;
        });
        await settled();
        const events = await feed.read(BEGINNING, { run_id: id });
        expect(events.map(({ number }) => number)).toEqual([2, 1]);
      } finally {
        await other.close();
      }
    });
});
