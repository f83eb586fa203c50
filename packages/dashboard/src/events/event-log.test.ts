import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { EventLog, MAX_EVENTS } from "./event-log.ts";

const event = (id: string): RunEvent => ({
  id,
  event_type: "text",
  run_id: "run_1",
  session_id: "ses_1",
  number: 1,
  timestamp: "2026-11-15T10:00:00.000Z",
});
const events = (...ids: readonly string[]) => ids.map(event);
const shown = (log: EventLog) => log.view().events.map(({ id }) => id);

test("history is sorted before live events, without duplicates", () => {
  const log = new EventLog();
  log.addLive(events("10-3", "10-4"));
  log.addHistory(events("9-7", "10-2", "10-3"));
  log.addLive(events("10-4", "11-1"));
  expect(shown(log)).toEqual(["9-7", "10-2", "10-3", "10-4", "11-1"]);
});

test("a paused log counts events and shows them when it is resumed", () => {
  const log = new EventLog();
  log.addLive(events("1-1"));
  log.pause();
  log.addLive(events("1-2", "1-3"));
  log.addLive(events("1-3", "1-4"));
  expect(log.view()).toMatchObject({ isPaused: true, pendingCount: 3 });
  expect(shown(log)).toEqual(["1-1"]);
  log.resume();
  expect(log.view()).toMatchObject({ isPaused: false, pendingCount: 0, dropped: 0 });
  expect(shown(log)).toEqual(["1-1", "1-2", "1-3", "1-4"]);
});

test("only the latest events are kept, also of those while paused", () => {
  const many = (from: number) =>
    events(...Array.from({ length: MAX_EVENTS }, (_, index) => `1-${from + index}`));
  const log = new EventLog();
  log.addLive(many(1));
  expect(log.view().dropped).toBe(0);
  log.pause();
  log.addLive(many(MAX_EVENTS + 1));
  log.addLive(events("2-1"));
  expect(log.view().pendingCount).toBe(MAX_EVENTS + 1);
  log.resume();
  expect(log.view().events).toHaveLength(MAX_EVENTS);
  expect(log.view().dropped).toBe(MAX_EVENTS);
  expect(shown(log).at(0)).toBe(`1-${MAX_EVENTS + 2}`);
  expect(shown(log).at(-1)).toBe("2-1");
});

test("subscribers are called until they unsubscribe", () => {
  const log = new EventLog();
  let calls = 0;
  const stop = log.subscribe(() => calls++);
  log.addLive(events("1-1"));
  log.addLive(events("1-1"));
  stop();
  log.addLive(events("1-2"));
  expect(calls).toBe(1);
});
