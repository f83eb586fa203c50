import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { EventLog, MAX_EVENTS } from "./event-log.ts";
import { FilteredEvents } from "./filtered-events.ts";

const event = (number: number): RunEvent => ({
  id: `1-${number}`,
  event_type: number % 3 === 0 ? "log" : "text",
  run_id: "run_1",
  session_id: "ses_1",
  number,
  timestamp: "2026-11-15T10:00:00.000Z",
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

/** A filter that counts its calls. */
function logs() {
  const filter = {
    calls: 0,
    matches: ({ event_type }: RunEvent) => ++filter.calls > 0 && event_type === "log",
  };
  return filter;
}
const numbers = (events: readonly RunEvent[]) => events.map(({ number }) => number);

test("an event is compared with the filter once, however many come after it", () => {
  const [log, filtered, filter] = [new EventLog(), new FilteredEvents(), logs()];
  for (let number = 1; number <= 30; number++) {
    log.addLive([event(number)]);
    filtered.apply(log.view(), filter.matches);
  }
  expect(filter.calls).toBe(30);
  expect(numbers(filtered.apply(log.view(), filter.matches))).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
});

test("the result equals that of filtering the whole log, while events are dropped, inserted and paused", () => {
  const [log, filtered, filter] = [new EventLog(), new FilteredEvents(), logs()];
  const isLog = ({ event_type }: RunEvent) => event_type === "log";
  const expectSame = () =>
    expect(filtered.apply(log.view(), filter.matches)).toEqual(log.view().events.filter(isLog));
  log.addLive(range(100, 200));
  expectSame();
  log.addHistory(range(50, 120));
  expectSame();
  log.pause();
  log.addLive(range(201, 300));
  expectSame();
  log.resume();
  expectSame();
  log.addLive(range(301, MAX_EVENTS + 90));
  expectSame();
  log.addLive(range(MAX_EVENTS + 91, MAX_EVENTS + 200));
  expectSame();
  log.addLive(range(MAX_EVENTS + 201, 3 * MAX_EVENTS));
  expectSame();
});

test("the array stays the same while no matching event is added or dropped", () => {
  const [log, filtered, filter] = [new EventLog(), new FilteredEvents(), logs()];
  log.addLive(range(1, 3));
  const before = filtered.apply(log.view(), filter.matches);
  log.addLive(range(4, 5));
  expect(filtered.apply(log.view(), filter.matches)).toBe(before);
});

test("another filter is applied to all events", () => {
  const [log, filtered, filter] = [new EventLog(), new FilteredEvents(), logs()];
  log.addLive(range(1, 6));
  filtered.apply(log.view(), filter.matches);
  expect(numbers(filtered.apply(log.view(), ({ number }) => number === 4))).toEqual([4]);
});
