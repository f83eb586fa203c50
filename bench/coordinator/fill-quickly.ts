import { fillStore, writeWords } from "@tenterhook/test-support";

/** Runs a statement without values. */
export type Execute = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const INDEXES = `
  SELECT indexname, indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename IN ('runs', 'sessions', 'events', 'run_hooks', 'approvals', 'run_texts')
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`;

/** Stores so many runs. Indexes are made afterwards, which takes a third of the time that keeping them up to date takes. */
export async function fillQuickly(execute: Execute, runs: number): Promise<void> {
  const indexes = await execute(INDEXES);
  for (const { indexname } of indexes) await execute(`DROP INDEX "${indexname}"`);
  for (const text of [...fillStore(runs), ...writeWords()]) await execute(text);
  for (const { indexdef } of indexes) await execute(String(indexdef));
  await execute("VACUUM (ANALYZE)");
}
