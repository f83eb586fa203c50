import type { HookTrial, RunEventData } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { eventType } from "../store/event-type.ts";

const RECORD: Statement = {
  name: "record-hook-trial",
  text: `INSERT INTO events (type, data) VALUES (${eventType("hook_trial")}, $1::jsonb)`,
};

/** Records that a hook was tried, and by whom. The event belongs to no run and no session, so no list or metric counts it. */
export async function recordTrial(
  queries: Queries,
  trial: HookTrial,
  by: string,
  isAbandoned: boolean,
): Promise<void> {
  const { trial_id, hook_type, target_type, target_name, duration_ms } = trial;
  const { hook_name, agent_name, run_id, reason, error, outcome } = trial;
  const data: RunEventData<"hook_trial"> = {
    trial_id,
    hook_type,
    target_type,
    target_name,
    duration_ms,
    by,
    outcome: isAbandoned ? "abandoned" : outcome,
    ...(hook_name !== null && { hook_name }),
    ...(agent_name !== null && { agent_name }),
    ...(run_id !== null && { child_run_id: run_id }),
    ...(reason !== null && { reason }),
    ...(error !== null && { error }),
  };
  await queries.run(RECORD, [JSON.stringify(data)]);
}
