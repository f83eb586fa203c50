import type { NamedHooks } from "@tenterhook/engine/named";
import { messageOf } from "@tenterhook/protocol";
import type { ModelLike } from "../model/models.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServerConfig, McpServers } from "../tools/mcp/server-config.ts";
import type { AgentTools } from "../tools/tool.ts";
import { type AgentConfiguration, agentTitle } from "./agent-configuration.ts";
import type { HookedRun } from "./hook.ts";
import type { HookContext } from "./hook-context.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { noSuchName, Problems } from "./problems.ts";
import type { Registry } from "./registry.ts";
import type { StreamHooks } from "./stream-hooks.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** Everything that names may stand for. */
export interface Registered {
  readonly agents: Registry<AgentConfiguration>;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly mcpServers: Registry<McpServerConfig>;
  readonly namedHooks: NamedHooks<HookContext, HookedRun>;
  readonly streamHooks: StreamHooks;
}

/** What the names of an agent stand for. */
export interface Resolved {
  readonly model: ModelLike;
  readonly tools: AgentTools;
  readonly mcpServers: McpServers;
}

/** Looks up every name that an agent lists. Rejects with `bad_agent`, naming the agent, the fields and what there is. */
export async function resolveNames(agent: AgentConfiguration, registered: Registered): Promise<Resolved> {
  const { agents, models, tools, mcpServers, namedHooks, streamHooks } = registered;
  const problems = new Problems();
  const check = (
    field: keyof AgentConfiguration,
    kind: string,
    has: (name: string) => boolean,
    known: readonly string[],
  ) => {
    for (const name of [agent[field] ?? []].flat())
      if (!has(name)) problems.add(noSuchName(field, kind, name, known));
  };
  const { preHookNames, postHookNames } = namedHooks;
  check("modelName", "model", (name) => models.has(name), models.names);
  check("toolNames", "tool", (name) => tools.has(name), tools.names);
  check("mcpServerNames", "MCP server", (name) => mcpServers.get(name) !== undefined, mcpServers.names);
  check("preHookNames", "pre-hook", (name) => preHookNames.includes(name), preHookNames);
  check("postHookNames", "post-hook", (name) => postHookNames.includes(name), postHookNames);
  check("streamHookNames", "stream hook", (name) => streamHooks.has(name), streamHooks.names);
  check("subagents", "agent", (name) => agents.get(name) !== undefined, agents.names);
  checkDelegation(agent, agents, problems);
  const model = models.has(agent.modelName) ? await loadModel(agent.modelName, models, problems) : undefined;
  const servers = takeServers(agent.mcpServerNames, mcpServers, problems);
  problems.throwAbout(agentTitle(agent));
  // Without a model there was a problem.
  return { model: model as ModelLike, tools: tools.take(agent.toolNames), mcpServers: servers };
}

async function loadModel(
  name: string,
  models: ModelRegistry,
  problems: Problems,
): Promise<ModelLike | undefined> {
  try {
    return await models.load(name);
  } catch (error) {
    problems.add(`modelName has "${name}", which cannot be had: ${messageOf(error).replace(/\.$/, "")}`);
    return undefined;
  }
}

/** Each server is fine by itself; two of them may still share the prefix of their tools. */
function takeServers(
  names: readonly string[],
  registry: Registry<McpServerConfig>,
  problems: Problems,
): McpServers {
  const known = names.flatMap((name) => {
    const server = registry.get(name);
    return server === undefined ? [] : [[name, server] as const];
  });
  try {
    return parseMcpServers(Object.fromEntries(known));
  } catch (error) {
    problems.add(`mcpServerNames: ${messageOf(error).replace(/\.$/, "")}`);
    return {};
  }
}

/** What every provider takes as the name of a tool. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function checkDelegation(
  agent: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  problems: Problems,
): void {
  const ring = ringFrom(agent, agents, []);
  if (ring !== undefined) problems.add(`subagents delegate in a ring: ${ring.join(", ")}`);
  for (const id of agent.subagents ?? []) {
    const name = agents.get(id)?.name;
    if (name === undefined || TOOL_NAME.test(name)) continue;
    problems.add(
      `subagents has "${id}", whose name "${name}" cannot name a tool (use at most 64 letters, digits, _ and -)`,
    );
  }
}

/** Agents that need each other to be put together would wait for each other for ever. */
function ringFrom(
  agent: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  path: readonly string[],
): readonly string[] | undefined {
  const { id, subagents = [] } = agent;
  if (path.includes(id)) return [...path, id];
  for (const next of subagents) {
    const subagent = agents.get(next);
    const ring = subagent && ringFrom(subagent, agents, [...path, id]);
    if (ring !== undefined) return ring;
  }
  return undefined;
}
