import type { Statement } from "../database.ts";
import { SqlError } from "../sql-error.ts";
import type { Wire } from "./wire.ts";

const STATEMENTS_BETWEEN = 500;
const LOG_BYTES = 32 * 1024 * 1024;

const LOG: Statement = {
  name: "upkeep_log",
  text: "select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > $1::int8 from pg_control_checkpoint()",
};
// Counts of rows are otherwise up to a second behind, or more.
const COUNT: Statement = { name: "upkeep_count", text: "select pg_stat_force_next_flush()" };
// The measure of autovacuum, with its defaults: https://www.postgresql.org/docs/current/routine-vacuuming.html
// Statistics of JSON take most of the time, and no plan of ours depends on them.
const NEEDS_VACUUM: Statement = {
  name: "upkeep_worn",
  text: `select quote_ident(relname), (select string_agg(quote_ident(attname), ', ') from pg_attribute
      where attrelid = relid and attnum > 0 and not attisdropped and atttypid <> 'jsonb'::regtype)
    from pg_stat_user_tables
    where n_dead_tup > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.2 * n_live_tup`,
};

/**
 * The work of a server's background processes, which PGlite does not have. Without checkpoints the log grows, and a start after a
 * kill reads all of it; without vacuum every update leaves its old row behind forever.
 */
export class Upkeep {
  readonly #wire: Wire;
  #statements = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Called after each statement; does something every few hundred. Does not reject for what the database refuses. */
  async afterStatement(): Promise<void> {
    this.#statements += 1;
    if (this.#statements < STATEMENTS_BETWEEN || this.#wire.isInTransaction) return;
    this.#statements = 0;
    try {
      await this.#vacuum();
      await this.#checkpoint();
    } catch (error) {
      // Such as a full disk, which the next insert will report to its caller.
      if (!(error instanceof SqlError)) throw error;
    }
  }

  async #vacuum(): Promise<void> {
    await this.#wire.send(COUNT, []);
    const { rows } = await this.#wire.send(NEEDS_VACUUM, []);
    for (const [table, columns] of rows)
      await this.#wire.send({ name: "", text: `vacuum (analyze) ${table} (${columns})` }, []);
  }

  async #checkpoint(): Promise<void> {
    const { rows } = await this.#wire.send(LOG, [String(LOG_BYTES)]);
    if (rows[0]?.[0] === "t") await this.#wire.send({ name: "", text: "checkpoint" }, []);
  }
}
