import { fillStore, writeWords } from "@tenterhook/test-support";

/** Runs a statement without values. */
export type Execute = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const TABLES = ["runs", "sessions", "events", "run_hooks", "approvals", "run_texts"];

const INDEXES = `
  SELECT indexname, indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename IN ('${TABLES.join("', '")}')
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`;

/** Stores so many runs. Indexes are made afterwards, which takes a third of the time that keeping them up to date takes. */
export async function fillQuickly(execute: Execute, runs: number): Promise<void> {
  const indexes = await execute(INDEXES);
  for (const { indexname } of indexes) await execute(`DROP INDEX "${indexname}"`);
  for (const text of [...fillStore(runs), ...writeWords(runs)]) await execute(text);
  for (const { indexdef } of indexes) await execute(String(indexdef));
  // One by one, because an embedded database that is silent for a minute is given up. The others are small.
  for (const table of TABLES) await execute(`VACUUM (ANALYZE) ${table}`);
  await execute("VACUUM (ANALYZE)");
}
