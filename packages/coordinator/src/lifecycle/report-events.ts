import type { Queries, Statement } from "../database/database.ts";
import { sqlState } from "../domain/run-state.ts";
import type { Json } from "../store/rows.ts";
import { acceptReport } from "./reports.ts";

export interface ReportedEvent {
  readonly type: string;
  readonly data: Json;
  readonly msAgo: number;
}

// The runner numbers its events; those that are stored already are skipped, so that a report can be repeated.
// Events are reported in batches, but happened one after another; none of them before its run started.
const REPORT: Statement = {
  name: "report-events",
  text: `
    WITH old AS (
      SELECT id, session_id, event_count, reported_count, started_at FROM runs
      WHERE id = $1 AND lease_token = $2 AND state ${sqlState.started} FOR UPDATE
    ), new AS (
      SELECT type, data, ms_ago, position
      FROM old, unnest($4::text[], $5::text[], $6::int[]) WITH ORDINALITY AS each (type, data, ms_ago, position)
      WHERE $3::int + position - 1 > old.reported_count
    ), numbered AS (
      SELECT type, data, ms_ago, row_number() OVER (ORDER BY position) AS ordinal FROM new
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data, created_at)
      SELECT old.id, old.session_id, old.event_count + ordinal, type, data::jsonb,
        greatest(old.started_at, now() - ms_ago * interval '1 millisecond')
      FROM old, numbered
      RETURNING number
    ), u AS (
      UPDATE runs SET event_count = runs.event_count + (SELECT count(*) FROM numbered),
        reported_count = greatest(runs.reported_count, $3::int + cardinality($4::text[]) - 1)
      FROM old WHERE runs.id = old.id
    )
    SELECT id FROM old`,
};

/** Stores events of a run that its runner saw. False when the run is no longer the runner's. */
export async function reportEvents(
  queries: Queries,
  runId: string,
  token: string,
  first: number,
  events: readonly ReportedEvent[],
): Promise<boolean> {
  const values = [
    runId,
    token,
    first,
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ msAgo }) => msAgo),
  ];
  return acceptReport(queries, runId, token, async () => (await queries.run(REPORT, values)).length > 0);
}
