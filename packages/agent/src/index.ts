// What users of an agent write in hooks; the rest is in `@tenterhook/engine`.
export { ask, block, createHooks, proceed, recover, skip, stop } from "@tenterhook/engine";
export { Agent, createAgent } from "./agent.ts";
export type { AgentOptions, OutputSchema, RunRequest } from "./agent-options.ts";
export type { CompactionOptions } from "./loop/loop-settings.ts";
export { aiSdkModel } from "./model/ai-sdk-model.ts";
export type {
  Model,
  ModelAnswer,
  ModelDelta,
  ModelRequest,
  ModelSettings,
  ModelToolCall,
} from "./model/model.ts";
export { type ModelConfig, modelFrom } from "./model/model-config.ts";
export type { ModelLike } from "./model/models.ts";
export type { AgentEvent, StepStatus, ToolStatus } from "./run/agent-event.ts";
export type { AgentInstrument, AgentOperation, OperationFacts } from "./run/agent-instrument.ts";
export type { HookAct } from "./run/hook-act.ts";
export type { RunResult, StopReason } from "./run/run-result.ts";
export type { RunStream } from "./run/run-stream.ts";
export type { CheckedCall, ToolCheck } from "./run/tool-checks.ts";
export { fileSessions } from "./sessions/file-sessions.ts";
export { memorySessions } from "./sessions/memory-sessions.ts";
export { foldTranscript, type SessionStore, type TranscriptEntry } from "./sessions/session-store.ts";
export * from "./tools/built-in/index.ts";
export { type McpServerConfig, parseMcpServers } from "./tools/mcp/parse-mcp-servers.ts";
export type { AgentTool, AgentTools, ToolCallContext } from "./tools/tool.ts";
