/** How many of each rare kind there are, however many runs are stored: a page of them is full, with some to spare. */
const RARE = 200;
/** How many runs a part of the index of words has. */
const PART = 4_096;
/** How many runs a statement stores: an embedded database that is silent for a minute is given up. */
const SLICE = 50_000;

/**
 * The statements that store so many runs as months of use would leave them: nearly all have completed, a few failed, were
 * stopped or blocked, some wait, and some are held by runners. They go to both kinds of database.
 */
export function fillStore(
  runs: number,
  { isFirstVersion = false }: { readonly isFirstVersion?: boolean } = {},
): readonly string[] {
  // What later versions have in the tables of the first.
  const [ofRun, run] = isFirstVersion
    ? ["", ""]
    : [", agent_name, run_created_at", ", agent_name, created_at"];
  const [numbered, number] = isFirstVersion ? ["", ""] : [", revision", ", 1"];
  const created = `now() - (${runs} - n) * interval '1 second'`;
  // Every so many: the rare ones lie scattered among the others.
  const every = Math.floor(runs / RARE);
  const is = (remainder: number) => `n % ${every} = ${remainder}`;
  const agent = `CASE WHEN ${is(1)} THEN 'rare' ELSE 'agent-' || n % 20 END`;
  const state = `CASE WHEN ${is(0)} THEN 'failed' WHEN ${is(1)} THEN 'stopped' WHEN n % ${every * 2} = 2 THEN 'pending'
    WHEN n % ${every * 4} = 3 THEN 'running' WHEN n % ${every * 8} = 4 THEN 'preparing' ELSE 'completed' END`;
  const numbers = ({ first, last }: Slice) => `generate_series(${first}, ${last}) AS n`;
  const slices = slicesOf(runs);
  return [
    `INSERT INTO blueprints (name, revision, blueprint)
      SELECT 'agent-' || n, 1, '{}'::jsonb FROM generate_series(0, 19) AS n UNION ALL SELECT 'rare', 1, '{}'`,
    "INSERT INTO runners (id, name, concurrency) VALUES ('runner_full', 'full', 100)",
    ...slices.map(
      (slice) => `INSERT INTO sessions (id, agent_name, kind, parent_session_id, created_at)
      SELECT 'ses_' || lpad(n::text, 16, '0'), ${agent}, CASE WHEN ${is(3)} THEN 'hook' ELSE 'client' END,
        CASE WHEN ${is(3)} THEN 'ses_' || lpad('1', 16, '0') END, ${created}
      FROM ${numbers(slice)}`,
    ),
    ...slices.map(
      (
        slice,
      ) => `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, has_hooks, block_reason,
        runner_id, lease_until, tags, event_count, created_at, finished_at)
      SELECT 'run_' || lpad(n::text, 16, '0'),
        'ses_' || lpad((CASE WHEN ${is(2)} THEN 1 ELSE n END)::text, 16, '0'), agent_name, 1,
        CASE WHEN ${is(3)} THEN 'hook' ELSE 'client' END, state, 'async_poll',
        jsonb_build_object('task', 'sum up what was said', 'ticket', 'T' || n,
          'note', CASE WHEN ${is(1)} THEN 'quarterly figures' END, 'age', CASE WHEN n <= ${runs} * 0.55 THEN 'early' END),
        ${is(0)}, CASE WHEN ${is(0)} THEN 'not allowed' END, CASE WHEN state = 'running' THEN 'runner_full' END,
        CASE WHEN state = 'running' THEN now() + interval '1 day' END, '{absent}', 1, created_at,
        CASE WHEN state NOT IN ('pending', 'running', 'preparing') THEN created_at END
      FROM (SELECT n, ${agent} AS agent_name, ${state} AS state, ${created} AS created_at
        FROM ${numbers(slice)}) AS made`,
    ),
    `INSERT INTO run_hooks (id, run_id${ofRun}, hook_type, definition, name, mode, state, input, created_at, started_at, finished_at)
      SELECT 'hook_' || id, id${run}, 'on_run_start', '{"type": "agent", "agent_name": "policy"}', 'policy', 'sync',
        CASE WHEN state = 'preparing' THEN 'waiting' ELSE 'done' END, '{}', created_at, created_at, finished_at
      FROM runs WHERE state = 'preparing' OR number % ${Math.max(1, Math.floor(runs / 200_000))} = 0`,
    ...slices.map(
      ({
        first,
        last,
      }) => `INSERT INTO approvals (id, run_id, hook_type, asked_by, reason, subject, state, expires_at, created_at)
      SELECT 'apr_' || n, 'run_' || lpad(n::text, 16, '0'), 'on_run_start', 'policy', 'look at this', '{}',
        CASE WHEN ${is(2)} THEN 'pending' WHEN ${is(3)} THEN 'rejected' ELSE 'approved' END, now() + interval '1 day', ${created}
      FROM generate_series(${first}, ${last}, 2) AS n`,
    ),
    ...slices.map(
      (slice) => `INSERT INTO events (run_id, session_id, number, type, data, created_at)
      SELECT id, session_id, 1, 'run_created', jsonb_build_object('agent_name', agent_name, 'kind', kind,
        'execution_mode', execution_mode, 'parent_session_id', NULL, 'parent_run_id', NULL), created_at
      FROM runs WHERE ${isIn(slice)} ORDER BY number`,
    ),
    `INSERT INTO named_hooks (name${numbered}, definition, etag) VALUES ('policy'${number}, '{"type": "http"}', 'e')`,
  ];
}

/** The statements that index the words of those runs, as the coordinator would; it may have begun already. */
export function writeWords(runs: number): readonly string[] {
  return [
    `INSERT INTO settings (name, value)
      VALUES ('run_texts', jsonb_build_object('after', jsonb_build_object('xid', pg_current_xact_id()::text, 'id', 0), 'before', NULL))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    `INSERT INTO run_text_parts (since, runs)
      SELECT created_at, ${PART} FROM (SELECT created_at, row_number() OVER (ORDER BY created_at) AS position FROM runs) AS positioned
      WHERE position % ${PART} = 1 AND position > 1 ORDER BY created_at`,
    ...slicesOf(runs).map(
      (slice) => `INSERT INTO run_texts (run_id, created_at, part, words, event_count)
      SELECT id, created_at, part, array_to_tsvector(ARRAY(SELECT part || '/' || word
        FROM regexp_split_to_table(lower(concat_ws(' ', parameters->>'task', parameters->>'ticket', parameters->>'note',
          parameters->>'age', error, block_reason, stop_reason)), ' ') AS word)), event_count
      FROM (SELECT *, (SELECT number FROM run_text_parts WHERE since <= created_at ORDER BY since DESC LIMIT 1) AS part
        FROM runs WHERE ${isIn(slice)}) AS positioned ORDER BY number
      ON CONFLICT (run_id) DO NOTHING`,
    ),
  ];
}

/** Runs by their numbers, both included. */
interface Slice {
  readonly first: number;
  readonly last: number;
}

function slicesOf(runs: number): readonly Slice[] {
  return Array.from({ length: Math.ceil(runs / SLICE) }, (_, n) => ({
    first: n * SLICE + 1,
    last: Math.min(runs, (n + 1) * SLICE),
  }));
}

function isIn({ first, last }: Slice): string {
  const id = (n: number) => `'run_${String(n).padStart(16, "0")}'`;
  return `id BETWEEN ${id(first)} AND ${id(last)}`;
}
