import type { Blueprint, RunHookType } from "@tenterhook/protocol/runs";
import type { HookDecision } from "./hook-decision.ts";
import { violationText } from "./json-schema.ts";

/** The fields of a hook that are needed to check its decision. */
export interface DecidingHook {
  readonly hook_type: RunHookType;
  readonly mode: "sync" | "async";
  readonly definition: { readonly on_error: "block" | "continue" };
}

type Schemas = Pick<Blueprint, "parameters_schema" | "output_schema">;

/** A value of a hook must fit the schemas of the agent's blueprint, like the value that it replaces. */
export async function fitDecision(
  { hook_type, mode, definition }: DecidingHook,
  decision: HookDecision,
  readSchemas: () => Promise<Schemas>,
): Promise<HookDecision> {
  // The run does not wait for a decision: the tool has been called.
  if (decision.type === "ask" && mode === "async") return { type: "continue", changes: {} };
  if (decision.type !== "continue") return decision;
  const { parameters, result_data } = decision.changes;
  let problem: string | undefined;
  if (hook_type === "on_run_start" && parameters !== undefined) {
    problem = violationText((await readSchemas()).parameters_schema, parameters, "parameters");
  } else if (hook_type === "on_result" && result_data !== undefined && result_data !== null) {
    problem = violationText((await readSchemas()).output_schema, result_data, "result_data");
  }
  if (problem === undefined) return decision;
  return {
    type: "failed",
    error: `its answer does not fit the agent's schema: ${problem}`,
    timedOut: false,
    blocks: definition.on_error === "block",
  };
}
