import { BUCKET_LIMITS_MS, type Prices } from "@tenterhook/protocol/runs";

/** The slots of an event, for all lengths; of tables with many keys there are none of an hour. */
const SLOTS = "(VALUES (5), (15), (60), (1440)) AS slot (step)";
const SLOTS_WITHOUT_HOURS = "(VALUES (5), (15), (1440)) AS slot (step)";
const SINCE = `date_bin(slot.step * interval '1 minute', happened.created_at, timestamptz 'epoch')`;

/** Every event with its run's agent; those of subagents are events of their own, down to the third. */
const HAPPENED = `(
  SELECT created_at, run_id, type, data FROM events
  UNION ALL SELECT created_at, run_id, data->'event'->>'event_type', data->'event' FROM events WHERE type = 'subagent'
  UNION ALL SELECT created_at, run_id, data->'event'->'event'->>'event_type', data->'event'->'event' FROM events
  WHERE type = 'subagent' AND data->'event'->>'event_type' = 'subagent') AS happened`;

const AGENT =
  "coalesce((SELECT agent_name FROM runs WHERE runs.id = happened.run_id), happened.data->>'agent_name', '')";

/** Longer names of hooks are shortened. */
const shortName = (name: string) =>
  `CASE WHEN length(${name}) > 200 THEN left(${name}, 199) || '…' ELSE ${name} END`;

/** The calls of hooks: counted by runners, known from their acts, or made by the coordinator. */
const CALLS = `(
  SELECT created_at, run_id, hook, 'runner' AS kind, event, tool, outcome, count, data
  FROM events, LATERAL (
    SELECT tally->>'hook' AS hook, tally->>'event' AS event, coalesce(tally->>'tool', '') AS tool, tally->>'outcome' AS outcome,
      sum((tally->>'count')::bigint)::bigint AS count
    FROM jsonb_array_elements(data->'tallies') AS tally GROUP BY 1, 2, 3, 4) AS reported
  WHERE type = 'hook_tallies'
  UNION ALL
  SELECT created_at, run_id, ${shortName("data->>'hook'")}, 'runner', data->>'event', '',
    CASE WHEN data ? 'failed' THEN 'failed' WHEN data ? 'not_enforced' THEN data->>'not_enforced' ELSE CASE data->>'action' WHEN 'refuse' THEN 'blocked' WHEN 'fail' THEN 'blocked'
      WHEN 'hold' THEN 'kept_running' WHEN 'skip' THEN 'skipped' WHEN 'recover' THEN 'recovered' WHEN 'stop' THEN 'stopped'
      WHEN 'record' THEN 'objected_late' ELSE 'changed' END END, 1, data
  FROM ${HAPPENED} WHERE type = 'hook_acted' AND NOT data ? 'tallied' AND data->>'hook' <> 'on_tool_call'
    AND (data->>'action' <> 'go_on' OR data ? 'failed' OR data ? 'changed' OR data ? 'not_enforced')
  UNION ALL
  SELECT created_at, run_id, coalesce(data->>'hook_name', data->>'target_name', ''),
    CASE WHEN data ? 'hook_name' THEN 'named' ELSE 'inline' END, data->>'hook_type', '',
    CASE WHEN type = 'hook_failed' THEN 'failed' WHEN data ? 'not_enforced' THEN data->>'not_enforced'
      WHEN type = 'approval_requested' OR NOT data ? 'duration_ms' THEN 'asked'
      WHEN data->>'action' = 'block' THEN 'blocked' WHEN data ? 'changed' THEN 'changed' ELSE 'passed' END, 1, data
  FROM events WHERE NOT data ? 'tallied' AND (type IN ('hook_complete', 'hook_failed') OR type = 'hook_blocked' AND NOT data ? 'duration_ms')
    OR type = 'approval_requested' AND data ? 'target_name'
  ) AS happened`;

/** The bucket of a duration in milliseconds, from 1, as arrays count. */
const bucketOf = (ms: string) =>
  `(SELECT count(*) + 1 FROM unnest(ARRAY[${BUCKET_LIMITS_MS.join(", ")}]::float8[]) AS bucket_limit WHERE ${ms} > bucket_limit)`;
const BUCKETS = `generate_series(1, ${BUCKET_LIMITS_MS.length + 1}) AS bucket`;
const msBetween = (from: string, to: string) => `extract(epoch FROM ${to} - ${from})::float8 * 1000`;

/** The first start of each run, with when the run was created. */
const FIRST_STARTS = `(
  SELECT DISTINCT ON (run_id) run_id, created_at, (
    SELECT created_at FROM events AS made WHERE made.run_id = events.run_id AND made.type = 'run_created') AS run_created_at
  FROM events WHERE type = 'run_started' ORDER BY run_id, number)`;

/** How long calls of hooks took: with the buckets that runners reported, or as the coordinator measured it. */
const HOOK_TIMES = `(
  SELECT created_at, bucket::bigint AS bucket, count::bigint AS count FROM events, jsonb_array_elements(data->'tallies') AS tally,
    jsonb_array_elements_text(tally->'durations') WITH ORDINALITY AS timed (count, bucket) WHERE type = 'hook_tallies'
  UNION ALL
  SELECT created_at, ${bucketOf("(data->>'duration_ms')::float8")}, 1 FROM events
  WHERE type IN ('hook_complete', 'hook_failed', 'approval_requested') AND data ? 'duration_ms') AS happened`;
const HOOK_MS = `(
  SELECT created_at, (SELECT sum((tally->>'duration_ms')::float8) FROM jsonb_array_elements(data->'tallies') AS tally) AS ms
  FROM events WHERE type = 'hook_tallies'
  UNION ALL
  SELECT created_at, (data->>'duration_ms')::float8 FROM events
  WHERE type IN ('hook_complete', 'hook_failed', 'approval_requested') AND data ? 'duration_ms') AS happened`;

/** Compares the rows of two queries with the same columns, and returns those that only one of them has. Each is executed once. */
function comparing(counted: string, summed: string): string {
  return `
    WITH counted AS MATERIALIZED (${counted}), summed AS MATERIALIZED (${summed})
    SELECT row::text AS id FROM (
      (SELECT 'counted ' || different::text AS row FROM (TABLE counted EXCEPT ALL TABLE summed) AS different)
      UNION ALL
      (SELECT 'summed ' || different::text FROM (TABLE summed EXCEPT ALL TABLE counted) AS different)) AS different`;
}

const RUN_EVENTS = "('run_created', 'run_completed', 'run_failed', 'run_stopped')";
const runCounts = ["created", "completed", "failed", "stopped"]
  .map((end) => `count(*) FILTER (WHERE type = 'run_${end}') AS ${end}`)
  .join(", ");

/** As `INSIGHT_CHECKS`: costs are those of the steps by these prices, which are for a million tokens. */
export function checkCosts({ models }: Pick<Prices, "models">): readonly [string, string] {
  const prices = Object.entries(models).map(
    ([model, { input, output }]) => `('${model}', ${input}::float8, ${output}::float8)`,
  );
  return [
    "the cost of a model is not that of its steps",
    `SELECT step || ' ' || since || ' ' || agent || ' ' || model AS id FROM model_rollups FULL JOIN (
       SELECT step::smallint, ${SINCE} AS since, ${AGENT} AS agent, coalesce(data->'usage'->>'model', '') AS model,
         sum(((data->'usage'->>'input_tokens')::float8 * price.input + (data->'usage'->>'output_tokens')::float8 * price.output) / 1e6) AS counted,
         count(*) FILTER (WHERE price.input IS NULL) AS unpriced
       FROM ${HAPPENED} LEFT JOIN (VALUES ${prices.join(", ")}) AS price (model, input, output) ON price.model = data->'usage'->>'model', ${SLOTS}
       WHERE type = 'step_end' AND data ? 'usage' GROUP BY 1, 2, 3, 4) AS steps USING (step, since, agent, model)
     WHERE abs(coalesce(cost, 0) - coalesce(counted, 0)) > 1e-9 * (1 + coalesce(cost, 0)) OR unpriced_calls IS DISTINCT FROM unpriced`,
  ];
}

/**
 * What must be true of the roll-ups of a store whose events are all folded, and none removed: a description, and a query for violations.
 * Counted from the events in another way than the coordinator does it.
 */
export const INSIGHT_CHECKS: readonly (readonly [string, string])[] = [
  [
    "an event is not folded",
    `SELECT events.id::text FROM events, settings WHERE name = 'insights'
      AND (xid, id) > ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint) AND id > (value->>'floor')::bigint`,
  ],
  [
    "the totals of runs are not those of their events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${runCounts} FROM events AS happened, ${SLOTS}
       WHERE type IN ${RUN_EVENTS} GROUP BY 1, 2`,
      `SELECT step, since, created, completed, failed, stopped FROM total_rollups
       WHERE created + completed + failed + stopped > 0`,
    ),
  ],
  [
    "the runs of an agent are not those of their events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${AGENT} AS agent, ${runCounts} FROM events AS happened, ${SLOTS}
       WHERE type IN ${RUN_EVENTS} GROUP BY 1, 2, 3`,
      `SELECT step, since, agent, created, completed, failed, stopped FROM run_rollups
       WHERE created + completed + failed + stopped > 0`,
    ),
  ],
  [
    "the starts of runs are not those of their events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, count(*) AS started FROM events AS happened, ${SLOTS}
       WHERE type = 'run_started' AND NOT EXISTS (SELECT FROM events AS earlier
         WHERE earlier.run_id = happened.run_id AND earlier.number < happened.number AND earlier.type = 'run_started')
       GROUP BY 1, 2`,
      "SELECT step, since, started FROM total_rollups WHERE started > 0",
    ),
  ],
  [
    "not every started run has a duration",
    `SELECT agent AS id FROM run_rollups WHERE step = 1440 GROUP BY agent
     HAVING sum((SELECT coalesce(sum(each), 0) FROM unnest(waits) AS each)) <> sum(started)
       OR sum((SELECT coalesce(sum(each), 0) FROM unnest(durations) AS each)) > sum(completed + failed + stopped)`,
  ],
  [
    "the decisions of hooks are not those of their calls",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, outcome, sum(count) AS count FROM ${CALLS}, ${SLOTS} GROUP BY 1, 2, 3`,
      "SELECT step, since, outcome, count::numeric FROM decision_rollups",
    ),
  ],
  [
    "the calls of a hook are not those of its events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, hook, kind, event, ${AGENT} AS agent, tool, outcome, sum(count) AS count
       FROM ${CALLS}, ${SLOTS_WITHOUT_HOURS} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
      "SELECT step, since, hook, kind, event, agent, tool, outcome, count::numeric FROM hook_rollups",
    ),
  ],
  [
    "the calls of a hook for all agents and tools are not those of its events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, hook, kind, event, outcome, sum(count) AS count
       FROM ${CALLS}, ${SLOTS} GROUP BY 1, 2, 3, 4, 5, 6`,
      "SELECT step, since, hook, kind, event, outcome, count::numeric FROM hook_total_rollups",
    ),
  ],
  [
    "the decisions of hooks for an agent are not those of its events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${AGENT} AS agent, outcome, sum(count) AS count
       FROM ${CALLS}, ${SLOTS} GROUP BY 1, 2, 3, 4`,
      "SELECT step, since, agent, outcome, count::numeric FROM agent_decision_rollups",
    ),
  ],
  [
    "the decisions of hooks for a tool are not those of its events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, tool, outcome, sum(count) AS count FROM ${CALLS}, ${SLOTS} GROUP BY 1, 2, 3, 4`,
      "SELECT step, since, tool, outcome, count::numeric FROM tool_decision_rollups",
    ),
  ],
  [
    "the durations of hooks differ between tables",
    `SELECT bucket::text AS id FROM generate_series(1, 24) AS bucket WHERE EXISTS (
       SELECT FROM total_rollups AS total WHERE coalesce(total.hook_durations[bucket], 0) <> (
         SELECT coalesce(sum(each.durations[bucket]), 0) FROM hook_total_rollups AS each
         WHERE each.step = total.step AND each.since = total.since)
       OR total.step <> 60 AND coalesce(total.hook_durations[bucket], 0) <> (
         SELECT coalesce(sum(each.durations[bucket]), 0) FROM hook_rollups AS each
         WHERE each.step = total.step AND each.since = total.since))`,
  ],
  [
    // Sums of fractions depend on the order in which they were added.
    "the time of hooks differs between tables",
    `SELECT step || ' ' || since AS id FROM total_rollups AS total WHERE abs(hook_ms - (
       SELECT coalesce(sum(duration_ms), 0) FROM hook_total_rollups AS each
       WHERE each.step = total.step AND each.since = total.since)) > 1e-6 * (1 + hook_ms)`,
  ],
  [
    "the waits and durations of runs differ between tables",
    `SELECT bucket::text AS id FROM generate_series(1, 24) AS bucket WHERE EXISTS (
       SELECT FROM total_rollups AS total WHERE (coalesce(waits[bucket], 0), coalesce(durations[bucket], 0)) <> (
         SELECT coalesce(sum(each.waits[bucket]), 0), coalesce(sum(each.durations[bucket]), 0) FROM run_rollups AS each
         WHERE each.step = total.step AND each.since = total.since))`,
  ],
  [
    "the time to start of runs is not that of their events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${bucketOf(msBetween("run_created_at", "happened.created_at"))} AS bucket, count(*) AS count
       FROM ${FIRST_STARTS} AS happened, ${SLOTS} WHERE run_created_at IS NOT NULL GROUP BY 1, 2, 3`,
      `SELECT step, since, bucket::bigint, waits[bucket] FROM total_rollups, ${BUCKETS} WHERE waits[bucket] > 0`,
    ),
  ],
  [
    // A run whose end was its first report has no event of its start.
    "the durations of runs are not those of their events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${bucketOf(msBetween("began_at", "happened.created_at"))} AS bucket, count(*) AS count
       FROM (
         SELECT events.*, coalesce(began.created_at, runs.started_at) AS began_at
         FROM events LEFT JOIN ${FIRST_STARTS} AS began USING (run_id) LEFT JOIN runs ON runs.id = events.run_id
         WHERE events.type IN ('run_completed', 'run_failed', 'run_stopped')) AS happened, ${SLOTS}
       WHERE began_at IS NOT NULL GROUP BY 1, 2, 3`,
      `SELECT step, since, bucket::bigint, durations[bucket] FROM total_rollups, ${BUCKETS} WHERE durations[bucket] > 0`,
    ),
  ],
  [
    "the durations of hooks are not those of their calls",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, bucket, sum(count) AS count FROM ${HOOK_TIMES}, ${SLOTS} WHERE count > 0 GROUP BY 1, 2, 3`,
      `SELECT step, since, bucket::bigint, hook_durations[bucket]::numeric FROM total_rollups, ${BUCKETS} WHERE hook_durations[bucket] > 0`,
    ),
  ],
  [
    "the time of hooks is not that of their calls",
    `SELECT step || ' ' || since AS id FROM total_rollups FULL JOIN (
       SELECT step::smallint, ${SINCE} AS since, sum(ms) AS ms FROM ${HOOK_MS}, ${SLOTS} GROUP BY 1, 2) AS counted USING (step, since)
     WHERE abs(coalesce(hook_ms, 0) - coalesce(ms, 0)) > 1e-6 * (1 + coalesce(ms, 0))`,
  ],
  [
    // Each part of an attempt is rounded.
    "the time of runners is not that of their attempts",
    `SELECT counted || ' ms counted, ' || summed || ' ms summed' AS id FROM (
       SELECT coalesce(sum(${msBetween("began.created_at", "ended_at")}), 0) AS counted, count(*) AS attempts,
         (SELECT coalesce(sum(busy_ms), 0) FROM runner_rollups WHERE step = 1440) AS summed,
         (SELECT count(*) FROM runner_rollups) AS parts
       FROM events AS began, LATERAL (
         SELECT min(created_at) AS ended_at FROM events AS ended WHERE ended.run_id = began.run_id AND ended.number > began.number
           AND ended.type IN ('run_completed', 'run_failed', 'run_stopped', 'run_finishing', 'run_retried')) AS ended
       WHERE began.type = 'run_started') AS pair
     WHERE abs(counted - summed) > 1 + attempts + parts`,
  ],
  [
    "the tokens of a model are not those of its steps",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since, ${AGENT} AS agent, coalesce(data->'usage'->>'model', '') AS model, count(*) AS calls,
         sum((data->'usage'->>'input_tokens')::numeric) AS input, sum((data->'usage'->>'output_tokens')::numeric) AS output
       FROM ${HAPPENED}, ${SLOTS} WHERE type = 'step_end' AND data ? 'usage' GROUP BY 1, 2, 3, 4`,
      "SELECT step, since, agent, model, calls, input_tokens::numeric, output_tokens::numeric FROM model_rollups",
    ),
  ],
  [
    "the totals of tokens are not those of the models",
    comparing(
      `SELECT step, since, sum(calls) AS calls, sum(input_tokens) AS input, sum(output_tokens) AS output FROM model_rollups
       GROUP BY step, since`,
      "SELECT step, since, calls::numeric, input_tokens::numeric, output_tokens::numeric FROM total_rollups WHERE calls > 0",
    ),
  ],
  [
    // Costs are sums of fractions, too.
    "the total cost is not that of the models",
    `SELECT step || ' ' || since AS id FROM total_rollups AS total WHERE abs(cost - (
       SELECT coalesce(sum(cost), 0) FROM model_rollups AS each
       WHERE each.step = total.step AND each.since = total.since)) > 1e-9 * (1 + cost)`,
  ],
  [
    "the reasons of a hook are not those of its events",
    comparing(
      `SELECT step::smallint, ${SINCE} AS since,
         ${shortName("coalesce(data->>'hook', data->>'hook_name', data->>'target_name', '')")} AS hook,
         CASE WHEN data ? 'failed' OR NOT data ? 'not_enforced' THEN 'enforced' ELSE data->>'not_enforced' END AS outcome,
         count(*)::numeric AS count
       FROM ${HAPPENED}, ${SLOTS_WITHOUT_HOURS} WHERE type = 'hook_failed' OR type = 'hook_blocked' AND NOT data ? 'tallied' OR type = 'approval_requested' AND data ? 'target_name'
         OR type = 'hook_complete' AND data ? 'not_enforced'
         OR type = 'hook_acted' AND data->>'hook' IS NOT NULL AND data->>'hook' <> 'on_tool_call'
         AND (data ? 'not_enforced' OR data ? 'reason' AND (data->>'action' <> 'go_on' OR data ? 'failed'))
       GROUP BY 1, 2, 3, 4`,
      `SELECT step, since, hook, CASE WHEN outcome LIKE 'would\\_%' THEN outcome ELSE 'enforced' END AS outcome, sum(count) AS count
       FROM reason_rollups GROUP BY 1, 2, 3, 4`,
    ),
  ],
  [
    "the slots of a length do not add up to those of another",
    `SELECT step::text AS id FROM (
       SELECT slot.step, (SELECT (coalesce(sum(created), 0), coalesce(sum(busy_ms), 0)) FROM total_rollups WHERE total_rollups.step = slot.step)::text
         || (SELECT (coalesce(sum(busy_ms), 0), coalesce(sum(attempts), 0)) FROM runner_rollups WHERE runner_rollups.step = slot.step)::text
         AS sums FROM ${SLOTS}) AS each
     WHERE sums <> (SELECT (coalesce(sum(created), 0), coalesce(sum(busy_ms), 0)) FROM total_rollups WHERE step = 1440)::text
         || (SELECT (coalesce(sum(busy_ms), 0), coalesce(sum(attempts), 0)) FROM runner_rollups WHERE step = 1440)::text`,
  ],
  [
    "the attempts of runners are not those of their events",
    `SELECT counted || ' counted, ' || summed || ' summed' AS id FROM (
       SELECT (SELECT count(*) FROM events WHERE type = 'run_started') AS counted,
         (SELECT coalesce(sum(attempts), 0) FROM runner_rollups WHERE step = 1440) AS summed) AS pair
     WHERE counted <> summed`,
  ],
];
