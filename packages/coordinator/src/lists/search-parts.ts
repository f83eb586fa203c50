import type { Database, Queries, Statement } from "../database/database.ts";
import { allOf, type Fragment, runComposed, sql } from "../database/fragment.ts";
import { queryTemplate } from "../search/words.ts";
import type { Position } from "./cursor.ts";

/** At most so many runs with the words are checked against the filters; a page may then be shorter. */
const MAX_CHECKED = 10_000;
/** At most so many parts of the index are read. */
const MAX_PARTS = 1_000;
/** Words are not counted beyond so many runs of a part. */
export const COMMON = 64;

/** A database that lists are read from. */
export type Listed = Pick<Database, "run" | "transaction">;

export interface RunSearch {
  /** At least one. */
  readonly words: readonly string[];
  /** The newest runs of the list after a position, at most so many: `SELECT id, created_at …`. */
  readonly newest: (after: Position | undefined, most: number) => Fragment;
  /** The filters, without those by time. */
  readonly conditions: readonly Fragment[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

// The other statements walk indexes in order. An index of words can only be read as a whole.
const ALLOW_BITMAPS: Statement = { name: "", text: "SET LOCAL enable_bitmapscan = on" };

export interface ReadParts {
  /** The times of the last part that was read. */
  readonly since: string;
  readonly until: string;
  readonly parts: number;
  readonly is_last: boolean;
  readonly ids: readonly string[] | null;
}

/**
 * Reads the index part by part, from the newest on, until there are enough ids. `hits` selects those of a part, with the number of runs
 * that were checked.
 */
export function readParts(
  database: Listed,
  search: RunSearch,
  after: Position | undefined,
  most: number,
  hits: (matching: Fragment) => Fragment,
): Promise<ReadParts | undefined> {
  const { words } = search;
  return database.transaction(async (queries) => {
    await queries.run(ALLOW_BITMAPS);
    const rarest = words.length === 1 ? undefined : await findRarest(queries, words);
    const matching = allOf([
      // With several words, all of them are only searched for in parts that contain the rarest one.
      rarest === undefined ? undefined : sql`EXISTS (SELECT FROM run_texts WHERE ${contains([rarest])})`,
      contains(words),
    ]);
    return (await runComposed<ReadParts>(queries, inParts(search, after, most, hits(matching))))[0];
  });
}

/** Whether a run of the part contains all words. */
function contains(words: readonly string[]): Fragment {
  return sql`words @@ replace(${queryTemplate(words)}, '#', part.number::text)::tsquery`;
}

function inParts(
  { from, to }: RunSearch,
  after: Position | undefined,
  most: number,
  hits: Fragment,
): Fragment {
  const before = sql`${after?.[0] ?? "infinity"}::timestamptz + interval '1 microsecond'`;
  const begin = to === undefined ? before : sql`least(${to}::timestamptz, ${before})`;
  const end = sql`${from ?? "-infinity"}::timestamptz`;
  // Without OFFSET the planner would copy the subquery to both uses of its ids, and execute it twice.
  return sql`
    WITH RECURSIVE probed AS (
      SELECT ${begin} AS since, ${begin} AS until, 0 AS parts, 0 AS checked, 0 AS found, '{}'::text[] COLLATE "C" AS ids
      UNION ALL
      SELECT part.since, probed.since, probed.parts + 1, probed.checked + hits.checked,
        probed.found + cardinality(hits.ids), hits.ids
      FROM probed CROSS JOIN LATERAL (
          SELECT number, since FROM run_text_parts WHERE since < probed.since ORDER BY since DESC LIMIT 1) AS part
        CROSS JOIN LATERAL (${hits} OFFSET 0) AS hits
      WHERE probed.since > ${end} AND probed.found < ${most} AND probed.checked < ${MAX_CHECKED}
        AND probed.parts < ${MAX_PARTS})
    SELECT since::text AS since, until::text AS until, parts, since <= ${end} AS is_last,
      (SELECT array_agg(id ORDER BY parts, ordinal) FROM probed, unnest(ids) WITH ORDINALITY AS each (id, ordinal)) AS ids
    FROM probed ORDER BY parts DESC LIMIT 1`;
}

/** The word that the fewest runs contain, in the newest parts and the oldest one. */
async function findRarest(queries: Queries, words: readonly string[]): Promise<string | undefined> {
  const [row] = await runComposed<{ word: string }>(
    queries,
    sql`SELECT word FROM unnest(${words}::text[]) AS word CROSS JOIN (
        (SELECT number FROM run_text_parts ORDER BY since DESC LIMIT 2)
        UNION (SELECT number FROM run_text_parts ORDER BY since LIMIT 1)) AS part
      CROSS JOIN LATERAL (SELECT count(*) AS count FROM (
        SELECT FROM run_texts WHERE words @@ ('''' || part.number || '/' || word || ''':*')::tsquery
        LIMIT ${COMMON}) AS limited) AS found
      GROUP BY word ORDER BY sum(found.count), length(word) DESC LIMIT 1`,
  );
  return row?.word;
}
