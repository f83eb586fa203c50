import type { AgentRecord, SessionSummary } from "@tenterhook/protocol/runs";
import type { CoordinatorClient } from "./coordinator-client.ts";

/** An agent of the coordinator by its name. */
export function findAgent(client: CoordinatorClient, name: string): Promise<AgentRecord> {
  return client.get<AgentRecord>(`/agents/${encodeURIComponent(name)}`);
}

/** A session of the coordinator by its id. */
export function findSession(client: CoordinatorClient, id: string): Promise<SessionSummary> {
  return client.get<SessionSummary>(`/sessions/${encodeURIComponent(id)}`);
}
