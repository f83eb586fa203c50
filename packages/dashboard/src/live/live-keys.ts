import type { RunEvent } from "@tenterhook/protocol/runs";

/** What a program says while it works changes nothing but what it says. */
const ONLY_TOLD =
  /^(?:text|reasoning|log|step_|tool_|subagent|agent_usage|hook_acted|answer_|retry|compacted|events_)/;
const ENDED = /^run_(?:completed|failed|stopped)$/;

/**
 * What an event makes stale, by the beginnings of the names in `queries`. The list of runs is not among them: it changes
 * row by row, see `runs/live-runs.ts`.
 */
export function liveKeys({ event_type, run_id, session_id }: RunEvent): string[][] {
  if (ONLY_TOLD.test(event_type)) return [];
  const keys: string[][] = [];
  if (run_id !== null) keys.push(["run", run_id]);
  if (session_id !== null && event_type.startsWith("run_")) keys.push(["session", session_id], ["sessions"]);
  if (event_type === "run_claimed" || ENDED.test(event_type)) keys.push(["runners"]);
  if (event_type.startsWith("hook_")) keys.push(["hooks"]);
  if (event_type.startsWith("approval_")) keys.push(["approvals"]);
  return keys;
}
