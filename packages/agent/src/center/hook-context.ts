import { AsyncLocalStorage } from "node:async_hooks";
import type { NamedHookConfig, NamedHookContext, PostHook, PreHook } from "@tenterhook/engine/named";
import type { AgentConfiguration } from "./agent-file.ts";
import { type AgentRun, type AgentSessionContext, sessionContext } from "./agent-run.ts";

/** The context of a center's hooks. */
export interface HookContext extends Omit<NamedHookContext, "agent" | "session"> {
  readonly agent: AgentConfiguration;
  readonly session: AgentSessionContext;
}

/** The configuration of a hook. Plain data; `blocking` is true by default. */
export type Hook = NamedHookConfig;

/** Runs before the agent. It may throw, change the message with `proceed({ message })`, or refuse with `block(reason)`. */
export type PreHookFunction = PreHook<HookContext>;

/** Runs after the agent. Errors of a blocking one reach the caller; the run is stored in any case. */
export type PostHookFunction = PostHook<HookContext, HookedRun>;

/** The run as post-hooks see it: the one that `runAgent` returns, without the effects of the post-hooks themselves. */
export type HookedRun = AgentRun<unknown>;

/** A hook's configuration and its function. */
export interface RegisteredHook<F> {
  readonly config: Hook;
  readonly execute: F;
}

/** A hook before a run, as it is registered. */
export type RegisteredPreHook = RegisteredHook<PreHookFunction>;
/** A hook after a run, as it is registered. */
export type RegisteredPostHook = RegisteredHook<PostHookFunction>;

/**
 * The session of the current run. The loop has only the session's id, and a background hook may outlive its run, so the session
 * is found by async context and not by id.
 */
const currentSession = new AsyncLocalStorage<AgentSessionContext>();

export function inSession<T>(session: AgentSessionContext, run: () => T): T {
  return currentSession.run(session, run);
}

/** Completes the context of a hook of this agent: the whole configuration, and the session as the host made it. */
export function hookContext(context: NamedHookContext, agent: AgentConfiguration): HookContext {
  const { id: sessionId, userId } = context.session ?? { id: "" };
  const session = currentSession.getStore() ?? sessionContext(agent.id, { sessionId, userId });
  return Object.assign(context, { agent, session });
}
