import { randomUUID } from "node:crypto";
import { createHooks, Hooks } from "@tenterhook/engine";
import { ConfigHooks } from "@tenterhook/engine/config";
import { type AgentInfo, childHooks, type Delegation } from "@tenterhook/engine/host";
import { linkedController } from "@tenterhook/internal";
import {
  type AgentOptions,
  checkAgentOptions,
  checkNumbers,
  checksOf,
  loopSettings,
  type RunRequest,
} from "./agent-options.ts";
import { compact, compactionSettings } from "./loop/compaction.ts";
import { executeRun } from "./loop/execution.ts";
import { History } from "./loop/history.ts";
import type { LoopSettings } from "./loop/loop-settings.ts";
import { type AnswerSchema, readAnswerSchema } from "./loop/structured-output.ts";
import { Models } from "./model/models.ts";
import type { RunListener } from "./run/agent-event.ts";
import type { AgentInstrument } from "./run/agent-instrument.ts";
import { RunContext } from "./run/run-context.ts";
import type { RunResult } from "./run/run-result.ts";
import { RunStream } from "./run/run-stream.ts";
import { memorySessions } from "./sessions/memory-sessions.ts";
import { OpenSession } from "./sessions/open-session.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { type Subagent, subagentTool } from "./subagents/delegate.ts";
import { connectMcpServers } from "./tools/mcp/connect-mcp-servers.ts";
import type { ToolCallContext } from "./tools/tool.ts";
import { readTools, Toolbox } from "./tools/toolbox.ts";

/** Creates an agent. */
export function createAgent(options: AgentOptions): Agent {
  return new Agent(options);
}

/** An agent: a model, tools, and hooks on everything that it does with them. */
export class Agent implements Subagent {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The agent's hooks; more can be registered at any time. */
  readonly hooks: Hooks;
  readonly workDir: string;
  readonly #options: AgentOptions;
  readonly #models: Models;
  readonly #settings: LoopSettings;
  readonly #store: SessionStore;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #instruments = new Set<AgentInstrument>();
  #tools: Promise<Toolbox> | undefined;
  #hasWarned = false;

  constructor(options: AgentOptions) {
    checkAgentOptions(options);
    this.#options = options;
    this.name = options.name ?? "agent";
    this.id = options.id ?? this.name;
    this.description = options.description;
    this.workDir = options.workDir ?? process.cwd();
    this.#models = new Models(options.model, options.models);
    this.#settings = loopSettings(options, this.#models);
    this.#store = options.sessions ?? memorySessions();
    this.hooks = createHooksFor(options);
  }

  /**
   * Runs the agent on a message. Rejects with the error of a failed run; a run that was stopped or refused is not an error, so check
   * `status`.
   */
  async run<Output = string>(message: string, request: RunRequest<Output> = {}): Promise<RunResult<Output>> {
    const run = await this.execute(message, request, undefined);
    if (run.error !== undefined) throw run.error;
    return run;
  }

  /** Runs the agent and streams events. The same hooks run in the same order. */
  stream<Output = string>(message: string, request: RunRequest<Output> = {}): RunStream<Output> {
    const { controller, release } = linkedController(request.signal);
    const watched = { ...request, signal: controller.signal };
    const start = (emit: RunListener) => this.execute<Output>(message, watched, emit).finally(release);
    return new RunStream<Output>(start, (reason) => controller.abort(new Error(reason)));
  }

  /** Observes the operations of every run, as the OpenTelemetry listener does. Returns the function that removes it. */
  instrument(instrument: AgentInstrument): () => void {
    this.#instruments.add(instrument);
    return () => this.#instruments.delete(instrument);
  }

  /** Replaces the conversation of a session by a summary now, if hooks allow it. Returns whether it did. */
  compact(sessionId: string): Promise<boolean> {
    return this.#inSession({ sessionId }, undefined, async (run, session) => {
      const history = new History(await session.history());
      const compaction = this.#settings.compaction ?? compactionSettings({ maxTokens: 0 });
      const done = await compact(run, this.#models, this.#settings, compaction, history, "manual");
      await session.save(history.takeUnsaved());
      return done;
    });
  }

  /** Ends a session of earlier runs: `session_end` fires. A session that is not open is ignored. */
  async endSession(sessionId: string, exitReason = "ended"): Promise<void> {
    await this.#sessions.get(sessionId)?.end(exitReason);
  }

  /** Ends all sessions of earlier runs. */
  async endSessions(exitReason = "ended"): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end(exitReason)));
  }

  /** Ends all sessions, and waits a while for background hooks. Resolves to the number of aborted hooks. */
  async close(options?: { readonly timeoutMs?: number }): Promise<number> {
    await this.endSessions("closed");
    return this.hooks.close(options);
  }

  /** For centers and streams: resolves to the run in whichever way it ended. Its events go to `emit`, and only then is it streamed. */
  async execute<Output>(
    message: string,
    request: RunRequest<Output>,
    emit: RunListener | undefined,
  ): Promise<RunResult<Output>> {
    const output = await readAnswerSchema(request.as);
    const result = await this.#inSession(request, emit, (run, session) =>
      this.#execute(run, message, session, output),
    );
    // The requested schema has parsed the output, so it has that type.
    return result as RunResult<Output>;
  }

  /** For agents that delegate to this one. */
  runDelegated(
    message: string,
    delegation: Delegation,
    parent: RunContext,
    context: ToolCallContext,
  ): Promise<RunResult<unknown>> {
    const { workDir, maxSteps, maxTokens = Number.POSITIVE_INFINITY, approve, effectsOf } = this.#options;
    const { host, resources, tokens } = parent;
    const toolUseId = context.toolCallId;
    const hooks = createHooks({ inherits: [{ from: childHooks(host.hooks) }, { from: this.hooks }] });
    const child = new RunContext(
      hooks,
      {
        workDir: workDir ?? resources.workDir,
        maxSteps: maxSteps ?? DEFAULT_MAX_STEPS,
        maxTokens: Math.min(maxTokens, resources.maxTokens - tokens),
        depth: resources.depth + 1,
        checks: [...resources.checks, ...checksOf(this.#options)],
        instruments: [...new Set([...resources.instruments, ...this.#instruments])],
        emit:
          resources.emit &&
          ((event) => parent.emit({ type: "subagent", subagent: this.name, toolUseId, event })),
      },
      {
        agent: this.#info(),
        runId: delegation.subagentId,
        userId: host.init.userId,
        approve: approve ?? host.init.approve,
        effectsOf: effectsOf ?? host.init.effectsOf,
        signal: context.abortSignal,
        maxHolds: this.#settings.maxHolds,
        parent: host,
        delegation,
      },
    );
    return this.#execute(child, message);
  }

  #execute(
    run: RunContext,
    message: string,
    session?: OpenSession,
    output?: AnswerSchema,
  ): Promise<RunResult<unknown>> {
    const openTools = () => this.#openTools(run);
    return executeRun({
      run,
      settings: this.#settings,
      models: this.#models,
      openTools,
      session,
      message,
      output,
    });
  }

  /** Does something with the context of a run, in its session, which no other run uses meanwhile. */
  async #inSession<T>(
    request: RunRequest<unknown>,
    emit: RunListener | undefined,
    work: (run: RunContext, session: OpenSession) => Promise<T>,
  ): Promise<T> {
    checkNumbers(request);
    const { sessionId = randomUUID(), loadHistory = true } = request;
    const session = this.#open(sessionId, request.sessionId === undefined);
    session.occupy({ loadHistory });
    try {
      // Not before: a run listens to the caller's signal until it ends.
      const run = this.#createContext({ ...request, sessionId }, emit);
      return await work(run, session);
    } finally {
      session.release();
    }
  }

  #createContext(request: RunRequest<unknown>, emit: RunListener | undefined): RunContext {
    const options = this.#options;
    return new RunContext(
      this.hooks,
      {
        workDir: this.workDir,
        maxSteps: request.maxSteps ?? options.maxSteps ?? DEFAULT_MAX_STEPS,
        maxTokens: request.maxTokens ?? options.maxTokens ?? Number.POSITIVE_INFINITY,
        depth: 0,
        checks: checksOf(options),
        instruments: [...this.#instruments],
        emit,
      },
      {
        agent: this.#info(),
        sessionId: request.sessionId,
        userId: request.userId,
        metadata: request.metadata,
        approve: request.approve ?? options.approve,
        effectsOf: options.effectsOf,
        signal: request.signal,
        maxHolds: this.#settings.maxHolds,
      },
    );
  }

  #open(sessionId: string, isOneOff: boolean): OpenSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const store = isOneOff ? undefined : this.#store;
    const onEnd = (session: OpenSession) => {
      if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    };
    const opened = new OpenSession(sessionId, { isOneOff, store, onEnd });
    this.#sessions.set(sessionId, opened);
    return opened;
  }

  /** The agent's own tools are resolved once; MCP servers are connected for each run and closed with it. */
  async #openTools(run: RunContext): Promise<{ readonly toolbox: Toolbox; close(): Promise<void> }> {
    this.#tools ??= this.#readTools();
    const toolbox = await this.#tools;
    const connections = await connectMcpServers(this.#options.mcpServers ?? {}, {
      signal: run.host.signal.signal,
      workDir: run.resources.workDir,
    });
    // With the first run only: the servers are connected for each one.
    if (!this.#hasWarned)
      for (const notice of connections.notices) process.emitWarning(notice, { type: "TenterhookWarning" });
    this.#hasWarned = true;
    try {
      const all = toolbox.with(await readTools(connections.tools));
      return { toolbox: all, close: () => connections.close() };
    } catch (error) {
      await connections.close();
      throw error;
    }
  }

  async #readTools(): Promise<Toolbox> {
    const { tools = {}, subagents = [] } = this.#options;
    let all = new Toolbox(await readTools(tools));
    for (const agent of subagents) all = all.with(new Map([[agent.name, await subagentTool(agent)]]));
    return all;
  }

  #info(): AgentInfo {
    const { id, name, description } = this;
    const { instructions } = this.#options;
    return Object.freeze({
      id,
      name,
      modelName: this.#models.defaultName,
      ...(description !== undefined && { description }),
      ...(instructions !== undefined && { instructions }),
    });
  }
}

const DEFAULT_MAX_STEPS = 50;

function createHooksFor({ hooks, onHookEvent }: AgentOptions): Hooks {
  if (hooks instanceof Hooks) return hooks;
  const made = createHooks();
  const config = new ConfigHooks(made);
  if (onHookEvent !== undefined) config.onEvent(onHookEvent);
  if (hooks !== undefined) config.registerAll(hooks);
  return made;
}
