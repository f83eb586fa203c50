import { randomUUID } from "node:crypto";
import { completesWithin, isInstanceOf, linkedController } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { RunRequest } from "../agent-options.ts";
import { EndedRun } from "../run/ended-run.ts";
import type { RunResult } from "../run/run-result.ts";
import type { RunStream } from "../run/run-stream.ts";
import { sessionBusy } from "../sessions/open-session.ts";
import type { AgentConfiguration } from "./agent-file.ts";

/** The conversation that a run belongs to. Plain data: a host may store it, and use it again after a restart. */
export interface AgentSessionContext {
  readonly agentId: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
  /** The host's data about the session, for hooks; a run's own metadata is in the hook's context. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Which session a run belongs to, and what it starts with. */
export interface SessionOptions {
  /** Default: a new one. The id of a stored session continues its conversation. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export function sessionContext(agentId: string, options: SessionOptions = {}): AgentSessionContext {
  const { sessionId = randomUUID(), userId, metadata = {} } = options;
  return Object.freeze({ agentId, sessionId, ...(userId !== undefined && { userId }), metadata });
}

/** The request of one run. */
export interface AgentRunRequest<Output = string> extends Omit<RunRequest<Output>, "sessionId" | "userId"> {
  readonly session: AgentSessionContext;
  readonly message: string;
}

/** A run that has ended. */
export interface AgentRun<Output = string> extends RunResult<Output> {
  /** Seconds. */
  readonly duration: number;
}

/** A run whose events can be read while it is active. */
export interface AgentRunStream<Output = string> extends RunStream<Output> {
  readonly finished: Promise<AgentRun<Output>>;
}

/** A run as the caller of a center sees it. */
export function agentRun<Output>(run: RunResult<Output>, agent: AgentConfiguration): AgentRun<Output> {
  const error = originalError(run.error, agent);
  return { ...run, duration: run.durationMs / 1_000, ...(isInstanceOf(error, Error) && { error }) };
}

/** The run of an `after_agent` event, as the caller of a center will see it. */
export function hookedRun(run: unknown, agent: AgentConfiguration): AgentRun<unknown> {
  const ended = EndedRun.whole(run);
  if (ended === undefined) throw new TenterhookError("bad_agent", "this event has no run of this package.");
  return agentRun(ended, agent);
}

/**
 * The error that a named hook of this agent threw, without the engine's wrapper, so that the caller can catch it. Other errors,
 * timeouts of hooks among them, stay as they are.
 */
export function originalError(error: unknown, agent: AgentConfiguration): unknown {
  if (!TenterhookError.isInstance(error) || error.hook === undefined || error.cause === undefined)
    return error;
  const { event } = error;
  const names = { before_agent: agent.preHookNames, after_agent: agent.postHookNames };
  const isNamed = (event === "before_agent" || event === "after_agent") && names[event].includes(error.hook);
  return isNamed ? error.cause : error;
}

/** The active runs of a center, at most one in each session: two would write into the same conversation. */
export class ActiveRuns {
  readonly #runs = new Map<
    string,
    { readonly controller: AbortController; readonly ended: Promise<unknown> }
  >();

  /** Runs in a session. Throws `session_busy` if the session has an active run, also of another agent. */
  run<T>(
    sessionId: string,
    signal: AbortSignal | undefined,
    execute: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#runs.has(sessionId)) throw sessionBusy(sessionId);
    const { controller, release } = linkedController(signal);
    const running = execute(controller.signal);
    const onEnd = () => {
      release();
      this.#runs.delete(sessionId);
    };
    this.#runs.set(sessionId, { controller, ended: running.then(onEnd, onEnd) });
    return running;
  }

  /** Waits for all of them to finish, then aborts those that have not, and waits as long again. */
  async finish(timeoutMs: number): Promise<void> {
    const allEnded = () => Promise.all(Array.from(this.#runs.values(), ({ ended }) => ended));
    if (this.#runs.size === 0 || (await completesWithin(timeoutMs, allEnded()))) return;
    for (const sessionId of this.#runs.keys()) this.abort(sessionId, "the center is closed");
    await completesWithin(timeoutMs, allEnded());
  }

  abort(sessionId: string, reason: string): void {
    this.#runs.get(sessionId)?.controller.abort(new Error(reason));
  }
}
