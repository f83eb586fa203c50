import type { Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Json, RunRow } from "../store/rows.ts";
import { createRun } from "./create-run.ts";
import { readHookAgent } from "./hook-agent.ts";

/** The run of a trial; or the reply when no run could be created. */
export type TrialRun = { readonly run: RunRow } | { readonly reply: HookReply };

/**
 * Starts a run of a hook's agent to see what it answers. Its kind is `hook`, without a hook: runners execute it beside their slots,
 * it has no hooks itself, and its end has no consequences.
 */
export async function createTrialRun(
  queries: Queries,
  agentName: string,
  envelope: Json,
  timeoutSeconds: number,
  createdBy: string,
): Promise<TrialRun> {
  const found = await readHookAgent(queries, agentName, envelope);
  if ("reply" in found) return found;
  const { blueprint, revision } = found.agent;
  const run = await createRun(queries, {
    agentName,
    revision,
    kind: "hook",
    executionMode: "async_poll",
    parameters: found.input,
    hooks: {},
    tags: blueprint.tags,
    timeoutSeconds,
    maxAttempts: 1,
    createdBy,
    hasOutputSchema: blueprint.output_schema !== undefined,
  });
  if (typeof run !== "string") return { run };
  return { reply: { type: "failed", error: `the agent "${agentName}" was changed meanwhile: try again` } };
}
