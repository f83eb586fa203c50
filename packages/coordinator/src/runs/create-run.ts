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
    WITH s AS (
      INSERT INTO sessions (id, agent_name, kind, parent_session_id, active_run_id)
      VALUES ($2, $3, $4, $5, $1)
      ON CONFLICT (id) DO UPDATE SET active_run_id = $1, updated_at = now()
        WHERE sessions.active_run_id IS NULL
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
    SELECT * FROM r`,
};

/** Creates a run, its session if that is new, and its first event. `undefined` when the session is busy. */
export async function createRun(queries: Queries, run: NewRun): Promise<RunRow | undefined> {
  const hasHooks = Object.keys(run.hooks).length > 0;
  const isAwaited = run.hookId !== undefined || run.executionMode === "async_callback";
  const [row] = await queries.run<RunRow>(CREATE, [
    newId("run"),
    run.sessionId ?? newId("ses"),
    run.agentName,
    run.kind === "hook" ? "hook" : "client",
    run.parentSessionId ?? null,
    run.revision,
    run.kind,
    run.executionMode,
    JSON.stringify(run.parameters),
    JSON.stringify(run.hooks),
    hasHooks,
    run.hooks.on_run_start !== undefined,
    run.hookId ?? null,
    run.parentRunId ?? null,
    run.depth ?? 0,
    run.tags,
    run.timeoutSeconds ?? null,
    run.maxAttempts,
    !hasHooks && !isAwaited && !run.hasOutputSchema,
  ]);
  return row;
}
