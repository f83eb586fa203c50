import { createHooks, type Hooks, type Report } from "@tenterhook/engine";
import type { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import { type AgentOptions, checkAgentOptions, checkNumber } from "../agent-options.ts";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { type AgentInstrument, withSpans } from "../telemetry/agent-instrument.ts";
import { readSchema } from "../tools/input-schema.ts";
import type { AgentRun, AgentRunRequest, AgentRunStream } from "./agent-run.ts";
import { Catalogue } from "./catalogue.ts";
import { type HookMetric, HookMetrics } from "./hook-metrics.ts";
import { ReadyAgent } from "./ready-agent.ts";
import { resolveNames } from "./resolve-names.ts";
import { RunsUnderWay, type RunUnderWay } from "./runs-under-way.ts";
import { type AgentSessionContext, type SessionOptions, sessionContext } from "./session-context.ts";
import { StreamHooks } from "./stream-hooks.ts";
import { within } from "./within.ts";

/** What an agent has by its configuration, and not from its center. */
type Configured =
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

/** What all agents of a center share: where sessions are kept, permissions, limits. */
export interface AgentCenterOptions extends Omit<AgentOptions, Configured> {
  /** Takes failures that reach nobody else, those of hooks that do not block among them. Default: a process warning. */
  readonly report?: Report | undefined;
}

/** Makes a center. */
export function createAgentCenter(options: AgentCenterOptions = {}): AgentCenter {
  return new AgentCenter(options);
}

/** Agents by name, with pre- and post-hooks by name, and the runs of them. */
export class AgentCenter extends Catalogue {
  /** Hooks on any event of any agent of this center; named hooks of an agent come behind these among equal priorities. */
  readonly hooks: Hooks;
  readonly #options: Omit<AgentCenterOptions, "report">;
  readonly #metrics: HookMetrics;
  readonly #agents = new Map<string, Promise<ReadyAgent>>();
  readonly #runs = new RunsUnderWay();
  readonly #instruments = new Set<AgentInstrument>();
  /** One for all agents: an agent knows by it that its subagents are followed already. */
  readonly #followed: AgentInstrument = {
    span: (operation, work) => withSpans([...this.#instruments], () => operation, work),
  };

  constructor({ report = warn, ...options }: AgentCenterOptions = {}) {
    const metrics = new HookMetrics();
    super(new StreamHooks(report, metrics));
    // The model is none of the options here, and the check does not look at it.
    checkAgentOptions(options as AgentOptions);
    this.#options = { ...options, sessions: options.sessions ?? memorySessions() };
    this.#metrics = metrics;
    this.hooks = createHooks({ report });
    this.hooks.onHookEvent((event) => metrics.note(event));
  }

  /** A session with an agent. Plain data; nothing begins before its first run. */
  createSession(agentId: string, options?: SessionOptions): AgentSessionContext {
    return sessionContext(this.knownAgent(agentId).id, options);
  }

  /**
   * Runs an agent: blocking pre-hooks one after another, the others are launched; the agent; blocking post-hooks, the
   * others are launched. Rejects with the error of a run that failed, and with what a blocking hook threw; a run that a
   * hook refused is no error, so look at `status`.
   */
  async runAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRun<Output>> {
    const { agent, underWay } = await this.#begin(request);
    return underWay.is(agent.run(request, underWay));
  }

  /** The same, telling what happens while it does. Rejects when it cannot begin; the stream tells everything after that. */
  async streamAgent<Output = string>(request: AgentRunRequest<Output>): Promise<AgentRunStream<Output>> {
    const { agent, underWay } = await this.#begin(request);
    return agent.stream(request, underWay);
  }

  /** Ends a session: `session_end` fires. One that is not open is no error. */
  async endSession({ agentId, sessionId }: AgentSessionContext, reason = "ended"): Promise<void> {
    const ready = await this.#agents.get(agentId)?.catch(() => undefined);
    await ready?.endSession(sessionId, reason);
  }

  /** How many hooks run in the background at the moment. */
  get backgroundHookCount(): number {
    return this.hooks.pending + this.registered.streamHooks.pending;
  }

  /** Waits for all of them, also for those that start meanwhile; false when the time given ran out first. */
  async waitForBackgroundHooks(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    const { timeoutMs } = options;
    if (timeoutMs !== undefined) return within(this.waitForBackgroundHooks(), timeoutMs);
    while (this.backgroundHookCount > 0) {
      await this.hooks.drain();
      await this.registered.streamHooks.drain();
    }
    return true;
  }

  /** Ends all of them: they are told through their signal, and no longer waited for. */
  cancelBackgroundHooks(reason?: unknown): void {
    this.hooks.cancel(reason);
    this.registered.streamHooks.forget();
  }

  /** What every hook that has run in this center did so far, and how long it took. */
  hookMetrics(): readonly HookMetric[] {
    return this.#metrics.list();
  }

  resetHookMetrics(): void {
    this.#metrics.reset();
  }

  /** Follows the parts of every run of every agent: the port behind the OpenTelemetry listener. Returns its own undo. */
  instrument(instrument: AgentInstrument): () => void {
    this.#instruments.add(instrument);
    return () => this.#instruments.delete(instrument);
  }

  /**
   * What a host calls before it exits. Runs under way may finish for a while (default: five seconds) and are then aborted;
   * sessions end; background hooks may finish for as long, and are then ended. Resolves to how many of those were.
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

  /** What makes a run impossible is found out before it is one: whoever reads a stream is told of runs, not of mistakes. */
  async #begin(
    request: AgentRunRequest<unknown>,
  ): Promise<{ readonly agent: ReadyAgent; readonly underWay: RunUnderWay }> {
    const { session, signal, as, maxSteps, maxTokens } = request;
    checkNumber("maxSteps", maxSteps, 1);
    checkNumber("maxTokens", maxTokens, 1);
    if (as !== undefined) await readSchema(as, "the output");
    const agent = await this.#readyAgent(session.agentId);
    return { agent, underWay: this.#runs.begin(session.sessionId, signal) };
  }

  #readyAgent(id: string): Promise<ReadyAgent> {
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const making = this.#putTogether(id);
    this.#agents.set(id, making);
    // What is missing may be registered before the next try.
    making.catch(() => this.#agents.delete(id));
    return making;
  }

  async #putTogether(agentId: string): Promise<ReadyAgent> {
    const configuration = this.knownAgent(agentId);
    const { id, name, description, instructions, modelName, subagents = [] } = configuration;
    const { model, tools, mcpServers } = await resolveNames(configuration, this.registered);
    const others = await Promise.all(subagents.map((each) => this.#readyAgent(each)));
    const hooks = createHooks({ inherits: this.hooks });
    this.registered.namedHooks.attach(hooks, configuration);
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
    agent.instrument(this.#followed);
    return new ReadyAgent(configuration, agent, this.registered.streamHooks);
  }
}

function warn(failure: TenterhookError): void {
  process.emitWarning(failure.message, { type: "TenterhookWarning", code: failure.code });
}
