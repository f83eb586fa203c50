import { newMetadata } from "@tenterhook/engine";
import type { Agent } from "../agent.ts";
import type { RunRequest } from "../agent-options.ts";
import type { RunListener } from "../loop/run-event.ts";
import { RunStream } from "../loop/run-stream.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";
import {
  type AgentRun,
  type AgentRunRequest,
  type AgentRunStream,
  agentRun,
  asThrown,
  toldRun,
} from "./agent-run.ts";
import { inSession } from "./hook-context.ts";
import type { RunUnderWay } from "./runs-under-way.ts";
import type { StreamHooks } from "./stream-hooks.ts";

/** An agent whose names have been looked up: it can run. */
export class ReadyAgent {
  readonly configuration: AgentConfiguration;
  readonly agent: Agent;
  readonly #streamHooks: StreamHooks;
  /** The sessions that runs were given, until somebody ends them. */
  readonly #sessionIds = new Set<string>();

  constructor(configuration: AgentConfiguration, agent: Agent, streamHooks: StreamHooks) {
    this.configuration = configuration;
    this.agent = agent;
    this.#streamHooks = streamHooks;
  }

  /** Runs to the end. Rejects with the error of a run that failed; what a named hook threw comes as it was thrown. */
  async run<Output>(request: AgentRunRequest<Output>, underWay: RunUnderWay): Promise<AgentRun<Output>> {
    const { configuration, agent } = this;
    const { message, options, listen } = this.#prepare(request, underWay);
    try {
      const run = await inSession(request.session, () =>
        listen === undefined
          ? agent.run(message, options)
          : toldRun(agent.stream(message, options), configuration, listen),
      );
      if (run.error !== undefined) throw run.error;
      return agentRun(run, configuration);
    } catch (error) {
      throw asThrown(error, configuration);
    }
  }

  /** The same, telling what happens while it does. */
  stream<Output>(request: AgentRunRequest<Output>, underWay: RunUnderWay): AgentRunStream<Output> {
    const { configuration, agent } = this;
    const { message, options, listen } = this.#prepare(request, underWay);
    const start = async (emit: RunListener): Promise<AgentRun<Output>> => {
      const told = (event: Parameters<RunListener>[0]) => {
        listen?.(event);
        emit(event);
      };
      return agentRun(await toldRun(agent.stream(message, options), configuration, told), configuration);
    };
    const stream = new RunStream<Output>(
      (emit) => underWay.is(inSession(request.session, () => start(emit))),
      (reason) => underWay.abort(reason),
    );
    // It finishes as what `start` makes of the run.
    return stream as AgentRunStream<Output>;
  }

  async endSession(sessionId: string, reason: string): Promise<void> {
    this.#sessionIds.delete(sessionId);
    await this.agent.endSession(sessionId, reason);
  }

  async endSessions(reason: string): Promise<void> {
    await Promise.all(Array.from(this.#sessionIds, (id) => this.endSession(id, reason)));
  }

  #prepare<Output>({ session, message, ...rest }: AgentRunRequest<Output>, { signal }: RunUnderWay) {
    const { sessionId, userId } = session;
    const { configuration } = this;
    const { metadata = newMetadata() } = rest;
    const options: RunRequest<Output> = { ...rest, sessionId, userId, metadata, signal };
    const context = { agent: configuration, session, userMessage: message, metadata, signal, judging: false };
    this.#sessionIds.add(sessionId);
    return {
      message,
      options,
      listen: this.#streamHooks.listener(configuration.streamHookNames ?? [], context),
    };
  }
}
