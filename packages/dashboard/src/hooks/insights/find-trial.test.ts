import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { findTrial } from "./find-trial.ts";

type Decisions = Readonly<Record<string, number>>;

const insights = (...steps: readonly Decisions[]) =>
  ({
    ...{ step: "15_minutes", timezone: "UTC", until: "2026-11-18T11:00:00.000Z" },
    series: steps.map((decisions, index) => ({ since: `2026-11-18T10:${index}5:00.000Z`, decisions })),
  }) as unknown as Insights;

const AT_FIRST = "18 Nov, 10:05 – 10:15";

test.each<[string, readonly Decisions[], unknown]>([
  ["never would have acted", [{ passed: 3 }, { blocked: 1 }], undefined],
  ["would have acted", [{ would_block: 1 }, {}], { last: AT_FIRST, wasCalledSince: false }],
  [
    "would have acted, and passed since",
    [{ would_ask: 1 }, { passed: 1 }],
    { last: AT_FIRST, wasCalledSince: true },
  ],
  [
    "would have acted, and failed since",
    [{ would_ask: 1 }, { failed: 1 }],
    { last: AT_FIRST, wasCalledSince: true },
  ],
  ["would have acted, and blocked since", [{ would_block: 1 }, { passed: 1 }, { blocked: 1 }], undefined],
  ["would have acted, and changed since", [{ would_change: 1 }, { changed: 1 }], undefined],
  [
    "blocked before",
    [{ blocked: 4 }, { would_block: 1 }],
    { last: "18 Nov, 10:15 – 11:00", wasCalledSince: false },
  ],
  ["has zeros only", [{ would_block: 0, blocked: 0 }], undefined],
])("a hook of a runner that %s", (_, steps, expected) => {
  expect(findTrial(insights(...steps))).toEqual(expected);
});
