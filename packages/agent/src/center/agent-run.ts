import { isInstanceOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { RunRequest } from "../agent-options.ts";
import { EndedRun } from "../run/ended-run.ts";
import type { RunResult } from "../run/run-result.ts";
import type { RunStream } from "../run/run-stream.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";
import type { AgentSessionContext } from "./session-context.ts";

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
