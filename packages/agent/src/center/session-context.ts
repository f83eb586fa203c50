import { randomUUID } from "node:crypto";

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
