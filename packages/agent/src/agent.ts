import { randomUUID } from "node:crypto";
import { createHooks, Hooks, newMetadata } from "@tenterhook/engine";
import { ConfigHooks } from "@tenterhook/engine/config";
import { linkedController } from "@tenterhook/protocol/support";
import {
  type AgentOptions,
  checkAgentOptions,
  checkNumber,
  checksOf,
  loopSettings,
  type RunRequest,
} from "./agent-options.ts";
import { compact, DEFAULT_KEEP_MESSAGES, DEFAULT_SUMMARY_INSTRUCTIONS } from "./loop/compaction.ts";
import { Execution } from "./loop/execution.ts";
import { History } from "./loop/history.ts";
import type { LoopSettings } from "./loop/loop-settings.ts";
import type { Run } from "./loop/run.ts";
import type { RunListener } from "./loop/run-event.ts";
import { type RunIdentity, RunScope, type RunShares } from "./loop/run-scope.ts";
import { RunStream } from "./loop/run-stream.ts";
import type { Delegation } from "./loop/turn.ts";
import { Models } from "./model/models.ts";
import { memorySessions } from "./sessions/memory-sessions.ts";
import { OpenSession } from "./sessions/open-session.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { subagentTool, TURN_EVENTS } from "./subagents/delegate.ts";
import type { AgentInstrument } from "./telemetry/agent-instrument.ts";
import { readSchema } from "./tools/input-schema.ts";
import type { ToolCallContext } from "./tools/tool.ts";
import { readTools, Toolbox } from "./tools/toolbox.ts";

/** Makes an agent. */
export function createAgent(options: AgentOptions): Agent {
  return new Agent(options);
}

/** An agent: a model, tools, and hooks on every point of what it does with them. */
export class Agent {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The agent's hooks; more can be registered at any time, and count from then on. */
  readonly hooks: Hooks;
  readonly workDir: string;
  readonly #options: AgentOptions;
  readonly #models: Models;
  readonly #settings: LoopSettings;
  readonly #store: SessionStore;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #instruments = new Set<AgentInstrument>();
  #tools: Promise<Toolbox> | undefined;

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
    this.hooks = hooksOf(options);
  }

  /**
   * Runs the agent on a message. Rejects with the error of a run that failed; a run that was stopped or refused is no
   * error, so look at `status`.
   */
  async run<Output = string>(message: string, request: RunRequest<Output> = {}): Promise<Run<Output>> {
    const run = await this.#execute(message, request, undefined);
    if (run.error !== undefined) throw run.error;
    return run;
  }

  /** The same, telling what happens while it does. The same hooks are asked in the same order. */
  stream<Output = string>(message: string, request: RunRequest<Output> = {}): RunStream<Output> {
    const { controller, release } = linkedController(request.signal);
    const watched = { ...request, signal: controller.signal };
    const start = (emit: RunListener) => this.#execute<Output>(message, watched, emit).finally(release);
    return new RunStream<Output>(start, (reason) => controller.abort(new Error(reason)));
  }

  /** Follows the parts of every run: the port behind the OpenTelemetry listener. Returns its own undo. */
  instrument(instrument: AgentInstrument): () => void {
    this.#instruments.add(instrument);
    return () => this.#instruments.delete(instrument);
  }

  /** Replaces the conversation of a session by a summary now, if hooks allow it. Says whether it did. */
  async compact(sessionId: string): Promise<boolean> {
    const { run, release } = this.#scope({ sessionId }, undefined);
    const session = this.#open(run.identity.sessionId, false);
    session.occupy({ loadHistory: true });
    try {
      const history = new History(await session.history());
      const compaction = this.#settings.compaction ?? {
        maxTokens: 0,
        keepMessages: DEFAULT_KEEP_MESSAGES,
        instructions: DEFAULT_SUMMARY_INSTRUCTIONS,
      };
      const done = await compact(run, this.#models, this.#settings, compaction, history, "manual");
      await session.save(history.takeUnsaved());
      return done;
    } finally {
      session.release();
      release();
    }
  }

  /** Ends a session that runs were given: `session_end` fires. One that is not open is no error. */
  async endSession(sessionId: string, exitReason = "ended"): Promise<void> {
    await this.#sessions.get(sessionId)?.end(exitReason);
  }

  /** Ends all sessions, and lets background hooks finish for a while. Resolves to how many had to be ended. */
  async close(options?: { readonly timeoutMs?: number }): Promise<number> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end("closed")));
    return this.hooks.close(options);
  }

  /** For agents that delegate to this one: a run with the parent's hooks, permissions, approver, bag and signal. */
  runDelegated(
    message: string,
    delegation: Delegation,
    parent: RunScope,
    context: ToolCallContext,
  ): Promise<Run<unknown>> {
    const { shares, identity } = parent;
    const toolUseId = context.toolCallId;
    const child = new RunScope(
      {
        runId: delegation.subagentId,
        sessionId: identity.sessionId,
        userId: identity.userId,
        workDir: this.#options.workDir ?? identity.workDir,
        agent: this.#info(),
        parentAgentId: identity.agent.id,
        depth: identity.depth + 1,
        maxSteps: this.#options.maxSteps ?? DEFAULT_MAX_STEPS,
        maxTokens: Math.min(
          this.#options.maxTokens ?? Number.POSITIVE_INFINITY,
          identity.maxTokens - parent.tokens,
        ),
      },
      {
        ...shares,
        hooks: createHooks({ inherits: [{ from: shares.hooks, except: TURN_EVENTS }, { from: this.hooks }] }),
        signal: context.abortSignal,
        approve: this.#options.approve ?? shares.approve,
        checks: [...shares.checks, ...checksOf(this.#options)],
        instruments: [...new Set([...shares.instruments, ...this.#instruments])],
        emit: (event) => parent.emit({ type: "subagent", subagent: this.name, toolUseId, event }),
      },
    );
    return new Execution({
      run: child,
      settings: this.#settings,
      models: this.#models,
      openTools: () => this.#openTools(child),
      session: undefined,
      message,
      output: undefined,
      delegation,
    }).carryOut();
  }

  async #execute<Output>(
    message: string,
    request: RunRequest<Output>,
    emit: RunListener | undefined,
  ): Promise<Run<Output>> {
    const output = request.as === undefined ? undefined : await readSchema(request.as, "the output");
    const { run, release } = this.#scope(request, emit);
    const session = this.#open(run.identity.sessionId, request.sessionId === undefined);
    session.occupy({ loadHistory: request.loadHistory ?? true });
    try {
      const execution = new Execution({
        run,
        settings: this.#settings,
        models: this.#models,
        openTools: () => this.#openTools(run),
        session,
        message,
        output,
        delegation: undefined,
      });
      // The schema that was asked for has read the output, so it has that schema's type.
      return (await execution.carryOut()) as Run<Output>;
    } finally {
      session.release();
      release();
    }
  }

  #scope(
    request: RunRequest<unknown>,
    emit: RunListener | undefined,
  ): { readonly run: RunScope; release(): void } {
    checkNumber("maxSteps", request.maxSteps, 1);
    checkNumber("maxTokens", request.maxTokens, 1);
    const options = this.#options;
    const identity: RunIdentity = {
      runId: randomUUID(),
      sessionId: request.sessionId ?? randomUUID(),
      userId: request.userId,
      workDir: this.workDir,
      agent: this.#info(),
      parentAgentId: undefined,
      depth: 0,
      maxSteps: request.maxSteps ?? options.maxSteps ?? DEFAULT_MAX_STEPS,
      maxTokens: request.maxTokens ?? options.maxTokens ?? Number.POSITIVE_INFINITY,
    };
    // A signal of the run's own: whoever holds on to the caller's for years does not hold on to every run.
    const { controller, release } = linkedController(request.signal);
    const shares: RunShares = {
      hooks: this.hooks,
      metadata: request.metadata ?? newMetadata(),
      signal: controller.signal,
      approve: request.approve ?? options.approve,
      checks: checksOf(options),
      instruments: [...this.#instruments],
      streams: emit !== undefined,
      emit,
    };
    return { run: new RunScope(identity, shares), release };
  }

  #open(sessionId: string, isOneOff: boolean): OpenSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const store = isOneOff ? undefined : this.#store;
    const forget = (session: OpenSession) => {
      if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    };
    const opened = new OpenSession(sessionId, { isOneOff, store, forget });
    this.#sessions.set(sessionId, opened);
    return opened;
  }

  /** The agent's own tools are read once; MCP servers are connected for each run and closed with it. */
  async #openTools(run: RunScope): Promise<{ readonly toolbox: Toolbox; close(): Promise<void> }> {
    this.#tools ??= this.#readTools();
    const toolbox = await this.#tools;
    const { mcpServers } = this.#options;
    if (mcpServers === undefined || Object.keys(mcpServers).length === 0) {
      return { toolbox, close: async () => undefined };
    }
    const { connectMcpServers } = await import("./tools/mcp/index.ts");
    const connections = await connectMcpServers(mcpServers, {
      signal: run.signal,
      workDir: run.identity.workDir,
    });
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
    const own = new Toolbox(await readTools(tools));
    let all = own;
    for (const agent of subagents) all = all.with(new Map([[agent.name, await subagentTool(agent)]]));
    return all;
  }

  #info(): RunIdentity["agent"] {
    const { id, name, description } = this;
    const { instructions } = this.#options;
    return {
      id,
      name,
      modelName: this.#models.defaultName,
      ...(description !== undefined && { description }),
      ...(instructions !== undefined && { instructions }),
    };
  }
}

const DEFAULT_MAX_STEPS = 50;

function hooksOf({ hooks, onHookEvent }: AgentOptions): Hooks {
  if (hooks instanceof Hooks) return hooks;
  const made = createHooks();
  const config = new ConfigHooks(made);
  if (onHookEvent !== undefined) config.onEvent(onHookEvent);
  if (hooks !== undefined) config.registerAll(hooks);
  return made;
}
