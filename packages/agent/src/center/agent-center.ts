import {
  createHooks,
  type Hooks,
  type NamedHook,
  NamedHooks,
  type PostHook,
  type PreHook,
  type RegisteredNamedHook,
  type Report,
} from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import { type AgentOptions, checkAgentOptions } from "../agent-options.ts";
import type { ModelConfig } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import type { AgentInstrument } from "../telemetry/agent-instrument.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServerConfig } from "../tools/mcp/server-config.ts";
import type { AgentTool } from "../tools/tool.ts";
import {
  type AgentConfiguration,
  type AgentConfigurationInput,
  parseAgentConfiguration,
} from "./agent-configuration.ts";
import { readAgentFile } from "./agent-file.ts";
import type { AgentRun, AgentRunRequest, AgentRunStream } from "./agent-run.ts";
import { composedPostHook, composedPreHook } from "./compose-hooks.ts";
import { type HookContext, hookContext } from "./hook-context.ts";
import { type HookMetric, HookMetrics } from "./hook-metrics.ts";
import { ModelRegistry } from "./model-registry.ts";
import { noSuchName, Problems } from "./problems.ts";
import { ReadyAgent } from "./ready-agent.ts";
import { Registry } from "./registry.ts";
import { type Registered, resolveNames } from "./resolve-names.ts";
import { RunsUnderWay } from "./runs-under-way.ts";
import { type AgentSessionContext, type SessionOptions, sessionContext } from "./session-context.ts";
import { type StreamHook, StreamHooks } from "./stream-hooks.ts";
import { ToolRegistry } from "./tool-registry.ts";
import { within } from "./within.ts";

/** What an agent has by its configuration, and not by the options that all agents of a center share. */
type Configured =
  | "name"
  | "id"
  | "description"
  | "instructions"
  | "model"
  | "models"
  | "tools"
  | "mcpServers"
  | "subagents"
  | "hooks"
  | "onHookEvent";

/** What all agents of a center share: sessions, permissions, limits. */
export interface AgentCenterOptions extends Omit<AgentOptions, Configured> {
  /** Takes failures that reach nobody else, those of hooks that do not block among them. Default: a process warning. */
  readonly report?: Report | undefined;
}

/** Makes a center. */
export function createAgentCenter(options: AgentCenterOptions = {}): AgentCenter {
  return new AgentCenter(options);
}
