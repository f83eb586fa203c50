import { type EventFilter, filterKey, matches } from "./event-filter.ts";
import { type Cursor, compare, cursorText, type EventFeed } from "./feed.ts";
import { RecentEvents, type StreamedEvent } from "./recent-events.ts";

/** Receives events as they happen: those after `since`, the position that it has. Must not throw. */
export type Receive = (chunk: Buffer, since: Cursor) => void;

interface Group {
  readonly filter: EventFilter;
  readonly members: Set<Receive>;
}

/** A subscriber that has more events than this hub: from the store, or from a coordinator that was faster. */
interface Ahead {
  readonly cursor: Cursor;
  readonly filter: EventFilter;
  readonly receive: Receive;
  leave: () => void;
}

/** A reader at a cursor; it is called when `recent` no longer reaches back to it. */
interface Watched {
  readonly cursor: Cursor;
  readonly lost: () => void;
}

/** The longest that events are delayed so that they can be written together. */
const LONGEST_HOLD_MS = 50;

/**
 * Sends events to many subscribers. Those with the same filter are one group, and a group's events of a moment are one chunk:
 * a thousand subscribers cost a thousand writes a moment, not a thousand for every event.
 */
export class EventHub {
  readonly recent: RecentEvents;
  readonly #groups = new Map<string, Group>();
  readonly #ahead = new Set<Ahead>();
  readonly #watched = new Set<Watched>();
  readonly #unlisten: () => void;
  #pending: StreamedEvent[] = [];
  #flushedTo: Cursor;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #interested = 0;

  constructor(feed: Pick<EventFeed, "position" | "listen">) {
    this.recent = new RecentEvents(feed.position);
    this.#flushedTo = feed.position;
    this.#unlisten = feed.listen((events) => {
      const last = events.at(-1);
      if (this.#interested === 0) {
        if (last !== undefined) this.recent.skipTo(last);
        this.#flushedTo = this.recent.position;
        return;
      }
      for (const event of events) this.#pending.push(this.recent.add(event));
      this.recent.trim();
      for (const { cursor, lost } of [...this.#watched]) if (!this.recent.covers(cursor)) lost();
      // The more subscribers there are, the longer it pays to collect events.
      this.#timer ??= setTimeout(() => this.#flush(), Math.min(LONGEST_HOLD_MS, this.#count / 10));
    });
  }

  /** How many subscribers there are. */
  get count(): number {
    return this.#count;
  }

  /** Keeps events from now on, for a subscriber that is about to join. Without subscribers nothing is kept. */
  expect(): () => void {
    let isOver = false;
    this.#interested += 1;
    return () => {
      if (!isOver) this.#interested -= 1;
      isOver = true;
    };
  }

  /** Sends a subscriber everything after a cursor that `recent` covers. Returns the function that unsubscribes. */
  join(cursor: Cursor, filter: EventFilter, receive: Receive): () => void {
    // All subscribers are at the same cursor now, so a new one can be, too.
    this.#flush();
    const missed = chunkOf(this.recent.after(cursor), filter);
    if (missed !== undefined) receive(missed, cursor);
    if (compare(cursor, this.recent.position) <= 0) return this.#enter(filter, receive);
    const ahead: Ahead = { cursor, filter, receive, leave: () => this.#ahead.delete(ahead) };
    this.#ahead.add(ahead);
    return () => ahead.leave();
  }

  /** Calls back when `recent` no longer covers a cursor. Returns the function that removes the callback. */
  watch(cursor: Cursor, lost: () => void): () => void {
    const watched = { cursor, lost };
    this.#watched.add(watched);
    return () => this.#watched.delete(watched);
  }

  #enter(filter: EventFilter, receive: Receive): () => void {
    const key = filterKey(filter);
    const group = this.#groups.get(key) ?? { filter, members: new Set() };
    this.#groups.set(key, group);
    group.members.add(receive);
    this.#count += 1;
    return () => {
      if (!group.members.delete(receive)) return;
      this.#count -= 1;
      if (group.members.size === 0 && this.#groups.get(key) === group) this.#groups.delete(key);
    };
  }

  /** Shows that connections are alive, and advances their cursors, also of subscribers whose filter matched nothing. */
  beat(): void {
    this.#flush();
    const chunk = Buffer.from(`:\nid: ${cursorText(this.recent.position)}\n\n`);
    for (const { members } of this.#groups.values()) {
      for (const receive of [...members]) receive(chunk, this.recent.position);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
    this.#groups.clear();
    this.#ahead.clear();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#pending;
    if (events.length === 0) return;
    this.#pending = [];
    const since = this.#flushedTo;
    this.#flushedTo = this.recent.position;
    for (const { filter, members } of this.#groups.values()) {
      const chunk = chunkOf(events, filter);
      if (chunk !== undefined) for (const receive of [...members]) receive(chunk, since);
    }
    for (const ahead of this.#ahead) this.#rejoin(ahead, events);
  }

  /** A subscriber that is ahead gets no event twice, and joins the others as soon as they have caught up. */
  #rejoin(ahead: Ahead, events: readonly StreamedEvent[]): void {
    if (compare(this.recent.position, ahead.cursor) < 0) return;
    this.#ahead.delete(ahead);
    const { cursor, filter, receive } = ahead;
    const chunk = chunkOf(
      events.filter(({ event }) => compare(event, cursor) > 0),
      filter,
    );
    ahead.leave = this.#enter(filter, receive);
    if (chunk !== undefined) receive(chunk, cursor);
  }
}

/** The events that match a filter, as they are written to a stream. */
export function chunkOf(events: readonly StreamedEvent[], filter: EventFilter): Buffer | undefined {
  let text = "";
  for (const streamed of events) if (matches(filter, streamed.event)) text += streamed.text;
  return text === "" ? undefined : Buffer.from(text);
}
