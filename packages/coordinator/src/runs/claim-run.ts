import type { Queries, Statement } from "../database/database.ts";
import type { RunRow } from "../store/rows.ts";

/** Who claims. */
export interface Claimant {
  readonly runnerId: string;
  readonly tags: readonly string[];
  /** Whether it has a free slot; runs that carry out hooks are taken beside them. */
  readonly hasSlot: boolean;
  readonly leaseSeconds: number;
  /** How long a hook that needs a runner may wait for one. */
  readonly hookWaitSeconds: number;
}

/** What a runner needs to know of a run; little, because runs are claimed all the time. */
export interface ClaimedRun
  extends Pick<
    RunRow,
    | "id"
    | "session_id"
    | "agent_name"
    | "revision"
    | "kind"
    | "state"
    | "attempt"
    | "depth"
    | "lease_token"
    | "hooks"
    | "parameters"
    | "original_parameters"
  > {
  readonly parent_session_id: string | null;
}

// One statement, whatever the runs need, for as many claimants as there are in `$1`. A run with a start hook does not go to
// the runner yet: its hook becomes due, in the same breath. A callback takes its session by the way, as that is when it is
// locked and not as it was when the statement began: if somebody else was faster, it waits on. `FOR UPDATE SKIP LOCKED`
// twice instead of one sorted scan, so that both walk an index of what waits.
const CLAIM: Statement = {
  name: "claim-runs",
  text: `
    WITH h AS (
      SELECT id FROM runs
      WHERE state IN ('pending', 'ready') AND kind = 'hook' AND tags <@ $2::text[]
      ORDER BY number FOR UPDATE SKIP LOCKED LIMIT cardinality($1::text[])
    ), o AS (
      SELECT id, kind, session_id, number FROM runs
      WHERE $3::boolean AND state IN ('pending', 'ready') AND kind <> 'hook'
        AND tags <@ $2::text[] AND (SELECT count(*) FROM h) < cardinality($1::text[])
        AND (kind <> 'callback' OR NOT EXISTS (
          SELECT FROM sessions WHERE sessions.id = runs.session_id AND active_run_id <> runs.id))
      ORDER BY number FOR UPDATE SKIP LOCKED LIMIT cardinality($1::text[]) - (SELECT count(*) FROM h)
    ), one_a_session AS (
      SELECT DISTINCT ON (CASE kind WHEN 'callback' THEN session_id ELSE id END) id, kind, session_id FROM o
      ORDER BY CASE kind WHEN 'callback' THEN session_id ELSE id END, number
    ), busy AS (
      UPDATE sessions SET active_run_id = one_a_session.id, updated_at = now() FROM one_a_session
      WHERE one_a_session.kind = 'callback' AND sessions.id = one_a_session.session_id
        AND coalesce(sessions.active_run_id, one_a_session.id) = one_a_session.id
      RETURNING one_a_session.id
    ), claimed AS (
      SELECT id, row_number() OVER () AS place FROM (
        SELECT id FROM h
        UNION ALL SELECT id FROM one_a_session WHERE kind <> 'callback' OR id IN (SELECT id FROM busy)) AS taken
    ), u AS (
      UPDATE runs SET
        state = CASE WHEN needs_preparation THEN 'preparing' ELSE 'claimed' END,
        waiting_for = CASE WHEN needs_preparation THEN 'hook' END,
        needs_preparation = false,
        runner_id = CASE WHEN needs_preparation THEN NULL ELSE ($1::text[])[place] END,
        lease_token = CASE WHEN needs_preparation THEN NULL ELSE gen_random_uuid() END,
        lease_until = CASE WHEN needs_preparation THEN NULL ELSE now() + make_interval(secs => $4) END,
        attempt = attempt + CASE WHEN needs_preparation THEN 0 ELSE 1 END,
        deadline_at = CASE WHEN needs_preparation OR timeout_seconds IS NULL THEN NULL
          ELSE now() + make_interval(secs => timeout_seconds) END,
        reported_count = 0,
        event_count = event_count + 1
      FROM claimed WHERE runs.id = claimed.id
      RETURNING runs.*, place
    ), hook AS (
      INSERT INTO run_hooks (id, run_id, hook_type, definition, name, mode, state, input, deadline_at)
      SELECT 'hook_' || replace(gen_random_uuid()::text, '-', ''), id, 'on_run_start', hooks->'on_run_start',
        hooks->'on_run_start'->>'name', 'sync', 'pending',
        jsonb_build_object('parameters', parameters, 'agent_name', agent_name, 'session_id', session_id, 'run_id', id),
        now() + make_interval(secs => $5)
      FROM u WHERE state = 'preparing'
    ), waited AS (
      UPDATE run_hooks SET started_at = now(),
        deadline_at = now() + make_interval(secs => (definition->>'timeout_seconds')::int)
      FROM u WHERE u.kind = 'hook' AND run_hooks.id = u.hook_id AND run_hooks.finished_at IS NULL
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, CASE state WHEN 'preparing' THEN 'run_preparing' ELSE 'run_claimed' END,
        CASE state WHEN 'preparing' THEN '{}'::jsonb
          ELSE jsonb_build_object('runner_id', runner_id, 'attempt', attempt) END
      FROM u
    )
    SELECT place, id, session_id, agent_name, revision, kind, state, attempt, depth, lease_token, hooks, parameters,
      original_parameters,
      (SELECT parent_session_id FROM sessions WHERE sessions.id = u.session_id) AS parent_session_id
    FROM u`,
};

/** Claimants who can be served by one statement have the same. */
export function claimKey({ hasSlot, tags }: Claimant): string {
  return `${hasSlot} ${tags.join("\n")}`;
}

/**
 * Gives the next runs to runners, under a lease: to each of them one, as long as there are any. A run that comes back as
 * `preparing` is not the runner's: its start hook has become due, and the runner should ask again.
 */
export async function claimRuns(
  queries: Queries,
  claimants: readonly Claimant[],
): Promise<readonly (ClaimedRun | undefined)[]> {
  const [first] = claimants;
  if (first === undefined) return [];
  const rows = await queries.run<ClaimedRun & { readonly place: number }>(CLAIM, [
    claimants.map(({ runnerId }) => runnerId),
    first.tags,
    first.hasSlot,
    first.leaseSeconds,
    first.hookWaitSeconds,
  ]);
  const runs = new Map(rows.map(({ place, ...run }) => [place, run]));
  return claimants.map((_, index) => runs.get(index + 1));
}
