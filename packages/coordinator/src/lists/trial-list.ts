import type { RunEventData, TrialSummary } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";

interface TrialRow {
  readonly created_at: string;
  readonly data: RunEventData<"hook_trial">;
}

// Events without a session are edits of the catalogue and trials: few, however many runs are stored, and an index has them in order.
const OF_HOOK: Statement = {
  name: "trials-of-hook",
  text: `
    SELECT created_at, data FROM events
    WHERE session_id IS NULL AND type = 'hook_trial' AND data->>'hook_name' = $1
    ORDER BY xid DESC, id DESC LIMIT $2`,
};

/** The last trials of a named hook, on its own or as the hook of an agent, the newest first. */
export async function listTrials(queries: Queries, hook: string, limit: number): Promise<TrialSummary[]> {
  return (await queries.run<TrialRow>(OF_HOOK, [hook, limit])).map(({ created_at, data }) => ({
    trial_id: data.trial_id,
    hook_type: data.hook_type,
    agent_name: data.agent_name ?? null,
    target_type: data.target_type,
    target_name: data.target_name,
    outcome: data.outcome,
    reason: data.reason ?? null,
    error: data.error ?? null,
    run_id: data.child_run_id ?? null,
    duration_ms: data.duration_ms,
    by: data.by,
    created_at,
  }));
}
