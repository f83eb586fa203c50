import type { Statement } from "../database/database.ts";
import type { EventFilter } from "./event-filter.ts";
import { horizonSql } from "./horizon.ts";

/** How many events one statement reads at most. */
export const BATCH = 500;
/** It stops earlier at this size of the stored data: some events are a thousand times larger than others. */
const BATCH_BYTES = 256 * 1024;

// Only events before which no transaction can write any more: none may appear behind the cursor.
const IS_SETTLED = `xid < ${horizonSql("$4")}`;

/**
 * Which events, and from where on. Each is read in the stream's order through an index, so that a page costs the same wherever
 * it begins. The planner must have no other choice: it takes every run and session for a small one of average size. So the order
 * of `events_of_session` is asked for in full, and the run is compared as that index has it and no other.
 */
const SOURCES = {
  all: `SELECT * FROM events WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND ${IS_SETTLED} ORDER BY xid, id LIMIT $3`,
  session: `
    SELECT * FROM events
    WHERE (session_id, xid, id) > ($5, $1::text::xid8, $2::bigint) AND session_id <= $5 AND ${IS_SETTLED}
    ORDER BY session_id, xid, id LIMIT $3`,
  // Those of its session that are the run's, from the run's beginning on. Numbers are not in the stream's order: a transaction
  // that began earlier may have written later. The run itself may have been removed already.
  run: `
    SELECT found.* FROM (
      SELECT first.session_id, greatest(events_since, $1::text::xid8) AS xid,
        CASE WHEN events_since > $1::text::xid8 THEN 0 ELSE $2::bigint END AS id
      FROM (SELECT session_id FROM events WHERE run_id = $5 ORDER BY number LIMIT 1) AS first
      LEFT JOIN runs ON runs.id = $5
    ) AS since, LATERAL (
      SELECT * FROM events
      WHERE (session_id, xid, id) > (since.session_id, since.xid, since.id) AND session_id <= since.session_id
        AND coalesce(run_id, '') = $5 AND ${IS_SETTLED}
      ORDER BY session_id, xid, id LIMIT $3
    ) AS found`,
} as const;

type Source = keyof typeof SOURCES;

const read = (source: Source, withAgent: boolean): Statement => ({
  name: `read-events-of-${source}${withAgent ? "-with-agent" : ""}`,
  text: `
    SELECT batch.id, batch.xid, batch.run_id, batch.session_id, batch.number, batch.type, batch.data, batch.created_at
      ${withAgent ? ", runs.agent_name" : ""}
    FROM (
      SELECT *, sum(pg_column_size(data)) OVER (
        ORDER BY xid, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (${SOURCES[source]}) AS next
    ) AS batch ${withAgent ? "LEFT JOIN runs ON runs.id = batch.run_id" : ""}
    WHERE coalesce(bytes_before, 0) < ${BATCH_BYTES}
    ORDER BY batch.xid, batch.id`,
});

const PLAIN = { all: read("all", false), session: read("session", false), run: read("run", false) };
const WITH_AGENT = { all: read("all", true), session: read("session", true), run: read("run", true) };

/** The statement that reads the events of a filter, with the agents' names if it needs them, and its last value. */
export function statementFor(filter: EventFilter, withAgent: boolean): [Statement, ...string[]] {
  const statements = withAgent || filter.agent !== undefined ? WITH_AGENT : PLAIN;
  if (filter.run_id !== undefined) return [statements.run, filter.run_id];
  if (filter.session_id !== undefined) return [statements.session, filter.session_id];
  return [statements.all];
}
