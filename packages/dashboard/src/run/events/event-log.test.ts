import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import {
  EMPTY_LOG,
  type EventLog,
  hasGap,
  isFull,
  lastNumber,
  withLiveEvents,
  withPage,
} from "./event-log.ts";

const events = (...numbers: number[]) => numbers.map((number) => ({ number }) as RunEvent);
const known = (log: EventLog) => log.events.map(({ number }) => number);

test("pages and live events are merged without duplicates", () => {
  let log = withPage(EMPTY_LOG, events(1, 2, 3));
  log = withLiveEvents(log, events(3, 4));
  log = withPage(log, events(4, 5));
  log = withLiveEvents(log, events(5, 6, 7));
  expect(known(log)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(lastNumber(log)).toBe(7);
});

test("live events after a gap are kept until the gap is closed", () => {
  let log = withLiveEvents(withPage(EMPTY_LOG, events(1, 2)), events(5, 6));
  expect(known(log)).toEqual([1, 2]);
  expect(hasGap(log)).toBe(true);
  log = withPage(log, events(3, 4));
  expect(known(log)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(hasGap(log)).toBe(false);
});

test("live events can close a gap", () => {
  const log = withLiveEvents(withLiveEvents(withPage(EMPTY_LOG, events(1)), events(3)), events(2));
  expect(known(log)).toEqual([1, 2, 3]);
});

test("a page that closes a part of a gap leaves the gap open", () => {
  const log = withPage(withLiveEvents(withPage(EMPTY_LOG, events(1)), events(9)), events(2, 3));
  expect(known(log)).toEqual([1, 2, 3]);
  expect(hasGap(log)).toBe(true);
});

test("a run whose first events were deleted starts with the first existing event", () => {
  expect(known(withPage(EMPTY_LOG, events(40, 41)))).toEqual([40, 41]);
});

test("a full log ignores live events", () => {
  const log = withLiveEvents(withPage({ ...EMPTY_LOG, limit: 2 }, events(1, 2)), events(3, 4));
  expect(isFull(log)).toBe(true);
  expect(known(log)).toEqual([1, 2]);
  expect(hasGap(log)).toBe(false);
});

test("known events do not change the log", () => {
  const log = withPage(EMPTY_LOG, events(1, 2));
  expect(withLiveEvents(log, events(1, 2))).toBe(log);
  expect(withPage(log, [])).toBe(log);
});
