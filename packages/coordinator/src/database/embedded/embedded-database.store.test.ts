import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { createFolder } from "./create-folder.ts";
import { openEmbedded } from "./embedded-database.ts";
import { readTemplate } from "./template.ts";

const sql = (text: string) => ({ name: "", text });

// At once, because making a database without a template takes seconds, and on a busy machine many.
describe.concurrent("a folder", () => {
  const folders: string[] = [];
  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-embedded-"));
    folders.push(folder);
    return folder;
  }

  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  test("is made from a template that fits this version", async ({ expect }) => {
    // When this fails: npm run template -w @tenterhook/coordinator
    expect(await readTemplate()).toBeDefined();
  });

  test("is made without a template when there is none that fits", async ({ expect }) => {
    const folder = await newFolder();
    await createFolder(join(folder, "database"), async () => undefined);
    const database = await openDatabase({ folder });
    expect(await database.run(sql("select count(*) as count from runs"))).toEqual([{ count: 0 }]);
    await database.close();
  });

  test("belongs to its owner alone, keeps what was written, and is refused when it is broken", async ({
    expect,
  }) => {
    const folder = await newFolder();
    const database = await openDatabase({ folder });
    expect((await stat(join(folder, "database"))).mode & 0o777).toBe(0o700);
    await database.run(sql("insert into settings (name, value) values ('kept', '1')"));
    await database.close();
    expect(await readdir(join(folder, "database.lock"))).toEqual([]);

    const again = await openDatabase({ folder });
    expect(await again.run(sql("select name from settings where name = 'kept'"))).toEqual([{ name: "kept" }]);
    await again.close();

    await rm(join(folder, "database", "global"), { recursive: true });
    const refused = openDatabase({ folder });
    await expect(refused).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(refused).rejects.toThrow(/cannot be opened.*global\/pg_control/);
    expect(await readdir(join(folder, "database.lock"))).toEqual([]);
  });
});

describe("the one connection", () => {
  const folder = temporaryFolder();
  let database: Database;

  beforeAll(async () => {
    database = await openEmbedded(folder, { transactionIdleMs: 100 });
  });

  afterAll(() => database?.close());

  test("is used in the order of the calls, and by one transaction at a time", async () => {
    const done: string[] = [];
    const threeSteps = (name: string) =>
      database.transaction(async (queries) => {
        for (let step = 1; step <= 3; step += 1) {
          await queries.run(sql("select 1"));
          done.push(`${name} ${step}`);
        }
      });
    const single = (name: string) => database.run(sql("select 1")).then(() => done.push(name));
    await Promise.all([threeSteps("first"), single("second"), threeSteps("third"), single("fourth")]);
    const [first, third] = ["first", "third"].map((name) => [1, 2, 3].map((step) => `${name} ${step}`));
    expect(done).toEqual([...(first ?? []), "second", ...(third ?? []), "fourth"]);
  });

  test("is taken from a transaction that waits for a statement outside itself", async () => {
    const stuck = database.transaction(async (queries) => {
      await queries.run(sql("create table inside (n int)"));
      await database.run(sql("select 1"));
      await queries.run(sql("select 2"));
    });
    await expect(stuck).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await database.run(sql("select to_regclass('inside') as inside"))).toEqual([{ inside: null }]);
  });

  test("cleans up behind updates, and bounds the log", async () => {
    const idle = () =>
      Promise.all(Array.from({ length: 500 }, () => database.run({ name: "test_idle", text: "select 1" })));
    await database.run(sql("create table busy as select g as n from generate_series(1, 2000) g"));
    await database.run(sql("update busy set n = n + 1"));
    await database.run(
      sql("select pg_logical_emit_message(true, 'test', repeat('x', 1000000)) from generate_series(1, 40)"),
    );
    await idle();
    expect(
      await database.run(
        sql(`select vacuum_count, analyze_count,
          pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) < 1000000 as is_log_short
          from pg_stat_user_tables, pg_control_checkpoint() where relname = 'busy'`),
      ),
    ).toEqual([{ vacuum_count: 1, analyze_count: 1, is_log_short: true }]);
  });

  // The last one: it breaks the database.
  test("fails every call with store_unavailable once the engine has broken, and can still be closed", async () => {
    await rm(join(folder, "database", "pg_wal"), { recursive: true });
    // The log cannot continue in a new file, and without its log PostgreSQL stops.
    const breaking = database.run(
      sql("select pg_switch_wal() from (select pg_logical_emit_message(true, 'a', 'b')) as message"),
    );
    const behind = database.run(sql("select 1"));
    const later = breaking.catch(() => database.run(sql("select 2")));
    for (const call of [breaking, behind, later]) {
      await expect(call).rejects.toMatchObject({ code: "store_unavailable" });
    }
    await expect(database.transaction(async () => 1)).rejects.toThrow("pg_wal");
    await database.close();
  });
});
