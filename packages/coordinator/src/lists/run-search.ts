import type { Queries } from "../database/database.ts";
import { allOf, runComposed, sql } from "../database/fragment.ts";
import { queryTemplate } from "../search/words.ts";
import type { Position } from "./cursor.ts";
import { COMMON, type Listed, type RunSearch, readParts } from "./search-parts.ts";

/** With filters, so many runs per row of a page are read one by one: of the newest, and where the words begin to be common. */
const NEWEST_PER_ROW = 2;
const COMMON_PER_ROW = 10;
const MAX_WALKED = 2_000;

/** The ids of runs that contain the words and fit the filters, the newest first. */
export interface FoundRuns {
  readonly ids: readonly string[];
  /** The position up to which was read, when there may be more. */
  readonly end: Position | undefined;
}

/**
 * Finds the newest runs that contain words, at most `most`. The index is read part by part from the newest on, until there are enough:
 * a part is small, so a common word costs only its runs in a part or two.
 *
 * With filters, the newest runs that fit them are read first: they may have the words, or be all that there are. Then parts without
 * the words are skipped. Where the words are common, runs that fit the filters are checked for the words; where they are rare, runs
 * with the words are checked against the filters.
 */
export async function searchRuns(
  database: Listed,
  search: RunSearch,
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  if (search.conditions.length === 0) return byIndex(database, search, after, most);
  const newest = await walk(database, search, after, most, NEWEST_PER_ROW);
  if (newest.end === undefined) return newest;
  const left = most - newest.ids.length;
  const next = await nextPart(database, search, newest.end);
  if (next.start === undefined) return { ids: newest.ids, end: next.end };
  const walked = next.isCommon
    ? await walk(database, search, next.start, left, COMMON_PER_ROW)
    : { ids: [], end: next.start };
  const ids = [...newest.ids, ...walked.ids];
  if (walked.end === undefined) return { ids, end: undefined };
  const rest = await byIndex(database, search, walked.end, most - ids.length);
  return { ids: [...ids, ...rest.ids], end: rest.end };
}

/** Reads the words of each run that fits the filters by its id, until there are enough. A join would read the words of all runs first. */
async function walk(
  queries: Queries,
  { words, newest }: RunSearch,
  after: Position | undefined,
  most: number,
  perRow: number,
): Promise<FoundRuns> {
  const steps = Math.min(most * perRow, MAX_WALKED);
  const [row] = await runComposed<{ ids: string[]; count?: number; time?: string; last?: string }>(
    queries,
    sql`WITH walked AS MATERIALIZED (${newest(after, steps)}), found AS MATERIALIZED (
        SELECT walked.id FROM walked
        WHERE (SELECT run_texts.words @@ replace(${queryTemplate(words)}, '#', run_texts.part::text)::tsquery
          FROM run_texts WHERE run_texts.run_id = walked.id)
        ORDER BY walked.created_at DESC, walked.id DESC LIMIT ${most})
      SELECT ARRAY(SELECT id FROM found) AS ids, last.*
      FROM (VALUES (0)) LEFT JOIN (
        SELECT created_at::text AS time, id AS last, (SELECT count(*) FROM walked) AS count FROM walked
        WHERE (SELECT count(*) FROM found) < ${most} ORDER BY created_at, id LIMIT 1) AS last ON true`,
  );
  const { ids = [], count, time, last } = row ?? {};
  return { ids, end: count === steps && time && last ? [time, last] : undefined };
}

/** Where the words are found next, after a position. */
interface NextPart {
  /** The position from which on there may be runs with the words. */
  readonly start?: Position;
  readonly isCommon?: boolean;
  /** Without a start: the position up to which was read, when there may be more. */
  readonly end?: Position;
}

async function nextPart(database: Listed, search: RunSearch, after: Position): Promise<NextPart> {
  const row = await readParts(
    database,
    search,
    after,
    1,
    (matching) =>
      sql`SELECT 0 AS checked, ARRAY(SELECT run_id FROM run_texts WHERE ${matching} LIMIT ${COMMON}) AS ids`,
  );
  if (row === undefined) return {};
  const { ids, parts, since, until, is_last } = row;
  if (ids === null) return is_last ? {} : { end: [since, ""] };
  return { start: parts === 1 ? after : [until, ""], isCommon: ids.length === COMMON };
}

async function byIndex(
  database: Listed,
  search: RunSearch,
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  const { conditions, from, to } = search;
  const row = await readParts(database, search, after, most, (matching) => {
    const inTime = allOf([
      matching,
      from === undefined ? undefined : sql`created_at >= ${from}::timestamptz`,
      to === undefined ? undefined : sql`created_at < ${to}::timestamptz`,
      after && sql`(created_at, run_id) < (${after[0]}::timestamptz, ${after[1]})`,
    ]);
    if (conditions.length === 0)
      return sql`SELECT 0 AS checked, ARRAY(
        SELECT run_id FROM run_texts WHERE ${inTime} ORDER BY created_at DESC, run_id DESC LIMIT ${most}) AS ids`;
    // In order, so that no more runs are read for the filters than the page needs.
    return sql`WITH matches AS MATERIALIZED (
        SELECT run_id, created_at FROM run_texts WHERE ${inTime} ORDER BY created_at DESC, run_id DESC)
      SELECT (SELECT count(*) FROM matches)::int AS checked, ARRAY(
        SELECT matches.run_id FROM matches CROSS JOIN LATERAL (
          SELECT FROM runs WHERE ${allOf([sql`runs.id = matches.run_id`, ...conditions])} OFFSET 0) AS fitting
        ORDER BY matches.created_at DESC, matches.run_id DESC LIMIT ${most}) AS ids`;
  });
  const ids = row?.ids?.slice(0, most) ?? [];
  const isAll = ids.length >= most || row === undefined || row.is_last;
  return { ids, end: isAll ? undefined : [row.since, ""] };
}
