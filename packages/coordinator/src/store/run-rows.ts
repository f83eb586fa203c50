import type { Queries, Statement } from "../database/database.ts";
import { SqlError } from "../database/sql-error.ts";
import type { RunRow } from "./rows.ts";

const LOCK: Statement = { name: "lock-run", text: "SELECT * FROM runs WHERE id = $1 FOR UPDATE" };
const READ: Statement = { name: "read-run", text: "SELECT * FROM runs WHERE id = $1" };

export async function readRun(queries: Queries, id: string): Promise<RunRow | undefined> {
  return (await queries.run<RunRow>(READ, [id]))[0];
}

/** Reads a run and keeps others from changing it until the transaction ends. */
export async function lockRun(queries: Queries, id: string): Promise<RunRow | undefined> {
  return (await queries.run<RunRow>(LOCK, [id]))[0];
}

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
