import { TenterhookError } from "@tenterhook/protocol";
import type { HookedAgents } from "./hooked-agent.ts";
import type { Agent, RunContext, RunInput, RunState } from "./sdk.ts";

/** Whether the input of a run is the state of a paused one. */
export function isRunState(input: RunInput): input is RunState {
  return typeof input === "object" && !Array.isArray(input) && "currentAgent" in input;
}

interface RunStateClass {
  fromStringWithContext(agent: Agent, text: string, context: RunContext): Promise<RunState>;
}

/**
 * The state of a paused run, with agents that have hooks. A state that was read for an agent without hooks would continue with that
 * agent's own tools, so it is read again.
 */
export async function restoreState(state: RunState, agent: Agent, agents: HookedAgents): Promise<RunState> {
  if (agents.isHooked(state.currentAgent)) return state;
  const { fromStringWithContext } = state.constructor as unknown as Partial<RunStateClass>;
  // The approvals are in the context, for which the SDK has no public name: without it the run must not continue.
  const { _context: context } = state as Partial<RunState>;
  if (fromStringWithContext === undefined || typeof context?.isToolApproved !== "function") {
    const problem = "the paused run belongs to an agent without hooks.";
    const hint = "Read it with RunState.fromString(withHooks(agent, hooks, { runner: true }), text).";
    throw new TenterhookError("unsupported_hook", problem, { hint });
  }
  return fromStringWithContext.call(state.constructor, agent, state.toString(), context);
}
