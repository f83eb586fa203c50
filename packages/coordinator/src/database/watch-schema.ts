import { pause } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { Loop } from "../loop.ts";
import type { Database, Queries, Statement } from "./database.ts";
import { type ExpectedSchema, readExpectedSchema } from "./expected-schema.ts";
import { refuseUnknown, SCHEMA_CHANNEL } from "./migrate.ts";
import { SqlError } from "./sql-error.ts";

const CHECK_MS = 1_000;
/** How many missing parts an error names. */
const MAX_NAMED = 5;
/** SQLSTATEs of statements that do not fit the tables: names that do not exist, a new column without a value, other columns. */
const UNFIT = /^(?:42|0A|23502)/;

const READ: Statement = {
  name: "read-schema",
  text: `
    SELECT
      ARRAY(SELECT name FROM migrations ORDER BY number) AS names,
      ARRAY(SELECT hash FROM migrations ORDER BY number) AS hashes,
      ARRAY(SELECT wanted FROM unnest($1::text[]) AS wanted WHERE NOT EXISTS (
        SELECT FROM pg_attribute WHERE NOT attisdropped AND attname = split_part(wanted, '.', 2)
          AND attrelid = to_regclass(quote_ident(split_part(wanted, '.', 1)))))
      || ARRAY(SELECT wanted FROM unnest($2::text[]) AS wanted WHERE to_regclass(quote_ident(wanted)) IS NULL) AS missing`,
};

interface Schema {
  readonly names: readonly string[];
  readonly hashes: readonly string[];
  readonly missing: readonly string[];
}

/**
 * A database whose tables may be changed by others: a newer coordinator migrates them, or a person alters them. While they are not
 * those of this version every statement is refused with `store_newer` or `store_changed`, because it could store what the newer
 * version misreads. It is noticed at once when a coordinator migrates, and within a second otherwise.
 */
export async function watchSchema(
  database: Database,
  expected: ExpectedSchema = readExpectedSchema(),
): Promise<Database> {
  let problem: TenterhookError | undefined;
  let checking: Promise<void> | undefined;

  function check(): Promise<void> {
    checking ??= readProblem(database, expected)
      .then((found) => {
        problem = found;
      })
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }

  async function fitting<T>(work: () => Promise<T>): Promise<T> {
    if (problem !== undefined) throw problem;
    try {
      return await work();
    } catch (error) {
      if (error instanceof SqlError && UNFIT.test(error.code)) await check().catch(() => undefined);
      throw problem ?? error;
    }
  }

  async function checkSchema(): Promise<void> {
    await check();
    if (problem !== undefined) throw problem;
  }

  await checkSchema();
  await database.listen(SCHEMA_CHANNEL, () => void check().catch(() => undefined));
  const loop = new Loop(
    async (signal) => {
      await check();
      await pause(CHECK_MS, signal);
    },
    // The database is unreachable, which others report.
    () => undefined,
    CHECK_MS,
  );
  return {
    ...database,
    checkSchema,
    run: (statement, values) => fitting(() => database.run(statement, values)),
    transaction: <T>(work: (queries: Queries) => Promise<T>) => fitting(() => database.transaction(work)),
    async close() {
      // The database refuses calls from this moment on.
      await Promise.all([loop.stop(), database.close()]);
    },
  };
}

async function readProblem(
  queries: Queries,
  { migrations, columns, uniqueIndexes }: ExpectedSchema,
): Promise<TenterhookError | undefined> {
  try {
    const [schema] = await queries.run<Schema>(READ, [columns, uniqueIndexes]);
    if (schema === undefined) return undefined;
    const { names, hashes, missing } = schema;
    refuseUnknown(
      hashes.map((hash, index) => ({ hash, name: names[index] ?? "" })),
      migrations,
    );
    if (hashes.length < migrations.length)
      return changed(`the migration "${migrations[hashes.length]?.name}"`);
    if (missing.length === 0) return undefined;
    const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
    return changed(`${missing.slice(0, MAX_NAMED).join(", ")}${more}`);
  } catch (error) {
    if (TenterhookError.isInstance(error) && error.code === "store_newer") return error;
    if (error instanceof SqlError && error.code.startsWith("42")) return changed(error.message);
    throw error;
  }
}

function changed(missing: string): TenterhookError {
  return new TenterhookError(
    "store_changed",
    `The tables of the database are not those of this version. Missing: ${missing}.`,
    { hint: "Restore them, from a backup if needed; the coordinator continues by itself." },
  );
}
