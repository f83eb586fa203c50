import { readFile } from "node:fs/promises";
import { isRecord, messageOf, withoutBom } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { ModelConfig } from "../model/model-config.ts";
import { type McpServers, parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import { throwProblems, unknownField, unknownName } from "./problems.ts";

/** An agent as data. Everything that it uses is listed by name, and resolved when it runs. */
export interface AgentConfiguration {
  readonly id: string;
  readonly name: string;
  /** For agents that delegate to it: when to use it. */
  readonly description: string;
  readonly modelName: string;
  /** The system prompt. */
  readonly instructions: string;
  readonly toolNames: readonly string[];
  readonly mcpServerNames: readonly string[];
  readonly preHookNames: readonly string[];
  readonly postHookNames: readonly string[];
  /** Beyond the nine fields above: hooks that see every event of a run. */
  readonly streamHookNames?: readonly string[];
  /** Beyond the nine fields above: ids of agents that it may delegate to, each a tool of that agent's name. */
  readonly subagents?: readonly string[];
}

const TEXTS = ["id", "name", "description", "modelName", "instructions"] as const;
const LISTS = ["toolNames", "mcpServerNames", "preHookNames", "postHookNames"] as const;
const MORE_LISTS = ["streamHookNames", "subagents"] as const;
const AGENT_FIELDS: readonly string[] = [...TEXTS, ...LISTS, ...MORE_LISTS];

/** May be empty; the others are resolved or displayed, so an empty text cannot be meant. */
const MAY_BE_EMPTY: readonly string[] = ["description", "instructions"];

/** An agent as it is written: lists may be omitted. */
export type AgentConfigurationInput = Pick<AgentConfiguration, (typeof TEXTS)[number]> & {
  readonly [List in (typeof LISTS)[number] | (typeof MORE_LISTS)[number]]?: readonly string[] | undefined;
};

/** Agents with their models and MCP servers, as data. */
export interface AgentFile {
  readonly agents: readonly AgentConfiguration[];
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly mcpServers: McpServers;
  /** The id of the default agent. */
  readonly agent: string;
}

const FILE_FIELDS = ["agent", "agents", "models", "mcpServers"];
const UNNAMED = "the agents";

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

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch (error) {
    throw new TenterhookError("bad_agent", `${subject} is not JSON: ${messageOf(error)}.`, { cause: error });
  }
}

/** Reads parsed JSON; `where` names it in error messages. */
export function parseAgentFile(json: unknown, where = UNNAMED): AgentFile {
  const problems: string[] = [];
  if (!isRecord(json) || !("agents" in json)) {
    const agent = readAgent(json, problems);
    throwProblems(where === UNNAMED ? agentTitle(json) : `${where}: ${agentTitle(json)}`, problems);
    return { agents: [agent], models: {}, mcpServers: {}, agent: agent.id };
  }
  for (const field of Object.keys(json))
    if (!FILE_FIELDS.includes(field)) problems.push(unknownField(field, FILE_FIELDS));
  const agents = readAgents(json.agents, problems);
  const models = readModels(json.models ?? {}, problems);
  const mcpServers = readServers(json.mcpServers ?? {}, problems);
  const agent = findDefaultAgent(json.agent, agents, problems);
  throwProblems(where, problems);
  return { agents, models, mcpServers, agent };
}

function readAgents(value: unknown, problems: string[]): readonly AgentConfiguration[] {
  if (!Array.isArray(value) || value.length === 0) {
    problems.push("agents must be a list of at least one agent");
    return [];
  }
  const ids = new Set<unknown>();
  return value.map((json: unknown, index) => {
    const own: string[] = [];
    const agent = readAgent(json, own);
    if (ids.has(agent.id)) own.push("there are two of that id");
    ids.add(agent.id);
    if (own.length > 0) problems.push(`${agentTitle(json, `agents[${index}]`)}: ${own.join("; ")}`);
    return agent;
  });
}

/** Checks only the outer shape: a configuration is validated when the model is created. */
function readModels(value: unknown, problems: string[]): AgentFile["models"] {
  if (!isRecord(value)) {
    problems.push("models must be an object of models by name");
    return {};
  }
  for (const [name, model] of Object.entries(value))
    if (typeof model !== "string" && !isRecord(model)) problems.push(`the model "${name}" must be an object`);
  return value as AgentFile["models"];
}

/** Each server by itself, and the prefixes of their tools. The problem begins with `field`. */
export function readServers(value: unknown, problems: string[], field = ""): McpServers {
  try {
    return parseMcpServers(value);
  } catch (error) {
    problems.push(`${field}${messageOf(error).replace(/\.$/, "")}`);
    return {};
  }
}

function findDefaultAgent(value: unknown, agents: readonly AgentConfiguration[], problems: string[]): string {
  // An agent without an id is reported elsewhere.
  const ids = agents.map(({ id }) => id).filter((id) => typeof id === "string");
  if (value === undefined) return ids[0] ?? "";
  if (typeof value === "string" && ids.includes(value)) return value;
  problems.push(unknownName("agent", "agent of this file", String(value), ids));
  return "";
}

/**
 * Reads an agent from JSON, as text or parsed. Throws `bad_agent` with all problems, the agent and the fields. Names are resolved
 * when the agent runs.
 */
export function parseAgentConfiguration(json: unknown): AgentConfiguration {
  const value = typeof json === "string" ? parseJson(json, "an agent") : json;
  const problems: string[] = [];
  const agent = readAgent(value, problems);
  throwProblems(agentTitle(value), problems);
  return agent;
}

/** How error messages name an agent. */
export function agentTitle(value: unknown, nameless = "an agent without an id"): string {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === "string" && id !== "" ? `agent "${id}"` : nameless;
}

/** Reads one agent and collects its problems; if there are any, the returned value must not be used. */
function readAgent(value: unknown, problems: string[]): AgentConfiguration {
  const agent: Record<string, unknown> = {};
  if (isRecord(value)) {
    for (const field of Object.keys(value))
      if (!AGENT_FIELDS.includes(field)) problems.push(unknownField(field, AGENT_FIELDS));
    for (const field of TEXTS) agent[field] = readText(field, value[field], problems);
    for (const field of LISTS) agent[field] = readList(field, value[field] ?? [], problems);
    for (const field of MORE_LISTS)
      if (value[field] !== undefined) agent[field] = readList(field, value[field], problems);
  } else problems.push("an agent must be an object");
  // Each field was read above, which TypeScript cannot follow.
  return Object.freeze(agent) as unknown as AgentConfiguration;
}

function readText(field: string, value: unknown, problems: string[]): unknown {
  if (typeof value !== "string") problems.push(`${field} must be a text`);
  else if (value === "" && !MAY_BE_EMPTY.includes(field)) problems.push(`${field} must not be empty`);
  return value;
}

function readList(field: string, value: unknown, problems: string[]): readonly unknown[] {
  if (!Array.isArray(value) || value.some((name) => typeof name !== "string" || name === "")) {
    problems.push(`${field} must be a list of names`);
    return [];
  }
  // A hook that is listed twice would run twice, which cannot be intended.
  for (const name of new Set(value.filter((each, index) => value.indexOf(each) !== index)))
    problems.push(`${field} has "${name}" twice`);
  return Object.freeze([...value]);
}
