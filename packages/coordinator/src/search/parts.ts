import type { Queries, Statement } from "../database/database.ts";

/** The approximate number of runs in a part of the index. A common word costs as many rows as a part has, a rare one a lookup in each part. */
export const PART_SIZE = 4_096;

const PARTS = "run_text_parts";

/** The number of the part that a run of this time belongs to. */
export const partAt = (time: string) =>
  `(SELECT number FROM ${PARTS} WHERE since <= ${time} ORDER BY since DESC LIMIT 1)`;

const UNTIL = `coalesce((SELECT later.since FROM ${PARTS} AS later WHERE later.since > ${PARTS}.since
      ORDER BY later.since LIMIT 1), 'infinity')`;

// Later than every run that was written to the full part. A run that is committed afterwards may be older, and belongs to the full one.
const BEGIN: Statement = {
  name: "begin-run-text-part",
  text: `
    INSERT INTO ${PARTS} (since)
    SELECT next.since FROM (
      SELECT ${UNTIL} AS until, greatest(now(), (
          SELECT created_at FROM runs WHERE created_at < ${UNTIL} ORDER BY created_at DESC LIMIT 1
        ) + interval '1 microsecond') AS since
      FROM ${PARTS} WHERE number = $1 AND runs >= $2) AS next
    WHERE next.since < next.until
    ON CONFLICT (since) DO NOTHING`,
};

// Older runs are written from the newest to the oldest: all that are not older than `$1` were written.
const END_OLDEST: Statement = {
  name: "end-oldest-run-text-part",
  text: `
    WITH full_part AS (
      UPDATE ${PARTS} SET since = $1::timestamptz
      WHERE since = '-infinity' AND runs >= $2 AND $1::timestamptz < ${UNTIL}
      RETURNING number)
    INSERT INTO ${PARTS} (since) SELECT '-infinity' FROM full_part`,
};

// Parts whose runs were all removed: the oldest run belongs to the oldest part.
const OLDEST = `(SELECT since FROM ${PARTS} WHERE since <= (SELECT created_at FROM runs ORDER BY created_at LIMIT 1)
    ORDER BY since DESC LIMIT 1)`;

const REMOVE: Statement = {
  name: "remove-run-text-parts",
  text: `
    WITH removed AS (DELETE FROM ${PARTS} WHERE since < ${OLDEST} RETURNING since)
    UPDATE ${PARTS} SET since = '-infinity' WHERE since = ${OLDEST} AND (SELECT count(*) FROM removed) > 0`,
};

/** A part that runs were added to. */
export interface GrownPart {
  readonly number: number;
  readonly runs: number;
}

/** Begins another part if this one is full, and removes the parts whose runs were all removed. */
export async function beginPart(queries: Queries, { number, runs }: GrownPart, size: number): Promise<void> {
  if (runs < size) return;
  await queries.run(BEGIN, [number, size]);
  await queries.run(REMOVE);
}

/** Ends the oldest part at this time if it is full. Older runs belong to another part. */
export async function endOldestPart(
  queries: Queries,
  { runs }: GrownPart,
  size: number,
  time: string,
): Promise<void> {
  if (runs >= size) await queries.run(END_OLDEST, [time, size]);
}
