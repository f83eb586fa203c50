import type { RunHookType } from "@tenterhook/protocol/runs";

const ended = { parameters: {}, result_text: "done", result_data: null };

/** An input of each type to begin with. The coordinator fills in ids and names. */
export const SAMPLE_INPUTS: Readonly<Record<RunHookType, Readonly<Record<string, unknown>>>> = {
  on_run_start: { parameters: {} },
  on_tool_call: { parameters: {}, tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "call_1" },
  on_result: ended,
  on_run_finish: { ...ended, status: "completed", error: null },
  on_run_error: { ...ended, result_text: null, status: "failed", error: "it failed" },
  on_timeout: { parameters: {}, timeout_seconds: 60 },
};
