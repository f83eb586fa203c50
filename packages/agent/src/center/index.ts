export {
  AgentCenter,
  type AgentCenterOptions,
  createAgentCenter,
  type LoadedAgents,
} from "./agent-center.ts";
export {
  type AgentConfiguration,
  type AgentConfigurationInput,
  type AgentFile,
  type AgentSource,
  parseAgentConfiguration,
  parseAgentFile,
  readAgentFile,
} from "./agent-file.ts";
export type {
  AgentRun,
  AgentRunRequest,
  AgentRunStream,
  AgentSessionContext,
  SessionOptions,
} from "./agent-run.ts";
export type {
  Hook,
  HookContext,
  HookedRun,
  PostHookFunction,
  PreHookFunction,
  RegisteredPostHook,
  RegisteredPreHook,
} from "./hook-context.ts";
export type { HookMetric } from "./hook-metrics.ts";
export type { StreamHook } from "./stream-hooks.ts";
