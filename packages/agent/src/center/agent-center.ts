import { createHooks, type Hooks } from "@tenterhook/engine";
import type { Report } from "@tenterhook/engine/host";
import type { RegisterOptions } from "@tenterhook/engine/named";
import { completesWithin } from "@tenterhook/internal";
import type { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import { type AgentOptions, checkAgentOptions, checkLimits } from "../agent-options.ts";
import { readAnswerSchema } from "../loop/structured-output.ts";
import { type AgentInstrument, withSpans } from "../run/agent-instrument.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { type ActiveRun, ActiveRuns } from "./active-runs.ts";
import type { AgentRun, AgentRunRequest, AgentRunStream } from "./agent-run.ts";
import { Catalogue } from "./catalogue.ts";
import { type HookMetric, HookMetrics } from "./hook-metrics.ts";
import type { Hook, PostHookFunction, PreHookFunction } from "./hook-types.ts";
import { resolveNames } from "./resolve-names.ts";
import { RunnableAgent } from "./runnable-agent.ts";
import { type AgentSessionContext, type SessionOptions, sessionContext } from "./session-context.ts";
import { StreamHooks } from "./stream-hooks.ts";

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

/** Creates a center. */
export function createAgentCenter(options: AgentCenterOptions = {}): AgentCenter {
  return new AgentCenter(options);
}

/** Agents with pre- and post-hooks by name, and their runs. */
export class AgentCenter extends Catalogue {
  /** Hooks on any event of any agent of this center; among equal priorities they run before an agent's named hooks. */
  readonly hooks: Hooks;
  readonly #options: Omit<AgentCenterOptions, "report">;
  readonly #metrics: HookMetrics;
  readonly #agents = new Map<string, Promise<RunnableAgent>>();
  /** For each agent that has run, a function that attaches its named hooks again. */
  readonly #attached: (() => void)[] = [];
  readonly #runs = new ActiveRuns();
  readonly #instruments = new Set<AgentInstrument>();
  /** One for all agents, so that an agent can see that its subagents are instrumented already. */
  readonly #instrument: AgentInstrument = {
    span: (operation, work) => withSpans([...this.#instruments], () => operation, work),
  };

  constructor({ report = warn, ...options }: AgentCenterOptions = {}) {
    const metrics = new HookMetrics();
    super(new StreamHooks(report, metrics));
    // A center has no model of its own, and the check does not read it.
    checkAgentOptions(options as AgentOptions);
    this.#options = { ...options, sessions: options.sessions ?? memorySessions() };
    this.#metrics = metrics;
    this.hooks = createHooks({ report });
    this.hooks.onHookEvent((event) => metrics.record(event));
  }

  override registerPreHook(config: Hook, execute: PreHookFunction, options?: RegisterOptions): void {
    super.registerPreHook(config, execute, options);
    this.#attachAgain(options);
  }

  override registerPostHook(config: Hook, execute: PostHookFunction, options?: RegisterOptions): void {
    super.registerPostHook(config, execute, options);
    this.#attachAgain(options);
  }

  /** A hook that takes the place of another one counts from the next event, also in agents that have run. */
  #attachAgain({ replace = false }: RegisterOptions = {}): void {
    if (replace) for (const attachAgain of this.#attached) attachAgain();
  }

  /** A session with an agent. Plain data; it starts with its first run. */
  createSession(agentId: string, options?: SessionOptions): AgentSessionContext {
    return sessionContext(this.knownAgent(agentId).id, options);
  }

  /**
   * Runs an agent: blocking pre-hooks one after another, the others are launched; the agent; blocking post-hooks, the
   * others are launched. Rejects with the error of a failed run, and with the error of a blocking hook; a run that a
   * hook refused is not an error, so check `status`.
   */
  async runAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRun<Output>> {
    const { agent, active } = await this.#start(request);
    return active.track(agent.run(request, active));
  }

  /** Runs an agent and streams its events. Rejects if the run cannot start; the stream reports everything after that. */
  async streamAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRunStream<Output>> {
    const { agent, active } = await this.#start(request);
    return agent.stream(request, active);
  }

  /** Ends a session: `session_end` fires. One that is not open is ignored. */
  async endSession({ agentId, sessionId }: AgentSessionContext, reason = "ended"): Promise<void> {
    const agent = await this.#agents.get(agentId)?.catch(() => undefined);
    await agent?.endSession(sessionId, reason);
  }

  /** The number of hooks that run in the background now. */
  get backgroundHookCount(): number {
    return this.hooks.pending + this.registries.streamHooks.pending;
  }

  /** Waits for all of them, also for those that start in the meantime; false after the timeout. */
  async waitForBackgroundHooks(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    const { timeoutMs } = options;
    if (timeoutMs !== undefined) return completesWithin(timeoutMs, this.waitForBackgroundHooks());
    while (this.backgroundHookCount > 0) {
      await this.hooks.drain();
      await this.registries.streamHooks.drain();
    }
    return true;
  }

  /** Aborts the signals of all of them, and no longer waits for them. */
  cancelBackgroundHooks(reason?: unknown): void {
    this.hooks.cancel(reason);
    this.registries.streamHooks.forget();
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
    const agents = await Promise.allSettled(this.#agents.values());
    await Promise.all(
      agents.map((agent) => (agent.status === "fulfilled" ? agent.value.endSessions("closed") : undefined)),
    );
    if (await this.waitForBackgroundHooks({ timeoutMs })) return 0;
    const left = this.backgroundHookCount;
    this.cancelBackgroundHooks(`the center is closed and did not wait longer than ${timeoutMs} ms`);
    return left;
  }

  /** Invalid requests reject before there is a run, so that a stream only reports runs. */
  async #start(
    request: AgentRunRequest<unknown>,
  ): Promise<{ readonly agent: RunnableAgent; readonly active: ActiveRun }> {
    const { session, signal, as } = request;
    checkLimits(request);
    await readAnswerSchema(as);
    const agent = await this.#runnableAgent(session.agentId);
    return { agent, active: this.#runs.start(session.sessionId, signal) };
  }

  #runnableAgent(id: string): Promise<RunnableAgent> {
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const agent = this.#createAgent(id);
    this.#agents.set(id, agent);
    // A missing name may be registered before the next attempt.
    agent.catch(() => this.#agents.delete(id));
    return agent;
  }

  async #createAgent(agentId: string): Promise<RunnableAgent> {
    const configuration = this.knownAgent(agentId);
    const { id, name, description, instructions, modelName, subagents = [] } = configuration;
    const { model, tools, mcpServers } = await resolveNames(configuration, this.registries);
    const others = await Promise.all(subagents.map((each) => this.#runnableAgent(each)));
    const hooks = createHooks({ inherits: this.hooks });
    let unregister = this.registries.namedHooks.attach(hooks, configuration);
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
      subagents: others.map((other) => other.agent),
      hooks,
    });
    agent.instrument(this.#instrument);
    this.#attached.push(() => {
      unregister();
      unregister = this.registries.namedHooks.attach(hooks, configuration);
    });
    return new RunnableAgent(configuration, agent, this.registries.streamHooks);
  }
}

function warn(failure: TenterhookError): void {
  process.emitWarning(failure.message, { type: "TenterhookWarning", code: failure.code });
}
