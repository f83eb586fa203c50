/** Full days before today. */
const DAYS = 90;
/** The days that one statement fills: a statement may not take long. */
const DAYS_AT_ONCE = 3;

const IS_KEPT = "(step > 5 OR at > now() - interval '2 days')";
const HISTOGRAM = "ARRAY[0, 0, 0, count(*), 0, 0, count(*)]";
const COUNTS =
  "count(*), count(*), count(*) FILTER (WHERE NOT has_failed), count(*) FILTER (WHERE has_failed)";

/**
 * Statements that fill the roll-ups as folding the events of so many runs of 90 days would, and of today: 20 agents, of which four are at
 * work in the same quarter of an hour, with 12 of 60 hooks each; 40 tools, 8 models, 6 runners, and 17 reasons of each hook. A run has three
 * rows of tallies, and one in 31 of these is a refusal.
 */
export function fillRollups(runs: number): readonly string[] {
  const days = Array.from({ length: DAYS / DAYS_AT_ONCE + 1 }, (_, part) => part * DAYS_AT_ONCE);
  return [
    ...days.flatMap((ago) => fillDays(runs, ago)),
    ...["hook_rollups", "reason_rollups", "hook_total_rollups"].map((table) => `VACUUM (ANALYZE) ${table}`),
    "VACUUM (ANALYZE)",
  ];
}

/** Fills some days, of which the last began so many days ago: slots of 5 and 15 minutes, and the longer ones from these. */
function fillDays(runs: number, ago: number): readonly string[] {
  const perDay = Math.round(runs / DAYS);
  const run = `
    (SELECT ago * ${perDay} + n AS n, at, (extract(epoch FROM at)::bigint / 900 * 7 + n % 4) % 20 AS agent, n % 20 = 0 AS has_failed
     FROM generate_series(${ago}, ${ago + DAYS_AT_ONCE - 1}) AS ago, generate_series(0, ${perDay - 1}) AS n,
       LATERAL (SELECT date_trunc('day', now(), 'UTC') - ago * interval '1 day' + n * interval '1 day' / ${perDay} AS at) AS time
     WHERE at < now()) AS run, (VALUES (5), (15)) AS slot (step)`;
  const call = `
    (SELECT *, (hook * 2 / 3 + n / 4 % 2) % 40 AS tool, CASE WHEN (n + call) % 31 = 0 THEN 'blocked' ELSE 'passed' END AS outcome
     FROM (SELECT *, (agent * 3 + (n / 4 + call * 5) % 12) % 60 AS hook FROM ${run}, generate_series(1, 3) AS call) AS hooked) AS called`;
  const slot = "step, date_bin(step * interval '1 minute', at, timestamptz 'epoch') AS since";
  const first = `date_trunc('day', now(), 'UTC') - ${ago + DAYS_AT_ONCE - 1} * interval '1 day'`;
  const isOfDays = `since >= ${first} AND since < ${first} + interval '${DAYS_AT_ONCE} days'`;
  /** Adds up rows of these days by some keys, in the slots that they are in or in longer ones. */
  const adding = (
    from: string,
    to: string,
    keys: string,
    sums: string,
    histograms: readonly string[] = [],
    step?: number,
  ) => {
    const slots =
      step === undefined
        ? "step, since"
        : `${step}, date_bin(interval '${step} minutes', since, timestamptz 'epoch')`;
    const columns = [...sums.split(", ").map((column) => `sum(${column})`), ...histograms.map(bucketSums)];
    return `INSERT INTO ${to} (step, since, ${[keys, sums, ...histograms].join(", ")})
      SELECT ${slots}, ${keys}, ${columns.join(", ")} FROM ${from}
      WHERE ${step === undefined ? "step IN (5, 15)" : "step = 15"} AND ${isOfDays}
      GROUP BY ${[1, 2, ...keys.split(", ")].join(", ")}`;
  };
  const longer = (
    table: string,
    keys: string,
    sums: string,
    histograms: readonly string[] = [],
    steps = [60, 1_440],
  ) => steps.map((step) => adding(table, table, keys, sums, histograms, step));
  const runCounts = "created, started, completed, failed";
  const usage = "calls, input_tokens, output_tokens, cost";
  const calls = "count, duration_ms";
  return [
    `INSERT INTO run_rollups (step, since, agent, ${runCounts}, waits, durations)
     SELECT ${slot}, 'agent-' || agent, ${COUNTS}, ${HISTOGRAM}, ${HISTOGRAM} FROM ${run} WHERE ${IS_KEPT} GROUP BY 1, 2, 3`,
    ...longer("run_rollups", "agent", runCounts, ["waits", "durations"]),
    `INSERT INTO model_rollups (step, since, agent, model, ${usage})
     SELECT ${slot}, 'agent-' || agent, 'model-' || n % 8, count(*), 900 * count(*), 90 * count(*), 0.01 * count(*)
     FROM ${run} WHERE ${IS_KEPT} GROUP BY 1, 2, 3, 4`,
    ...longer("model_rollups", "agent, model", usage),
    `INSERT INTO runner_rollups (step, since, runner, busy_ms, attempts)
     SELECT ${slot}, 'runner-' || n % 6, 5000 * count(*), count(*) FROM ${run} WHERE ${IS_KEPT} GROUP BY 1, 2, 3`,
    ...longer("runner_rollups", "runner", "busy_ms, attempts"),
    `INSERT INTO hook_rollups (step, since, hook, kind, event, agent, tool, outcome, ${calls}, durations)
     SELECT ${slot}, 'hook-' || hook, 'runner', 'before_tool', 'agent-' || agent, 'tool-' || tool, outcome, 4 * count(*), 8 * count(*),
       ${HISTOGRAM} FROM ${call} WHERE ${IS_KEPT} GROUP BY 1, 2, 3, 6, 7, 8`,
    adding("hook_rollups", "hook_total_rollups", "hook, kind, event, outcome", calls, ["durations"]),
    adding("hook_rollups", "agent_decision_rollups", "agent, outcome", "count"),
    adding("hook_rollups", "tool_decision_rollups", "tool, outcome", "count"),
    adding("agent_decision_rollups", "decision_rollups", "outcome", "count"),
    ...longer("hook_rollups", "hook, kind, event, agent, tool, outcome", calls, ["durations"], [1_440]),
    ...longer("hook_total_rollups", "hook, kind, event, outcome", calls, ["durations"]),
    ...longer("agent_decision_rollups", "agent, outcome", "count"),
    ...longer("tool_decision_rollups", "tool, outcome", "count"),
    ...longer("decision_rollups", "outcome", "count"),
    `INSERT INTO reason_rollups (step, since, hook, kind, event, agent, outcome, reason, count, examples)
     SELECT ${slot}, 'hook-' || hook, 'runner', 'before_tool', 'agent-' || agent, 'blocked', 'reason ' || hook * 17 + n / 31 % 17, count(*),
       ARRAY['run_' || min(n)]
     FROM ${call} WHERE ${IS_KEPT} AND outcome = 'blocked' GROUP BY 1, 2, 3, 6, 8`,
    `INSERT INTO reason_rollups (step, since, hook, kind, event, agent, outcome, reason, count, examples)
     SELECT 1440, date_bin(interval '1 day', since, timestamptz 'epoch'), hook, kind, event, agent, outcome, reason, sum(count),
       ARRAY[min(examples[1])]
     FROM reason_rollups WHERE step = 15 AND ${isOfDays} GROUP BY 1, 2, hook, kind, event, agent, outcome, reason`,
    `INSERT INTO total_rollups (step, since, ${runCounts}, waits, durations, ${usage}, busy_ms, hook_ms, hook_durations)
     SELECT step, since, sum(created), sum(started), sum(completed), sum(failed), ${bucketSums("waits")}, ${bucketSums("durations")},
       sum(created), 900 * sum(created), 90 * sum(created), 0.01 * sum(created), 5000 * sum(created), 24 * sum(created),
       ${bucketSums("durations")}
     FROM run_rollups WHERE ${isOfDays} GROUP BY 1, 2`,
  ];
}

function bucketSums(column: string): string {
  return `ARRAY[${[1, 2, 3, 4, 5, 6, 7].map((bucket) => `sum(${column}[${bucket}])`).join(", ")}]`;
}
