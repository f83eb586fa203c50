import { setField } from "@tenterhook/internal";
import type { RunEvent } from "@tenterhook/protocol/runs";
import type { EventRow } from "../store/rows.ts";
import { cursorText } from "./feed.ts";

/** An event as clients see it: flat. Fields of a runner cannot replace those of the coordinator. */
export function eventView(event: EventRow): RunEvent {
  const view: RunEvent = {
    id: cursorText(event),
    event_type: event.type,
    session_id: event.session_id,
    run_id: event.run_id,
    number: event.number,
    timestamp: event.created_at,
  };
  for (const [key, value] of Object.entries(event.data))
    if (!Object.hasOwn(view, key)) setField(view, key, value);
  return view;
}

/** An event as it goes over a stream. */
export function eventText(event: EventRow): string {
  return `id: ${cursorText(event)}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
}
