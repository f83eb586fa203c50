import type { FoundText } from "@tenterhook/protocol/runs";
import { type Fragment, sql, verbatim } from "../database/fragment.ts";
import type { RunRow } from "../store/rows.ts";
import type { Position } from "./cursor.ts";

/** The columns of a run that lists show. */
const SUMMARY_COLUMNS = [
  "id",
  "session_id",
  "agent_name",
  "revision",
  "kind",
  "state",
  "execution_mode",
  "error",
  "error_code",
  "stop_reason",
  "stopped_by",
  "stop_requested_at",
  "block_reason",
  "has_hooks",
  "attempt",
  "max_attempts",
  "runner_id",
  "parent_run_id",
  "retry_of",
  "hook_id",
  "created_at",
  "created_by",
  "started_at",
  "finished_at",
  "usage",
] as const satisfies readonly (keyof RunRow)[];

/** The beginning of an input or a result, from which lists show the first line. */
export const START_CHARACTERS = 1_000;
/** Larger data is not converted to text for a line of a list. */
const RESULT_DATA_BYTES = 4_000;

/** Larger parameters are not read for a line of a list. As they are stored, usually compressed. */
const INPUT_BYTES = 16_000;

// The parameters of a run that executes a result hook contain a result that is still hidden.
const INPUT = `CASE WHEN runs.kind = 'hook' THEN runs.parameters - 'result_text' - 'result_data' ELSE runs.parameters END`;

// A message begins with a space, which distinguishes it from JSON.
const message = (name: string) =>
  `CASE WHEN jsonb_typeof(input->'${name}') = 'string' THEN ' ' || nullif(input->>'${name}', '') END`;

/** The message to the agent, as its runner finds it, or all parameters. */
const INPUT_START = `CASE WHEN pg_column_size(runs.parameters) <= ${INPUT_BYTES} THEN (
    SELECT left(coalesce(${message("message")}, ${message("prompt")}, input::text), ${START_CHARACTERS})
    FROM (SELECT ${INPUT} AS input OFFSET 0) AS inputs) END`;

export interface RunSummaryRow extends Pick<RunRow, (typeof SUMMARY_COLUMNS)[number] | "waiting_for"> {
  /** A space and the message, or JSON, perhaps without its end. */
  readonly input_start: string | null;
  readonly result_start: string | null;
  /** Why a hook of it is not called yet. Only of rows that were read for a list. */
  readonly hook_waiting?: string | null;
  /** Only of rows that were found by words. */
  readonly found?: FoundText | null;
}

/** Of the hook that the run waits for, if there is one. */
const HOOK_WAITING = `CASE WHEN runs.has_hooks THEN (
    SELECT run_hooks.waiting->>'detail' FROM run_hooks
    WHERE run_hooks.run_id = runs.id AND run_hooks.state = 'pending' AND run_hooks.waiting IS NOT NULL
    ORDER BY run_hooks.mode DESC, run_hooks.due_at LIMIT 1) END`;

/** A pending approval of a run that has not ended. A scalar with a limit, so that no plan reads all approvals for a page of runs. */
export const PENDING_APPROVAL = `CASE WHEN runs.finished_at IS NULL THEN (
    SELECT 'approval' FROM approvals WHERE approvals.run_id = runs.id AND approvals.state = 'pending' LIMIT 1) END`;

export const RUN_SUMMARY = `${SUMMARY_COLUMNS.map((column) => `runs.${column}`).join(", ")},
  coalesce(${PENDING_APPROVAL}, runs.waiting_for) AS waiting_for,
  ${INPUT_START} AS input_start,
  coalesce(nullif(left(runs.result_text, ${START_CHARACTERS}), ''),
    CASE WHEN pg_column_size(runs.result_data) <= ${RESULT_DATA_BYTES}
      THEN left(runs.result_data::text, ${START_CHARACTERS}) END) AS result_start,
  ${HOOK_WAITING} AS hook_waiting`;

/** A row of a list with its time to the microsecond. A time in milliseconds could start a page between rows of the same millisecond. */
export interface Positioned {
  readonly position: string;
}

/** The rows after a position, in a list of the newest first. */
export function isAfter(time: string, id: string, position: Position | undefined): Fragment | undefined {
  if (position === undefined) return undefined;
  const [atTime, atId] = position;
  return sql`(${verbatim(time)}, ${verbatim(id)}) < (${atTime}::timestamptz, ${atId})`;
}

/** Text as a pattern of LIKE that matches only itself. */
export function likeLiteral(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
