import type { Blueprint } from "@tenterhook/protocol/runs";
import { readAgent } from "../agents/blueprint-rows.ts";
import type { Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import { violationText } from "../domain/json-schema.ts";
import type { AgentRow, Json } from "../store/rows.ts";

/** The agent that executes a hook, and its input; or the hook's reply when the agent cannot execute it. */
export type HookAgent =
  | { readonly agent: AgentRow; readonly input: Json }
  | { readonly reply: Extract<HookReply, { type: "failed" | "unfit" }> };

export async function readHookAgent(queries: Queries, agentName: string, envelope: Json): Promise<HookAgent> {
  const agent = await readAgent(queries, agentName);
  if (agent === undefined) return { reply: { type: "failed", error: `there is no agent "${agentName}"` } };
  const { input, problem } = fittingInput(agent.blueprint.parameters_schema, envelope);
  if (problem === undefined) return { agent, input };
  const error = `the agent "${agentName}" does not take the hook's input: ${problem}`;
  return { reply: { type: "unfit", error } };
}

/** Fields of the envelope that an agent's schema need not accept: such an agent gets the envelope without them. */
const OPTIONAL_FIELDS = ["stop_reason", "trial"] as const;

/** The envelope as an agent's schema accepts it, or what is wrong with it. */
function fittingInput(schema: Blueprint["parameters_schema"], envelope: Json) {
  let input = envelope;
  let problem = violationText(schema, input, "parameters");
  for (const field of OPTIONAL_FIELDS) {
    if (problem === undefined || !(field in input)) continue;
    const { [field]: _left, ...rest } = input;
    input = rest;
    problem = violationText(schema, input, "parameters");
  }
  return { input, problem };
}
