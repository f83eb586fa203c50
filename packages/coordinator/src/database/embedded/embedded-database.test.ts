import { watch } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Program, startProgram } from "../../testing/program.ts";
import { type Database, openDatabase } from "../database.ts";
import { createFolder } from "./create-folder.ts";
import { openEmbedded } from "./embedded-database.ts";
import { readTemplate } from "./template.ts";

const sql = (text: string) => ({ name: "", text });

let folder: string;
let database: Database | undefined;
const programs: Program[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenterhook-embedded-"));
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
  await database?.close();
  database = undefined;
  await rm(folder, { recursive: true, force: true });
});

function keepWriting(): Program {
  const program = startProgram("keep-writing", folder);
  programs.push(program);
  return program;
}

describe("a new folder", () => {
  it("is made from a template that fits this version", async () => {
    // When this fails: npm run template -w @tenterhook/coordinator
    expect(await readTemplate()).toBeDefined();
  });

  it("is made without a template when there is none that fits", async () => {
    await createFolder(join(folder, "database"), async () => undefined);
    database = await openDatabase({ folder });
    expect(await database.run(sql("select count(*) as count from runs"))).toEqual([{ count: 0 }]);
  });

  it("belongs to its owner alone, and keeps what was written when it is opened again", async () => {
    database = await openDatabase({ folder });
    expect((await stat(join(folder, "database"))).mode & 0o777).toBe(0o700);
    await database.run(sql("insert into settings (name, value) values ('kept', '1')"));
    await database.close();
    expect(await readdir(join(folder, "database.lock"))).toEqual([]);
    database = await openDatabase({ folder });
    expect(await database.run(sql("select name from settings"))).toEqual([{ name: "kept" }]);
  });

  it("can be used after a process was killed while it made it", async () => {
    const unfinished = new Promise<void>((resolve) => {
      const watcher = watch(folder, (_event, name) => {
        if (name !== "database.unfinished") return;
        watcher.close();
        resolve();
      });
    });
    const program = keepWriting();
    await unfinished;
    await program.kill("SIGKILL");
    expect(await readdir(folder)).toContain("database.unfinished");
    database = await openDatabase({ folder });
    expect(await database.run(sql("select count(*) as count from runs"))).toEqual([{ count: 0 }]);
  });
});

it("keeps every confirmed transaction whole through kills at any moment", async () => {
  // A linear congruential generator: the same moments in every run.
  let seed = 20261115;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const confirmed: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    const program = keepWriting();
    const { found } = (await program.next()) as { found: Record<string, number> };
    expect(Object.keys(found)).toEqual(expect.arrayContaining(confirmed));
    expect(Object.values(found).filter((count) => count !== 2)).toEqual([]);
    for (let left = 20 + random(200); left > 0; left -= 1) confirmed.push((await program.next())?.confirmed);
    // What it says while it dies was confirmed as well.
    const dying = program.kill("SIGKILL");
    for (let said = await program.next(); said !== undefined; said = await program.next())
      confirmed.push(said.confirmed);
    await dying;
  }
  expect(confirmed.length).toBeGreaterThan(80);
}, 60_000);

it("is refused to a second process, and free again when the first was killed", async () => {
  const program = keepWriting();
  await program.next();
  await expect(openDatabase({ folder })).rejects.toThrow(`in use by process ${program.process.pid}`);
  await program.kill("SIGKILL");
  database = await openDatabase({ folder });
});

it("rejects calls with store_unavailable once the engine has broken, and can still be closed", async () => {
  database = await openDatabase({ folder });
  await rm(join(folder, "database", "pg_wal"), { recursive: true });
  // The log cannot be continued in a new file: PostgreSQL gives up.
  const panic = database.run(
    sql("select pg_switch_wal() from (select pg_logical_emit_message(true, 'a', 'b')) as message"),
  );
  const behind = database.run(sql("select 1"));
  const calls = await Promise.allSettled([panic, behind, panic.catch(() => database?.run(sql("select 2")))]);
  expect(calls.filter(({ status }) => status === "fulfilled")).toEqual([]);
  expect(calls.at(-1)).toMatchObject({ reason: { code: "store_unavailable" } });
  await database.close();
});

it("says what is wrong with a folder that holds no database", async () => {
  database = await openDatabase({ folder });
  await database.close();
  await rm(join(folder, "database", "global"), { recursive: true });
  const refused = openDatabase({ folder });
  await expect(refused).rejects.toMatchObject({ code: "store_unavailable" });
  expect(await readdir(join(folder, "database.lock"))).toEqual([]);
});

describe("one connection", () => {
  it("is used in the order of the calls, and by nobody else during a transaction", async () => {
    database = await openEmbedded(folder);
    const done: string[] = [];
    const { run, transaction } = database;
    const slow = (name: string) =>
      transaction(async (queries) => {
        for (let step = 1; step <= 3; step += 1) {
          await queries.run(sql("select 1"));
          done.push(`${name} ${step}`);
        }
      });
    const single = (name: string) => run(sql("select 1")).then(() => done.push(name));
    await Promise.all([slow("first"), single("second"), slow("third"), single("fourth")]);
    expect(done).toEqual([
      "first 1",
      "first 2",
      "first 3",
      "second",
      "third 1",
      "third 2",
      "third 3",
      "fourth",
    ]);
  });

  it("is taken from a transaction that waits for a statement outside itself", async () => {
    database = await openEmbedded(folder, { transactionIdleMs: 50 });
    const { run, transaction } = database;
    const stuck = transaction(async (queries) => {
      await queries.run(sql("create table inside (n int)"));
      await run(sql("select 1"));
      await queries.run(sql("select 2"));
    });
    await expect(stuck).rejects.toMatchObject({ name: "SqlError", code: "25P03" });
    expect(await run(sql("select to_regclass('inside') as inside"))).toEqual([{ inside: null }]);
  });

  it("keeps a table small that is updated again and again, and its log short", async () => {
    database = await openEmbedded(folder);
    const { run } = database;
    await run(sql("create table busy (id int primary key, n int, filler text)"));
    await run(sql("create index on busy (n)"));
    await run(sql("insert into busy select g, g, repeat(md5(g::text), 30) from generate_series(1, 100) g"));
    const update = { name: "test_busy", text: "update busy set n = n + 1, filler = filler || 'x'" };
    for (let round = 0; round < 12; round += 1) {
      await run(update);
      await Promise.all(Array.from({ length: 120 }, () => run({ name: "test_idle", text: "select 1" })));
    }
    const [table] = await run<{ vacuums: number }>(
      sql("select vacuum_count as vacuums from pg_stat_user_tables where relname = 'busy'"),
    );
    expect(table?.vacuums).toBeGreaterThan(0);
  });
});
