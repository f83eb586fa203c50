import { expect, test } from "vitest";
import type { EventRow } from "../store/rows.ts";
import type { EventFilter } from "./event-filter.ts";
import { EventHub } from "./event-hub.ts";
import type { Cursor, FeedListener } from "./feed.ts";

/** A feed that emits the events of the test. */
class HandFeed {
  readonly #listeners = new Set<FeedListener>();
  position: Cursor = { xid: "1", id: 0 };

  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...ids: readonly number[]): void {
    for (const listener of this.#listeners) listener(ids.map(event));
  }
}

function event(id: number): EventRow {
  return {
    id,
    xid: "7",
    run_id: id % 2 === 0 ? "even" : "odd",
    session_id: "ses",
    agent_name: "echo",
    number: id,
    type: "note",
    data: {},
    created_at: "2026-11-15T00:00:00.000Z",
  };
}

const at = (id: number): Cursor => ({ xid: "7", id });

function hubWith(...ids: readonly number[]) {
  const feed = new HandFeed();
  const hub = new EventHub(feed);
  hub.expect();
  feed.emit(...ids);
  const join = (cursor: Cursor, filter: EventFilter = {}) => {
    const chunks: number[][] = [];
    const leave = hub.join(cursor, filter, (chunk) => {
      chunks.push([...chunk.toString().matchAll(/"number":(\d+)/g)].map(([, id]) => Number(id)));
    });
    return { chunks, leave, received: () => chunks.flat() };
  };
  return { feed, hub, join };
}

test("a subscriber gets the events that it missed, and then new ones, once", () => {
  const { feed, hub, join } = hubWith(1, 2, 3);
  const one = join(at(1));
  feed.emit(4, 5);
  const two = join(at(4));
  hub.beat();
  expect(one.received()).toEqual([2, 3, 4, 5]);
  expect(two.received()).toEqual([5]);
  hub.close();
});

test("a subscriber that is ahead of the hub gets no event again", () => {
  const { feed, hub, join } = hubWith(1);
  const ahead = join(at(4));
  feed.emit(2, 3);
  hub.beat();
  expect(ahead.received()).toEqual([]);
  feed.emit(4, 5);
  hub.beat();
  feed.emit(6);
  hub.beat();
  expect(ahead.received()).toEqual([5, 6]);
  hub.close();
});

test("events of one moment are one chunk, of those that are wanted", () => {
  const { feed, hub, join } = hubWith();
  const all = join(hub.recent.position);
  const even = join(hub.recent.position, { run_id: "even" });
  const none = join(hub.recent.position, { types: ["other"] });
  feed.emit(1, 2);
  feed.emit(3, 4);
  hub.beat();
  expect(all.chunks).toEqual([[1, 2, 3, 4], []]);
  expect(even.chunks).toEqual([[2, 4], []]);
  expect(none.chunks).toEqual([[]]);
  expect(hub.count).toBe(3);
  for (const each of [all, even, none]) each.leave();
  all.leave();
  expect(hub.count).toBe(0);
  hub.close();
});

test("events without a subscriber are not kept, and the hub knows it", () => {
  const feed = new HandFeed();
  const hub = new EventHub(feed);
  feed.emit(1, 2);
  expect(hub.recent.covers(at(1))).toBe(false);
  expect(hub.recent.covers(at(2))).toBe(true);
  const over = hub.expect();
  feed.emit(3);
  expect(hub.recent.covers(at(2))).toBe(true);
  over();
  over();
  feed.emit(4);
  expect(hub.recent.covers(at(3))).toBe(false);
  hub.close();
});

test("the oldest are dropped when there are too many", () => {
  const { hub } = hubWith(...Array.from({ length: 6_000 }, (_, index) => index + 1));
  expect(hub.recent.covers(at(999))).toBe(false);
  expect(hub.recent.covers(at(1_000))).toBe(true);
  expect(hub.recent.after(at(5_998)).map(({ event: { id } }) => id)).toEqual([5_999, 6_000]);
  hub.close();
});
