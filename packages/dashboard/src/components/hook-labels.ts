import type { HookRecord, RunHookType } from "@tenterhook/protocol/runs";

/** When each type of hook fires. */
export const HOOK_TYPE_LABELS: Readonly<Record<RunHookType, string>> = {
  on_run_start: "before the run starts",
  on_tool_call: "before every tool call",
  on_result: "before the result is returned",
  on_run_finish: "after the run has ended",
  on_run_error: "when the run has failed",
  on_timeout: "when the run times out",
};

/** The colours of hook states. */
export const HOOK_STATE_COLORS: Readonly<Record<HookRecord["state"], string>> = {
  pending: "gray",
  running: "blue",
  waiting: "blue",
  asking: "violet",
  done: "green",
  failed: "red",
  blocked: "red",
  cancelled: "gray",
};
