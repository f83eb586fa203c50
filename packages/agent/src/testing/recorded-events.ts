import type { Context, EventName, Hooks } from "@tenterhook/engine";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";

/** An event that was fired. */
export interface RecordedEvent<E extends EventName = EventName> {
  readonly event: E;
  readonly context: Context<E>;
}

/** The events that an agent fired, in order. */
export class RecordedEvents {
  readonly all: RecordedEvent[] = [];

  /** The events as text: `before_tool Shell`, `after_tool:skipped Shell`. */
  get words(): readonly string[] {
    return this.all.map(({ event, context }) => {
      const { status, toolName } = context.payload as {
        readonly status?: string;
        readonly toolName?: string;
      };
      const ended = status === undefined || status === "completed" ? event : `${event}:${status}`;
      return toolName === undefined ? ended : `${ended} ${toolName}`;
    });
  }

  /** The events of one name. */
  of<E extends EventName>(event: E): readonly Context<E>[] {
    return this.all.filter((each) => each.event === event).map(({ context }) => context as Context<E>);
  }
}

/** Records every event of an agent, for tests of what fires when. */
export function recordEvents(hooks: Hooks): RecordedEvents {
  const recorded = new RecordedEvents();
  const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");
  const record = (context: Context<EventName>) => void recorded.all.push({ event: context.event, context });
  // First, because a hook that refuses ends the list; and an observer, so that answers are still streamed.
  hooks.on(events, record, {
    name: "recorder",
    priority: Number.MAX_SAFE_INTEGER,
    observes: true,
    rejudge: false,
  });
  return recorded;
}
