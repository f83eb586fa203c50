import type { RunEvent } from "@tenterhook/protocol/runs";

/** Events that only add output or details to a run, and change no resource. */
const OUTPUT_EVENTS =
  /^(?:text|reasoning|log|step_|tool_|subagent|agent_usage|hook_acted|hook_tallies|answer_|retry|compacted|events_)/;
const CATALOGUE = /^(?:agent|named_hook)_(?:saved|deleted)$/;
const ENDED = /^run_(?:completed|failed|stopped)$/;

/** A call of a hook has ended or asked. Calls are cancelled with their run, and an event of a subagent may be about its hooks. */
const HOOK_RESULTS =
  /^(?:hook_(?:complete|blocked|failed|timeout|acted|tallies)|approval_requested|subagent|run_failed|run_stopped|session_deleted)$/;
const HOOKS_IN_USE = ["hooks-in-use"];

/**
 * The prefixes of query keys that an event makes stale. The list of runs is not among them: its rows are updated one by one,
 * see `runs/row-refresher.ts`.
 */
export function liveKeys({ event_type, run_id, session_id }: RunEvent): string[][] {
  if (OUTPUT_EVENTS.test(event_type)) return [];
  const keys: string[][] = [];
  if (run_id !== null) keys.push(["run", run_id]);
  if (session_id !== null && /^(?:run|approval)_/.test(event_type))
    keys.push(["session", session_id], ["sessions"]);
  if (event_type === "run_claimed" || ENDED.test(event_type) || event_type.startsWith("runner_")) {
    keys.push(["runners"]);
  }
  if (event_type.startsWith("hook_")) keys.push(["hooks"]);
  // Agents and named hooks list each other as their users.
  if (CATALOGUE.test(event_type)) keys.push(["agents"], ["hooks"], HOOKS_IN_USE);
  if (event_type === "session_deleted") keys.push(["session"], ["sessions"]);
  if (event_type.startsWith("approval_")) keys.push(["approvals"]);
  return keys;
}

/** The same for what takes long to read, because it is counted. */
export function slowLiveKeys({ event_type }: RunEvent): string[][] {
  return HOOK_RESULTS.test(event_type) ? [HOOKS_IN_USE] : [];
}
