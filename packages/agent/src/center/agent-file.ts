import { readFile } from "node:fs/promises";
import { isRecord, messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { ModelConfig } from "../model/model-config.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServers } from "../tools/mcp/server-config.ts";
import {
  type AgentConfiguration,
  agentTitle,
  parseJson,
  readAgentConfiguration,
} from "./agent-configuration.ts";
import { Problems, unknownField, unknownName } from "./problems.ts";

/** Agents with their models and MCP servers, as data. */
export interface AgentFile {
  readonly agents: readonly AgentConfiguration[];
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly mcpServers: McpServers;
  /** The id of the default agent. */
  readonly agent: string;
}

const UNNAMED = "the agents";
const FIELDS = ["agent", "agents", "models", "mcpServers"];

/** Where agents are read from: a path, JSON as text (which begins with a brace), or parsed JSON. */
export type AgentSource = string | URL | object;

/**
 * Reads one agent, or `{ agents, models?, mcpServers?, agent? }`. Rejects with `bad_agent` and all problems.
 */
export async function readAgentFile(source: AgentSource): Promise<AgentFile> {
  const where = sourceTitle(source);
  if (!isPath(source)) {
    return parseAgentFile(typeof source === "string" ? parseJson(source, where) : source, where);
  }
  const text = await readFile(source, "utf8").catch((error: unknown) => {
    throw new TenterhookError("bad_agent", `${where} cannot be read: ${messageOf(error)}.`, { cause: error });
  });
  return parseAgentFile(parseJson(text, where), where);
}

/** How error messages name a source. */
export function sourceTitle(source: AgentSource): string {
  return isPath(source) ? String(source) : UNNAMED;
}

function isPath(source: AgentSource): source is string | URL {
  return source instanceof URL || (typeof source === "string" && !/^\s*\{/.test(source));
}

/** Reads parsed JSON; `where` names it in error messages. */
export function parseAgentFile(json: unknown, where = UNNAMED): AgentFile {
  const problems = new Problems();
  if (!isRecord(json) || !("agents" in json)) {
    const agent = readAgentConfiguration(json, problems);
    problems.throwIfAny(where === UNNAMED ? agentTitle(json) : `${where}: ${agentTitle(json)}`);
    return { agents: [agent], models: {}, mcpServers: {}, agent: agent.id };
  }
  for (const field of Object.keys(json))
    if (!FIELDS.includes(field)) problems.add(unknownField(field, FIELDS));
  const agents = readAgents(json.agents, problems);
  const models = readModels(json.models ?? {}, problems);
  const mcpServers = readServers(json.mcpServers ?? {}, problems);
  const agent = defaultAgent(json.agent, agents, problems);
  problems.throwIfAny(where);
  return { agents, models, mcpServers, agent };
}

function readAgents(value: unknown, problems: Problems): readonly AgentConfiguration[] {
  if (!Array.isArray(value) || value.length === 0) {
    problems.add("agents must be a list of at least one agent");
    return [];
  }
  const seen = new Set<unknown>();
  return value.map((each: unknown, index) => {
    const own = new Problems();
    const agent = readAgentConfiguration(each, own);
    if (seen.has(agent.id)) own.add("there are two of that id");
    seen.add(agent.id);
    if (own.exist) problems.add(own.describe(agentTitle(each, `agents[${index}]`)));
    return agent;
  });
}

/** Checks only the outer shape: a configuration is validated when the model is created. */
function readModels(value: unknown, problems: Problems): AgentFile["models"] {
  if (!isRecord(value)) {
    problems.add("models must be an object of models by name");
    return {};
  }
  for (const [name, model] of Object.entries(value))
    if (typeof model !== "string" && !isRecord(model)) problems.add(`the model "${name}" must be an object`);
  return value as AgentFile["models"];
}

function readServers(value: unknown, problems: Problems): McpServers {
  try {
    return parseMcpServers(value);
  } catch (error) {
    problems.add(messageOf(error).replace(/\.$/, ""));
    return {};
  }
}

function defaultAgent(value: unknown, agents: readonly AgentConfiguration[], problems: Problems): string {
  // An agent without an id is reported elsewhere.
  const ids = agents.map(({ id }) => id).filter((id) => typeof id === "string");
  if (value === undefined) return ids[0] ?? "";
  if (typeof value === "string" && ids.includes(value)) return value;
  problems.add(unknownName("agent", "agent of this file", String(value), ids));
  return "";
}
