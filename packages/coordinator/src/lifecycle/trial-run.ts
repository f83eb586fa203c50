import { readAgent } from "../agents/blueprint-rows.ts";
import type { Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Json, RunRow } from "../store/rows.ts";
import { fittingInput } from "./begin-hook.ts";
import { createRun } from "./create-run.ts";

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
  const agent = await readAgent(queries, agentName);
  if (agent === undefined) return { reply: { type: "failed", error: `there is no agent "${agentName}"` } };
  const { blueprint, revision } = agent;
  const { input, problem } = fittingInput(blueprint.parameters_schema, envelope);
  if (problem !== undefined) {
    const error = `the agent "${agentName}" does not take the hook's input: ${problem}`;
    return { reply: { type: "unfit", error } };
  }
  const run = await createRun(queries, {
    agentName,
    revision,
    kind: "hook",
    executionMode: "async_poll",
    parameters: input,
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
