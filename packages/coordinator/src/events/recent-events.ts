import type { EventRow } from "../store/rows.ts";
import { eventText } from "./event-view.ts";
import { type Cursor, compare } from "./feed.ts";

/** An event as it is sent to subscribers; the text is made once for all of them. */
export interface StreamedEvent {
  readonly event: EventRow;
  readonly text: string;
}

const MAX_EVENTS = 5_000;
const MAX_CHARACTERS = 8_000_000;

/** The latest events, so that a client that was disconnected for a moment can catch up without the database. */
export class RecentEvents {
  readonly #events: StreamedEvent[] = [];
  #characters = 0;
  #since: Cursor;
  #position: Cursor;

  /** Begins at a cursor of the stream; everything after it will be added. */
  constructor(position: Cursor) {
    this.#since = position;
    this.#position = position;
  }

  /** Where the stream is now. */
  get position(): Cursor {
    return this.#position;
  }

  /** Everything after this is here. */
  get since(): Cursor {
    return this.#since;
  }

  add(event: EventRow): StreamedEvent {
    if (event.type === "session_deleted" && event.session_id !== null) this.#forget(event.session_id);
    const streamed = { event, text: eventText(event) };
    this.#events.push(streamed);
    this.#characters += streamed.text.length;
    this.#position = { xid: event.xid, id: event.id };
    return streamed;
  }

  /** Drops the events of a session that was deleted. */
  #forget(sessionId: string): void {
    const others = this.#events.filter(({ event }) => event.session_id !== sessionId);
    if (others.length === this.#events.length) return;
    this.#events.splice(0, this.#events.length, ...others);
    this.#characters = others.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Advances to a cursor without keeping the events before it. */
  skipTo({ xid, id }: Cursor): void {
    this.#events.length = 0;
    this.#characters = 0;
    this.#position = { xid, id };
    this.#since = this.#position;
  }

  /** Drops events that are too old to keep. */
  trim(): void {
    let dropped = 0;
    for (const { event, text } of this.#events) {
      const isFull = this.#events.length - dropped > MAX_EVENTS || this.#characters > MAX_CHARACTERS;
      if (!isFull) break;
      dropped += 1;
      this.#characters -= text.length;
      this.#since = { xid: event.xid, id: event.id };
    }
    this.#events.splice(0, dropped);
  }

  /** Whether it has everything after a cursor. */
  covers(cursor: Cursor): boolean {
    return compare(cursor, this.#since) >= 0;
  }

  /** The events after a cursor; no more than so many characters, and at least one event. */
  after(cursor: Cursor, mostCharacters = Number.POSITIVE_INFINITY): readonly StreamedEvent[] {
    const first = this.#firstAfter(cursor);
    let end = first;
    for (let characters = 0; end < this.#events.length && characters < mostCharacters; end++) {
      characters += this.#events[end]?.text.length ?? 0;
    }
    return this.#events.slice(first, end);
  }

  #firstAfter(cursor: Cursor): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(readCursor(this.#events[middle]), cursor) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function readCursor(last: StreamedEvent | undefined): Cursor {
  return last === undefined ? { xid: "0", id: 0 } : last.event;
}
