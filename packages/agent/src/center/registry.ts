import { messageOf, ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type ModelConfig, modelFrom } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import type { McpServerConfig, McpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { AgentTool, AgentTools } from "../tools/tool.ts";
import { type AgentConfiguration, agentTitle, readServers } from "./agent-file.ts";
import { throwProblems, unknownName } from "./problems.ts";

/** Values of one kind by name. A name is registered once, so that agents that list it always get the same value. */
export class Registry<T> {
  readonly #kind: string;
  readonly #builtIn: Readonly<Record<string, T>>;
  readonly #registered = new Map<string, T>();

  /** A registered value replaces the built-in one of its name. */
  constructor(kind: string, builtIn: Readonly<Record<string, T>> = {}) {
    this.#kind = kind;
    this.#builtIn = builtIn;
  }

  register(name: string, value: T): void {
    const problem = this.problemWith(name);
    if (problem !== undefined) throw new TenterhookError("bad_agent", `${problem}.`);
    this.#registered.set(name, value);
  }

  /** Why a name cannot be registered, if it cannot. */
  problemWith(name: string): string | undefined {
    if (typeof name !== "string" || name === "") return `the name of the ${this.#kind} must be a text`;
    return this.#registered.has(name) ? `the ${this.#kind} "${name}" is registered already` : undefined;
  }

  get(name: string): T | undefined {
    return this.#registered.get(name) ?? ownField(this.#builtIn, name);
  }

  get names(): readonly string[] {
    return [...new Set([...this.#registered.keys(), ...Object.keys(this.#builtIn)])];
  }
}

/** Creates a model when an agent first needs it. */
export type ModelSource = () => Promise<ModelLike>;

/** A model, or its configuration, of which one model is created for all agents. Throws `bad_agent` for anything else. */
export function modelSource(name: string, model: ModelLike | ModelConfig): ModelSource {
  if (typeof model !== "string" && (typeof model !== "object" || model === null)) {
    throw new TenterhookError("bad_agent", `the model "${name}" must be a model or its configuration.`, {
      hint: 'Pass a model of the AI SDK, { provider, model }, or "provider:model".',
    });
  }
  if (isModel(model)) return async () => model;
  let created: Promise<ModelLike> | undefined;
  return () => {
    created ??= modelFrom(model).catch((error: unknown) => {
      // The next run may find the key, or the package, that was missing.
      created = undefined;
      throw error;
    });
    return created;
  };
}

function isModel(model: ModelLike | ModelConfig): model is ModelLike {
  const { generate, doGenerate } = Object(model) as { generate?: unknown; doGenerate?: unknown };
  return typeof generate === "function" || typeof doGenerate === "function";
}

/** Everything that agents may list by name. */
export interface Registries {
  readonly agents: Registry<AgentConfiguration>;
  readonly models: Registry<ModelSource>;
  readonly tools: Registry<AgentTool>;
  readonly mcpServers: Registry<McpServerConfig>;
  readonly namedHooks: {
    readonly preHookNames: readonly string[];
    readonly postHookNames: readonly string[];
  };
  readonly streamHooks: { readonly names: readonly string[] };
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
  { agents, models, tools, mcpServers, namedHooks, streamHooks }: Registries,
): Promise<ResolvedNames> {
  const problems: string[] = [];
  const model = await loadModel(agent.modelName, models, problems);
  const lists = [
    ["toolNames", "tool", tools.names],
    ["mcpServerNames", "MCP server", mcpServers.names],
    ["preHookNames", "pre-hook", namedHooks.preHookNames],
    ["postHookNames", "post-hook", namedHooks.postHookNames],
    ["streamHookNames", "stream hook", streamHooks.names],
    ["subagents", "agent", agents.names],
  ] as const;
  for (const [field, kind, known] of lists) {
    for (const name of agent[field] ?? [])
      if (!known.includes(name)) problems.push(unknownName(field, kind, name, known));
  }
  checkDelegation(agent, agents, problems);
  // Each server is valid by itself; two of them may still share the prefix of their tools.
  const servers = readServers(listed(agent.mcpServerNames, mcpServers), problems, "mcpServerNames: ");
  throwProblems(agentTitle(agent), problems);
  // Without a model there was a problem.
  return { model: model as ModelLike, tools: listed(agent.toolNames, tools), mcpServers: servers };
}

/** A name that is not registered may be the short form of a configuration: `anthropic:claude-…`. */
async function loadModel(
  name: string,
  models: Registry<ModelSource>,
  problems: string[],
): Promise<ModelLike | undefined> {
  const source = models.get(name) ?? (/^[^:\s]+:\S+$/.test(name) ? () => modelFrom(name) : undefined);
  if (source === undefined) {
    problems.push(unknownName("modelName", "model", name, models.names));
    return undefined;
  }
  return source().catch((error: unknown) => {
    const reason = messageOf(error).replace(/\.$/, "");
    problems.push(`modelName has "${name}", which cannot be created: ${reason}`);
    return undefined;
  });
}

function listed<T>(names: readonly string[], registry: Registry<T>): Record<string, T> {
  const entries = names.map((name) => [name, registry.get(name)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => entry[1] !== undefined));
}

/** All providers accept these names of tools. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function checkDelegation(
  agent: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  problems: string[],
): void {
  const cycle = findCycle(agent, agents, []);
  if (cycle !== undefined) problems.push(`subagents delegate in a cycle: ${cycle.join(", ")}`);
  for (const id of agent.subagents ?? []) {
    const name = agents.get(id)?.name;
    if (name === undefined || TOOL_NAME.test(name)) continue;
    problems.push(
      `subagents has "${id}", whose name "${name}" cannot name a tool (use at most 64 letters, digits, _ and -)`,
    );
  }
}

/** Agents that need each other would wait for each other forever. */
function findCycle(
  { id, subagents = [] }: AgentConfiguration,
  agents: Registry<AgentConfiguration>,
  path: readonly string[],
): readonly string[] | undefined {
  if (path.includes(id)) return [...path, id];
  for (const subagent of subagents.map((next) => agents.get(next))) {
    const cycle = subagent && findCycle(subagent, agents, [...path, id]);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
