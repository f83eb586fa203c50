import { sqlState } from "../domain/run-state.ts";

/** SQL for whether a run waits for a runner. With a kind, there is an index of those runs by their tags. */
export const WAITS = `state ${sqlState.before("claimed")}`;

/** SQL for a recursive part of a statement: the tag sets of the waiting runs of a kind, each found by one step in the index. */
export function waitingTagSets(name: string, kind: string): string {
  return `${name}(tags) AS (
      (SELECT tags FROM runs WHERE ${WAITS} AND ${kind} ORDER BY tags LIMIT 1)
      UNION ALL
      SELECT (
        SELECT runs.tags FROM runs WHERE ${WAITS} AND ${kind} AND runs.tags > known.tags
        ORDER BY runs.tags LIMIT 1)
      FROM ${name} AS known WHERE known.tags IS NOT NULL
    )`;
}
