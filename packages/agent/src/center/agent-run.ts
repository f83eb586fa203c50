import { TenterhookError } from "@tenterhook/protocol";
import type { RunRequest } from "../agent-options.ts";
import { EndedRun } from "../loop/ended-run.ts";
import type { Run } from "../loop/run.ts";
import type { RunEvent, RunListener } from "../loop/run-event.ts";
import type { RunStream } from "../loop/run-stream.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";
import type { AgentSessionContext } from "./session-context.ts";

/** What a run of an agent may say for itself. */
export interface AgentRunRequest<Output = string> extends Omit<RunRequest<Output>, "sessionId" | "userId"> {
  readonly session: AgentSessionContext;
  readonly message: string;
}

/** A run that has ended. */
export interface AgentRun<Output = string> extends Run<Output> {
  /** Seconds. */
  readonly duration: number;
}

/** A run that can be watched while it goes on. */
export interface AgentRunStream<Output = string> extends RunStream<Output> {
  readonly finished: Promise<AgentRun<Output>>;
}

/** A run as the caller of a center sees it. */
export function agentRun<Output>(run: Run<Output>, agent: AgentConfiguration): AgentRun<Output> {
  const thrown = asThrown(run.error, agent);
  return { ...run, duration: run.durationMs / 1_000, ...(thrown instanceof Error && { error: thrown }) };
}

/** The run that an `after_agent` event is about, as the caller of a center will see it. */
export function hookedRun(run: unknown, agent: AgentConfiguration): AgentRun<unknown> {
  const ended = EndedRun.whole(run);
  if (ended === undefined) throw new TenterhookError("bad_agent", "this event is of no run of this package.");
  return agentRun(ended, agent);
}

/**
 * What a named hook of this agent threw, as it threw it: its author catches that error, and not one of the engine's. Other
 * errors, a hook's timeout among them, are what they are.
 */
export function asThrown(error: unknown, agent: AgentConfiguration): unknown {
  if (!TenterhookError.isInstance(error) || error.hook === undefined || error.cause === undefined)
    return error;
  const named = { before_agent: agent.preHookNames, after_agent: agent.postHookNames };
  const { event } = error;
  const isNamed = (event === "before_agent" || event === "after_agent") && named[event].includes(error.hook);
  return isNamed ? error.cause : error;
}

/** Tells a listener of every event of a run, and gives the run when it has ended. */
export async function toldRun<Output>(
  stream: RunStream<Output>,
  agent: AgentConfiguration,
  listen: RunListener,
): Promise<Run<Output>> {
  const telling = tell(stream, (event) =>
    listen(event.type === "run_end" ? { ...event, run: agentRun(event.run, agent) } : event),
  );
  const run = await stream.finished;
  await telling;
  return run;
}

async function tell(stream: AsyncIterable<RunEvent>, listen: RunListener): Promise<void> {
  for await (const event of stream) listen(event);
}
