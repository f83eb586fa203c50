/** How many runs one statement stores: an embedded database that is silent for a minute is given up. */
const SLICE = 5_000;
/** The events of each run. */
const EVENTS_PER_RUN = 8;

/**
 * The statements that store about so many events of runs that have ended, as runners report them: with tallies of hooks, refusals with reasons and
 * model calls of a subagent. The last run ended now, each other one `secondsBetween` before the next.
 */
export function fillEvents(events: number, secondsBetween = 0.5): readonly string[] {
  const runs = Math.ceil(events / EVENTS_PER_RUN);
  const slices = Array.from({ length: Math.ceil(runs / SLICE) }, (_, slice) => ({
    first: slice * SLICE + 1,
    last: Math.min((slice + 1) * SLICE, runs),
  }));
  return [
    "INSERT INTO runners (id, name, concurrency) SELECT 'filled_' || n, 'filled-' || n, 100 FROM generate_series(0, 3) AS n",
    ...slices.flatMap(({ first, last }) => [
      `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, attempt, runner_id, event_count,
         created_at, started_at, finished_at)
       SELECT 'filled_' || n, 'filled_' || n, 'agent-' || n % 20, 1, 'client', CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'completed' END,
         'async_poll', '{}', 1, 'filled_' || n % 4, ${EVENTS_PER_RUN}, created_at, created_at + interval '20 ms',
         created_at + interval '900 ms'
       FROM generate_series(${first}, ${last}) AS n,
         LATERAL (SELECT now() - interval '1 s' - (${runs} - n) * interval '${secondsBetween} s' AS created_at) AS time`,
      `INSERT INTO events (run_id, session_id, number, type, data, created_at)
       SELECT runs.id, session_id, event.number, event.type, event.data, runs.created_at + event.after * interval '1 ms'
       FROM (SELECT *, right(id, -7)::int AS n FROM runs WHERE id IN (SELECT 'filled_' || n FROM generate_series(${first}, ${last}) AS n)) AS runs,
       LATERAL (VALUES
         (1, 'run_created', jsonb_build_object('agent_name', agent_name), 0),
         (2, 'run_started', jsonb_build_object('runner_id', runner_id), 20),
         (3, 'text', '{"text": "not counted"}', 100),
         (4, 'step_end', jsonb_build_object('step', 1, 'usage', jsonb_build_object(
           'model', 'model-' || n % 8, 'input_tokens', n % 1000, 'output_tokens', n % 100)), 200),
         (5, 'subagent', jsonb_build_object('subagent', 'helper', 'event', jsonb_build_object('event_type', 'step_end', 'usage',
           jsonb_build_object('model', 'model-' || n % 3, 'input_tokens', 7, 'output_tokens', 3))), 300),
         (6, 'hook_acted', jsonb_build_object('event', 'before_tool', 'hook', 'hook-' || n % 60, 'action', 'refuse', 'tallied', true,
           'reason', 'reason ' || n * 7 % 1000), 400),
         (7, 'hook_tallies', jsonb_build_object('tallies', (SELECT jsonb_agg(jsonb_build_object('hook', 'hook-' || (n + call) % 60,
           'event', 'before_tool', 'tool', 'tool-' || (n + call) % 40, 'outcome', CASE call WHEN 0 THEN 'blocked' ELSE 'passed' END,
           'count', call + 1, 'duration_ms', 0.1 * (call + 1), 'durations', jsonb_build_array(call + 1)))
           FROM generate_series(0, 3) AS call)), 500),
         (8, CASE WHEN n % 20 = 0 THEN 'run_failed' ELSE 'run_completed' END, '{}', 900)
       ) AS event (number, type, data, after)
       ORDER BY n, event.number`,
    ]),
  ];
}
