import { messageOf, ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type ModelConfig, modelFrom } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { builtInTools } from "../tools/built-in/index.ts";
import type { McpServerConfig, McpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { AgentTool, AgentTools } from "../tools/tool.ts";
import { type AgentConfiguration, agentTitle, readServers } from "./agent-file.ts";
import { throwProblems, unknownName } from "./problems.ts";

/** Values of one kind by name. A name is registered once, so that agents that list it always get the same value. */
export class Registry<T> {
  readonly kind: string;
  readonly #registered = new Map<string, T>();

  constructor(kind: string) {
    this.kind = kind;
  }

  register(name: string, value: T): void {
    const problem = this.problemWith(name);
    if (problem !== undefined) throw new TenterhookError("bad_agent", `${problem}.`);
    this.#registered.set(name, value);
  }

  /** Why a name cannot be registered, if it cannot. */
  problemWith(name: string): string | undefined {
    if (typeof name !== "string" || name === "") return `the name of the ${this.kind} must be a text`;
    return this.#registered.has(name) ? `the ${this.kind} "${name}" is registered already` : undefined;
  }

  get(name: string): T | undefined {
    return this.#registered.get(name);
  }

  /** Whether an agent may list this name. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get names(): readonly string[] {
    return [...this.#registered.keys()];
  }
}

/** Models by name, as objects or as configuration. A configured model is created when an agent first needs it. */
export class ModelRegistry extends Registry<ModelLike | ModelConfig> {
  readonly #created = new Map<string, Promise<ModelLike>>();

  override register(name: string, model: ModelLike | ModelConfig): void {
    if (typeof model !== "string" && (typeof model !== "object" || model === null)) {
      throw new TenterhookError("bad_agent", `the model "${name}" must be a model or its configuration.`, {
        hint: 'Pass a model of the AI SDK, { provider, model }, or "provider:model".',
      });
    }
    super.register(name, model);
  }

  /** A name that is not registered may be the short form of a configuration: `anthropic:claude-…`. */
  override has(name: string): boolean {
    return super.has(name) || /^[^:\s]+:\S+$/.test(name);
  }

  /** The model of a name. Rejects with `bad_agent` when its configuration is invalid. */
  async load(name: string): Promise<ModelLike> {
    const registered = this.get(name) ?? name;
    if (isModel(registered)) return registered;
    const created = this.#created.get(name) ?? modelFrom(registered);
    this.#created.set(name, created);
    // The next run may find the key, or the package, that was missing.
    created.catch(() => this.#created.delete(name));
    return created;
  }
}

function isModel(model: ModelLike | ModelConfig): model is ModelLike {
  const { generate, doGenerate } = Object(model) as { generate?: unknown; doGenerate?: unknown };
  return typeof generate === "function" || typeof doGenerate === "function";
}

/** Tools by name. It starts with the built-in ones, and a registered tool replaces the built-in one of its name. */
export class ToolRegistry extends Registry<AgentTool> {
  readonly #builtIn: AgentTools = builtInTools();
  /** Names of built-in tools that agents use. */
  readonly #used = new Set<string>();

  override register(name: string, tool: AgentTool): void {
    if (typeof tool !== "object" || tool === null) {
      throw new TenterhookError("bad_agent", `the tool "${name}" must be an object.`, {
        hint: "Pass { description, inputSchema, execute }, or a tool() of the AI SDK.",
      });
    }
    // A tool that restricts an agent must not be registered too late without an error.
    if (this.#used.has(name)) {
      throw new TenterhookError("bad_agent", `an agent already uses the built-in tool "${name}".`, {
        hint: "Register another tool of that name before the agent's first run.",
      });
    }
    super.register(name, tool);
  }

  override get(name: string): AgentTool | undefined {
    return super.get(name) ?? ownField(this.#builtIn, name);
  }

  override get names(): readonly string[] {
    return [...new Set([...super.names, ...Object.keys(this.#builtIn)])];
  }

  /** The tools of these names, all of which must exist. */
  take(names: readonly string[]): AgentTools {
    for (const name of names) if (super.get(name) === undefined) this.#used.add(name);
    return Object.fromEntries(names.map((name) => [name, this.get(name) as AgentTool]));
  }
}

/** Everything that agents may list by name. */
export interface Registries {
  readonly agents: Registry<AgentConfiguration>;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly mcpServers: Registry<McpServerConfig>;
  readonly preHooks: Names;
  readonly postHooks: Names;
  readonly streamHooks: Names;
}

type Names = Pick<Registry<unknown>, "kind" | "names" | "has">;

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
  const { agents, models, tools, mcpServers } = registries;
  const problems: string[] = [];
  const fields: readonly (readonly [keyof AgentConfiguration, Names])[] = [
    ["modelName", models],
    ["toolNames", tools],
    ["mcpServerNames", mcpServers],
    ["preHookNames", registries.preHooks],
    ["postHookNames", registries.postHooks],
    ["streamHookNames", registries.streamHooks],
    ["subagents", agents],
  ];
  for (const [field, registry] of fields) {
    for (const name of [agent[field] ?? []].flat())
      if (!registry.has(name)) problems.push(unknownName(field, registry.kind, name, registry.names));
  }
  checkDelegation(agent, agents, problems);
  const { modelName } = agent;
  const model = models.has(modelName)
    ? await models.load(modelName).catch((error: unknown) => {
        const reason = messageOf(error).replace(/\.$/, "");
        problems.push(`modelName has "${modelName}", which cannot be created: ${reason}`);
        return undefined;
      })
    : undefined;
  const listed = agent.mcpServerNames.flatMap((name) => {
    const server = mcpServers.get(name);
    return server === undefined ? [] : [[name, server] as const];
  });
  // Each server is valid by itself; two of them may still share the prefix of their tools.
  const servers = readServers(Object.fromEntries(listed), problems, "mcpServerNames: ");
  throwProblems(agentTitle(agent), problems);
  // Without a model there was a problem.
  return { model: model as ModelLike, tools: tools.take(agent.toolNames), mcpServers: servers };
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
