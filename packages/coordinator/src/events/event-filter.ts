import type { EventRow } from "../store/rows.ts";

/** The events that a subscriber wants. */
export interface EventFilter {
  readonly run_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly agent?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

export function matches({ run_id, session_id, agent, types }: EventFilter, event: EventRow): boolean {
  return (
    (run_id === undefined || event.run_id === run_id) &&
    (session_id === undefined || event.session_id === session_id) &&
    (agent === undefined || event.agent_name === agent) &&
    (types === undefined || types.includes(event.type))
  );
}

/** Equal for filters that match the same events. */
export function filterKey({ run_id, session_id, agent, types }: EventFilter): string {
  return JSON.stringify([run_id, session_id, agent, types && [...types].sort()]);
}
