import type { Queries, Statement } from "../database/database.ts";
import type { FoldedSums } from "./fold-events.ts";
import type { Pauses } from "./pauses.ts";
import { MAX_EXAMPLES, type StoredReasons } from "./reason-sums.ts";
import { REASONS, type RollupTable, stepsOf, TABLES } from "./rollup-tables.ts";

const KINDS = Object.keys(TABLES) as readonly (keyof typeof TABLES)[];

/** SQL that adds the rows of a parameter to a table, if the cursor was moved. */
function adding(
  { name, keys, counts, amounts = [], histograms = [] }: RollupTable,
  parameter: number,
): string {
  const columns = ["step", "since", ...keys, ...counts, ...amounts, ...histograms];
  const types = [
    "step smallint",
    "since timestamptz",
    ...keys.map((key) => `${key} text`),
    ...counts.map((column) => `${column} bigint`),
    ...amounts.map((column) => `${column} float8`),
    ...histograms.map((column) => `${column} bigint[]`),
  ];
  const values = [
    "step",
    "since",
    ...keys,
    ...[...counts, ...amounts].map((column) => `coalesce(added.${column}, 0)`),
    ...histograms.map((column) => `coalesce(added.${column}, '{}')`),
  ];
  const sums = [
    ...[...counts, ...amounts].map((column) => `${column} = ${name}.${column} + excluded.${column}`),
    ...histograms.map(
      (column) => `${column} = ARRAY(
        SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(${name}.${column}, excluded.${column}) WITH ORDINALITY AS pair (a, b, place)
        ORDER BY place)`,
    ),
  ];
  return `${name}_added AS (
      INSERT INTO ${name} (${columns.join(", ")})
      SELECT ${values.join(", ")} FROM moved, jsonb_to_recordset($${parameter}::jsonb) AS added (${types.join(", ")})
      ON CONFLICT (${["step", "since", ...keys].join(", ")}) DO UPDATE SET ${sums.join(", ")})`;
}

const REASON_KEYS = "step, since, hook, kind, event, agent, outcome, reason";

// One statement, so all of it or nothing: the sums, and the cursor after the events that they are from. The version of the cursor is
// the one that was read: if another coordinator has moved it, nothing is added. It waits for no lock but that of the cursor.
const WRITE: Statement = {
  name: "write-rollups",
  text: `
    WITH moved AS (
      UPDATE settings SET value = $2::jsonb, version = version + 1 WHERE name = 'insights' AND version = $1 RETURNING 1
    ), ${KINDS.map((kind, index) => adding(TABLES[kind], index + 3)).join(", ")}, reasons_added AS (
      INSERT INTO ${REASONS} (${REASON_KEYS}, count, examples)
      SELECT ${REASON_KEYS}, count, examples FROM moved, jsonb_to_recordset($${KINDS.length + 3}::jsonb) AS added (
        step smallint, since timestamptz, hook text, kind text, event text, agent text, outcome text, reason text, count bigint,
        examples text[])
      ON CONFLICT (${REASON_KEYS}) DO UPDATE SET count = ${REASONS}.count + excluded.count, examples = ARRAY(
        SELECT run FROM unnest(${REASONS}.examples || excluded.examples) WITH ORDINALITY AS example (run, place)
        GROUP BY run ORDER BY min(place) LIMIT ${MAX_EXAMPLES}))
    SELECT count(*) AS count FROM moved`,
};

// Of all stored reasons only those that are counted again are returned: a group may have as many as the limit allows.
const STORED_REASONS: Statement = {
  name: "stored-reasons",
  text: `
    SELECT "group", count(*) AS count, coalesce(jsonb_agg(stored.reason) FILTER (WHERE searched.reasons ? stored.reason), '[]') AS present
    FROM jsonb_to_recordset($1::jsonb) AS searched (
      "group" int, step smallint, since timestamptz, hook text, kind text, event text, agent text, outcome text, reasons jsonb)
    JOIN ${REASONS} AS stored USING (step, since, hook, kind, event, agent, outcome)
    GROUP BY "group"`,
};

/** Adds sums, and moves the cursor from the given version. False when another coordinator has moved it: then nothing is added. */
export async function writeRollups(
  queries: Queries,
  version: number,
  progress: object,
  sums: FoldedSums,
  pauses: Pauses,
): Promise<boolean> {
  const { reasons } = sums;
  const stored = reasons.isEmpty
    ? []
    : await queries.run<StoredReasons>(STORED_REASONS, [JSON.stringify(reasons.groups)]);
  const tables: string[] = [];
  for (const kind of KINDS) {
    tables.push(sums[kind].toJson(stepsOf(TABLES[kind].name)));
    await pauses.next();
  }
  const [row] = await queries.run<{ count: number }>(WRITE, [
    version,
    JSON.stringify(progress),
    ...tables,
    JSON.stringify(reasons.rows(stored)),
  ]);
  return row?.count === 1;
}
