import type { HookTrial, RunEventData } from "@tenterhook/protocol/runs";
import type { Queries } from "../database/database.ts";
import { recordCatalogueEvent } from "../store/record-catalogue-event.ts";

/** Records a trial, with the name of the person or the token. */
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
  await recordCatalogueEvent(queries, { type: "hook_trial", data });
}
