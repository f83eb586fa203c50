import {
  createHooks,
  type Hooks,
  type NamedHook,
  NamedHooks,
  newMetadata,
  type PostHook,
  type PreHook,
  type RegisteredNamedHook,
  type Report,
} from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import { type AgentOptions, checkAgentOptions } from "../agent-options.ts";
import { RunStream } from "../loop/run-stream.ts";
import type { ModelConfig } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServerConfig } from "../tools/mcp/server-config.ts";
import type { AgentTool } from "../tools/tool.ts";
