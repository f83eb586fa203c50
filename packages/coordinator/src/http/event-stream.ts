import type { ServerResponse } from "node:http";
import { type EventFilter, matches } from "../events/event-filter.ts";
import { chunkOf, type EventHub } from "../events/event-hub.ts";
import { eventText } from "../events/event-view.ts";
import { type Cursor, compare, cursorText, type EventFeed } from "../events/feed.ts";

/** The buffer of a subscriber that does not read as fast as events happen. More is written when it has read this. */
const MAX_UNREAD_BYTES = 256 * 1024;
const MAX_EVENTS_READ = 1_000;

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // nginx would collect events into pages.
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

export interface EventStreamOptions {
  readonly filter: EventFilter;
  /** A subscriber that reads nothing for so long is disconnected. */
  readonly stalledMs: number;
  /** Called when it is disconnected because it did not keep up. */
  readonly dropped: () => void;
}

/**
 * One client's stream of events: first those that it missed, then new ones. Its buffer is small. A client that reads more slowly
 * than events happen gets them from the recent events in memory, at its own pace; when those no longer cover its cursor, it is
 * disconnected, and may continue at its cursor.
 */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #hub: EventHub;
  readonly #feed: EventFeed;
  readonly #options: EventStreamOptions;
  #leave: (() => void) | undefined;
  #mostEvents = MAX_EVENTS_READ;
  #isLive = false;

  constructor(outgoing: ServerResponse, hub: EventHub, feed: EventFeed, options: EventStreamOptions) {
    this.#outgoing = outgoing;
    this.#hub = hub;
    this.#feed = feed;
    this.#options = options;
    outgoing.writeHead(200, STREAM_HEADERS);
    // A client that disconnects is not an error; "close" reports it, too.
    outgoing.on("error", () => {});
    outgoing.once("close", () => this.#leave?.());
  }

  /** Streams everything after a cursor, or from now on. Resolves when it has caught up, or has ended. */
  async follow(after: Cursor | undefined): Promise<void> {
    const { recent } = this.#hub;
    this.#outgoing.once("close", this.#hub.expect());
    let cursor = after ?? (await this.#feed.end());
    // So that a client whose connection breaks before the first event knows its cursor, too.
    this.#outgoing.write(`retry: 1000\nid: ${cursorText(cursor)}\n\n`);
    if (after !== undefined && (await isOutOfReach(after, this.#hub, this.#feed))) {
      // Not the end of the stream: an event that is committed and not streamed yet is not lost to a client that starts here.
      cursor = recent.position;
      this.#outgoing.write(`event: reset\nid: ${cursorText(cursor)}\ndata: {}\n\n`);
    }
    await this.#catchUp(cursor);
  }

  /** The client has disconnected, or may not read any more. */
  get #isOver(): boolean {
    return this.#outgoing.destroyed || this.#outgoing.writableEnded;
  }

  end(): void {
    this.#leave?.();
    this.#outgoing.end();
  }

  /** Writes the events between a cursor and now, as fast as the client reads, and then new ones. */
  async #catchUp(from: Cursor): Promise<void> {
    let cursor = from;
    while (await this.#drained(cursor)) {
      const { recent } = this.#hub;
      if (!recent.covers(cursor)) {
        cursor = await this.#writeStored(cursor);
        continue;
      }
      const next = recent.after(cursor, MAX_UNREAD_BYTES);
      const last = next.at(-1);
      if (last === undefined) {
        this.#isLive = true;
        this.#leave = this.#hub.join(cursor, this.#options.filter, (chunk, since) =>
          this.#receive(chunk, since),
        );
        return;
      }
      const chunk = chunkOf(next, this.#options.filter);
      if (chunk !== undefined) this.#outgoing.write(chunk);
      cursor = last.event;
    }
  }

  /** Reads events from the store, and writes as many as the buffer takes. Returns the cursor after them. */
  async #writeStored(cursor: Cursor): Promise<Cursor> {
    const { since } = this.#hub.recent;
    const { filter } = this.#options;
    const events = await this.#feed.read(cursor, filter, this.#mostEvents);
    let text = "";
    let count = 0;
    // The rest is read again when the client has read this.
    for (; count < events.length && text.length < MAX_UNREAD_BYTES; count++) {
      const event = events[count];
      if (event !== undefined && matches(filter, event)) text += eventText(event);
    }
    const last = events[count - 1];
    // There is no event between this cursor and the first one that the hub had.
    if (last === undefined) return since;
    const fitting = Math.ceil((MAX_UNREAD_BYTES * count) / Math.max(1, text.length));
    this.#mostEvents = Math.min(MAX_EVENTS_READ, fitting);
    if (text !== "" && !this.#isOver) this.#outgoing.write(text);
    return { xid: last.xid, id: last.id };
  }

  #receive(chunk: Buffer, since: Cursor): void {
    if (this.#outgoing.writableLength + chunk.length <= MAX_UNREAD_BYTES) {
      this.#outgoing.write(chunk);
      return;
    }
    this.#leave?.();
    this.#leave = undefined;
    this.#catchUp(since).catch(() => this.#outgoing.destroy());
  }

  /** Waits until the client has read the buffer. False when it has disconnected, or is disconnected because it is too slow. */
  async #drained(cursor: Cursor): Promise<boolean> {
    const outgoing = this.#outgoing;
    if (this.#isOver) return false;
    if (!outgoing.writableNeedDrain) return true;
    return new Promise((resolve) => {
      const settle = (isDrained: boolean) => {
        clearTimeout(timer);
        unwatch();
        outgoing.off("drain", drained).off("close", closed);
        resolve(isDrained);
      };
      const drained = () => settle(!outgoing.writableEnded);
      const closed = () => settle(false);
      const drop = () => {
        settle(false);
        this.#drop(cursor);
      };
      const timer = setTimeout(drop, this.#options.stalledMs).unref();
      // Until it has caught up once, it reads from the store, however long that takes.
      const unwatch = this.#isLive ? this.#hub.watch(cursor, drop) : () => {};
      outgoing.on("drain", drained).on("close", closed);
    });
  }

  /** Ends the stream after the buffer, which the client may still read for a while. */
  #drop(cursor: Cursor): void {
    const outgoing = this.#outgoing;
    this.#options.dropped();
    outgoing.end(`: too slow, go on from here\nid: ${cursorText(cursor)}\n\n`);
    const timer = setTimeout(() => outgoing.destroy(), this.#options.stalledMs).unref();
    outgoing.once("close", () => clearTimeout(timer));
  }
}

/**
 * Whether a cursor is void: the events after it have been removed, or it is beyond the last event, and so a cursor of
 * the stream of another store that was here before.
 */
async function isOutOfReach(after: Cursor, { recent }: EventHub, feed: EventFeed): Promise<boolean> {
  if (!recent.covers(after)) return feed.isTrimmed(after);
  return compare(after, recent.position) > 0 && feed.isBeyond(after);
}
