import type { Database, Queries, Statement } from "../database/database.ts";
import { type Fragment, joined, runComposed, sql, verbatim } from "../database/fragment.ts";
import type { Position } from "./cursor.ts";

/** So many runs that contain the words are sorted at once. Of more common words the newest runs are read until a page is full. */
export const MAX_CANDIDATES = 10_000;
/** And so many of them at most: a page that is not full by then is a short one, and the next continues behind them. */
const MAX_WALKED = 20_000;
/** The first step: as many rows for each row of a page. */
const WALK_FACTOR = 10;

/** A database that lists are read from. */
export type Listed = Pick<Database, "run" | "transaction">;

/** The ids of runs that contain the words and fit the filters, the newest first. */
export interface FoundRuns {
  readonly ids: readonly string[];
  /** How far was read, when there may be more behind it. */
  readonly end: Position | undefined;
}

/** The newest runs of a list after a position, at most so many: `SELECT id, created_at …`. */
export type Newest = (after: Position | undefined, most: number) => Fragment;

/**
 * Finds the newest runs that contain words. An index of words has no order, so a common word would have all of its runs read and
 * sorted: those are found by walking the list itself, which is quick because many fit. Rare words are found by the index.
 */
export async function searchRuns(
  database: Listed,
  words: string,
  newest: Newest,
  conditions: readonly Fragment[],
  after: Position | undefined,
  most: number,
): Promise<FoundRuns> {
  const first = await walk(database, words, newest, after, most, most * WALK_FACTOR);
  if (first.isFull || first.end === undefined) return found(first);
  const rare = await byIndex(database, words, conditions, most);
  if (rare !== undefined) return { ids: rare, end: undefined };
  const second = await walk(database, words, newest, first.end, most, MAX_WALKED);
  return found({ ...second, ids: [...first.ids, ...second.ids] });
}

interface Walk {
  readonly ids: readonly string[];
  readonly isFull: boolean;
  readonly end: Position | undefined;
}

function found({ ids, isFull, end }: Walk): FoundRuns {
  return { ids, end: isFull ? undefined : end };
}

/** Reads the words of each run by its id. As a join, the planner would read the words of all runs first. */
async function walk(
  queries: Queries,
  words: string,
  newest: Newest,
  after: Position | undefined,
  most: number,
  steps: number,
): Promise<Walk> {
  const rows = await runComposed<{ count: number; time: string | null; last: string | null; ids: string[] }>(
    queries,
    sql`WITH walked AS MATERIALIZED (${newest(after, steps)}),
      last AS (SELECT created_at::text AS time, id FROM walked ORDER BY created_at, id LIMIT 1)
      SELECT (SELECT count(*) FROM walked) AS count, last.time, last.id AS last, ARRAY(
        SELECT walked.id FROM walked
        WHERE (SELECT run_texts.words FROM run_texts WHERE run_texts.run_id = walked.id) @@ ${words}::tsquery
        ORDER BY walked.created_at DESC, walked.id DESC LIMIT ${most}) AS ids
      FROM (SELECT) AS one LEFT JOIN last ON true`,
  );
  const [row] = rows;
  if (row === undefined) return { ids: [], isFull: false, end: undefined };
  const { count, time, last, ids } = row;
  const end: Position | undefined =
    count < steps || time === null || last === null ? undefined : [time, last];
  return { ids, isFull: ids.length >= most, end };
}

// The other statements walk indexes in order. An index of words can only be read as a whole.
const ALLOW_BITMAPS: Statement = { name: "", text: "SET LOCAL enable_bitmapscan = on" };

/** Undefined when the words are too common for it. */
async function byIndex(
  database: Listed,
  words: string,
  conditions: readonly Fragment[],
  most: number,
): Promise<readonly string[] | undefined> {
  const rows = await database.transaction(async (queries) => {
    await queries.run(ALLOW_BITMAPS);
    return runComposed<{ candidates: number; ids: string[] }>(
      queries,
      sql`WITH candidates AS MATERIALIZED (
          SELECT run_id FROM run_texts WHERE words @@ ${words}::tsquery LIMIT ${MAX_CANDIDATES + 1})
        SELECT (SELECT count(*) FROM candidates) AS candidates, ARRAY(
          SELECT runs.id FROM candidates JOIN runs ON runs.id = candidates.run_id
          WHERE ${joined([verbatim("true"), ...conditions], " AND ")}
          ORDER BY runs.created_at DESC, runs.id DESC LIMIT ${most}) AS ids`,
    );
  });
  const [row] = rows;
  return row === undefined || row.candidates > MAX_CANDIDATES ? undefined : row.ids;
}

/** How many runs contain words: exactly while there are few, else at least so many. */
export async function countFound(
  database: Listed,
  words: string,
  newest: Newest,
  conditions: readonly Fragment[],
  most: number,
): Promise<FoundRuns> {
  const first = await walk(database, words, newest, undefined, most, most * 2);
  if (first.isFull || first.end === undefined) return found(first);
  const rare = await byIndex(database, words, conditions, most);
  return rare === undefined ? found(first) : { ids: rare, end: undefined };
}
