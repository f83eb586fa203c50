import { type HookSource, readHooks } from "../core/index.ts";
import { HookedAgents } from "./hooked-agent.ts";
import { hookRunner } from "./hooked-runner.ts";
import { HookedScopes, type OpenAiOptions } from "./scope.ts";
import type { Agent, AgentLike, Runner, RunnerLike } from "./sdk.ts";

export { hookedTool } from "./hooked-tool.ts";
export type { OpenAiOptions } from "./scope.ts";
export type { AgentLike, RunnerLike } from "./sdk.ts";

/**
 * Enforces hooks in agents of `@openai/agents`. Given a `Runner`, it returns one whose runs have the hooks, with all agents that it
 * is given: every event that this adapter has. Given an `Agent`, it returns a copy that any runner may run: its model, its tools, and
 * the agents that it hands over to. Throws `unsupported_hook` for a hook that would not be called.
 */
export function withHooks<Target extends AgentLike | RunnerLike>(
  target: Target,
  hooks: HookSource,
  options: OpenAiOptions = {},
): Target {
  // The SDK's own types have all that is used of them; tests check it.
  if (isRunner(target))
    return hookRunner(target as unknown as Runner, readHooks(hooks), options) as unknown as Target;
  const agents = new HookedAgents(new HookedScopes(readHooks(hooks), options));
  return agents.hook(target as unknown as Agent) as unknown as Target;
}

function isRunner(target: AgentLike | RunnerLike): target is RunnerLike {
  return "run" in target && "config" in target;
}
