import type { Fields } from "./events.ts";

/** The fields as Claude Code names them; most other clients adopted them. */
export const COMMON_FIELDS: Fields = {
  sessionId: "session_id",
  cwd: "cwd",
  timestamp: "timestamp",
  permissionMode: "permission_mode",
  toolName: "tool_name",
  toolInput: "tool_input",
  toolUseId: "tool_use_id",
  toolResult: "tool_response",
  durationMs: "duration_ms",
  error: "error",
  prompt: "prompt",
  source: "source",
  model: "model",
  exitReason: "reason",
  stopReason: "stop_reason",
  stopHookActive: "stop_hook_active",
  finalMessage: "last_assistant_message",
  agentId: "agent_id",
  agentType: "agent_type",
  task: "prompt",
  trigger: "trigger",
  message: "message",
  title: "title",
  notificationType: ["notification_type", "notificationType"],
};
