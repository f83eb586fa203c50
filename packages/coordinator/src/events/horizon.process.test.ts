import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshPostgres, startPostgres } from "@tenterhook/test-support";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { EventRow } from "../store/rows.ts";
import { Wakeups } from "../wakeups.ts";
import { compare, EventFeed } from "./feed.ts";

const WRITE = { name: "", text: "INSERT INTO events (type, data) VALUES ($1, '{}') RETURNING id" };

/** A transaction of another program that has an id, as every one has that has written something. */
async function openTransaction(url: string, statement = "SELECT pg_current_xact_id()"): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query(statement);
  return client;
}

describe("other transactions on the server", () => {
  let url: string;
  let database: Database;

  async function open(address: string): Promise<Database> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-horizon-"));
    const opened = await openDatabase({ url: address, folder });
    await rm(folder, { recursive: true, force: true });
    return opened;
  }

  beforeAll(async () => {
    url = await freshPostgres();
    database = await open(url);
    return () => database.close();
  });

  /** A feed, the events that it emits, and a function that writes events and wakes it. */
  async function follow(of: Database) {
    const wakeups = new Wakeups(of);
    const errors: unknown[] = [];
    const feed = new EventFeed(of, wakeups, (error) => errors.push(error));
    await feed.start();
    onTestFinished(async () => {
      await feed.close();
      expect(errors).toEqual([]);
    });
    const received: EventRow[] = [];
    feed.listen((events) => received.push(...events));
    return {
      feed,
      received,
      async write(type: string) {
        await of.run(WRITE, [type]);
        wakeups.wake("events");
      },
      types: () => received.map(({ type }) => type),
    };
  }

  test("do not hold events back when they are in another database", async () => {
    const { write, types } = await follow(database);
    await openTransaction(await freshPostgres());
    await write("later");
    await expect.poll(types).toEqual(["later"]);
  });

  test("do not hold events back when they are another program's in this database", async () => {
    const { write, types, feed } = await follow(database);
    await openTransaction(url);
    await write("first");
    await expect.poll(types).toEqual(["first"]);
    // One more while the first is known.
    await openTransaction(url);
    await write("second");
    await expect.poll(types).toEqual(["first", "second"]);
    const after = await feed.read(await feed.end());
    expect(after).toEqual([]);
  });

  test("do not hold events back when they were prepared and left behind, and are counted no more once they have ended", async () => {
    const server = await startPostgres({ fsync: "off", max_prepared_transactions: "2" });
    onTestFinished(() => server.remove());
    const address = await server.freshDatabase();
    const own = await open(address);
    onTestFinished(() => own.close());
    const { write, types, feed } = await follow(own);
    const other = await openTransaction(address, "CREATE TABLE left_behind (n int)");
    await other.query("PREPARE TRANSACTION 'left behind'");
    await write("first");
    await expect.poll(types).toEqual(["first"]);
    await expect.poll(() => feed.horizon.nonWriters).toHaveLength(1);
    expect(await feed.read(await feed.end())).toEqual([]);
    await other.query("COMMIT PREPARED 'left behind'");
    await write("second");
    await expect.poll(types).toEqual(["first", "second"]);
    await feed.horizon.refresh();
    expect(feed.horizon.nonWriters).toEqual([]);
  });

  test("hold events back while they may still write an earlier one", async () => {
    const { write, types, feed } = await follow(database);
    const before = feed.position;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isOpen = () => {};
    const opened = new Promise<void>((resolve) => {
      isOpen = resolve;
    });
    const slow = database.transaction(async (queries) => {
      await queries.run({ name: "", text: "SELECT pg_current_xact_id()" });
      isOpen();
      await isReleased;
      await queries.run(WRITE, ["slow"]);
    });
    await opened;
    await openTransaction(await freshPostgres());
    for (const type of ["a", "b", "c"]) await write(type);
    await feed.horizon.refresh();
    expect(await feed.read(before)).toEqual([]);
    expect(types()).toEqual([]);
    release();
    await slow;
    await expect.poll(types).toEqual(["slow", "a", "b", "c"]);
  });

  test("are recognised by a role without privileges, and whatever the names of our connections are", async () => {
    const role = "ordinary";
    const admin = new pg.Client(await freshPostgres());
    await admin.connect();
    onTestFinished(() => admin.end());
    const { rows } = await admin.query("SELECT current_database() AS name");
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'ordinary'; GRANT ALL ON SCHEMA public TO ${role}`);
    const address = new URL(url);
    address.pathname = `/${rows[0].name}`;
    const others = address.href;
    address.username = role;
    address.password = "ordinary";
    address.searchParams.set("application_name", "renamed");
    const own = await open(address.href);
    onTestFinished(() => own.close());
    const { write, types } = await follow(own);
    await openTransaction(others);
    await openTransaction(url);
    await write("later");
    await expect.poll(types).toEqual(["later"]);
  });

  test("never make a feed miss or reorder an event of eight writers", async () => {
    const { received } = await follow(database);
    let isOver = false;
    // Transactions of other programs come and go all the time.
    const strangers = [url, await freshPostgres()].map(async (address) => {
      const client = new pg.Client(address);
      await client.connect();
      while (!isOver) {
        await client.query("begin");
        await client.query("SELECT pg_current_xact_id()");
        await client.query("SELECT pg_sleep(random() / 5)");
        await client.query("commit");
      }
      await client.end();
    });
    const until = performance.now() + 1_500;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const written: string[] = [];
      for (let count = 0; performance.now() < until; count += 1) {
        await database.transaction(async (queries) => {
          await queries.run(WRITE, [`${writer}-${count}-a`]);
          if (count % 3 === 0) await queries.run({ name: "", text: "SELECT pg_sleep(random() / 20)" });
          await queries.run(WRITE, [`${writer}-${count}-b`]);
        });
        written.push(`${writer}-${count}-a`, `${writer}-${count}-b`);
      }
      return written;
    });
    const written = (await Promise.all(writers)).flat();
    isOver = true;
    await Promise.all(strangers);
    await expect.poll(() => received.length).toBe(written.length);
    expect(received.map(({ type }) => type).sort()).toEqual(written.sort());
    for (const [index, event] of received.entries()) {
      const next = received[index + 1];
      if (next !== undefined) expect(compare(event, next)).toBeLessThan(0);
    }
  });
});
