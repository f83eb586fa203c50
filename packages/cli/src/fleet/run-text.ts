import type { Run, Waiting } from "@tenterhook/protocol/runs";

/** Why a run is in the queue, and its position. */
export function waitingText({ detail, reason, position, more }: Waiting): string {
  return reason === "position" ? detail : `${detail}; position ${position}${more ? "+" : ""} in the queue`;
}

/** The result of a run for standard output: its text, or its data as JSON. */
export function resultText({ result_text, result_data }: Run): string | undefined {
  if (result_data !== null) return JSON.stringify(result_data, undefined, 2);
  return result_text?.replace(/\n$/, "") || undefined;
}
