import { readFile } from "node:fs/promises";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import type { ModelConfig } from "../model/model-config.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServers } from "../tools/mcp/server-config.ts";
import {
  type AgentConfiguration,
  agentTitle,
  parseJson,
  readAgentConfiguration,
} from "./agent-configuration.ts";
import { noSuchField, noSuchName, Problems } from "./problems.ts";

/** Agents and what they use, as data. */
export interface AgentFile {
  readonly agents: readonly AgentConfiguration[];
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly mcpServers: McpServers;
  /** The id of the agent that is meant when nobody says which. */
  readonly agent: string;
}

const NAMELESS = "the agents";
const FIELDS = ["agent", "agents", "models", "mcpServers"];

/** Where agents are read from: a path, JSON as text (which begins with a brace), or JSON that is parsed already. */
export type AgentSource = string | URL | object;

/**
 * Reads agents. There is one, or `{ agents, models?, mcpServers?, agent? }`. Rejects with `bad_agent` and everything that
 * is wrong.
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

/** How errors call a source. */
export function sourceTitle(source: AgentSource): string {
  return isPath(source) ? String(source) : NAMELESS;
}

function isPath(source: AgentSource): source is string | URL {
  return source instanceof URL || (typeof source === "string" && !/^\s*\{/.test(source));
}

/** The same for JSON that is parsed; `where` is how errors call it. */
export function parseAgentFile(json: unknown, where = NAMELESS): AgentFile {
  const problems = new Problems();
  if (!isRecord(json) || !("agents" in json)) {
    const agent = readAgentConfiguration(json, problems);
    problems.throwAbout(where === NAMELESS ? agentTitle(json) : `${where}: ${agentTitle(json)}`);
    return { agents: [agent], models: {}, mcpServers: {}, agent: agent.id };
  }
  for (const field of Object.keys(json))
    if (!FIELDS.includes(field)) problems.add(noSuchField(field, FIELDS));
  const agents = readAgents(json.agents, problems);
  const models = readModels(json.models ?? {}, problems);
  const mcpServers = readServers(json.mcpServers ?? {}, problems);
  const agent = meantAgent(json.agent, agents, problems);
  problems.throwAbout(where);
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
    if (own.areThere) problems.add(own.about(agentTitle(each, `agents[${index}]`)));
    return agent;
  });
}

/** Looked at from outside only: what a configuration means is known when the model is made. */
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

function meantAgent(value: unknown, agents: readonly AgentConfiguration[], problems: Problems): string {
  // An agent that has none is told of elsewhere.
  const ids = agents.map(({ id }) => id).filter((id) => typeof id === "string");
  if (value === undefined) return ids[0] ?? "";
  if (typeof value === "string" && ids.includes(value)) return value;
  problems.add(noSuchName("agent", "agent of this file", String(value), ids));
  return "";
}
