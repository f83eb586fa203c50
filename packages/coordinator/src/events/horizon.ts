import type { Database, Statement } from "../database/database.ts";
import { WRITER_MARK } from "../database/server/writer-mark.ts";

/**
 * SQL for the transaction before which nothing can appear any more: the oldest one in progress that may still write events, and the
 * next one to begin when there is none. `nonWriters` is the parameter with the ids that `Horizon` has found to write none.
 */
export function horizonSql(nonWriters: string): string {
  return `coalesce((
    SELECT each FROM pg_snapshot_xip(pg_current_snapshot()) AS each
    WHERE each <> ALL (${nonWriters}::text[]::xid8[]) ORDER BY each LIMIT 1
  ), pg_snapshot_xmax(pg_current_snapshot()))`;
}

// Readable by every role. A transaction keeps its session, so another program's transaction stays one until it ends.
// The name counts beside the mark for coordinators that set no mark: those of an older version.
const NON_WRITERS: Statement = {
  name: "non-writers",
  text: `
    SELECT each::text AS xid FROM pg_snapshot_xip(pg_current_snapshot()) AS each
    WHERE EXISTS (
      SELECT FROM pg_stat_activity AS other WHERE other.backend_xid = each::xid AND (
        other.datname IS DISTINCT FROM current_database()
        OR other.application_name NOT IN ('tenterhook', current_setting('application_name')) AND NOT EXISTS (
          SELECT FROM pg_locks AS mark
          WHERE mark.locktype = 'advisory' AND mark.objsubid = 2 AND mark.pid = other.pid
            AND mark.classid = ${WRITER_MARK.group} AND mark.objid = ${WRITER_MARK.key})))
    OR EXISTS (SELECT FROM pg_prepared_xacts AS prepared WHERE prepared.transaction = each::xid)
    ORDER BY each`,
};

/**
 * The transactions in progress that write no events: those in other databases of the server, those of other programs, and prepared
 * ones. Without this, any of them that stays open would delay the stream, because a snapshot includes them all.
 */
export class Horizon {
  readonly #database: Database;
  #nonWriters: readonly string[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Their ids, for `horizonSql`. */
  get nonWriters(): readonly string[] {
    return this.#nonWriters;
  }

  /** Reads them again. Returns whether there is a new one. */
  async refresh(): Promise<boolean> {
    // An embedded database has one connection, which is ours.
    if (this.#database.kind === "embedded") return false;
    const known = new Set(this.#nonWriters);
    this.#nonWriters = (await this.#database.run<{ xid: string }>(NON_WRITERS)).map(({ xid }) => xid);
    return this.#nonWriters.some((xid) => !known.has(xid));
  }
}
