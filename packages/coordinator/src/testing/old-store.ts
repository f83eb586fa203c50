import { readFileSync } from "node:fs";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";

type Row = Readonly<Record<string, unknown>>;

/** Everything that a coordinator stored before people had names, with rows in every table. */
export interface OldStore {
  readonly taken_at: string;
  /** The secrets of its administrator and of the people who had signed in. */
  readonly secrets: {
    readonly token: string;
    /** Of a person who signed in with the token "boss". */
    readonly session: string;
    /** Of a person who signed in by a link that a session made. */
    readonly nested: string;
  };
  /** An approval that waits for a decision, and a run that waits for a runner. */
  readonly pending: { readonly approval_id: string; readonly run_id: string };
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

/** How many migrations that coordinator knew. */
const MIGRATIONS = 2;

/** The columns that count by themselves. */
const COUNTERS = { runs: "number", events: "id", conversation_entries: "id" } as const;

export function readOldStore(): OldStore {
  const text = readFileSync(new URL("store-of-0001.json", import.meta.url), "utf8");
  const store: OldStore = JSON.parse(text);
  const later = Date.now() - Date.parse(store.taken_at);
  const shifted = Object.entries(store.tables).map(
    ([table, rows]) => [table, rows.map((row) => shiftTimes(row, later))] as const,
  );
  return { ...store, tables: Object.fromEntries(shifted) };
}

/** Replaces everything in a database by the old store, as its migrations left it. */
export async function restoreOldStore(database: Database, { tables }: OldStore): Promise<void> {
  const run = (text: string, values: readonly string[] = []) => database.run({ name: "", text }, values);
  // An embedded database begins with all migrations.
  await run("DROP SCHEMA public CASCADE");
  await run("CREATE SCHEMA public");
  await migrate(database, readMigrations().slice(0, MIGRATIONS));
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {}).join(", ");
    await run(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
  for (const [table, column] of Object.entries(COUNTERS)) {
    await run(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT max(${column}) FROM ${table}))`,
    );
  }
}

/** Sessions and questions of the store have not expired, whenever it is read. */
function shiftTimes(row: Row, ms: number): Row {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "string" && isTime.test(value)
        ? new Date(Date.parse(value) + ms).toISOString()
        : value,
    ]),
  );
}
