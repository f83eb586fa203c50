import { storableText } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { sqlState } from "../domain/run-state.ts";
import type { Json } from "../store/rows.ts";
import { readReportedHooks } from "./reported-hooks.ts";
import { readUsage } from "./reported-usage.ts";
import { acceptReport } from "./reports.ts";

export interface ReportedEvent {
  readonly type: string;
  readonly data: Json;
  readonly msAgo: number;
}

/** So many models of a run are counted separately; the usage of the others is counted without a model. */
const MAX_MODELS = 16;

/** Calls of a hook in a run are counted up to this number, which fits into the column. */
const MAX_COUNT = 2_000_000_000;

// What was used so far and what the new events say, by model.
const USAGE = `(
  SELECT jsonb_agg(jsonb_build_object('model', model, 'input_tokens', input, 'output_tokens', output) ORDER BY model)
  FROM (
    SELECT CASE WHEN place <= ${MAX_MODELS} THEN model END AS model, sum(input) AS input, sum(output) AS output
    FROM (
      SELECT model, sum(input_tokens) AS input, sum(output_tokens) AS output,
        row_number() OVER (ORDER BY sum(input_tokens) + sum(output_tokens) DESC, model) AS place
      FROM (
        SELECT * FROM jsonb_to_recordset(coalesce(runs.usage, '[]'))
          AS used (model text, input_tokens numeric, output_tokens numeric)
        UNION ALL
        SELECT used.* FROM new, jsonb_to_recordset(new.calls::jsonb)
          AS used (model text, input_tokens numeric, output_tokens numeric)) AS calls
      GROUP BY model) AS by_model
    GROUP BY 1) AS counted)`;

// The runner numbers its events; those that are stored already are skipped, so that a report can be repeated.
// Events are reported in batches, but happened one after another; none of them before its run started.
const report = (columns: string, values: string, usage: string, more = "") => `
    WITH old AS (
      SELECT id, session_id, agent_name, created_at, event_count, reported_count, started_at FROM runs
      WHERE id = $1 AND lease_token = $2 AND state ${sqlState.started} FOR UPDATE
    ), new AS (
      SELECT ${columns}, position
      FROM old, unnest(${values}) WITH ORDINALITY AS each (${columns}, position)
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
        reported_count = greatest(runs.reported_count, $3::int + cardinality($4::text[]) - 1)${usage}
      FROM old WHERE runs.id = old.id
    )${more}
    SELECT id FROM old`;

const REPORT: Statement = {
  name: "report-events",
  text: report("type, data, ms_ago", "$4::text[], $5::text[], $6::int[]", ""),
};
// What hooks on the runner did is also counted, by run: events are many, and kept for another time.
const COUNT_HOOKS = `, h AS (
      INSERT INTO runner_hook_results AS known (run_id, hook, event, outcome, agent_name, run_created_at, count)
      SELECT old.id, acted.hook, acted.event, acted.outcome, old.agent_name, old.created_at, least(sum(acted.count), ${MAX_COUNT})
      FROM old, new, jsonb_to_recordset(new.acts::jsonb) AS acted (hook text, event text, outcome text, count bigint)
      GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (run_id, hook, event, outcome) DO UPDATE SET count = least(known.count::bigint + excluded.count, ${MAX_COUNT})
    )`;

/** Few events report usage or what hooks did, and the others need not count it. */
const REPORT_COUNTED: Statement = {
  name: "report-counted-events",
  text: report(
    "type, data, ms_ago, calls, acts",
    "$4::text[], $5::text[], $6::int[], $7::text[], $8::text[]",
    `,
        usage = ${USAGE}`,
    COUNT_HOOKS,
  ),
};

/** Stores events of a run that its runner saw. False when the run is no longer the runner's. */
export async function reportEvents(
  queries: Queries,
  runId: string,
  token: string,
  first: number,
  reported: readonly ReportedEvent[],
): Promise<boolean> {
  const events = reported.map(withStorableData);
  const values = [
    runId,
    token,
    first,
    events.map(({ type }) => type),
    events.map(({ text }) => text),
    events.map(({ msAgo }) => msAgo),
  ];
  const used = events.map(readUsage);
  const acts = events.map(readReportedHooks);
  const isCounted = used.some((usage) => usage !== undefined) || acts.some(({ length }) => length > 0);
  const stored = () =>
    isCounted
      ? queries.run(REPORT_COUNTED, [...values, used.map(asList), acts.map((act) => JSON.stringify(act))])
      : queries.run(REPORT, values);
  return acceptReport(queries, runId, token, async () => (await stored()).length > 0);
}

/** An event with its data as JSON, without characters that a database cannot keep: what is counted is what is stored. */
function withStorableData(event: ReportedEvent): ReportedEvent & { readonly text: string } {
  const written = JSON.stringify(event.data);
  const text = storableText(written);
  return { ...event, text, data: text === written ? event.data : JSON.parse(text) };
}

/** None or one, as a JSON list. */
function asList(value: object | undefined): string {
  return JSON.stringify(value === undefined ? [] : [value]);
}
