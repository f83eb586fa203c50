import type { NewRunEvent, RunEventData, RunEventType } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { mayFollow, type RunState, sqlState } from "../domain/run-state.ts";
import type { Json, RunRow } from "../store/rows.ts";

/** The columns that a change of state may set; absent ones stay as they are. */
export interface RunChanges {
  readonly waiting_for?: "hook" | "approval" | null;
  readonly parameters?: Json;
  readonly original_parameters?: Json;
  readonly result_text?: string | null;
  readonly result_data?: Json | null;
  readonly raw_result?: Json | null;
  readonly error?: string | null;
  readonly error_code?: string | null;
  readonly block_reason?: string | null;
  readonly stop_reason?: string | null;
  readonly stopped_by?: string;
  readonly ends_as?: string | null;
  readonly timed_out?: boolean;
}

// One prepared statement for every change: `$3` is an object with the columns that are set.
const CHANGE: Statement = {
  name: "change-run",
  text: `
    WITH r AS (
      UPDATE runs SET
        state = $2,
        waiting_for = CASE WHEN $3::jsonb ? 'waiting_for' THEN $3::jsonb->>'waiting_for' ELSE NULL END,
        parameters = coalesce($3::jsonb->'parameters', parameters),
        original_parameters = coalesce($3::jsonb->'original_parameters', original_parameters),
        result_text = CASE WHEN $3::jsonb ? 'result_text' THEN $3::jsonb->>'result_text' ELSE result_text END,
        result_data = CASE WHEN $3::jsonb ? 'result_data'
          THEN nullif($3::jsonb->'result_data', 'null'::jsonb) ELSE result_data END,
        raw_result = CASE WHEN $3::jsonb ? 'raw_result'
          THEN nullif($3::jsonb->'raw_result', 'null'::jsonb) ELSE raw_result END,
        error = CASE WHEN $3::jsonb ? 'error' THEN $3::jsonb->>'error' ELSE error END,
        error_code = CASE WHEN $3::jsonb ? 'error_code' THEN $3::jsonb->>'error_code' ELSE error_code END,
        block_reason = CASE WHEN $3::jsonb ? 'block_reason' THEN $3::jsonb->>'block_reason' ELSE block_reason END,
        stop_reason = CASE WHEN $3::jsonb ? 'stop_reason' THEN $3::jsonb->>'stop_reason' ELSE stop_reason END,
        stopped_by = coalesce($3::jsonb->>'stopped_by', stopped_by),
        ends_as = CASE WHEN $3::jsonb ? 'ends_as' THEN $3::jsonb->>'ends_as' ELSE ends_as END,
        timed_out = coalesce(($3::jsonb->>'timed_out')::boolean, timed_out),
        started_at = CASE WHEN $2 = ${sqlState.of("running")} THEN coalesce(started_at, now()) ELSE started_at END,
        stop_requested_at = CASE WHEN $2 = ${sqlState.of("stopping")} OR $3::jsonb ? 'stopped_by'
          THEN coalesce(stop_requested_at, now()) ELSE stop_requested_at END,
        lease_until = CASE WHEN $2 ${sqlState.leased} THEN lease_until END,
        runner_id = CASE WHEN $2 ${sqlState.before("claimed")} THEN NULL ELSE runner_id END,
        lease_token = CASE WHEN $2 ${sqlState.before("claimed")} THEN NULL ELSE lease_token END,
        deadline_at = CASE WHEN $2 ${sqlState.leased} THEN deadline_at END,
        finished_at = CASE WHEN $2 ${sqlState.final} THEN now() END,
        event_count = event_count + 1
      WHERE id = $1 AND state = $6
      RETURNING *
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, $4, $5::jsonb FROM r
    ), s AS (
      UPDATE sessions SET active_run_id = NULL, updated_at = now() FROM r
      WHERE r.finished_at IS NOT NULL AND sessions.id = r.session_id AND sessions.active_run_id = r.id
    )
    SELECT * FROM r`,
};

/** Changes a run's state and records the event. The run must be locked; a change that the table does not allow is a defect. */
export async function changeRun(
  queries: Queries,
  run: RunRow,
  state: RunState,
  changes: RunChanges,
  event: NewRunEvent,
): Promise<RunRow> {
  if (state !== run.state && !mayFollow(run.state, state)) {
    throw new Error(`the run ${run.id} is ${run.state} and cannot become ${state}`);
  }
  const [row] = await queries.run<RunRow>(CHANGE, [
    run.id,
    state,
    JSON.stringify(changes),
    event.type,
    JSON.stringify(event.data),
    run.state,
  ]);
  if (row === undefined) throw new Error(`the run ${run.id} is no longer ${run.state}`);
  return row;
}

const RECORD: Statement = {
  name: "record-event",
  text: `
    WITH r AS (
      UPDATE runs SET event_count = event_count + 1 WHERE id = $1 RETURNING session_id, event_count
    )
    INSERT INTO events (run_id, session_id, number, type, data)
    SELECT $1, session_id, event_count, $2, $3::jsonb FROM r`,
};

/** Adds an event to a run without changing its state. */
export async function recordEvent<T extends RunEventType>(
  queries: Queries,
  runId: string,
  type: T,
  data: RunEventData<T>,
): Promise<void> {
  await queries.run(RECORD, [runId, type, JSON.stringify(data)]);
}
