import { isRunEventType } from "./event-types.ts";
import type { KnownRunEvent, RunEvent } from "./run-event.ts";

/** Whether this version knows the type of an event; the coordinator has checked its fields. */
export function isKnownEvent(event: RunEvent): event is KnownRunEvent {
  return isRunEventType(event.event_type);
}

/** What happened in a subagent, as an event of its own at the same cursor. */
export function subagentEvent(event: KnownRunEvent<"subagent">): RunEvent {
  const { id, session_id, run_id, number, timestamp } = event;
  return { ...event.event, id, session_id, run_id, number, timestamp };
}
