import type { Queries, Statement } from "../database/database.ts";
import { newId } from "../store/new-id.ts";
import type { RunRow } from "../store/rows.ts";

// The callback belongs to the parent's session and its agent, and waits there until that session is idle.
const CALL_BACK: Statement = {
  name: "call-back",
  text: `
    WITH child AS (SELECT parent_session_id FROM sessions WHERE id = $2 AND parent_session_id IS NOT NULL),
    parent AS (
      SELECT sessions.id, agents.name, agents.revision, agents.blueprint
      FROM child JOIN sessions ON sessions.id = child.parent_session_id JOIN agents ON agents.name = sessions.agent_name
    ), r AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, tags,
        timeout_seconds, max_attempts, parent_run_id, event_count)
      SELECT $1, id, name, revision, 'callback', 'pending', 'async_poll', $3::jsonb,
        ARRAY(SELECT jsonb_array_elements_text(coalesce(blueprint->'tags', '[]'::jsonb))),
        (blueprint->>'timeout_seconds')::int, coalesce((blueprint->>'max_attempts')::int, 1), $4, 1
      FROM parent
      RETURNING *
    )
    INSERT INTO events (run_id, session_id, number, type, data)
    SELECT id, session_id, 1, 'run_created', jsonb_build_object(
      'agent_name', agent_name, 'kind', kind, 'parent_run_id', parent_run_id) FROM r`,
};

/** Resumes the session that started a run with `async_callback`, with what came of it. */
export async function resumeParent(queries: Queries, run: RunRow): Promise<void> {
  if (run.execution_mode !== "async_callback") return;
  const { id, session_id, agent_name, state, result_text, result_data, error } = run;
  const callback = { run_id: id, session_id, agent_name, status: state, result_text, result_data, error };
  await queries.run(CALL_BACK, [newId("run"), session_id, JSON.stringify({ callback }), id]);
}
