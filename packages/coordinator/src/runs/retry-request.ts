import type { Queries } from "../database/database.ts";
import { Problem, requireFound } from "../problem.ts";
import { readSession } from "../sessions/session-rows.ts";
import type { Json } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import type { StartRunRequest } from "./start-run-request.ts";

/** The request that repeats a run which has ended: with the parameters that it was first given or with others, in its session. */
export async function retryRequest(
  queries: Queries,
  id: string,
  parameters?: Json,
): Promise<StartRunRequest> {
  const known = requireFound(await readRun(queries, id), "run", id);
  if (known.finished_at === null) {
    throw new Problem("conflict", `the run "${id}" has not ended`, { hint: "Stop it first." });
  }
  if (known.kind === "hook") {
    throw new Problem("conflict", `the run "${id}" executed a hook`, {
      hint: "Retry the run whose hook it was.",
    });
  }
  const session = await readSession(queries, known.session_id);
  return {
    agent_name: known.agent_name,
    parameters: parameters ?? known.original_parameters ?? known.parameters,
    session_id: known.session_id,
    parent_session_id: session?.parent_session_id ?? undefined,
    execution_mode: known.execution_mode === "sync" ? "async_poll" : known.execution_mode,
  };
}
