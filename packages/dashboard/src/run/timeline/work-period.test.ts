import { expect, test } from "vitest";
import { runTimeline } from "./run-timeline.ts";
import { detailOf, type EventSpec, eventsOf, moment, since } from "./timeline-fixtures.ts";
import { workPeriod } from "./work-period.ts";

/** From and to, in milliseconds after the creation of the run. */
function period(events: readonly EventSpec[], finished?: number, now = 100_000) {
  const run = detailOf(finished === undefined ? {} : { finished_at: moment(finished), status: "completed" });
  const { rows } = runTimeline(run, eventsOf(...events));
  const found = workPeriod(rows, Date.parse(moment(now)));
  return found && [since(found.from), found.to === null ? null : since(found.to)];
}

const started = (ms: number, attempt = 1): readonly EventSpec[] => [
  ["run_claimed", ms, { runner_id: "a", attempt }],
  ["run_started", ms + 10, { runner_id: "a" }],
];

test("the work begins when the queue ends", () => {
  expect(period([["run_created", 0], ...started(42_000), ["run_completed", 43_000]], 43_000)).toEqual([
    42_000, 43_000,
  ]);
});

test("a short wait between the start hook and the run is a part of the work, a long one divides it", () => {
  const hooked = (wait: number): readonly EventSpec[] => [
    ["run_created", 0],
    ["run_preparing", 100],
    ["run_ready", 300],
    ...started(300 + wait),
    ["run_completed", 1_300 + wait],
  ];
  expect(period(hooked(500), 1_800)).toEqual([100, 1_800]);
  expect(period(hooked(42_000), 43_300)).toEqual([42_300, 43_300]);
});

test("of two attempts far apart it is the longer one", () => {
  const events: readonly EventSpec[] = [
    ["run_created", 0],
    ...started(100),
    ["run_retried", 2_100, { reason: "lost" }],
    ...started(62_100, 2),
    ["run_completed", 63_000],
  ];
  expect(period(events, 63_000)).toEqual([100, 2_100]);
});

test("the work of a run that is still running has no end", () => {
  expect(period([["run_created", 0], ...started(42_000)])).toEqual([42_000, null]);
});

test("a run that only waits has no work", () => {
  expect(period([["run_created", 0]])).toBeUndefined();
});
