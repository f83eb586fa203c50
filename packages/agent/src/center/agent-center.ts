import { createHooks, type Hooks, newMetadata } from "@tenterhook/engine";
import type { Report } from "@tenterhook/engine/host";
import { NamedHooks, type RegisterOptions } from "@tenterhook/engine/named";
import { completesWithin } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import { type AgentOptions, checkAgentOptions, checkNumbers } from "../agent-options.ts";
import { readAnswerSchema } from "../loop/structured-output.ts";
import type { ModelConfig } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import type { RunListener } from "../run/agent-event.ts";
import { type AgentInstrument, withSpans } from "../run/agent-instrument.ts";
import type { RunResult } from "../run/run-result.ts";
import { RunStream } from "../run/run-stream.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { builtInTools } from "../tools/built-in/index.ts";
import { type McpServerConfig, parseMcpServers } from "../tools/mcp/parse-mcp-servers.ts";
import type { AgentTool } from "../tools/tool.ts";
import {
  type AgentConfiguration,
  type AgentConfigurationInput,
  type AgentSource,
  parseAgentConfiguration,
  readAgentFile,
  sourceTitle,
} from "./agent-file.ts";
import {
  ActiveRuns,
  type AgentRun,
  type AgentRunRequest,
  type AgentRunStream,
  type AgentSessionContext,
  agentRun,
  hookedRun,
  originalError,
  type SessionOptions,
  sessionContext,
} from "./agent-run.ts";
import { composedPostHook, composedPreHook, findParts } from "./compose-hooks.ts";
import {
  type Hook,
  type HookContext,
  type HookedRun,
  hookContext,
  inSession,
  type PostHookFunction,
  type PreHookFunction,
  type RegisteredPostHook,
  type RegisteredPreHook,
} from "./hook-context.ts";
import { type HookMetric, HookMetrics } from "./hook-metrics.ts";
import { throwProblems, unknownName } from "./problems.ts";
import { type ModelSource, modelSource, Registry, resolveNames } from "./registry.ts";
import { type StreamHook, StreamHooks } from "./stream-hooks.ts";

/** Options that an agent has from its configuration, not from its center. */
type ConfiguredOption =
  | "name"
  | "id"
  | "description"
  | "instructions"
  | "model"
  | "models"
  | "tools"
  | "mcpServers"
  | "subagents"
  | "hooks"
  | "onHookEvent";

/** Options of all agents of a center: the store of sessions, permissions, limits. */
export interface AgentCenterOptions extends Omit<AgentOptions, ConfiguredOption> {
  /** Gets failures that reach no caller, such as those of hooks that do not block. Default: a process warning. */
  readonly report?: Report | undefined;
}

/** The loaded agents, and the default one. */
export interface LoadedAgents {
  readonly agentId: string;
  readonly agentIds: readonly string[];
}

/** Creates a center. */
export function createAgentCenter(options: AgentCenterOptions = {}): AgentCenter {
  return new AgentCenter(options);
}

/**
 * Agents with pre- and post-hooks by name, and their runs. Agents, and what they list, are registered by name in any order: names are
 * resolved when an agent first runs.
 */
export class AgentCenter {
  /** Hooks on any event of any agent of this center; among equal priorities they run before an agent's named hooks. */
  readonly hooks: Hooks;
  readonly #options: Omit<AgentCenterOptions, "report">;
  readonly #metrics = new HookMetrics();
  readonly #agents = new Registry<AgentConfiguration>("agent");
  readonly #models = new Registry<ModelSource>("model");
  readonly #tools = new Registry<AgentTool>("tool", builtInTools());
  readonly #mcpServers = new Registry<McpServerConfig>("MCP server");
  readonly #namedHooks = new NamedHooks<HookContext, HookedRun>(
    (known) => hookContext(known, this.#knownAgent(known.agent?.id ?? "")),
    ({ run, agent }) => hookedRun(run, this.#knownAgent(agent?.id ?? "")),
  );
  readonly #streamHooks: StreamHooks;
  /** The agents whose names have been resolved. */
  readonly #runnableAgents = new Map<string, Promise<Agent>>();
  /** For each agent that has run, a function that attaches its named hooks again. */
  readonly #attached: (() => void)[] = [];
  readonly #runs = new ActiveRuns();
  readonly #instruments = new Set<AgentInstrument>();
  /** One for all agents, so that an agent can see that its subagents are instrumented already. */
  readonly #instrument: AgentInstrument = {
    span: (operation, work) => withSpans([...this.#instruments], () => operation, work),
  };

  constructor({ report = warn, ...options }: AgentCenterOptions = {}) {
    // A center has no model of its own, and the check does not read it.
    checkAgentOptions(options as AgentOptions);
    this.#options = { ...options, sessions: options.sessions ?? memorySessions() };
    this.#streamHooks = new StreamHooks(report, this.#metrics);
    this.hooks = createHooks({ report });
    this.hooks.onHookEvent((event) => this.#metrics.record(event));
  }

  registerAgent(agent: AgentConfigurationInput): void {
    const configuration = parseAgentConfiguration(agent);
    this.#agents.register(configuration.id, configuration);
  }

  /** A model, or the configuration of one, which is created when an agent first needs it. */
  registerModel(name: string, model: ModelLike | ModelConfig): void {
    this.#models.register(name, modelSource(name, model));
  }

  /** A tool; it replaces the built-in one of that name, before an agent's first run with that. */
  registerTool(name: string, tool: AgentTool): void {
    if (typeof tool !== "object" || tool === null) {
      throw new TenterhookError("bad_agent", `the tool "${name}" must be an object.`, {
        hint: "Pass { description, inputSchema, execute }, or a tool() of the AI SDK.",
      });
    }
    const isUsed = [...this.#runnableAgents.keys()].some((id) => this.agent(id)?.toolNames.includes(name));
    // A tool that restricts an agent must not be registered too late without an error.
    if (isUsed && this.#tools.problemWith(name) === undefined) {
      throw new TenterhookError("bad_agent", `an agent already uses the built-in tool "${name}".`, {
        hint: "Register another tool of that name before the agent's first run.",
      });
    }
    this.#tools.register(name, tool);
  }

  registerMcpServer(name: string, server: McpServerConfig): void {
    this.#mcpServers.register(name, parseMcpServers({ [name]: server })[name] ?? server);
  }

  registerPreHook(config: Hook, execute: PreHookFunction, options?: RegisterOptions): void {
    this.#namedHooks.registerPreHook(config, execute, options);
    this.#attachAgain(options);
  }

  registerPostHook(config: Hook, execute: PostHookFunction, options?: RegisterOptions): void {
    this.#namedHooks.registerPostHook(config, execute, options);
    this.#attachAgain(options);
  }

  registerStreamHook({ name }: { readonly name: string }, execute: StreamHook): void {
    this.#streamHooks.register(name, execute);
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
    const { preHookNames } = this.#namedHooks;
    const found = findParts(parts, "pre-hook", preHookNames, (name) => this.preHook(name));
    this.registerPreHook(hook, composedPreHook(hook, found), options);
  }

  composePostHooks(
    config: Hook | string,
    parts: readonly (string | PostHookFunction)[],
    options?: RegisterOptions,
  ): void {
    const hook = typeof config === "string" ? { name: config } : config;
    const { postHookNames } = this.#namedHooks;
    const found = findParts(parts, "post-hook", postHookNames, (name) => this.postHook(name));
    this.registerPostHook(hook, composedPostHook(found), options);
  }

  preHook(name: string): RegisteredPreHook | undefined {
    return this.#namedHooks.preHook(name);
  }

  postHook(name: string): RegisteredPostHook | undefined {
    return this.#namedHooks.postHook(name);
  }

  agent(id: string): AgentConfiguration | undefined {
    return this.#agents.get(id);
  }

  /**
   * Registers agents, models and MCP servers from JSON: a path, a text that begins with a brace, or a parsed value. All or
   * nothing: rejects with `bad_agent` and all problems.
   */
  async load(source: AgentSource): Promise<LoadedAgents> {
    const { agents, models, mcpServers, agent } = await readAgentFile(source);
    const problems = [
      ...agents.map(({ id }) => this.#agents.problemWith(id)),
      ...Object.keys(models).map((name) => this.#models.problemWith(name)),
      ...Object.keys(mcpServers).map((name) => this.#mcpServers.problemWith(name)),
    ].filter((problem) => problem !== undefined);
    throwProblems(sourceTitle(source), problems);
    for (const each of agents) this.#agents.register(each.id, each);
    for (const [name, model] of Object.entries(models)) this.registerModel(name, model);
    for (const [name, server] of Object.entries(mcpServers)) this.#mcpServers.register(name, server);
    return { agentId: agent, agentIds: agents.map(({ id }) => id) };
  }

  /** A session with an agent. Plain data; it starts with its first run. */
  createSession(agentId: string, options?: SessionOptions): AgentSessionContext {
    return sessionContext(this.#knownAgent(agentId).id, options);
  }

  /**
   * Runs an agent: blocking pre-hooks one after another, the others are launched; the agent; blocking post-hooks, the
   * others are launched. Rejects with the error of a failed run, and with the error of a blocking hook; a run that a
   * hook refused is not an error, so check `status`.
   */
  async runAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRun<Output>> {
    const agent = await this.#prepare(request);
    const { session, signal } = request;
    const configuration = this.#knownAgent(agent.id);
    const run = await this.#runs.run(session.sessionId, signal, (own) => this.#execute(agent, request, own));
    if (run.error !== undefined) throw originalError(run.error, configuration);
    return agentRun(run, configuration);
  }

  /** Runs an agent and streams its events. Rejects if the run cannot start; the stream reports everything after that. */
  async streamAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRunStream<Output>> {
    const agent = await this.#prepare(request);
    const { sessionId } = request.session;
    const configuration = this.#knownAgent(agent.id);
    const start = (emit: RunListener) =>
      this.#runs
        .run(sessionId, request.signal, (own) => this.#execute(agent, request, own, emit))
        .then((run) => agentRun(run, configuration));
    const stream = new RunStream<Output>(start, (reason) => this.#runs.abort(sessionId, reason));
    // `finished` is the promise of `run`.
    return stream as AgentRunStream<Output>;
  }

  /** Ends a session: `session_end` fires. One that is not open is ignored. */
  async endSession({ agentId, sessionId }: AgentSessionContext, reason = "ended"): Promise<void> {
    const agent = await this.#runnableAgents.get(agentId)?.catch(() => undefined);
    await agent?.endSession(sessionId, reason);
  }

  /** The number of hooks that run in the background now. */
  get backgroundHookCount(): number {
    return this.hooks.pending + this.#streamHooks.pending;
  }

  /** Waits for all of them, also for those that start in the meantime; false after the timeout. */
  async waitForBackgroundHooks(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    const { timeoutMs } = options;
    if (timeoutMs !== undefined) return completesWithin(timeoutMs, this.waitForBackgroundHooks());
    while (this.backgroundHookCount > 0) {
      await this.hooks.drain();
      await this.#streamHooks.drain();
    }
    return true;
  }

  /** Aborts the signals of all of them, and no longer waits for them. */
  cancelBackgroundHooks(reason?: unknown): void {
    this.hooks.cancel(reason);
    this.#streamHooks.forget();
  }

  /** Counts and durations of every hook that has run in this center. */
  hookMetrics(): readonly HookMetric[] {
    return this.#metrics.list();
  }

  resetHookMetrics(): void {
    this.#metrics.reset();
  }

  /** Observes the operations of every run, as the OpenTelemetry listener does. Returns the function that removes it. */
  instrument(instrument: AgentInstrument): () => void {
    this.#instruments.add(instrument);
    return () => this.#instruments.delete(instrument);
  }

  /**
   * For hosts, before they exit. Active runs may finish for a while (default: five seconds) and are then aborted; sessions end;
   * background hooks may finish for as long, and are then aborted. Resolves to the number of aborted hooks.
   */
  async close({ timeoutMs = 5_000 }: { readonly timeoutMs?: number } = {}): Promise<number> {
    await this.#runs.finish(timeoutMs);
    const agents = await Promise.allSettled(this.#runnableAgents.values());
    await Promise.all(
      agents.map((each) => (each.status === "fulfilled" ? each.value.endSessions("closed") : undefined)),
    );
    if (await this.waitForBackgroundHooks({ timeoutMs })) return 0;
    const left = this.backgroundHookCount;
    this.cancelBackgroundHooks(`the center is closed and did not wait longer than ${timeoutMs} ms`);
    return left;
  }

  /** A hook that takes the place of another one counts from the next event, also in agents that have run. */
  #attachAgain({ replace = false }: RegisterOptions = {}): void {
    if (replace) for (const attachAgain of this.#attached) attachAgain();
  }

  /** The agent of a request. Invalid requests reject before there is a run, so that a stream only reports runs. */
  async #prepare(request: AgentRunRequest<unknown>): Promise<Agent> {
    checkNumbers(request);
    await readAnswerSchema(request.as);
    return this.#runnableAgent(request.session.agentId);
  }

  #runnableAgent(id: string): Promise<Agent> {
    const known = this.#runnableAgents.get(id);
    if (known !== undefined) return known;
    const created = this.#createAgent(id);
    this.#runnableAgents.set(id, created);
    // A missing name may be registered before the next attempt.
    created.catch(() => this.#runnableAgents.delete(id));
    return created;
  }

  async #createAgent(agentId: string): Promise<Agent> {
    const configuration = this.#knownAgent(agentId);
    const { id, name, description, instructions, modelName, subagents = [] } = configuration;
    const { model, tools, mcpServers } = await resolveNames(configuration, {
      agents: this.#agents,
      models: this.#models,
      tools: this.#tools,
      mcpServers: this.#mcpServers,
      namedHooks: this.#namedHooks,
      streamHooks: this.#streamHooks,
    });
    const others = await Promise.all(subagents.map((other) => this.#runnableAgent(other)));
    const hooks = createHooks({ inherits: this.hooks });
    let unregister = this.#namedHooks.attach(hooks, configuration);
    const agent = new Agent({
      ...this.#options,
      id,
      name,
      description,
      instructions,
      model: modelName,
      models: { [modelName]: model },
      tools,
      mcpServers,
      subagents: others,
      hooks,
    });
    agent.instrument(this.#instrument);
    this.#attached.push(() => {
      unregister();
      unregister = this.#namedHooks.attach(hooks, configuration);
    });
    return agent;
  }

  /** Runs an agent, and streams it only if its events have listeners. */
  #execute<Output>(
    agent: Agent,
    { session, message, ...rest }: AgentRunRequest<Output>,
    signal: AbortSignal,
    emit?: RunListener,
  ): Promise<RunResult<Output>> {
    const { metadata = newMetadata() } = rest;
    const { sessionId, userId } = session;
    const configuration = this.#knownAgent(agent.id);
    const context = { agent: configuration, session, userMessage: message, metadata, signal, judging: false };
    const streamHooks = this.#streamHooks.listener(configuration.streamHookNames ?? [], context);
    const show: RunListener = (event) => {
      const shown = event.type === "run_end" ? { ...event, run: agentRun(event.run, configuration) } : event;
      streamHooks?.(shown);
      emit?.(shown);
    };
    const listener = streamHooks === undefined && emit === undefined ? undefined : show;
    const options = { ...rest, sessionId, userId, metadata, signal };
    return inSession(session, () => agent.execute(message, options, listener));
  }

  /** The agent of an id. Throws `bad_agent` with the registered ids if there is none. */
  #knownAgent(id: string): AgentConfiguration {
    const agent = this.agent(id);
    if (agent !== undefined) return agent;
    throw new TenterhookError("bad_agent", `${unknownName("agentId", "agent", id, this.#agents.names)}.`);
  }
}

function warn(failure: TenterhookError): void {
  process.emitWarning(failure.message, { type: "TenterhookWarning", code: failure.code });
}
