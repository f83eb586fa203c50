import type { Context, EventName, Hooks } from "@tenterhook/engine";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";

/** An event that hooks were asked about. */
export interface RecordedEvent<E extends EventName = EventName> {
  readonly event: E;
  readonly context: Context<E>;
}

/** What an agent asked its hooks about, in order. */
export class RecordedEvents {
  readonly all: RecordedEvent[] = [];

  /** The events as words: `before_tool Shell`, `after_tool:skipped Shell`. */
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

/** Listens to every event of an agent's life, without saying anything: for tests of what fires when. */
export function recordEvents(hooks: Hooks): RecordedEvents {
  const recorded = new RecordedEvents();
  const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");
  const record = (context: Context<EventName>) => void recorded.all.push({ event: context.event, context });
  // First of all, because whoever refuses keeps an event from those behind; and an observer, so that answers still stream.
  hooks.on(events, record, {
    name: "recorder",
    priority: Number.MAX_SAFE_INTEGER,
    observes: true,
    rejudge: false,
  });
  return recorded;
}
