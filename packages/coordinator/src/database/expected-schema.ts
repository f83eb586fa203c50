import { readFileSync } from "node:fs";
import { MIGRATIONS_FOLDER, type Migration, readMigrations } from "./migrations.ts";

/** What the database of this version has. */
export interface ExpectedSchema {
  readonly migrations: readonly Pick<Migration, "name" | "hash">[];
  /** As `table.column`. */
  readonly columns: readonly string[];
  /** The indexes that keep rows unique; others only make statements faster. */
  readonly uniqueIndexes: readonly string[];
}

interface Snapshot {
  readonly tables: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly columns: Readonly<Record<string, unknown>>;
        readonly indexes: Readonly<Record<string, { readonly name: string; readonly isUnique: boolean }>>;
      }
    >
  >;
}

/** Read from the migrations, and from what `drizzle-kit generate` recorded of the tables beside the last of them. */
export function readExpectedSchema(): ExpectedSchema {
  const migrations = readMigrations();
  const number = String(migrations.length - 1).padStart(4, "0");
  const { tables }: Snapshot = JSON.parse(
    readFileSync(`${MIGRATIONS_FOLDER}/meta/${number}_snapshot.json`, "utf8"),
  );
  const list = Object.values(tables);
  return {
    migrations,
    columns: list.flatMap(({ name, columns }) => Object.keys(columns).map((column) => `${name}.${column}`)),
    uniqueIndexes: list.flatMap(({ indexes }) =>
      Object.values(indexes)
        .filter(({ isUnique }) => isUnique)
        .map(({ name }) => name),
    ),
  };
}
