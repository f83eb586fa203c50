import type { Queries, Statement } from "../database/database.ts";
import { newId } from "../store/new-id.ts";
import type { ExecutionMode, Json, PinnedHooks, RunKind, RunRow } from "../store/rows.ts";

/** A run to be. Everything has been checked. */
export interface NewRun {
  readonly agentName: string;
  readonly revision: number;
  readonly kind: RunKind;
  readonly sessionId?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly parentRunId?: string | undefined;
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
}

const CREATE: Statement = {
  name: "create-run",
  text: `
    WITH a AS (
      SELECT revision FROM agents WHERE name = $3 AND revision = $6
    ), s AS (
      INSERT INTO sessions (id, agent_name, kind, parent_session_id, active_run_id)
      SELECT $2, $3, $4, $5, $1 FROM a
      ON CONFLICT (id) DO UPDATE SET active_run_id = $1, updated_at = now()
        WHERE sessions.active_run_id IS NULL AND sessions.agent_name = $3 AND sessions.kind = $4
      RETURNING id
    ), r AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks,
        has_hooks, needs_preparation, hook_id, parent_run_id, depth, tags, timeout_seconds, max_attempts, is_plain,
        event_count)
      SELECT $1, s.id, $3, $6, $7, 'pending', $8, $9::jsonb, $10::jsonb,
        $11, $12, $13, $14, $15, $16::text[], $17, $18, $19, 1
      FROM s
      RETURNING *
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, 1, 'run_created', jsonb_build_object(
        'agent_name', agent_name, 'kind', kind, 'execution_mode', execution_mode,
        'parent_session_id', $5::text, 'parent_run_id', parent_run_id)
      FROM r
    )
    SELECT r.id, r.number, r.session_id, r.created_at, r.available_at, (SELECT count(*) FROM a) AS is_current
    FROM (SELECT 1) AS one LEFT JOIN r ON true`,
};

/** Why a run was not created: its session is busy or another agent's, or there is a newer revision of its agent, or none at all. */
export type NotCreated = "session_busy" | "agent_changed";

/** Creates a run, its session if that is new, and its first event. */
export async function createRun(queries: Queries, run: NewRun): Promise<RunRow | NotCreated> {
  const hasHooks = Object.keys(run.hooks).length > 0;
  const isAwaited = run.hookId !== undefined || run.executionMode === "async_callback";
  const parameters = JSON.stringify(run.parameters);
  const isPlain = !hasHooks && !isAwaited && !run.hasOutputSchema;
  const needsPreparation = run.hooks.on_run_start !== undefined;
  const [stored] = await queries.run<Stored>(CREATE, [
    newId("run"),
    run.sessionId ?? newId("ses"),
    run.agentName,
    run.kind === "hook" ? "hook" : "client",
    run.parentSessionId ?? null,
    run.revision,
    run.kind,
    run.executionMode,
    parameters,
    JSON.stringify(run.hooks),
    hasHooks,
    needsPreparation,
    run.hookId ?? null,
    run.parentRunId ?? null,
    run.depth ?? 0,
    run.tags,
    run.timeoutSeconds ?? null,
    run.maxAttempts,
    isPlain,
  ]);
  if (stored === undefined || stored.is_current === 0) return "agent_changed";
  const { is_current: _current, ...made } = stored;
  if (made.id === null) return "session_busy";
  // Put together here and not sent back and forth: it is what has just been stored.
  return {
    ...NEW_ROW,
    ...(made as Omit<Stored, "id"> & { readonly id: string }),
    agent_name: run.agentName,
    revision: run.revision,
    kind: run.kind,
    execution_mode: run.executionMode,
    parameters: run.parameters,
    hooks: run.hooks,
    has_hooks: hasHooks,
    needs_preparation: needsPreparation,
    is_plain: isPlain,
    hook_id: run.hookId ?? null,
    parent_run_id: run.parentRunId ?? null,
    depth: run.depth ?? 0,
    tags: run.tags,
    timeout_seconds: run.timeoutSeconds ?? null,
    max_attempts: run.maxAttempts,
  };
}

interface Stored extends Pick<RunRow, "number" | "session_id" | "created_at" | "available_at"> {
  readonly id: string | null;
  readonly is_current: number;
}

const NEW_ROW = {
  state: "pending",
  waiting_for: null,
  original_parameters: null,
  result_text: null,
  result_data: null,
  raw_result: null,
  error: null,
  error_code: null,
  block_reason: null,
  attempt: 0,
  runner_id: null,
  lease_token: null,
  lease_until: null,
  stop_requested_at: null,
  stop_told_at: null,
  ends_as: null,
  timed_out: false,
  reported_count: 0,
  deadline_at: null,
  event_count: 1,
  started_at: null,
  finished_at: null,
} as const satisfies Partial<RunRow>;
