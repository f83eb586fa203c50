import type { Queries, Statement } from "../database/database.ts";
import type { Requester } from "../domain/requesters.ts";
import { eventType } from "../store/event-type.ts";
import { newId } from "../store/new-id.ts";
import type { ExecutionMode, Json, PinnedHooks, RunKind, RunRow } from "../store/rows.ts";
import type { Claimant } from "./claim-run.ts";

/** A runner for which a run is created, and the lease that it gets. */
export interface Reservation {
  readonly claimant: Claimant;
  readonly leaseToken: string;
}

/** A run to create. Everything has been checked. */
export interface NewRun {
  readonly agentName: string;
  readonly revision: number;
  readonly kind: RunKind;
  readonly sessionId?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly parentRunId?: string | undefined;
  /** The name of the person or the token that starts it. */
  readonly createdBy?: string | undefined;
  /** Those who requested it. */
  readonly requesters?: readonly Requester[];
  /** The run that it repeats. */
  readonly retryOf?: string | undefined;
  readonly executionMode: ExecutionMode;
  readonly parameters: Json;
  readonly hooks: PinnedHooks;
  readonly hookId?: string | undefined;
  readonly depth?: number;
  readonly tags: readonly string[];
  readonly timeoutSeconds?: number | undefined;
  readonly maxAttempts: number;
  /** Whether its result must fit a schema. */
  readonly hasOutputSchema: boolean;
  /** Creates the run as claimed by this runner. */
  readonly reservation?: Reservation | undefined;
}

/** The runs to create, as the statement is given them. */
const WANTED = `jsonb_to_recordset($1::jsonb) AS w(
        ordinal int, id text, session_id text, agent_name text, session_kind text, parent_session_id text, revision int,
        kind text, execution_mode text, parameters jsonb, hooks jsonb, has_hooks boolean, needs_preparation boolean,
        hook_id text, parent_run_id text, depth int, tags text[], timeout_seconds int, max_attempts int, is_plain boolean,
        state text, runner_id text, lease_token uuid, lease_seconds int, attempt int, event_count int,
        created_by text, requesters jsonb, retry_of text, trial boolean)`;

/** Stores the runs of `source` and their events, in the order of the requests. */
const storing = (source: string): string => `
    r AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks,
        has_hooks, needs_preparation, hook_id, parent_run_id, depth, tags, timeout_seconds, max_attempts, is_plain,
        runner_id, lease_token, lease_until, deadline_at, attempt, event_count, created_by, requesters, retry_of, events_since)
      SELECT id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks,
        has_hooks, needs_preparation, hook_id, parent_run_id, depth, tags, timeout_seconds, max_attempts, is_plain,
        runner_id, lease_token, now() + make_interval(secs => lease_seconds),
        CASE WHEN runner_id IS NOT NULL THEN now() + make_interval(secs => timeout_seconds) END, attempt, event_count,
        created_by, requesters, retry_of,
        pg_snapshot_xmin(pg_current_snapshot())
      FROM ${source}
      ORDER BY ordinal
      RETURNING id, number, created_at, lease_until, deadline_at
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, recorded.number, type, data FROM ${source}, LATERAL (
        VALUES (1, ${eventType("run_created")}, jsonb_build_object(
          'agent_name', agent_name, 'kind', kind, 'execution_mode', execution_mode,
          'parent_session_id', parent_session_id, 'parent_run_id', parent_run_id)
          || jsonb_strip_nulls(jsonb_build_object('retry_of', retry_of, 'by', created_by, 'trial', trial))),
        (2, ${eventType("run_claimed")}, jsonb_build_object('runner_id', runner_id, 'attempt', attempt))
      ) AS recorded(number, type, data)
      WHERE recorded.number <= event_count
      ORDER BY ordinal, recorded.number
    )`;

/** The beginning of both statements: the runs whose agent is as it was read, and their sessions. */
const STORING_SESSIONS = `WITH wanted AS MATERIALIZED (
      SELECT w.* FROM ${WANTED}
      WHERE EXISTS (SELECT FROM agents WHERE name = w.agent_name AND revision = w.revision)
    ), s AS (
      INSERT INTO sessions (id, agent_name, kind, parent_session_id, active_run_id)
      SELECT session_id, agent_name, session_kind, parent_session_id, id FROM wanted`;

// New sessions cannot conflict with each other, so one statement creates many.
const CREATE: Statement = {
  name: "create-runs",
  text: `
    ${STORING_SESSIONS}
    ), ${storing("wanted")}
    SELECT id, number, created_at, lease_until, deadline_at FROM r`,
};

// In a session that may exist already: it must be idle and belong to the agent.
const CREATE_IN_SESSION: Statement = {
  name: "create-run-in-session",
  text: `
    ${STORING_SESSIONS}
      ON CONFLICT (id) DO UPDATE SET active_run_id = excluded.active_run_id, updated_at = now()
        WHERE sessions.active_run_id IS NULL AND sessions.agent_name = excluded.agent_name
          AND sessions.kind = excluded.kind
      RETURNING active_run_id
    ), free AS (
      SELECT wanted.* FROM wanted JOIN s ON s.active_run_id = wanted.id
    ), ${storing("free")}
    SELECT wanted.id, r.number, r.created_at, r.lease_until, r.deadline_at FROM wanted LEFT JOIN r USING (id)`,
};

/** Why a run was not created: its session is busy or belongs to another agent, or its agent was changed or deleted. */
export type NotCreated = "session_busy" | "agent_changed";

/** Creates a run, its session if that is new, and its first event. */
export async function createRun(queries: Queries, run: NewRun): Promise<RunRow | NotCreated> {
  const [created] = await createRuns(queries, [run]);
  return created ?? "agent_changed";
}

/** Creates several runs. A run that names its session must be the only one. */
export async function createRuns(
  queries: Queries,
  runs: readonly NewRun[],
): Promise<readonly (RunRow | NotCreated)[]> {
  const wanted = runs.map(wantedRow);
  const statement = runs.every(({ sessionId }) => sessionId === undefined) ? CREATE : CREATE_IN_SESSION;
  const rows = await queries.run<Stored>(statement, [JSON.stringify(wanted)]);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return wanted.map((row) => {
    const made = stored.get(row.id);
    if (made === undefined) return "agent_changed";
    return made.number === null ? "session_busy" : newRow(row, made as Made);
  });
}

/** A run as the statement reads it. */
function wantedRow(run: NewRun, ordinal: number) {
  const hasHooks = Object.keys(run.hooks).length > 0;
  const { reservation } = run;
  const isTrial = run.kind === "hook" && run.hookId === undefined;
  const isAwaited = run.hookId !== undefined || run.executionMode === "async_callback";
  return {
    ordinal,
    id: newId("run"),
    session_id: run.sessionId ?? newId("ses"),
    agent_name: run.agentName,
    session_kind: run.kind === "hook" ? "hook" : "client",
    parent_session_id: run.parentSessionId ?? null,
    revision: run.revision,
    kind: run.kind,
    execution_mode: run.executionMode,
    parameters: run.parameters,
    hooks: run.hooks,
    has_hooks: hasHooks,
    needs_preparation: run.hooks.on_run_start !== undefined,
    hook_id: run.hookId ?? null,
    parent_run_id: run.parentRunId ?? null,
    depth: run.depth ?? 0,
    tags: run.tags,
    timeout_seconds: run.timeoutSeconds ?? null,
    max_attempts: run.maxAttempts,
    is_plain: !hasHooks && !isAwaited && !run.hasOutputSchema,
    state: reservation === undefined ? ("pending" as const) : ("claimed" as const),
    runner_id: reservation?.claimant.runnerId ?? null,
    lease_token: reservation?.leaseToken ?? null,
    lease_seconds: reservation?.claimant.leaseSeconds ?? null,
    attempt: reservation === undefined ? 0 : 1,
    event_count: reservation === undefined ? 1 : 2,
    created_by: run.createdBy ?? null,
    requesters: run.requesters ?? [],
    retry_of: run.retryOf ?? null,
    trial: isTrial ? true : null,
  };
}

type Made = Pick<RunRow, "id" | "number" | "created_at" | "lease_until" | "deadline_at">;

/** `number` is null when the session was busy. */
interface Stored extends Omit<Made, "number"> {
  readonly number: number | null;
}

/**
 * The row that has just been stored, built here instead of being read back. Column by column and in one literal, because
 * spreading objects of this size took a twentieth of the coordinator's time.
 */
function newRow(wanted: ReturnType<typeof wantedRow>, made: Made): RunRow {
  return {
    id: wanted.id,
    number: made.number,
    session_id: wanted.session_id,
    agent_name: wanted.agent_name,
    revision: wanted.revision,
    kind: wanted.kind,
    state: wanted.state,
    execution_mode: wanted.execution_mode,
    parameters: wanted.parameters,
    hook_id: wanted.hook_id,
    parent_run_id: wanted.parent_run_id,
    depth: wanted.depth,
    hooks: wanted.hooks,
    has_hooks: wanted.has_hooks,
    is_plain: wanted.is_plain,
    needs_preparation: wanted.needs_preparation,
    tags: wanted.tags,
    timeout_seconds: wanted.timeout_seconds,
    max_attempts: wanted.max_attempts,
    attempt: wanted.attempt,
    runner_id: wanted.runner_id,
    lease_token: wanted.lease_token,
    lease_until: made.lease_until,
    deadline_at: made.deadline_at,
    event_count: wanted.event_count,
    created_at: made.created_at,
    created_by: wanted.created_by,
    requesters: wanted.requesters,
    retry_of: wanted.retry_of,
    unstarted_claims: 0,
    waiting_for: null,
    original_parameters: null,
    result_text: null,
    result_data: null,
    raw_result: null,
    error: null,
    error_code: null,
    block_reason: null,
    stop_reason: null,
    stop_requested_at: null,
    stopped_by: null,
    stop_told_at: null,
    ends_as: null,
    timed_out: false,
    reported_count: 0,
    usage: null,
    started_at: null,
    finished_at: null,
  };
}
