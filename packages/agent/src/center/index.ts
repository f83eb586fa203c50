export { AgentCenter, type AgentCenterOptions, createAgentCenter } from "./agent-center.ts";
export {
  type AgentConfiguration,
  type AgentConfigurationInput,
  parseAgentConfiguration,
} from "./agent-configuration.ts";
export { type AgentFile, type AgentSource, parseAgentFile, readAgentFile } from "./agent-file.ts";
export type { AgentRun, AgentRunRequest, AgentRunStream } from "./agent-run.ts";
export type { LoadedAgents } from "./catalogue.ts";
export type { HookContext } from "./hook-context.ts";
export type { HookMetric } from "./hook-metrics.ts";
export type {
  Hook,
  HookedRun,
  PostHookFunction,
  PreHookFunction,
  RegisteredPostHook,
  RegisteredPreHook,
} from "./hook-types.ts";
export type { AgentSessionContext, SessionOptions } from "./session-context.ts";
export type { StreamHook } from "./stream-hooks.ts";
