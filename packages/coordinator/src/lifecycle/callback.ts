import { readAgent } from "../agents/blueprint-rows.ts";
import { pinHooks } from "../agents/pin-hooks.ts";
import type { Queries, Statement } from "../database/database.ts";
import { sqlState } from "../domain/run-state.ts";
import { eventType } from "../store/event-type.ts";
import { newId } from "../store/new-id.ts";
import type { AgentRow, RunRow } from "../store/rows.ts";

// The lock keeps the parent from being deleted until the callback is stored.
const PARENT: Statement = {
  name: "session-to-call-back",
  text: `
    SELECT parent.id, parent.agent_name FROM sessions AS child
    JOIN sessions AS parent ON parent.id = child.parent_session_id WHERE child.id = $1
    FOR KEY SHARE OF parent`,
};

// The callback belongs to the parent's session and waits until that is idle, so it does not make the session busy yet.
const CALL_BACK: Statement = {
  name: "call-back",
  text: `
    WITH r AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks, has_hooks,
        needs_preparation, tags, timeout_seconds, max_attempts, parent_run_id, requesters, depth, event_count, events_since)
      VALUES ($1, $2, $3, $4, 'callback', ${sqlState.of("pending")}, 'async_poll', $5::jsonb, $6::jsonb, $7, $8, $9::text[], $10, $11, $12, $13::jsonb, $14, 1,
        pg_snapshot_xmin(pg_current_snapshot()))
      RETURNING *
    )
    INSERT INTO events (run_id, session_id, number, type, data)
    SELECT id, session_id, 1, ${eventType("run_created")}, jsonb_build_object(
      'agent_name', agent_name, 'kind', kind, 'parent_run_id', parent_run_id) FROM r`,
};

/** Resumes the session that started a run with `async_callback`, with the run's result, and with the hooks of its agent. */
export async function resumeParent(queries: Queries, run: RunRow): Promise<void> {
  if (run.execution_mode !== "async_callback") return;
  const [parent] = await queries.run<{ id: string; agent_name: string }>(PARENT, [run.session_id]);
  const agent = parent === undefined ? undefined : await readAgent(queries, parent.agent_name);
  if (parent !== undefined && agent !== undefined) await callBack(queries, parent.id, agent, run);
}

async function callBack(queries: Queries, sessionId: string, agent: AgentRow, run: RunRow): Promise<void> {
  const { id, session_id, agent_name, state, result_text, result_data, error, stop_reason } = run;
  const callback = {
    run_id: id,
    session_id,
    agent_name,
    status: state,
    result_text,
    result_data,
    error,
    stop_reason,
  };
  const { blueprint } = agent;
  const hooks = await pinHooks(queries, blueprint);
  await queries.run(CALL_BACK, [
    newId("run"),
    sessionId,
    agent.name,
    agent.revision,
    JSON.stringify({ callback }),
    JSON.stringify(hooks),
    Object.keys(hooks).length > 0,
    hooks.on_run_start !== undefined,
    blueprint.tags,
    blueprint.timeout_seconds ?? null,
    blueprint.max_attempts,
    id,
    JSON.stringify(run.requesters),
    // A callback is not a link of a chain, and belongs to that of the run that has ended.
    run.depth,
  ]);
}
