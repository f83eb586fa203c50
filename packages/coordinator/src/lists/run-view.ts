import type { Run, RunSummary } from "@tenterhook/protocol/runs";
import { jsonValues } from "../search/run-text.ts";
import type { Json, RunRow } from "../store/rows.ts";
import { type RunSummaryRow, START_CHARACTERS } from "./columns.ts";

/** A run as lists show it. */
export function runSummary(row: RunSummaryRow): RunSummary {
  return {
    run_id: row.id,
    session_id: row.session_id,
    agent_name: row.agent_name,
    revision: row.revision,
    kind: row.kind,
    status: row.state,
    waiting_for: row.waiting_for,
    ...(row.hook_waiting !== undefined && { hook_waiting: row.hook_waiting }),
    execution_mode: row.execution_mode,
    error: row.error,
    error_code: row.error_code,
    stop_reason: row.stop_reason,
    stopped_by: row.stopped_by,
    stop_requested_at: row.stop_requested_at,
    block_reason: row.block_reason,
    has_hooks: row.has_hooks,
    attempt: row.attempt,
    max_attempts: row.max_attempts,
    runner_id: row.runner_id,
    parent_run_id: row.parent_run_id,
    retry_of: row.retry_of,
    // Every other run that executes a hook has the hook's id.
    trial: row.kind === "hook" && row.hook_id === null,
    created_at: row.created_at,
    created_by: row.created_by,
    started_at: row.started_at,
    finished_at: row.finished_at,
    input_line: firstLine(inputText(row.input_start)),
    result_line: firstLine(row.result_start),
    usage: row.usage && [...row.usage],
    ...(row.found !== undefined && { found: row.found }),
  };
}

/** The summary of a row with its whole result. */
export function rowSummary(row: RunRow): RunSummary {
  return runSummary({
    ...row,
    input_start: readInput(row).slice(0, START_CHARACTERS),
    result_start: row.result_text || dataText(row.result_data),
  });
}

/** The same as `input_start` of a list. */
function readInput({ kind, parameters }: RunRow): string {
  const input = kind === "hook" ? withoutResult(parameters) : parameters;
  const message = [input.message, input.prompt].find((text) => typeof text === "string" && text !== "");
  return message === undefined ? JSON.stringify(input) : ` ${message}`;
}

/** Hides a result that a hook has not allowed, or has changed. */
export function withoutResult({ result_text: _text, result_data: _data, ...rest }: Json): Json {
  return rest;
}

/** The only text or number of parameters, or their JSON; a message stays as it is. */
function inputText(start: string | null): string | null {
  if (start === null || !start.startsWith("{")) return start;
  const [first, second] = jsonValues(start);
  if (second !== undefined) return start;
  return first ?? (start === "{}" ? null : start);
}

function dataText(data: RunRow["result_data"]): string | null {
  return data === null ? null : JSON.stringify(data);
}

const MAX_LINE = 200;

/** The first line that is not blank. */
function firstLine(text: string | null): string | null {
  const line =
    text
      ?.trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.trimEnd() ?? "";
  if (line === "") return null;
  // By characters, not inside one.
  return line.length <= MAX_LINE ? line : `${[...line].slice(0, MAX_LINE - 1).join("")}…`;
}

/** A run with its parameters and result. A reported result is hidden until a result hook has allowed it. */
export function runView(row: RunRow): Run {
  return {
    ...rowSummary(row),
    parameters: row.parameters,
    original_parameters: row.original_parameters,
    result_text: row.result_text,
    result_data: row.result_data,
  };
}
