import { AsyncLocalStorage } from "node:async_hooks";
import type { NamedHookContext } from "@tenterhook/engine/named";
import type { Metadata } from "@tenterhook/protocol";
import type { AgentConfiguration } from "./agent-configuration.ts";
import { type AgentSessionContext, sessionContext } from "./session-context.ts";

/** What the hooks of a center are given. */
export interface HookContext {
  readonly agent: AgentConfiguration;
  readonly session: AgentSessionContext;
  /** What the user said; what a pre-hook made of it, for those that come after it. */
  readonly userMessage: string;
  /** One bag for all hooks of a run. Hooks that do not block get a frozen copy. */
  readonly metadata: Metadata;
  /** Aborted when the hook's time is up, or the run is cancelled. */
  readonly signal: AbortSignal;
  /** True when this hook has judged already and is asked once more, because a later one rewrote the message. */
  readonly judging: boolean;
}

/**
 * The session of the run that is under way. The loop carries a session's id only, and a hook that runs in the background
 * may outlive its run; so it is found by who started what, and not by id.
 */
const current = new AsyncLocalStorage<AgentSessionContext>();

export function inSession<T>(session: AgentSessionContext, work: () => T): T {
  return current.run(session, work);
}

/** The context of a hook of this agent. */
export function hookContext(known: NamedHookContext, agent: AgentConfiguration): HookContext {
  const { session: { id: sessionId, userId } = { id: "" }, userMessage, metadata, judging } = known;
  return {
    agent,
    session: current.getStore() ?? sessionContext(agent.id, { sessionId, userId }),
    userMessage,
    metadata,
    judging,
    // Asked for when a hook asks for it: a signal costs more than the rest.
    get signal() {
      return known.signal;
    },
  };
}
