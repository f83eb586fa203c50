import type { Database } from "../database/database.ts";

/**
 * How many rows a database has read so far, of all tables. Only for a database with one connection: a connection's counts are
 * brought up to date by itself.
 */
export async function rowsRead(database: Database): Promise<number> {
  await database.run({ name: "", text: "SELECT pg_stat_force_next_flush()" });
  const text =
    "SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint AS count FROM pg_stat_user_tables";
  const [row] = await database.run<{ count: number }>({ name: "", text });
  return Number(row?.count);
}
