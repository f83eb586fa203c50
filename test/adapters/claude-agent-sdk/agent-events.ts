/** The events that the adapter fires, in the order of a run. */
export const AGENT_EVENT_NAMES = [
  "session_start",
  "session_end",
  "before_agent",
  "after_agent",
  "after_step",
  "before_tool",
  "after_tool",
  "after_tool_failure",
  "before_stop",
  "subagent_start",
  "subagent_stop",
  "pre_compact",
  "permission_request",
  "on_error",
  "agent_failed",
] as const;
