import { expect, test } from "vitest";
import { runTimeline } from "./run-timeline.ts";
import {
  approvalOf,
  detailOf,
  type EventSpec,
  eventsOf,
  hookOf,
  moment,
  since,
} from "./timeline-fixtures.ts";
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

/** The work of a run whose start hook asked a person from one moment to another. */
function askedPeriod(asked: number, decided: number | null, events: readonly EventSpec[], finished?: number) {
  const hook = hookOf({ hook_type: "on_run_start", created_at: moment(100), finished_at: null });
  const question = approvalOf({
    hook_id: hook.hook_id,
    created_at: moment(asked),
    decided_at: decided === null ? null : moment(decided),
    state: decided === null ? "pending" : "approved",
  });
  const run = detailOf({
    hooks: [hook],
    approvals: [question],
    ...(finished !== undefined && { finished_at: moment(finished), status: "completed" }),
  });
  const found = workPeriod(runTimeline(run, eventsOf(...events)).rows, Date.parse(moment(900_000)));
  return found && [since(found.from), found.to === null ? null : since(found.to)];
}

test("waiting for an approval is not work: a long wait divides it", () => {
  const events = (decided: number): readonly EventSpec[] => [
    ["run_created", 0],
    ["run_preparing", 100],
    ["run_ready", decided + 10],
    ...started(decided + 20),
    ["run_completed", decided + 2_020],
  ];
  expect(askedPeriod(300, 600_000, events(600_000), 602_020)).toEqual([600_000, 602_020]);
  expect(askedPeriod(300, 1_000, events(1_000), 3_020)).toEqual([100, 3_020]);
});

test("the work of a run that waits for an approval ends when it asked", () => {
  expect(
    askedPeriod(300, null, [
      ["run_created", 0],
      ["run_preparing", 100],
    ]),
  ).toEqual([100, 300]);
});
