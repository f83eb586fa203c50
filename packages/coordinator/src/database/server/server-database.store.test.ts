import { type PostgresServer, startPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database, Queries } from "../database.ts";
import { openServer } from "./server-database.ts";

const sql = (text: string) => ({ name: "", text });

// Its own server, because it is stopped and started.
let server: PostgresServer;
let database: Database;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

beforeEach(async () => {
  database = await openServer(await server.freshDatabase(), { connections: 4, connectTimeoutMs: 60_000 });
});
afterEach(() => database?.close());

/** Resolves when the server is at work on a statement, and not a moment earlier. */
async function underWay(statement: string): Promise<void> {
  const [row] = await database.run<{ count: number }>(
    sql(
      "select count(*) as count from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()",
    ),
    [`%${statement}%`],
  );
  if (row?.count === 0) await underWay(statement);
}

describe("while the server restarts", () => {
  test("a connection answers what is asked meanwhile, once the server is back", async () => {
    await database.run(sql("create table calls (n int)"));
    await server.stop();
    const single = database.run(sql("insert into calls values (1) returning n"));
    const together = database.transaction((queries) =>
      queries.run(sql("insert into calls values (2) returning n")),
    );
    await server.start();
    expect(await Promise.all([single, together])).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    expect(await database.run(sql("select n from calls order by n"))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("a connection does not repeat a statement that had reached the server", async () => {
    const slow = database.run(sql("select pg_sleep(30), 'slow single'"));
    slow.catch(() => {});
    await underWay("slow single");
    await server.stop();
    await server.start();
    await expect(slow).rejects.toMatchObject({ code: "store_unavailable" });
  });

  test("a connection does not repeat the work of a transaction that had reached the server", async () => {
    let attempts = 0;
    const work = database.transaction(async (queries: Queries) => {
      attempts += 1;
      await queries.run(sql("select pg_sleep(30), 'slow transaction'"));
    });
    work.catch(() => {});
    await underWay("slow transaction");
    await server.stop();
    await server.start();
    await expect(work).rejects.toMatchObject({ code: "store_unavailable" });
    expect(attempts).toBe(1);
    expect(await database.run(sql("select 1 as one"))).toEqual([{ one: 1 }]);
  });

  test("listens on afterwards, and reports that notices may have been missed", async () => {
    const received: string[] = [];
    let wake: () => void = () => {};
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    await database.listen("news", (payload) => {
      received.push(payload);
      wake();
    });
    const missed = next();
    await server.stop();
    await server.start();
    await missed;
    const after = next();
    await database.notify("news", "after");
    await after;
    expect(received).toEqual(["", "after"]);
  });

  test("a connection gives up after its timeout, and closes in order", async () => {
    const impatient = await openServer(server.url(), { connectTimeoutMs: 100 });
    await server.stop();
    const refused = impatient.run(sql("select 1"));
    await expect(refused).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(refused).rejects.toThrow("ECONNREFUSED");
    await impatient.close();
    await server.start();
  });
});

test("a connection to a server fails at once when a database does not exist", async () => {
  const started = performance.now();
  const refused = openServer(server.url("no_such_database"), { connectTimeoutMs: 60_000 });
  await expect(refused).rejects.toThrow("no_such_database");
  expect(performance.now() - started).toBeLessThan(30_000);
});

test("a connection to a server rejects waiting calls when it is closed", async () => {
  await server.stop();
  const waiting = database.run(sql("select 1"));
  waiting.catch(() => {});
  await database.close();
  await expect(waiting).rejects.toMatchObject({ code: "store_unavailable" });
  await server.start();
});

test("a connection to a server resolves a real deadlock by trying one of the two again", async () => {
  await database.run(sql("create table pair (id int primary key, n int)"));
  await database.run(sql("insert into pair values (1, 0), (2, 0)"));
  let arrived = 0;
  let meet: () => void = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const crossing = (first: number, second: number) =>
    database.transaction(async (queries) => {
      await queries.run(sql("set local deadlock_timeout = '20ms'"));
      await queries.run(sql("update pair set n = n + 1 where id = $1"), [first]);
      arrived += 1;
      if (arrived === 2) meet();
      // Each holds one row before either asks for the other.
      await met;
      await queries.run(sql("update pair set n = n + 1 where id = $1"), [second]);
    });
  await Promise.all([crossing(1, 2), crossing(2, 1)]);
  expect(arrived).toBeGreaterThan(2);
  expect(await database.run(sql("select n from pair order by id"))).toEqual([{ n: 2 }, { n: 2 }]);
});

test("a connection to a server continues when another coordinator has changed the tables of its prepared statements", async () => {
  const select = { name: "test_all_columns", text: "select * from growing" };
  await database.run(sql("create table growing as select 1 as one"));
  await Promise.all(Array.from({ length: 8 }, () => database.run(select)));
  await database.run(sql("alter table growing add two int"));
  const grown = [{ one: 1, two: null }];
  expect(await Promise.all(Array.from({ length: 8 }, () => database.run(select)))).toEqual(
    Array(8).fill(grown),
  );
  await database.run(sql("alter table growing drop two"));
  expect(await database.transaction((queries) => queries.run(select))).toEqual([{ one: 1 }]);
});

test("bounds the time of a statement, and of a transaction in which nothing is asked", async () => {
  expect(await database.run(sql("show statement_timeout"))).toEqual([{ statement_timeout: "30s" }]);
  const bounded = await openServer(server.url(), { transactionIdleMs: 50 });
  let ended: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const idle = bounded.transaction(async (queries) => {
    const [row] = await queries.run<{ pid: number }>(sql("select pg_backend_pid() as pid"));
    const isThere = async (): Promise<void> => {
      const there = await database.run(sql("select 1 from pg_stat_activity where pid = $1"), [row?.pid]);
      return there.length === 0 ? ended() : isThere();
    };
    await isThere();
    await gone;
    await queries.run(sql("select 1"));
  });
  await expect(idle).rejects.toMatchObject({ code: "store_unavailable" });
  await bounded.close();
});

test("a connection to a server names the host when nothing answers there, and never the password", async () => {
  const opening = openServer("postgres://me:pass-of-mine@127.0.0.1:1/mine", { connectTimeoutMs: 50 });
  await expect(opening).rejects.toThrow(/nothing answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED/);
  await expect(opening).rejects.not.toThrow("pass-of-mine");
});

test.each(["LATIN1", "SQL_ASCII", "EUC_JP"])(
  "a connection to a server refuses a database with the encoding %s, and says how to create one",
  async (encoding) => {
    const name = `test_${encoding.toLowerCase()}`;
    await database.run(sql(`create database ${name} encoding '${encoding}' locale 'C' template template0`));
    const opening = openServer(server.url(name));
    await expect(opening).rejects.toThrow(
      `the database "${name}" has the encoding ${encoding}, which cannot`,
    );
    await expect(opening).rejects.toMatchObject({
      code: "store_unavailable",
      hint: expect.stringContaining("ENCODING 'UTF8'"),
    });
  },
);

test("the time limit cuts no long statement, and cuts others before and after it on the same connection", async () => {
  const bounded = await openServer(server.url(), { connections: 1, statementMs: 1_000 });
  const slow = { name: "test_slow", text: "select pg_sleep(3)::text as slept" };
  await expect(bounded.run(slow)).rejects.toThrow();
  expect(await bounded.run({ ...slow, isLong: true })).toEqual([{ slept: "" }]);
  await expect(bounded.run(slow)).rejects.toThrow();
  await bounded.close();
});
