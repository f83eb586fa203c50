import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";

type Row = Readonly<Record<string, unknown>>;

/** Everything that a coordinator of an earlier version stored, with rows in every table. */
export interface StoredTables {
  readonly taken_at: string;
  /** How many migrations that coordinator knew. */
  readonly migrations: number;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

/** Of the version before people had names. */
export interface OldStore extends StoredTables {
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
}

export interface EarlierResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Of the version whose last migration is 0007, with what its API returned for each path. */
export interface StoreOf0007 extends StoredTables {
  readonly secrets: {
    readonly admin: string;
    readonly runner: string;
    /** The cookie of a person who signed in. */
    readonly session: string;
  };
  readonly runner_id: string;
  /** Runs by what they wait for, and the approval of the one that waits for a person. */
  readonly waiting: {
    readonly queued: string;
    readonly ready: string;
    readonly running: { readonly run_id: string; readonly lease_token: string };
    readonly asking: { readonly run_id: string; readonly approval_id: string };
  };
  readonly responses: Readonly<Record<string, EarlierResponse>>;
}

/** The columns that count by themselves. */
const COUNTERS = {
  runs: "number",
  events: "id",
  conversation_entries: "id",
  run_text_parts: "number",
} as const;

export function readOldStore(): OldStore {
  const text = readFileSync(new URL("store-of-0001.json", import.meta.url), "utf8");
  return asOfNow({ ...JSON.parse(text), migrations: 2 });
}

export function readStoreOf0007(): StoreOf0007 {
  const packed = readFileSync(new URL("../../fixtures/store-of-0007.json.br", import.meta.url));
  return asOfNow(JSON.parse(brotliDecompressSync(packed).toString()));
}

/** Leases, sessions and questions of the store have not expired, whenever it is read. */
function asOfNow<T extends StoredTables>(store: T): T {
  return shiftTimes(store, Date.now() - Date.parse(store.taken_at));
}

/** Replaces everything in a database by the old store, as its migrations left it. */
export async function restoreOldStore(
  database: Database,
  { tables, migrations }: StoredTables,
): Promise<void> {
  const run = (text: string, values: readonly string[] = []) => database.run({ name: "", text }, values);
  // An embedded database begins with all migrations.
  await run("DROP SCHEMA public CASCADE");
  await run("CREATE SCHEMA public");
  await migrate(database, readMigrations().slice(0, migrations));
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {}).join(", ");
    // A migration may have added a first row.
    await run(`DELETE FROM ${table}`);
    await run(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
  for (const [table, column] of Object.entries(COUNTERS).filter(([table]) => table in tables)) {
    await run(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT max(${column}) FROM ${table}))`,
    );
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The same value with all its times so much later. */
export function shiftTimes<T>(value: T, ms: number): T;
export function shiftTimes(value: unknown, ms: number): unknown {
  if (typeof value === "string") {
    return TIME.test(value) ? new Date(Date.parse(value) + ms).toISOString() : value;
  }
  if (Array.isArray(value)) return value.map((item) => shiftTimes(item, ms));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shiftTimes(item, ms)]));
}
