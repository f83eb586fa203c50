import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { EventLog, MOST_KEPT } from "./event-log.ts";

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

test("what was before is put before what came meanwhile, each once", () => {
  const log = new EventLog();
  log.hear(events("10-3", "10-4"));
  log.recall(events("9-7", "10-2", "10-3"));
  log.hear(events("10-4", "11-1"));
  expect(shown(log)).toEqual(["9-7", "10-2", "10-3", "10-4", "11-1"]);
});

test("while it is paused events are counted, and shown when it goes on", () => {
  const log = new EventLog();
  log.hear(events("1-1"));
  log.pause();
  log.hear(events("1-2", "1-3"));
  log.hear(events("1-3", "1-4"));
  expect(log.view()).toMatchObject({ isPaused: true, heldBack: 3 });
  expect(shown(log)).toEqual(["1-1"]);
  log.resume();
  expect(log.view()).toMatchObject({ isPaused: false, heldBack: 0, isCut: false });
  expect(shown(log)).toEqual(["1-1", "1-2", "1-3", "1-4"]);
});

test("only the latest are kept, also of what came while it was paused", () => {
  const many = (from: number) =>
    events(...Array.from({ length: MOST_KEPT }, (_, index) => `1-${from + index}`));
  const log = new EventLog();
  log.hear(many(1));
  expect(log.view().isCut).toBe(false);
  log.pause();
  log.hear(many(MOST_KEPT + 1));
  log.hear(events("2-1"));
  expect(log.view().heldBack).toBe(MOST_KEPT + 1);
  log.resume();
  expect(log.view().events).toHaveLength(MOST_KEPT);
  expect(log.view().isCut).toBe(true);
  expect(shown(log).at(0)).toBe(`1-${MOST_KEPT + 2}`);
  expect(shown(log).at(-1)).toBe("2-1");
});

test("whoever watches is told, until they stop", () => {
  const log = new EventLog();
  let told = 0;
  const stop = log.watch(() => told++);
  log.hear(events("1-1"));
  log.hear(events("1-1"));
  stop();
  log.hear(events("1-2"));
  expect(told).toBe(1);
});
