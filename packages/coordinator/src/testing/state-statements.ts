import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database, Queries } from "../database/database.ts";

/** The names of the coordinator's statements that write the state of a row of this table, sorted. */
export async function statementsWritingState(
  table: string,
  alsoWriting: RegExp = /(?!)/,
): Promise<readonly string[]> {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const names = new Set<string>();
  for (const file of await readdir(root, { recursive: true })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || file.startsWith("testing")) continue;
    // From the name of each statement to the name of the next one.
    const [, ...statements] = (await readFile(join(root, file), "utf8")).split(/\bname: [`"]/);
    for (const statement of statements) {
      const updates =
        statement.match(new RegExp(`UPDATE ${table} SET[\\s\\S]*?(?:\\bWHERE\\b|\\bFROM\\b)`, "g")) ?? [];
      const isWritten =
        updates.some((update) => /\bstate =/.test(update)) ||
        new RegExp(`INSERT INTO ${table}\\b`).test(statement) ||
        alsoWriting.test(statement);
      if (isWritten) names.add(/^[\w-]*/.exec(statement)?.[0] ?? "");
    }
  }
  return [...names].sort();
}

/** Does something in a transaction and undoes it, which is quicker than emptying tables. */
export async function undone<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  const undo = new Error("undo");
  let result: T | undefined;
  await database
    .transaction(async (queries) => {
      result = await work(queries);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return result as T;
}
