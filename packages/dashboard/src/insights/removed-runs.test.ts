import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { createdRuns, decidedRuns, endedRuns, modelRuns, startedRuns } from "./counted-runs.ts";
import { describeRemoved } from "./removed-runs.ts";

const period = { since: "2026-11-17T00:00:00.000Z", until: "2026-11-18T00:00:00.000Z" };
const before = { since: "2026-11-16T00:00:00.000Z", until: period.since };
const step = { since: "2026-11-17T00:15:00.000Z", until: "2026-11-17T00:30:00.000Z" };

const removed = { created: 1_200, started: 1_100, completed: 900, failed: 1, stopped: 0 };
const insights = {
  ...period,
  before,
  current: { removed },
  previous: { removed: { created: 0, started: 0, completed: 0, failed: 0, stopped: 2 } },
  series: [{ since: period.since }, { since: step.since, removed: { ...removed, completed: 3, failed: 0 } }],
  agents: [{ agent: "plain", removed: { ...removed, created: 7 } }, { agent: "fresh" }],
  // Of the numbers only those that say what was removed.
} as unknown as Insights;

test.each([
  ["created", createdRuns(period), "1,200 of these runs have been removed since."],
  ["started", startedRuns(period), "1,100 of these runs have been removed since."],
  ["ended", endedRuns(period), "901 of these runs have been removed since."],
  ["failed", endedRuns(period, "failed"), "1 of these runs has been removed since."],
  ["stopped", endedRuns(period, "stopped"), undefined],
  ["stopped before", endedRuns(before, "stopped"), "2 of these runs have been removed since."],
  ["created before", createdRuns(before), undefined],
  [
    "decided",
    decidedRuns(period, ["blocked"]),
    "901 of the runs that ended in this time have been removed since.",
  ],
  [
    "decided in a step",
    decidedRuns(step, ["blocked"]),
    "3 of the runs that ended in this time have been removed since.",
  ],
  ["failed in a step", endedRuns(step, "failed"), undefined],
  ["of an agent", createdRuns({ ...period, agent: "plain" }), "7 of these runs have been removed since."],
  ["of an agent without any", createdRuns({ ...period, agent: "fresh" }), undefined],
  ["of an agent in a step", createdRuns({ ...step, agent: "plain" }), undefined],
  [
    "of a model",
    modelRuns(period, "large"),
    "901 of the runs that ended in this time have been removed since.",
  ],
  ["of another time", createdRuns({ since: "2020-01-01T00:00:00.000Z", until: before.since }), undefined],
])("a link to runs that were %s says how many of them are missing", (_, search, text) => {
  expect(describeRemoved(insights, search)).toBe(text);
});

test("a link outside of a page with numbers says nothing", () => {
  expect(describeRemoved(undefined, createdRuns(period))).toBe(undefined);
});
