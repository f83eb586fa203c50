import type { NamedHooks } from "@tenterhook/engine/named";
import { messageOf } from "@tenterhook/internal";
import type { ModelLike } from "../model/models.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServerConfig, McpServers } from "../tools/mcp/server-config.ts";
import type { AgentTools } from "../tools/tool.ts";
import { type AgentConfiguration, agentTitle } from "./agent-configuration.ts";
import type { HookContext } from "./hook-context.ts";
import type { HookedRun } from "./hook-types.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { Problems, unknownName } from "./problems.ts";
import type { Registry } from "./registry.ts";
import type { StreamHooks } from "./stream-hooks.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** Everything that agents may list by name. */
export interface Registries {
  readonly agents: Registry<AgentConfiguration>;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly mcpServers: Registry<McpServerConfig>;
  readonly namedHooks: NamedHooks<HookContext, HookedRun>;
  readonly streamHooks: StreamHooks;
}

/** What the names of an agent refer to. */
export interface ResolvedNames {
  readonly model: ModelLike;
  readonly tools: AgentTools;
  readonly mcpServers: McpServers;
}

/** Looks up every name that an agent lists. Rejects with `bad_agent`, the agent, its fields and the registered names. */
export async function resolveNames(
  agent: AgentConfiguration,
  registries: Registries,
): Promise<ResolvedNames> {
  const { agents, models, tools, mcpServers, namedHooks, streamHooks } = registries;
  const problems = new Problems();
  for (const [field, registry] of [
    ["modelName", models],
    ["toolNames", tools],
    ["mcpServerNames", mcpServers],
    ["preHookNames", listed("pre-hook", namedHooks.preHookNames)],
    ["postHookNames", listed("post-hook", namedHooks.postHookNames)],
    ["streamHookNames", streamHooks],
    ["subagents", agents],
  ] as const) {
    const { kind, names } = registry;
    for (const name of [agent[field] ?? []].flat())
      if (!registry.has(name)) problems.add(unknownName(field, kind, name, names));
  }
  checkDelegation(agent, agents, problems);
  const model = models.has(agent.modelName) ? await loadModel(agent.modelName, models, problems) : undefined;
  const servers = takeServers(agent.mcpServerNames, mcpServers, problems);
  problems.throwIfAny(agentTitle(agent));
  // Without a model there was a problem.
  return { model: model as ModelLike, tools: tools.take(agent.toolNames), mcpServers: servers };
}

function listed(kind: string, names: readonly string[]) {
  return { kind, names, has: (name: string) => names.includes(name) };
}

async function loadModel(
  name: string,
  models: ModelRegistry,
  problems: Problems,
): Promise<ModelLike | undefined> {
  try {
    return await models.load(name);
  } catch (error) {
    problems.add(`modelName has "${name}", which cannot be created: ${messageOf(error).replace(/\.$/, "")}`);
    return undefined;
  }
}

/** Each server is valid by itself; two of them may still share the prefix of their tools. */
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

/** All providers accept these names of tools. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function checkDelegation(
  agent: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  problems: Problems,
): void {
  const cycle = cycleFrom(agent, agents, []);
  if (cycle !== undefined) problems.add(`subagents delegate in a cycle: ${cycle.join(", ")}`);
  for (const id of agent.subagents ?? []) {
    const name = agents.get(id)?.name;
    if (name === undefined || TOOL_NAME.test(name)) continue;
    problems.add(
      `subagents has "${id}", whose name "${name}" cannot name a tool (use at most 64 letters, digits, _ and -)`,
    );
  }
}

/** Agents that need each other would wait for each other forever. */
function cycleFrom(
  agent: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  path: readonly string[],
): readonly string[] | undefined {
  const { id, subagents = [] } = agent;
  if (path.includes(id)) return [...path, id];
  for (const next of subagents) {
    const subagent = agents.get(next);
    const cycle = subagent && cycleFrom(subagent, agents, [...path, id]);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
