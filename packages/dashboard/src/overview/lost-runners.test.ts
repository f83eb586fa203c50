import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { findLostRunners } from "./lost-runners.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const runner = (
  runner_id: string,
  name: string,
  state: RunnerRecord["state"],
  seen_at: string,
  left_at: string | null = null,
): RunnerRecord => ({
  ...{ runner_id, name, state, seen_at, left_at, tags: [], concurrency: 1, active_runs: 0, info: {} },
  registered_at: seen_at,
});

test("lists a runner that is gone once, by its last time, unless it was told to end or its name is connected again", () => {
  const found = findLostRunners(
    [
      runner("1", "back", "gone", "2026-11-18T11:00:00Z"),
      runner("2", "back", "online", "2026-11-18T12:00:00Z"),
      runner("3", "lost", "gone", "2026-11-18T10:00:00Z"),
      runner("4", "lost", "gone", "2026-11-18T11:30:00Z"),
      runner("5", "long ago", "gone", "2026-11-16T11:30:00Z"),
      runner("6", "leaving", "draining", "2026-11-18T12:00:00Z"),
      runner("7", "told to end", "gone", "2026-11-18T11:30:00Z", "2026-11-18T11:30:00Z"),
    ],
    NOW,
  );
  expect(found.map(({ runner_id }) => runner_id)).toEqual(["4"]);
});
