import { AsyncLocalStorage } from "node:async_hooks";
import type { NamedHookContext } from "@tenterhook/engine/named";
import type { AgentConfiguration } from "./agent-configuration.ts";
import { type AgentSessionContext, sessionContext } from "./session-context.ts";

/** The context of a center's hooks. */
export interface HookContext extends Omit<NamedHookContext, "agent" | "session"> {
  readonly agent: AgentConfiguration;
  readonly session: AgentSessionContext;
}

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
