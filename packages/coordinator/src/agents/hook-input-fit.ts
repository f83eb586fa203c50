import { isRecord } from "@tenterhook/internal";
import { type Blueprint, RUN_HOOK_CONTRACTS, type RunHookType } from "@tenterhook/protocol/runs";
import { findViolation } from "../domain/json-schema.ts";

/** Whether a hook starts an ordinary run that the hook's own run does not wait for. */
export function isChained(type: string, mode: string | undefined): boolean {
  return type === "on_run_finish" && mode === "async";
}

/**
 * Why an agent cannot execute a type of hook: its schema does not accept the hook's input. An agent that a run waits for must accept
 * every input. A chained agent may be for some results only; it is refused when it accepts no input.
 */
export function hookInputProblem(
  type: RunHookType,
  mode: "sync" | "async",
  { name, parameters_schema }: Blueprint,
): string | undefined {
  if (parameters_schema === undefined) return undefined;
  const problem = isChained(type, mode)
    ? commonViolation(parameters_schema)
    : findViolation(parameters_schema, SAMPLES[type], "parameters")?.text;
  return problem === undefined
    ? undefined
    : `the parameters_schema of "${name}" does not take the input of ${type}: ${problem}`;
}

/** Why the schema accepts no input of a finish hook. */
function commonViolation(schema: object): string | undefined {
  const loosened = withUnknownValues(schema);
  const violations = ENDINGS.map((ending) => findViolation(loosened, ending, "parameters"));
  const [first] = violations;
  const isCertain = violations.every((violation) => violation !== undefined && !INSIDE.test(violation.field));
  return isCertain ? first?.text : undefined;
}

/** Fields whose values are known only when a run ends. */
const UNKNOWN = ["agent_name", "session_id", "run_id", "parameters", "result_text", "result_data", "error"];
const INSIDE = new RegExp(`^parameters\\.(?:${UNKNOWN.join("|")})\\.`);

/** The schema without its constraints on values that are not known here, except for their types. */
function withUnknownValues(schema: object): object {
  const { properties } = schema as { readonly properties?: unknown };
  if (!isRecord(properties)) return schema;
  const loosened = UNKNOWN.flatMap((name) => {
    const property = properties[name];
    if (!isRecord(property)) return [];
    return [[name, property.type === undefined ? true : { type: property.type }]];
  });
  return { ...schema, properties: { ...properties, ...Object.fromEntries(loosened) } };
}

const ABOUT = { agent_name: "agent", session_id: "ses_1", run_id: "run_1", parameters: {} };
const ENDED = { ...ABOUT, result_text: null, result_data: null, status: "completed", error: null };

/** A sample input of every type, for checking schemas. */
export const SAMPLES: { readonly [T in RunHookType]: unknown } = {
  on_run_start: RUN_HOOK_CONTRACTS.on_run_start.input.parse(ABOUT),
  on_tool_call: { ...ABOUT, tool_name: "tool", tool_input: {}, tool_use_id: "call_1" },
  on_result: { ...ABOUT, result_text: null, result_data: null },
  on_run_finish: ENDED,
  on_run_error: { ...ENDED, status: "failed", error: "it failed" },
  on_timeout: { ...ABOUT, timeout_seconds: 60 },
};

/** The ends that a run can have. */
const ENDINGS: readonly object[] = [
  ENDED,
  { ...ENDED, result_text: "done" },
  { ...ENDED, result_data: {} },
  { ...ENDED, result_text: "done", result_data: {} },
  { ...ENDED, status: "failed", error: "it failed" },
  { ...ENDED, status: "stopped" },
  { ...ENDED, status: "stopped", stop_reason: "not wanted" },
];
