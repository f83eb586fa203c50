import type { Database, Queries, Statement } from "../database/database.ts";
import { allOf, type Fragment, runComposed, sql } from "../database/fragment.ts";
import { queryTemplate } from "../search/words.ts";
import type { Position } from "./cursor.ts";

/** At most so many runs with the words are checked against the filters; a page may then be shorter. */
const MAX_CHECKED = 10_000;
/** At most so many parts of the index are read. */
const MAX_PARTS = 1_000;
/** With filters, so many of the newest runs per row of a page are read first. */
const WALK_FACTOR = 10;
const MAX_WALKED = 2_000;
/** Words are not counted beyond so many runs of a part. */
const COMMON = 64;

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

/** The ids of runs that contain the words and fit the filters, the newest first. */
export interface FoundRuns {
  readonly ids: readonly string[];
  /** The position up to which was read, when there may be more. */
  readonly end: Position | undefined;
}

/**
 * Finds the newest runs that contain words, at most `most`. When few runs fit the filters, each of them is read. Otherwise the index is
 * read part by part from the newest on, until there are enough: a part is small, so a common word costs only its runs in a part or two.
 */
export async function searchRuns(
  database: Listed,
  search: RunSearch,
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  if (search.conditions.length === 0) return byIndex(database, search, after, most);
  const walked = await walk(database, search, after, most);
  if (walked.ids.length >= most || walked.end === undefined) return { ...walked, end: undefined };
  const { ids, end } = await byIndex(database, search, walked.end, most - walked.ids.length);
  return { ids: [...walked.ids, ...ids], end };
}

/** Reads the words of each run by its id. As a join, the planner would read the words of all runs first. */
async function walk(
  queries: Queries,
  { words, newest }: RunSearch,
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  const steps = Math.min(most * WALK_FACTOR, MAX_WALKED);
  const [row] = await runComposed<{ count: number; time: string; last: string; ids: string[] }>(
    queries,
    sql`WITH walked AS MATERIALIZED (${newest(after, steps)})
      SELECT (SELECT count(*) FROM walked) AS count, last.created_at::text AS time, last.id AS last, ARRAY(
        SELECT walked.id FROM walked
        WHERE (SELECT run_texts.words @@ replace(${queryTemplate(words)}, '#', run_texts.part::text)::tsquery
          FROM run_texts WHERE run_texts.run_id = walked.id)
        ORDER BY walked.created_at DESC, walked.id DESC LIMIT ${most}) AS ids
      FROM (SELECT created_at, id FROM walked ORDER BY created_at, id LIMIT 1) AS last`,
  );
  if (row === undefined) return { ids: [], end: undefined };
  return { ids: row.ids, end: row.count < steps ? undefined : [row.time, row.last] };
}

// The other statements walk indexes in order. An index of words can only be read as a whole.
const ALLOW_BITMAPS: Statement = { name: "", text: "SET LOCAL enable_bitmapscan = on" };

function byIndex(
  database: Listed,
  search: RunSearch,
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  return database.transaction(async (queries) => {
    await queries.run(ALLOW_BITMAPS);
    const first = search.words.length === 1 ? undefined : await rarestOf(queries, search.words);
    const [row] = await runComposed<{ since: string; is_last: boolean; ids: string[] | null }>(
      queries,
      inParts(search, first, after, most),
    );
    const ids = row?.ids?.slice(0, most) ?? [];
    const isAll = ids.length >= most || row === undefined || row.is_last;
    return { ids, end: isAll ? undefined : [row.since, ""] };
  });
}

/** Searches part by part. With several words it searches for all of them only in parts that contain the rarest one. */
function inParts(
  { words, conditions, from, to }: RunSearch,
  rarest: string | undefined,
  after: Position | undefined,
  most: number,
): Fragment {
  const contains = (searched: readonly string[]) =>
    sql`words @@ replace(${queryTemplate(searched)}, '#', part.number::text)::tsquery`;
  const matching = allOf([
    rarest === undefined ? undefined : sql`EXISTS (SELECT FROM run_texts WHERE ${contains([rarest])})`,
    contains(words),
    from === undefined ? undefined : sql`created_at >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`created_at < ${to}::timestamptz`,
    after && sql`(created_at, run_id) < (${after[0]}::timestamptz, ${after[1]})`,
  ]);
  const hits =
    conditions.length === 0
      ? sql`SELECT 0 AS checked, ARRAY(
          SELECT run_id FROM run_texts WHERE ${matching} ORDER BY created_at DESC, run_id DESC LIMIT ${most}) AS ids`
      : // In order, so that no more runs are read for the filters than the page needs.
        sql`WITH matches AS MATERIALIZED (
            SELECT run_id, created_at FROM run_texts WHERE ${matching} ORDER BY created_at DESC, run_id DESC)
          SELECT (SELECT count(*) FROM matches)::int AS checked, ARRAY(
            SELECT matches.run_id FROM matches CROSS JOIN LATERAL (
              SELECT FROM runs WHERE ${allOf([sql`runs.id = matches.run_id`, ...conditions])} OFFSET 0) AS fitting
            ORDER BY matches.created_at DESC, matches.run_id DESC LIMIT ${most}) AS ids`;
  const before = sql`${after?.[0] ?? "infinity"}::timestamptz + interval '1 microsecond'`;
  const begin = to === undefined ? before : sql`least(${to}::timestamptz, ${before})`;
  const end = sql`${from ?? "-infinity"}::timestamptz`;
  // Without OFFSET the planner would copy the subquery to both uses of its ids, and execute it twice.
  return sql`
    WITH RECURSIVE probed AS (
      SELECT ${begin} AS since, 0 AS parts, 0 AS checked, 0 AS found, '{}'::text[] COLLATE "C" AS ids
      UNION ALL
      SELECT part.since, probed.parts + 1, probed.checked + hits.checked, probed.found + cardinality(hits.ids), hits.ids
      FROM probed CROSS JOIN LATERAL (
          SELECT number, since FROM run_text_parts WHERE since < probed.since ORDER BY since DESC LIMIT 1) AS part
        CROSS JOIN LATERAL (${hits} OFFSET 0) AS hits
      WHERE probed.since > ${end} AND probed.found < ${most} AND probed.checked < ${MAX_CHECKED}
        AND probed.parts < ${MAX_PARTS})
    SELECT since::text AS since, since <= ${end} AS is_last,
      (SELECT array_agg(id ORDER BY parts, ordinal) FROM probed, unnest(ids) WITH ORDINALITY AS each (id, ordinal)) AS ids
    FROM probed ORDER BY parts DESC LIMIT 1`;
}

/** The word that the fewest runs contain, in the newest parts and the oldest one. */
async function rarestOf(queries: Queries, words: readonly string[]): Promise<string | undefined> {
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
