import type { ServerResponse } from "node:http";
import { type EventFilter, matches } from "../events/event-filter.ts";
import type { EventHub } from "../events/event-hub.ts";
import { eventText } from "../events/event-view.ts";
import { type Cursor, compare, cursorText, type EventFeed } from "../events/feed.ts";

/** A subscriber that has so much unread is cut off; it comes back, and is told from where it was. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024;

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // nginx would collect events into pages.
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** One client's stream of events: first what it missed, then what happens. */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #filter: EventFilter;
  readonly #dropped: () => void;
  #leave: (() => void) | undefined;

  constructor(outgoing: ServerResponse, filter: EventFilter, dropped: () => void) {
    this.#outgoing = outgoing;
    this.#filter = filter;
    this.#dropped = dropped;
    outgoing.writeHead(200, STREAM_HEADERS);
    // A client that hangs up is no error; "close" says it, too.
    outgoing.on("error", () => {});
    outgoing.once("close", () => this.#leave?.());
  }

  /** Streams everything after a place, or from now on. */
  async follow(hub: EventHub, feed: EventFeed, after: Cursor | undefined): Promise<void> {
    this.#outgoing.once("close", hub.expect());
    let cursor = after ?? (await feed.end());
    // A client that hears of nothing before its connection breaks knows where to go on, too.
    this.#write(`retry: 1000\nid: ${cursorText(cursor)}\n\n`);
    if (after !== undefined && (await isOutOfReach(after, hub, feed))) {
      // Not the end of the stream: what has been committed and not been told yet is not lost to whoever begins anew here.
      cursor = hub.recent.position;
      this.#write(`event: reset\nid: ${cursorText(cursor)}\ndata: {}\n\n`);
    }
    while (!hub.recent.covers(cursor) && !this.#isOver) {
      cursor = await this.#catchUp(hub, feed, cursor);
    }
    if (!this.#isOver) {
      this.#leave = hub.join(cursor, this.#filter, (chunk) => this.#receive(chunk));
    }
  }

  /** The client has gone, or may not read on. */
  get #isOver(): boolean {
    return this.#outgoing.destroyed || this.#outgoing.writableEnded;
  }

  end(): void {
    this.#leave?.();
    this.#outgoing.end();
  }

  /** Reads on from the store, one batch, at the pace at which the client takes it. Returns how far that was. */
  async #catchUp(hub: EventHub, feed: EventFeed, cursor: Cursor): Promise<Cursor> {
    const { since } = hub.recent;
    const events = await feed.read(cursor, this.#filter);
    const last = events.at(-1);
    // There is nothing between here and what the hub had when it was asked.
    if (last === undefined) return since;
    const text = events
      .filter((event) => matches(this.#filter, event))
      .map(eventText)
      .join("");
    if (text !== "" && !this.#write(text) && !this.#isOver) {
      await drained(this.#outgoing);
    }
    return { xid: last.xid, id: last.id };
  }

  #receive(chunk: Buffer): void {
    if (this.#outgoing.writableLength > MOST_UNREAD_BYTES) {
      this.#dropped();
      this.#leave?.();
      this.#outgoing.destroy();
      return;
    }
    this.#outgoing.write(chunk);
  }

  #write(text: string): boolean {
    return this.#outgoing.write(text);
  }
}

/**
 * Whether nobody can go on from a place: what came after it has been removed, or it is beyond everything, and so a place in
 * the stream of another store that was here before.
 */
async function isOutOfReach(after: Cursor, { recent }: EventHub, feed: EventFeed): Promise<boolean> {
  if (!recent.covers(after)) return feed.isTrimmed(after);
  return compare(after, recent.position) > 0 && compare(after, await feed.end()) > 0;
}

/** Waits until a client has taken what was written, or has gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
}
