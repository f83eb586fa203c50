import { NamedHooks } from "@tenterhook/engine/named";
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
import type {
  Hook,
  HookedRun,
  PostHookFunction,
  PreHookFunction,
  RegisteredPostHook,
  RegisteredPreHook,
} from "./hook.ts";
import { type HookContext, hookContext } from "./hook-context.ts";
import { ModelRegistry } from "./model-registry.ts";
import { noSuchName, Problems } from "./problems.ts";
import { Registry } from "./registry.ts";
import type { Registered } from "./resolve-names.ts";
import type { StreamHook, StreamHooks } from "./stream-hooks.ts";
import { ToolRegistry } from "./tool-registry.ts";

/** What was loaded, and the agent that is meant when nobody says which. */
export interface LoadedAgents {
  readonly agentId: string;
  readonly agentIds: readonly string[];
}

/** Agents, and what they list, by name. In any order: names are looked up when an agent first runs. */
export class Catalogue {
  protected readonly registered: Registered;

  constructor(streamHooks: StreamHooks) {
    const agents = new Registry<AgentConfiguration>("agent");
    this.registered = {
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
    this.registered.agents.register(configuration.id, configuration);
  }

  /** A model, or the configuration of one, which is made when an agent first needs it. */
  registerModel(name: string, model: ModelLike | ModelConfig): void {
    this.registered.models.register(name, model);
  }

  /** A tool; it takes the place of the built-in one of that name. */
  registerTool(name: string, tool: AgentTool): void {
    this.registered.tools.register(name, tool);
  }

  registerMcpServer(name: string, server: McpServerConfig): void {
    this.registered.mcpServers.register(name, parseMcpServers({ [name]: server })[name] ?? server);
  }

  registerPreHook(config: Hook, execute: PreHookFunction): void {
    this.registered.namedHooks.registerPreHook(config, execute);
  }

  registerPostHook(config: Hook, execute: PostHookFunction): void {
    this.registered.namedHooks.registerPostHook(config, execute);
  }

  registerStreamHook({ name }: { readonly name: string }, execute: StreamHook): void {
    this.registered.streamHooks.register(name, execute);
  }

  /** Registers what was defined elsewhere, as it stands. */
  register(what: {
    readonly preHook?: RegisteredPreHook;
    readonly postHook?: RegisteredPostHook;
    readonly agent?: AgentConfigurationInput;
  }): void {
    const { preHook, postHook, agent } = what;
    if (preHook !== undefined) this.registerPreHook(preHook.config, preHook.execute);
    if (postHook !== undefined) this.registerPostHook(postHook.config, postHook.execute);
    if (agent !== undefined) this.registerAgent(agent);
  }

  /**
   * Registers one pre-hook made of several, which run in order until one refuses. They are functions, or names of hooks
   * that are registered already, of which only the function and `rejudge` count: the rest is as the new hook says.
   */
  composePreHooks(config: Hook | string, parts: readonly (string | PreHookFunction)[]): void {
    const hooks = parts.map((part) => {
      if (typeof part === "function") return { execute: part };
      const known = this.preHook(part);
      if (known === undefined) return noPart(part, "pre-hook", this.registered.namedHooks.preHookNames);
      return { execute: known.execute, rejudge: known.config.rejudge };
    });
    this.registerPreHook(typeof config === "string" ? { name: config } : config, composedPreHook(hooks));
  }

  composePostHooks(config: Hook | string, parts: readonly (string | PostHookFunction)[]): void {
    const hooks = parts.map((part) => {
      if (typeof part === "function") return part;
      return (
        this.postHook(part)?.execute ?? noPart(part, "post-hook", this.registered.namedHooks.postHookNames)
      );
    });
    this.registerPostHook(typeof config === "string" ? { name: config } : config, composedPostHook(hooks));
  }

  preHook(name: string): RegisteredPreHook | undefined {
    return this.registered.namedHooks.preHook(name);
  }

  postHook(name: string): RegisteredPostHook | undefined {
    return this.registered.namedHooks.postHook(name);
  }

  agent(id: string): AgentConfiguration | undefined {
    return this.registered.agents.get(id);
  }

  /**
   * Registers agents, models and MCP servers out of JSON: a path, a text that begins with a brace, or what was parsed.
   * Everything or nothing: rejects with `bad_agent` and all that is wrong.
   */
  async load(source: AgentSource): Promise<LoadedAgents> {
    const { agents, models, mcpServers, agent } = await readAgentFile(source);
    const { registered } = this;
    const problems = new Problems();
    const names = [
      ...agents.map(({ id }) => registered.agents.problemWith(id)),
      ...Object.keys(models).map((name) => registered.models.problemWith(name)),
      ...Object.keys(mcpServers).map((name) => registered.mcpServers.problemWith(name)),
    ];
    for (const problem of names) if (problem !== undefined) problems.add(problem);
    problems.throwAbout(sourceTitle(source));
    for (const each of agents) registered.agents.register(each.id, each);
    for (const [name, model] of Object.entries(models)) this.registerModel(name, model);
    for (const [name, server] of Object.entries(mcpServers)) registered.mcpServers.register(name, server);
    return { agentId: agent, agentIds: agents.map(({ id }) => id) };
  }

  /** The agent of an id. Throws `bad_agent`, with those that there are, when there is none. */
  protected knownAgent(id: string): AgentConfiguration {
    const agent = this.agent(id);
    if (agent !== undefined) return agent;
    throw new TenterhookError(
      "bad_agent",
      `${noSuchName("agentId", "agent", id, this.registered.agents.names)}.`,
    );
  }
}

function noPart(name: string, kind: string, known: readonly string[]): never {
  throw new TenterhookError("unknown_hook", `${noSuchName("the composition", kind, name, known)}.`, {
    hint: "Register the parts first.",
  });
}
