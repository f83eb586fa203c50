import { type Fragment, joined, sql, verbatim } from "../database/fragment.ts";

/** The table and sort key of a list of the newest first. */
export interface Newest {
  readonly table: string;
  readonly time: string;
  readonly id: string;
}

/**
 * The ids of the newest rows that fit one of several alternatives, as a condition. Each alternative is read through an index of
 * its own, in order, and no further than a page: one condition with `OR` in it would read the table until a page is full. The ids that
 * are `known` to fit are added to them.
 */
export function newestOf(
  { table, time, id }: Newest,
  alternatives: readonly Fragment[],
  conditions: readonly (Fragment | undefined)[],
  most: number,
  known: readonly string[] = [],
): Fragment {
  const every = conditions.filter((condition) => condition !== undefined);
  const branches = alternatives.map(
    (alternative) =>
      sql`(SELECT ${verbatim(id)} FROM ${verbatim(table)} WHERE ${joined([alternative, ...every], " AND ")}
        ORDER BY ${verbatim(`${time} DESC, ${id} DESC`)} LIMIT ${most})`,
  );
  const others = known.length === 0 ? [] : [sql`SELECT unnest(${known}::text[])`];
  const all = [...branches, ...others];
  return all.length === 0 ? verbatim("false") : sql`${verbatim(id)} IN (${joined(all, " UNION ALL ")})`;
}

/** Every combination of two sets of alternatives. */
export function times(these: readonly Fragment[], those: readonly Fragment[]): readonly Fragment[] {
  if (these.length === 0) return those;
  if (those.length === 0) return these;
  return these.flatMap((one) => those.map((other) => sql`${one} AND ${other}`));
}
