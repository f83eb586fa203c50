import type { EventName, Payload } from "@tenterhook/protocol";

const base = { sessionId: "sess-abc123", workDir: "/home/user/project", timestamp: "2026-01-15T10:30:00Z" };
const run = {
  agentName: "my-agent",
  sessionId: "ses_abc123",
  runId: "run_xyz789",
  parameters: { report_id: "R123" },
};
const messages = [{ role: "user" as const, content: "Hello" }];
const tool = { ...base, toolName: "Shell", toolInput: { command: "ls -la" }, toolUseId: "tool_123" };
const ended = { resultText: "done", resultData: null, status: "completed" as const, error: null };

/** A payload of every event, as a host would send it. */
export const PAYLOADS: { readonly [E in EventName]: Payload<E> } = {
  session_start: { ...base, model: "kimi-latest", args: { ui: "shell" } },
  session_end: { ...base, durationSeconds: 3600, totalSteps: 25, exitReason: "user_exit" },
  before_agent: { ...base, message: "Hello" },
  after_agent: { ...base, status: "completed", userMessage: "Hello", run: { durationMs: 1200 } },
  before_step: { ...base, stepIndex: 0, messages, state: { agentId: "a1", stepCount: 0 } },
  after_step: {
    ...base,
    stepIndex: 0,
    messages,
    state: { agentId: "a1", stepCount: 1 },
    completedWithText: true,
  },
  before_llm: { ...base, messages, tools: [], systemPrompt: "Be kind.", model: "small" },
  after_llm: { ...base, messages, text: "Hi", toolUses: [], usage: { inputTokens: 3, outputTokens: 1 } },
  before_tool: tool,
  after_tool: { ...tool, toolResult: "a.txt", status: "completed" },
  after_tool_failure: { ...tool, error: { name: "Error", message: "no such file" }, status: "failed" },
  before_stop: { ...base, stopReason: "no_tool_calls", stepCount: 5, finalMessage: null },
  subagent_start: {
    ...base,
    subagentName: "code-reviewer",
    subagentType: "coder",
    taskDescription: "Review",
  },
  subagent_stop: { ...base, subagentName: "code-reviewer", taskDescription: "Review" },
  pre_compact: { ...base, trigger: "auto" },
  permission_request: tool,
  notification: { ...base, message: "Waiting for your input", notificationType: "idle_prompt" },
  on_error: { ...base, error: { name: "Error", message: "overloaded" }, phase: "llm" },
  agent_failed: { ...base, error: { name: "Error", message: "gave up" } },
  on_run_start: run,
  on_tool_call: { ...run, toolName: "Shell", toolInput: { command: "ls" } },
  on_result: { ...run, resultText: "done", resultData: null },
  on_run_finish: { ...run, ...ended },
  on_run_error: { ...run, ...ended, status: "failed", error: "boom" },
  on_timeout: { ...run, timeoutSeconds: 60 },
};
