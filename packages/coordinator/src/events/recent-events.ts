import type { EventRow } from "../store/rows.ts";
import { eventText } from "./event-view.ts";
import { type Cursor, compare } from "./feed.ts";

/** An event as it goes to subscribers; the text is made once, however many there are. */
export interface ToldEvent {
  readonly event: EventRow;
  readonly text: string;
}

const MOST_EVENTS = 5_000;
const MOST_CHARACTERS = 8_000_000;

/** The latest events, so that whoever was away for a moment needs no database to catch up. */
export class RecentEvents {
  readonly #events: ToldEvent[] = [];
  #characters = 0;
  #since: Cursor;
  #position: Cursor;

  /** Begins at a place in the stream; everything after it will be added. */
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

  add(event: EventRow): ToldEvent {
    if (event.type === "session_deleted" && event.session_id !== null) this.#forget(event.session_id);
    const told = { event, text: eventText(event) };
    this.#events.push(told);
    this.#characters += told.text.length;
    this.#position = { xid: event.xid, id: event.id };
    return told;
  }

  /** Drops the events of a session: the store has them no more. */
  #forget(sessionId: string): void {
    const kept = this.#events.filter(({ event }) => event.session_id !== sessionId);
    if (kept.length === this.#events.length) return;
    this.#events.splice(0, this.#events.length, ...kept);
    this.#characters = kept.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Goes on to a place without keeping what lies before it. */
  skipTo({ xid, id }: Cursor): void {
    this.#events.length = 0;
    this.#characters = 0;
    this.#position = { xid, id };
    this.#since = this.#position;
  }

  /** Lets go of what is too old to keep. */
  trim(): void {
    let dropped = 0;
    for (const { event, text } of this.#events) {
      const isFull = this.#events.length - dropped > MOST_EVENTS || this.#characters > MOST_CHARACTERS;
      if (!isFull) break;
      dropped += 1;
      this.#characters -= text.length;
      this.#since = { xid: event.xid, id: event.id };
    }
    this.#events.splice(0, dropped);
  }

  /** Whether everything after a place is here. */
  covers(cursor: Cursor): boolean {
    return compare(cursor, this.#since) >= 0;
  }

  /** What comes after a place; no more than so many characters of it, and at least one event. */
  after(cursor: Cursor, mostCharacters = Number.POSITIVE_INFINITY): readonly ToldEvent[] {
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
      if (compare(cursorOf(this.#events[middle]), cursor) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function cursorOf(told: ToldEvent | undefined): Cursor {
  return told === undefined ? { xid: "0", id: 0 } : told.event;
}
