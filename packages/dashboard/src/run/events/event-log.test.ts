import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { EMPTY_LOG, type EventLog, hasGap, isFull, lastNumber, withHeard, withPage } from "./event-log.ts";

const events = (...numbers: number[]) => numbers.map((number) => ({ number }) as RunEvent);
const known = (log: EventLog) => log.events.map(({ number }) => number);

test("pages and what the stream tells become one list, each event once", () => {
  let log = withPage(EMPTY_LOG, events(1, 2, 3));
  log = withHeard(log, events(3, 4));
  log = withPage(log, events(4, 5));
  log = withHeard(log, events(5, 6, 7));
  expect(known(log)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(lastNumber(log)).toBe(7);
});

test("what comes after a gap waits until that is closed", () => {
  let log = withHeard(withPage(EMPTY_LOG, events(1, 2)), events(5, 6));
  expect(known(log)).toEqual([1, 2]);
  expect(hasGap(log)).toBe(true);
  log = withPage(log, events(3, 4));
  expect(known(log)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(hasGap(log)).toBe(false);
});

test("a gap that the stream itself closes is closed", () => {
  const log = withHeard(withHeard(withPage(EMPTY_LOG, events(1)), events(3)), events(2));
  expect(known(log)).toEqual([1, 2, 3]);
});

test("a gap stays when a page closes only a part of it", () => {
  const log = withPage(withHeard(withPage(EMPTY_LOG, events(1)), events(9)), events(2, 3));
  expect(known(log)).toEqual([1, 2, 3]);
  expect(hasGap(log)).toBe(true);
});

test("a run whose first events were trimmed begins with the first that there is", () => {
  expect(known(withPage(EMPTY_LOG, events(40, 41)))).toEqual([40, 41]);
});

test("a full log takes no more from the stream, and remembers none of it", () => {
  const log = withHeard(withPage({ ...EMPTY_LOG, most: 2 }, events(1, 2)), events(3, 4));
  expect(isFull(log)).toBe(true);
  expect(known(log)).toEqual([1, 2]);
  expect(hasGap(log)).toBe(false);
});

test("nothing new leaves it as it is", () => {
  const log = withPage(EMPTY_LOG, events(1, 2));
  expect(withHeard(log, events(1, 2))).toBe(log);
  expect(withPage(log, [])).toBe(log);
});
