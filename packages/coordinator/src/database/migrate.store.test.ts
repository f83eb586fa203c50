import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { freshPostgres } from "@tenterhook/test-support";
import { afterEach, expect, test } from "vitest";
import * as schema from "../../schema/index.ts";
import { startProgram } from "../testing/program.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { type Migration, readMigrations } from "./migrations.ts";
import { openServer } from "./server/server-database.ts";

let database: Database;
afterEach(() => database?.close());

const migration = (number: number, ...statements: string[]): Migration => ({
  number,
  name: `000${number}_test`,
  statements,
  hash: statements.join(),
});
const tables = async () =>
  (
    await database.run<{ name: string }>({
      name: "",
      text: "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    })
  ).map(({ name }) => name);

test("the migration lets four coordinators that start together migrate a new database once", async () => {
  const url = await freshPostgres();
  const programs = Array.from({ length: 4 }, () => startProgram("open-database", url));
  const printed = await Promise.all(programs.map((program) => program.next()));
  const migrations = readMigrations().map(({ number }) => ({ number }));
  expect(printed).toEqual(Array(4).fill({ migrations }));
});

test("the migration applies what is missing, in order, and nothing twice", async () => {
  database = await openServer(await freshPostgres());
  const first = migration(0, "create table one (n int)", "insert into one values (1)");
  const second = migration(1, "create table two as select n + 1 as n from one");
  await migrate(database, [first]);
  await migrate(database, [first, second]);
  await migrate(database, [first, second]);
  expect(await tables()).toEqual(["migrations", "one", "two"]);
  expect(await database.run({ name: "", text: "select n from two" })).toEqual([{ n: 2 }]);
});

test("the migration leaves nothing behind of migrations of which one fails", async () => {
  database = await openServer(await freshPostgres());
  await expect(
    migrate(database, [migration(0, "create table one (n int)"), migration(1, "create table")]),
  ).rejects.toMatchObject({ name: "SqlError" });
  expect(await tables()).toEqual([]);
});

test("the migration refuses a database of a newer version by the migration that it does not know", async () => {
  database = await openServer(await freshPostgres());
  const first = migration(0, "create table one (n int)");
  await migrate(database, [first, migration(1, "create table two (n int)")]);
  const refused = migrate(database, [first]);
  await expect(refused).rejects.toMatchObject({ code: "store_newer" });
  await expect(refused).rejects.toThrow('"0001_test"');
});

test("the migration refuses a database whose migration was another one of the same number", async () => {
  database = await openServer(await freshPostgres());
  await migrate(database, [migration(0, "create table one (n int)")]);
  await expect(migrate(database, [migration(0, "create table other (n int)")])).rejects.toMatchObject({
    code: "store_newer",
  });
});

test("the migration has a migration for everything in the schema", async () => {
  const last = readMigrations().length - 1;
  const path = new URL(
    `../../migrations/meta/${String(last).padStart(4, "0")}_snapshot.json`,
    import.meta.url,
  );
  const { generateDrizzleJson, generateMigration }: typeof import("drizzle-kit/api") = createRequire(
    import.meta.url,
  )("drizzle-kit/api");
  const before = JSON.parse(await readFile(path, "utf8"));
  // When this fails: npm run migration -w @tenterhook/coordinator
  expect(await generateMigration(before, generateDrizzleJson(schema, before.id))).toEqual([]);
});
