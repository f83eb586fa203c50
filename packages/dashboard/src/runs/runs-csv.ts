import type { RunSummary } from "@tenterhook/protocol/runs";

const COLUMNS = [
  "run_id",
  "agent_name",
  "status",
  "kind",
  "session_id",
  "parent_run_id",
  "attempt",
  "created_at",
  "created_by",
  "started_at",
  "finished_at",
  "block_reason",
  "error",
  "error_code",
  "stop_reason",
  "stopped_by",
] as const satisfies readonly (keyof RunSummary)[];

/** Runs as a table for a spreadsheet, times in UTC. */
export function runsCsv(runs: readonly RunSummary[]): string {
  const rows = runs.map((run) => COLUMNS.map((name) => cell(run[name])).join(","));
  return `${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  // A spreadsheet would take these as formulas.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
