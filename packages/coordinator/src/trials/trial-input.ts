import { RUN_HOOK_CONTRACTS, type RunHookType } from "@tenterhook/protocol/runs";
import { SAMPLES } from "../agents/hook-input-fit.ts";
import type { Queries, Statement } from "../database/database.ts";
import { isFinal } from "../domain/run-state.ts";
import { showRun } from "../lists/run-detail.ts";
import { Problem, requireFound } from "../problem.ts";
import { eventType } from "../store/event-type.ts";
import type { Json, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";

/** The subject of a trial: an input, or a past run. */
export interface TrialSubject {
  readonly input?: Json | undefined;
  readonly run_id?: string | undefined;
}

export interface TrialInput {
  readonly input: Json;
  /** The run that it was taken from. */
  readonly run?: RunRow;
}

/** The input of a trial, marked as one. A run's result is taken as clients see it: a result that is hidden stays so. */
export async function trialInput(
  queries: Queries,
  type: RunHookType,
  { input, run_id }: TrialSubject,
  agentName: string | undefined,
): Promise<TrialInput> {
  if (run_id === undefined) return { input: ownInput(type, input ?? {}, agentName) };
  const run = requireFound(await readRun(queries, run_id), "run", run_id, { field: "run_id" });
  return { input: { ...(await inputOfRun(queries, type, run)), trial: true }, run };
}

function ownInput(type: RunHookType, given: Json, agentName: string | undefined): Json {
  const sample = { ...(SAMPLES[type] as Json), ...(agentName !== undefined && { agent_name: agentName }) };
  const input = { ...sample, ...given, trial: true };
  const read = RUN_HOOK_CONTRACTS[type].input.safeParse(input);
  if (read.success) return input;
  const [issue] = read.error.issues;
  const field = ["input", ...(issue?.path ?? [])].join(".");
  throw new Problem("bad_parameters", `it is not an input of ${type}: ${issue?.message ?? "invalid"}`, {
    field,
  });
}

async function inputOfRun(queries: Queries, type: RunHookType, run: RunRow): Promise<Json> {
  const shown = await showRun(queries, run);
  const { agent_name, session_id, run_id, result_text, result_data, status, error, stop_reason } = shown;
  const about = { parameters: shown.parameters, agent_name, session_id, run_id };
  switch (type) {
    case "on_run_start":
      return { ...about, parameters: shown.original_parameters ?? shown.parameters };
    case "on_tool_call":
      return { ...about, ...(await lastToolCall(queries, run_id)) };
    case "on_result":
      return { ...about, result_text, result_data };
    case "on_timeout":
      return { ...about, timeout_seconds: run.timeout_seconds ?? 60 };
    default: {
      if (!isFinal(status)) {
        throw new Problem("conflict", `the run "${run_id}" has not ended`, {
          field: "run_id",
          hint: "Choose one that has, or give an input of your own.",
        });
      }
      const why = stop_reason === null ? {} : { stop_reason };
      return { ...about, result_text, result_data, status, error, ...why };
    }
  }
}

const JUDGED_CALL: Statement = {
  name: "last-judged-tool-call",
  text: `
    SELECT input AS data FROM run_hooks WHERE run_id = $1 AND hook_type = 'on_tool_call'
    ORDER BY created_at DESC LIMIT 1`,
};
const TOOL_CALL: Statement = {
  name: "last-tool-call",
  text: `
    SELECT data FROM events WHERE run_id = $1 AND type = ${eventType("tool_start")} ORDER BY number DESC LIMIT 1`,
};

/** The last call that a hook checked, else the last one that the runner reported. */
async function lastToolCall(queries: Queries, runId: string): Promise<Json> {
  for (const statement of [JUDGED_CALL, TOOL_CALL]) {
    const [found] = await queries.run<{ data: Json }>(statement, [runId]);
    if (found === undefined) continue;
    const { tool_name, tool_input, tool_use_id } = found.data;
    return { tool_name, tool_input: tool_input ?? {}, tool_use_id };
  }
  throw new Problem("conflict", `the run "${runId}" called no tool`, {
    field: "run_id",
    hint: "Choose one that did, or give an input of your own.",
  });
}
