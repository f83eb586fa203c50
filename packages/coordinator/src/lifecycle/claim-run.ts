import type { Queries, Statement } from "../database/database.ts";
import { sqlState } from "../domain/run-state.ts";
import { eventType } from "../store/event-type.ts";
import { targetOf } from "../store/hook-target.ts";
import type { RunRow } from "../store/rows.ts";
import { WAITS, waitingTagSets } from "../store/waiting-runs.ts";

/** A runner that claims. */
export interface Claimant {
  readonly runnerId: string;
  readonly tags: readonly string[];
  /** Whether it has a free slot; runs that execute hooks do not need one. */
  readonly hasSlot: boolean;
  readonly leaseSeconds: number;
  /** How long a hook that needs a runner may wait for one. */
  readonly hookWaitSeconds: number;
}

/** The columns of a run that its runner needs. Few, because claims are frequent. */
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

/** How many runs more than there are claimants a claim reads of each tag set, in case other claims have locked the first. */
const SPARE = 16;
/**
 * How many a statement reads of each tag set. Constants, and a statement for each: for a parameter the planner would expect that a
 * tenth of all waiting runs is read, and would plan anew each time.
 */
const MAX_READ = [24, 64, 4_096] as const;

const CLAIMED = sqlState.of("claimed");
const PREPARING = sqlState.of("preparing");

/** The oldest waiting runs of one kind, of every tag set that the claimant has. */
const oldest = (name: string, kind: string, mostRead: number): string => `
    ${waitingTagSets(`${name}_tags`, kind)}, ${name}_oldest AS (
      SELECT waiting.* FROM ${name}_tags AS known, LATERAL (
        SELECT id, number FROM runs
        WHERE ${WAITS} AND ${kind} AND runs.tags = known.tags
        ORDER BY number LIMIT ${mostRead}
      ) AS waiting WHERE known.tags <@ $2::text[]
    )`;

/** The columns of a claimed run that its runner gets. */
const CLAIMED_COLUMNS = `id, session_id, agent_name, revision, kind, state, attempt, depth, lease_token, hooks, parameters,
      original_parameters, (SELECT parent_session_id FROM sessions WHERE sessions.id = u.session_id) AS parent_session_id`;

// The timeout of a hook whose run is claimed, such as a chained agent's, starts now.
const START_HOOK_TIMEOUT = `waited AS (
      UPDATE run_hooks SET started_at = now(),
        deadline_at = now() + make_interval(secs => (definition->>'timeout_seconds')::int)
      FROM u WHERE run_hooks.id = u.hook_id AND run_hooks.finished_at IS NULL
    )`;

// Most runners have no tags, and most of the time nothing waits but runs that go to a runner as they are. Those have a statement
// of their own: PostgreSQL needs longer to start a statement the more parts it has, and most parts of the other one are for runs
// that seldom wait. When other runs wait as well, this one claims nothing and returns `is_plain = false`.
const CLAIM_PLAIN: Statement = {
  name: "claim-plain-runs",
  text: `
    WITH rest AS MATERIALIZED (
      SELECT NOT EXISTS (SELECT FROM runs WHERE ${WAITS} AND kind = 'hook')
        AND NOT EXISTS (SELECT FROM runs WHERE ${WAITS} AND kind = 'callback') AS is_plain
    ), o AS (
      SELECT id, needs_preparation OR hook_id IS NOT NULL AS has_hook FROM runs
      WHERE ${WAITS} AND kind IN ('client', 'chained') AND tags = '{}' AND (SELECT is_plain FROM rest)
      ORDER BY number FOR UPDATE SKIP LOCKED LIMIT cardinality($1::text[])
    ), claimed AS (
      SELECT id, row_number() OVER () AS ordinal FROM o WHERE NOT EXISTS (SELECT FROM o WHERE has_hook)
    ), u AS (
      UPDATE runs SET
        state = ${CLAIMED},
        runner_id = ($1::text[])[ordinal],
        lease_token = gen_random_uuid(),
        lease_until = now() + make_interval(secs => $2),
        attempt = attempt + 1,
        deadline_at = now() + make_interval(secs => timeout_seconds),
        reported_count = 0,
        event_count = event_count + 1
      FROM claimed WHERE runs.id = claimed.id
      RETURNING ordinal, runs.id, session_id, agent_name, revision, kind, state, attempt, depth, runner_id, lease_token, hooks,
        parameters, original_parameters, event_count
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, ${eventType("run_claimed")}, jsonb_build_object('runner_id', runner_id, 'attempt', attempt)
      FROM u
    )
    SELECT is_plain AND NOT EXISTS (SELECT FROM o WHERE has_hook) AS is_plain, ordinal, ${CLAIMED_COLUMNS}
    FROM rest LEFT JOIN u ON true`,
};

// One statement, whatever the runs need, for as many claimants as there are in `$1`. A run with a start hook does not go to
// the runner yet: its hook becomes due in the same statement. A callback also takes its session, as the session is when it is
// locked and not as it was when the statement began: if another claim was faster, the callback keeps waiting.
//
// Runs that cannot be claimed cost nothing, however many wait: a claim goes from one tag set to the next through an index,
// and reads only those that the claimant has. Callbacks go from session to session in the same way, past those that are busy.
// Only claimed runs are locked. When other claims have locked all that was read, `is_short` means that there may be more.
const claiming = (mostRead: number): Statement => ({
  name: `claim-runs-${mostRead}`,
  text: `
    WITH RECURSIVE ${oldest("hook", "kind = 'hook'", mostRead)}, h AS (
      SELECT runs.id FROM hook_oldest JOIN runs USING (id)
      WHERE ${WAITS}
      ORDER BY hook_oldest.number FOR UPDATE OF runs SKIP LOCKED LIMIT cardinality($1::text[])
    ), ${oldest("run", "kind IN ('client', 'chained')", mostRead)}, callback_sets(session_id, tags) AS (
      (SELECT session_id, tags FROM runs WHERE ${WAITS} AND kind = 'callback'
        ORDER BY session_id, tags LIMIT 1)
      UNION ALL
      SELECT next.session_id, next.tags FROM callback_sets AS known, LATERAL (
        SELECT session_id, tags FROM runs
        WHERE ${WAITS} AND kind = 'callback'
          AND (runs.session_id, runs.tags) > (known.session_id, known.tags)
        ORDER BY session_id, tags LIMIT 1) AS next
    ), callback_oldest AS (
      SELECT waiting.* FROM callback_sets AS known, LATERAL (
        SELECT id, number FROM runs
        WHERE ${WAITS} AND kind = 'callback'
          AND runs.session_id = known.session_id AND runs.tags = known.tags
        ORDER BY number LIMIT 1
      ) AS waiting
      WHERE known.tags <@ $2::text[] AND NOT EXISTS (
        SELECT FROM sessions WHERE sessions.id = known.session_id AND active_run_id <> waiting.id)
    ), o AS (
      SELECT runs.id, kind, session_id, runs.number FROM (
        SELECT * FROM run_oldest UNION ALL SELECT * FROM callback_oldest
      ) AS oldest JOIN runs USING (id)
      WHERE $3::boolean AND ${WAITS} AND (SELECT count(*) FROM h) < cardinality($1::text[])
      ORDER BY oldest.number FOR UPDATE OF runs SKIP LOCKED LIMIT cardinality($1::text[]) - (SELECT count(*) FROM h)
    ), one_a_session AS (
      SELECT DISTINCT ON (CASE kind WHEN 'callback' THEN session_id ELSE id END) id, kind, session_id FROM o
      ORDER BY CASE kind WHEN 'callback' THEN session_id ELSE id END, number
    ), busy AS (
      UPDATE sessions SET active_run_id = one_a_session.id, updated_at = now() FROM one_a_session
      WHERE one_a_session.kind = 'callback' AND sessions.id = one_a_session.session_id
        AND coalesce(sessions.active_run_id, one_a_session.id) = one_a_session.id
      RETURNING one_a_session.id
    ), claimed AS (
      SELECT id, row_number() OVER () AS ordinal FROM (
        SELECT id FROM h
        UNION ALL SELECT id FROM one_a_session WHERE kind <> 'callback' OR id IN (SELECT id FROM busy)) AS taken
    ), u AS (
      UPDATE runs SET
        state = CASE WHEN needs_preparation THEN ${PREPARING} ELSE ${CLAIMED} END,
        waiting_for = CASE WHEN needs_preparation THEN 'hook' END,
        needs_preparation = false,
        runner_id = CASE WHEN needs_preparation THEN NULL ELSE ($1::text[])[ordinal] END,
        lease_token = CASE WHEN needs_preparation THEN NULL ELSE gen_random_uuid() END,
        lease_until = CASE WHEN needs_preparation THEN NULL ELSE now() + make_interval(secs => $4) END,
        attempt = attempt + CASE WHEN needs_preparation THEN 0 ELSE 1 END,
        deadline_at = CASE WHEN needs_preparation OR timeout_seconds IS NULL THEN NULL
          ELSE now() + make_interval(secs => timeout_seconds) END,
        reported_count = 0,
        event_count = event_count + 1
      FROM claimed WHERE runs.id = claimed.id
      RETURNING runs.*, ordinal
    ), hook AS (
      INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, name, mode, target, state, input, deadline_at)
      SELECT 'hook_' || replace(gen_random_uuid()::text, '-', ''), id, agent_name, created_at, 'on_run_start', hooks->'on_run_start',
        hooks->'on_run_start'->>'name', 'sync', ${targetOf("hooks->'on_run_start'")}, 'pending',
        jsonb_build_object('parameters', parameters, 'agent_name', agent_name, 'session_id', session_id, 'run_id', id),
        now() + make_interval(secs => $5)
      FROM u WHERE state = ${PREPARING}
    ), ${START_HOOK_TIMEOUT}, e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, CASE state WHEN ${PREPARING} THEN ${eventType("run_preparing")} ELSE ${eventType("run_claimed")} END,
        CASE state WHEN ${PREPARING} THEN '{}'::jsonb
          ELSE jsonb_build_object('runner_id', runner_id, 'attempt', attempt) END
      FROM u
    )
    SELECT is_short, ordinal, ${CLAIMED_COLUMNS}
    FROM (
      SELECT CASE
        WHEN (SELECT count(*) FROM h) >= cardinality($1::text[]) THEN false
        WHEN (SELECT count(*) FROM hook_oldest) >= ${mostRead} THEN true
        WHEN NOT $3::boolean OR (SELECT count(*) FROM h) + (SELECT count(*) FROM o) >= cardinality($1::text[]) THEN false
        ELSE (SELECT count(*) FROM run_oldest) >= ${mostRead}
      END AS is_short
    ) AS rest LEFT JOIN u ON true`,
});

const CLAIMS = MAX_READ.map((mostRead) => ({ mostRead, statement: claiming(mostRead) }));

/** Claimants with the same key can be served by one statement. */
export function claimKey({ hasSlot, tags }: Claimant): string {
  return `${hasSlot} ${tags.join("\n")}`;
}

/**
 * What the next claim will probably find. While hooks or callbacks are claimed, more of them wait as a rule, and asking for plain
 * runs first would be a second statement for every claim. It is a guess: either statement claims what it finds.
 */
export class ClaimExpectation {
  isPlain = true;

  /** Adjusts to the runs that the general statement has claimed. */
  learn(runs: readonly ClaimedRun[]): void {
    this.isPlain = runs.every(({ kind, state }) => isOrdinary(kind) && state !== "preparing");
  }
}

function isOrdinary(kind: ClaimedRun["kind"]): boolean {
  return kind === "client" || kind === "chained";
}

/**
 * Gives the next runs to runners under a lease, one to each while there are any. A run that is returned as `preparing` is not
 * claimed: its start hook has become due, and the runner should poll again.
 */
export async function claimRuns(
  queries: Queries,
  claimants: readonly Claimant[],
  expected = new ClaimExpectation(),
): Promise<readonly (ClaimedRun | undefined)[]> {
  const plain = expected.isPlain ? await claimPlainRuns(queries, claimants) : undefined;
  if (plain !== undefined) return claimants.map((_, ordinal) => plain[ordinal]);
  const taken: ClaimedRun[] = [];
  let isShort = true;
  for (const { mostRead, statement } of CLAIMS) {
    // The runs so far belong to the first claimants.
    const others = claimants.slice(taken.length);
    if (!isShort || others.length === 0) break;
    if (mostRead < others.length + SPARE) continue;
    const [{ tags, hasSlot, leaseSeconds, hookWaitSeconds } = {} as Claimant] = others;
    const runners = others.map(({ runnerId }) => runnerId);
    const values = [runners, tags, hasSlot, leaseSeconds, hookWaitSeconds];
    const rows = await queries.run<ClaimRow & { readonly is_short: boolean }>(statement, values);
    taken.push(...claimedRuns(rows));
    isShort = rows[0]?.is_short === true;
  }
  expected.learn(taken);
  return claimants.map((_, ordinal) => taken[ordinal]);
}

/** `undefined` when the claimants have tags or no slot, or something waits that needs the other statement. */
async function claimPlainRuns(
  queries: Queries,
  claimants: readonly Claimant[],
): Promise<readonly ClaimedRun[] | undefined> {
  const [first] = claimants;
  if (first === undefined || !first.hasSlot || first.tags.length > 0) return undefined;
  const values = [claimants.map(({ runnerId }) => runnerId), first.leaseSeconds];
  const rows = await queries.run<ClaimRow & { readonly is_plain: boolean }>(CLAIM_PLAIN, values);
  return rows[0]?.is_plain === true ? claimedRuns(rows) : undefined;
}

/** A row without an ordinal is about the statement; nothing was claimed. */
type ClaimRow = (ClaimedRun & { readonly ordinal: number }) | { readonly ordinal: null };

/** The runs, each at the index of its claimant. */
function claimedRuns(rows: readonly ClaimRow[]): readonly ClaimedRun[] {
  const runs: ClaimedRun[] = [];
  for (const row of rows) if (row.ordinal !== null) runs[row.ordinal - 1] = row;
  return runs;
}
