import { newMetadata } from "@tenterhook/engine";
import type { Agent } from "../agent.ts";
import type { RunRequest } from "../agent-options.ts";
import type { RunListener } from "../run/agent-event.ts";
import type { RunResult } from "../run/run-result.ts";
import { RunStream } from "../run/run-stream.ts";
import type { ActiveRun } from "./active-runs.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";
import {
  type AgentRun,
  type AgentRunRequest,
  type AgentRunStream,
  agentRun,
  originalError,
} from "./agent-run.ts";
import { inSession } from "./hook-context.ts";
import type { StreamHooks } from "./stream-hooks.ts";

/** An agent whose names have been resolved. */
export class RunnableAgent {
  readonly configuration: AgentConfiguration;
  readonly agent: Agent;
  readonly #streamHooks: StreamHooks;
  /** The sessions that runs used and that have not been ended. */
  readonly #sessionIds = new Set<string>();

  constructor(configuration: AgentConfiguration, agent: Agent, streamHooks: StreamHooks) {
    this.configuration = configuration;
    this.agent = agent;
    this.#streamHooks = streamHooks;
  }

  /** Runs to the end. Rejects with the error of a run that failed; errors of named hooks come as they were thrown. */
  async run<Output>(request: AgentRunRequest<Output>, active: ActiveRun): Promise<AgentRun<Output>> {
    try {
      const run = await this.#execute(request, active);
      if (run.error !== undefined) throw run.error;
      return agentRun(run, this.configuration);
    } catch (error) {
      throw originalError(error, this.configuration);
    }
  }

  /** Runs to the end and emits events. */
  stream<Output>(request: AgentRunRequest<Output>, active: ActiveRun): AgentRunStream<Output> {
    const stream = new RunStream<Output>(
      (emit) =>
        active.track(this.#execute(request, active, emit).then((run) => agentRun(run, this.configuration))),
      (reason) => active.abort(reason),
    );
    // `finished` is the promise above.
    return stream as AgentRunStream<Output>;
  }

  async endSession(sessionId: string, reason: string): Promise<void> {
    this.#sessionIds.delete(sessionId);
    await this.agent.endSession(sessionId, reason);
  }

  async endSessions(reason: string): Promise<void> {
    await Promise.all(Array.from(this.#sessionIds, (id) => this.endSession(id, reason)));
  }

  /** Runs the agent, and streams it only if its events have listeners. */
  async #execute<Output>(
    { session, message, ...rest }: AgentRunRequest<Output>,
    { signal }: ActiveRun,
    emit?: RunListener,
  ): Promise<RunResult<Output>> {
    const { configuration, agent } = this;
    const { sessionId, userId } = session;
    const { metadata = newMetadata() } = rest;
    const context = { agent: configuration, session, userMessage: message, metadata, signal, judging: false };
    const streamHooks = this.#streamHooks.listener(configuration.streamHookNames ?? [], context);
    const options: RunRequest<Output> = { ...rest, sessionId, userId, metadata, signal };
    this.#sessionIds.add(sessionId);
    return inSession(session, async () => {
      if (streamHooks === undefined && emit === undefined) return agent.run(message, options);
      const stream = agent.stream(message, options);
      for await (const event of stream) {
        const shown =
          event.type === "run_end" ? { ...event, run: agentRun(event.run, configuration) } : event;
        streamHooks?.(shown);
        emit?.(shown);
      }
      return stream.finished;
    });
  }
}
