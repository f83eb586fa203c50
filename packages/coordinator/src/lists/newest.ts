import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/** What a list of the newest first is sorted by. */
export interface Newest {
  readonly table: PgTable;
  readonly time: PgColumn;
  readonly id: PgColumn;
}

/**
 * The ids of the newest rows that fit one of several alternatives, as a condition. Each alternative is read through an index of
 * its own, in order, and no further than a page: one condition with `or` in it would read the table until a page is full.
 */
export function newestOf(
  { table, time, id }: Newest,
  alternatives: readonly SQL[],
  conditions: readonly (SQL | undefined)[],
  most: number,
): SQL {
  const all = conditions.filter((condition) => condition !== undefined);
  const branches = alternatives.map(
    (alternative) =>
      sql`(select ${id} from ${table} where ${sql.join([alternative, ...all], sql` and `)}
        order by ${time} desc, ${id} desc limit ${most})`,
  );
  return sql`${id} in (${sql.join(branches, sql` union all `)})`;
}

/** The alternatives of every one of these times every one of those. */
export function times(these: readonly SQL[], those: readonly SQL[]): readonly SQL[] {
  if (these.length === 0) return those;
  if (those.length === 0) return these;
  return these.flatMap((one) => those.map((other) => sql`${one} and ${other}`));
}
