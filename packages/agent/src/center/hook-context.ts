import { AsyncLocalStorage } from "node:async_hooks";
import type { NamedHookContext } from "@tenterhook/engine/named";
import type { Metadata } from "@tenterhook/protocol";
import type { AgentConfiguration } from "./agent-configuration.ts";
import { type AgentSessionContext, sessionContext } from "./session-context.ts";

/** The context of a center's hooks. */
export interface HookContext {
  readonly agent: AgentConfiguration;
  readonly session: AgentSessionContext;
  /** The user's message, as the pre-hooks before this one changed it. */
  readonly userMessage: string;
  /** Shared by all hooks of a run. Hooks that do not block get a frozen copy. */
  readonly metadata: Metadata;
  /** Aborted when the hook times out, or the run is cancelled. */
  readonly signal: AbortSignal;
  /** True in the second judgement: a later hook changed the message after this one had passed it. */
  readonly judging: boolean;
}

/**
 * The session of the current run. The loop has only the session's id, and a background hook may outlive its run, so the session
 * is found by async context and not by id.
 */
const currentSession = new AsyncLocalStorage<AgentSessionContext>();

export function inSession<T>(session: AgentSessionContext, run: () => T): T {
  return currentSession.run(session, run);
}

/** The context of a hook of this agent. */
export function hookContext(context: NamedHookContext, agent: AgentConfiguration): HookContext {
  const { session: { id: sessionId, userId } = { id: "" }, userMessage, metadata, judging } = context;
  return {
    agent,
    session: currentSession.getStore() ?? sessionContext(agent.id, { sessionId, userId }),
    userMessage,
    metadata,
    judging,
    // A getter, because creating the signal has a cost.
    get signal() {
      return context.signal;
    },
  };
}
