import { TenterhookError } from "@tenterhook/protocol";
import type { Database, Queries, Statement } from "./database.ts";
import { type Migration, readMigrations } from "./migrations.ts";
import { NOTIFY } from "./notify.ts";

// An arbitrary number that no other program on the same database should use: "tent", as ASCII.
const LOCK: Statement = { name: "", text: "select pg_advisory_xact_lock(1952804468)" };

/** Where coordinators are notified of a migration. */
export const SCHEMA_CHANNEL = "tenterhook_schema";

/**
 * Applies the migrations that the database does not have, in one transaction; coordinators that start together wait for one another.
 * Throws `store_newer` for a database that has one which this version does not know.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.run(LOCK);
    const applied = await appliedMigrations(queries);
    refuseUnknown(applied, migrations);
    for (const migration of migrations.slice(applied.length)) await apply(queries, migration);
    if (migrations.length > applied.length) await queries.run(NOTIFY, [SCHEMA_CHANNEL, ""]);
  });
}

type Applied = Pick<Migration, "name" | "hash">;

async function appliedMigrations(queries: Queries): Promise<Applied[]> {
  await queries.run({
    name: "",
    text: `create table if not exists migrations (
      number integer primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`,
  });
  return queries.run<Applied>({ name: "", text: "select name, hash from migrations order by number" });
}

/** Throws `store_newer` for a migration that this version does not know. */
export function refuseUnknown(applied: readonly Applied[], migrations: readonly Applied[]): void {
  const unknown = applied.find(({ hash }, index) => hash !== migrations[index]?.hash);
  if (unknown === undefined) return;
  throw new TenterhookError(
    "store_newer",
    `The database has the migration "${unknown.name}", which this version does not know.`,
    {
      hint: "Start the version that wrote it, or a newer one.",
    },
  );
}

async function apply(queries: Queries, { number, name, hash, statements }: Migration): Promise<void> {
  for (const text of statements) await queries.run({ name: "", text });
  await queries.run({ name: "", text: "insert into migrations (number, name, hash) values ($1, $2, $3)" }, [
    number,
    name,
    hash,
  ]);
}
