import type { Queries, Statement } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";
import { SqlError } from "../database/sql-error.ts";
import type { RunRow } from "./rows.ts";

export const readRun = rowReader<RunRow>({ name: "read-run", text: "SELECT * FROM runs WHERE id = $1" });

/** Reads a run and keeps others from changing it until the transaction ends. */
export const lockRun = rowReader<RunRow>({
  name: "lock-run",
  text: "SELECT * FROM runs WHERE id = $1 FOR UPDATE",
});

const IS_OVERTAKEN: Statement = {
  name: "is-run-overtaken",
  text: `
    SELECT xid > pg_current_xact_id() AS is_overtaken FROM events WHERE run_id = $1 ORDER BY number DESC LIMIT 1`,
};

/**
 * Locks a run in a transaction that may have changed another run before. The stream is in the order of transactions, and this
 * one may be older than the run's latest event: then it is a conflict, and the work is repeated in a younger transaction.
 */
export async function lockNextRun(queries: Queries, id: string): Promise<RunRow | undefined> {
  const run = await lockRun(queries, id);
  if (run === undefined) return undefined;
  const [latest] = await queries.run<{ is_overtaken: boolean }>(IS_OVERTAKEN, [id]);
  if (latest?.is_overtaken !== true) return run;
  throw new SqlError({ code: "40001", message: `the run ${id} has an event of a later transaction` });
}
