export { Agent, createAgent } from "./agent.ts";
export type { AgentOptions, OutputSchema, RunRequest } from "./agent-options.ts";
export type { HookAct } from "./loop/hook-act.ts";
export type { CompactionSettings } from "./loop/loop-settings.ts";
export type { Run, RunStatus, StopReason } from "./loop/run.ts";
export type { RunEvent, StepStatus, ToolStatus } from "./loop/run-event.ts";
export type { RunStream } from "./loop/run-stream.ts";
export type { CheckedCall, ToolCheck } from "./loop/tool-checks.ts";
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
export { fileSessions } from "./sessions/file-sessions.ts";
export { memorySessions } from "./sessions/memory-sessions.ts";
export { foldTranscript, type SessionStore, type TranscriptEntry } from "./sessions/session-store.ts";
export type { AgentInstrument, AgentOperation, OperationFacts } from "./telemetry/agent-instrument.ts";
export * from "./tools/built-in/index.ts";
export { type McpServerConfig, parseMcpServers } from "./tools/mcp/index.ts";
export type { AgentTool, AgentTools, ToolCallContext } from "./tools/tool.ts";
