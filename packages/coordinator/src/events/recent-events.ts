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
    const told = { event, text: eventText(event) };
    this.#events.push(told);
    this.#characters += told.text.length;
    this.#position = { xid: event.xid, id: event.id };
    return told;
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

  after(cursor: Cursor): readonly ToldEvent[] {
    // From the end, because whoever asks has seen most of it.
    let first = this.#events.length;
    while (first > 0 && compare(cursorOf(this.#events[first - 1]), cursor) > 0) first -= 1;
    return this.#events.slice(first);
  }
}

function cursorOf(told: ToldEvent | undefined): Cursor {
  return told === undefined ? { xid: "0", id: 0 } : told.event;
}
