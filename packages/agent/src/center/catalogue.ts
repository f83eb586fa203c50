import { NamedHooks, type RegisterOptions } from "@tenterhook/engine/named";
import { TenterhookError } from "@tenterhook/protocol";
import type { ModelConfig } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { McpServerConfig } from "../tools/mcp/server-config.ts";
import type { AgentTool } from "../tools/tool.ts";
import {
  type AgentConfiguration,
  type AgentConfigurationInput,
  parseAgentConfiguration,
} from "./agent-configuration.ts";
import { type AgentSource, readAgentFile, sourceTitle } from "./agent-file.ts";
import { hookedRun } from "./agent-run.ts";
import { composedPostHook, composedPreHook } from "./compose-hooks.ts";
import { type HookContext, hookContext } from "./hook-context.ts";
import type {
  Hook,
  HookedRun,
  PostHookFunction,
  PreHookFunction,
  RegisteredHook,
  RegisteredPostHook,
  RegisteredPreHook,
} from "./hook-types.ts";
import { ModelRegistry } from "./model-registry.ts";
import { Problems, unknownName } from "./problems.ts";
import { Registry } from "./registry.ts";
import type { Registries } from "./resolve-names.ts";
import type { StreamHook, StreamHooks } from "./stream-hooks.ts";
import { ToolRegistry } from "./tool-registry.ts";

/** The loaded agents, and the default one. */
export interface LoadedAgents {
  readonly agentId: string;
  readonly agentIds: readonly string[];
}

/** Registers agents, and what they list, by name. In any order: names are resolved when an agent first runs. */
export class Catalogue {
  protected readonly registries: Registries;

  constructor(streamHooks: StreamHooks) {
    const agents = new Registry<AgentConfiguration>("agent");
    this.registries = {
      agents,
      models: new ModelRegistry(),
      tools: new ToolRegistry(),
      mcpServers: new Registry("MCP server"),
      namedHooks: new NamedHooks<HookContext, HookedRun>(
        (known) => hookContext(known, this.knownAgent(known.agent?.id ?? "")),
        ({ run, agent }) => hookedRun(run, this.knownAgent(agent?.id ?? "")),
      ),
      streamHooks,
    };
  }

  registerAgent(agent: AgentConfigurationInput): void {
    const configuration = parseAgentConfiguration(agent);
    this.registries.agents.register(configuration.id, configuration);
  }

  /** A model, or the configuration of one, which is created when an agent first needs it. */
  registerModel(name: string, model: ModelLike | ModelConfig): void {
    this.registries.models.register(name, model);
  }

  /** A tool; it replaces the built-in one of that name. */
  registerTool(name: string, tool: AgentTool): void {
    this.registries.tools.register(name, tool);
  }

  registerMcpServer(name: string, server: McpServerConfig): void {
    this.registries.mcpServers.register(name, parseMcpServers({ [name]: server })[name] ?? server);
  }

  registerPreHook(config: Hook, execute: PreHookFunction, options?: RegisterOptions): void {
    this.registries.namedHooks.registerPreHook(config, execute, options);
  }

  registerPostHook(config: Hook, execute: PostHookFunction, options?: RegisterOptions): void {
    this.registries.namedHooks.registerPostHook(config, execute, options);
  }

  registerStreamHook({ name }: { readonly name: string }, execute: StreamHook): void {
    this.registries.streamHooks.register(name, execute);
  }

  /** Registers hooks and agents that were defined elsewhere. The options are for the hooks. */
  register(
    given: {
      readonly preHook?: RegisteredPreHook;
      readonly postHook?: RegisteredPostHook;
      readonly agent?: AgentConfigurationInput;
    },
    options?: RegisterOptions,
  ): void {
    const { preHook, postHook, agent } = given;
    if (preHook !== undefined) this.registerPreHook(preHook.config, preHook.execute, options);
    if (postHook !== undefined) this.registerPostHook(postHook.config, postHook.execute, options);
    if (agent !== undefined) this.registerAgent(agent);
  }

  /**
   * Registers one pre-hook composed of several, which run in order until one refuses. They are functions, or names of registered
   * hooks, of which only the function and `rejudge` count: everything else is set by the new hook.
   */
  composePreHooks(
    config: Hook | string,
    parts: readonly (string | PreHookFunction)[],
    options?: RegisterOptions,
  ): void {
    const hook = typeof config === "string" ? { name: config } : config;
    const found = parts.map((part) => {
      if (typeof part === "function") return { execute: part };
      const known = this.preHook(part);
      if (known === undefined) return unknownPart(part, "pre-hook", this.registries.namedHooks.preHookNames);
      return { execute: enforcedPart(known), rejudge: known.config.rejudge };
    });
    this.registerPreHook(hook, composedPreHook(hook, found), options);
  }

  composePostHooks(
    config: Hook | string,
    parts: readonly (string | PostHookFunction)[],
    options?: RegisterOptions,
  ): void {
    const found = parts.map((part) => {
      if (typeof part === "function") return part;
      const known = this.postHook(part);
      if (known === undefined)
        return unknownPart(part, "post-hook", this.registries.namedHooks.postHookNames);
      return enforcedPart(known);
    });
    const hook = typeof config === "string" ? { name: config } : config;
    this.registerPostHook(hook, composedPostHook(found), options);
  }

  preHook(name: string): RegisteredPreHook | undefined {
    return this.registries.namedHooks.preHook(name);
  }

  postHook(name: string): RegisteredPostHook | undefined {
    return this.registries.namedHooks.postHook(name);
  }

  agent(id: string): AgentConfiguration | undefined {
    return this.registries.agents.get(id);
  }

  /**
   * Registers agents, models and MCP servers from JSON: a path, a text that begins with a brace, or a parsed value. All or
   * nothing: rejects with `bad_agent` and all problems.
   */
  async load(source: AgentSource): Promise<LoadedAgents> {
    const { agents, models, mcpServers, agent } = await readAgentFile(source);
    const { registries } = this;
    const problems = new Problems();
    const names = [
      ...agents.map(({ id }) => registries.agents.problemWith(id)),
      ...Object.keys(models).map((name) => registries.models.problemWith(name)),
      ...Object.keys(mcpServers).map((name) => registries.mcpServers.problemWith(name)),
    ];
    for (const problem of names) if (problem !== undefined) problems.add(problem);
    problems.throwIfAny(sourceTitle(source));
    for (const each of agents) registries.agents.register(each.id, each);
    for (const [name, model] of Object.entries(models)) this.registerModel(name, model);
    for (const [name, server] of Object.entries(mcpServers)) registries.mcpServers.register(name, server);
    return { agentId: agent, agentIds: agents.map(({ id }) => id) };
  }

  /** The agent of an id. Throws `bad_agent` with the registered ids if there is none. */
  protected knownAgent(id: string): AgentConfiguration {
    const agent = this.agent(id);
    if (agent !== undefined) return agent;
    const problem = `${unknownName("agentId", "agent", id, this.registries.agents.names)}.`;
    throw new TenterhookError("bad_agent", problem);
  }
}

/** What a part would have done is recorded nowhere, so one that is not enforced cannot be part of a hook. */
function enforcedPart<F>({ config, execute }: RegisteredHook<F>): F {
  if (config.enforce !== false) return execute;
  throw new TenterhookError("bad_hook", "it is not enforced, so it cannot be part of another hook.", {
    hook: config.name,
    hint: "Set enforce: false on the composed hook instead.",
  });
}

function unknownPart(name: string, kind: string, known: readonly string[]): never {
  throw new TenterhookError("unknown_hook", `${unknownName("the composition", kind, name, known)}.`, {
    hint: "Register the parts first.",
  });
}
