import { randomUUID } from "node:crypto";

/** Whose conversation a run belongs to. Plain data: a host may keep it, and hand it in again after a restart. */
export interface AgentSessionContext {
  readonly agentId: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
  /** What the host knows of the session, for hooks; a run's own bag is `metadata` of the hook's context. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SessionOptions {
  /** Default: a new one. The id of a session that the store has goes on with its conversation. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export function sessionContext(agentId: string, options: SessionOptions = {}): AgentSessionContext {
  const { sessionId = randomUUID(), userId, metadata = {} } = options;
  return Object.freeze({ agentId, sessionId, ...(userId !== undefined && { userId }), metadata });
}
