import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { changedRuns } from "./row-events.ts";

const event = (event_type: string, run_id: string | null): RunEvent => ({
  id: "1-1",
  event_type,
  run_id,
  session_id: null,
  number: 1,
  timestamp: "2026-11-15T10:00:00.000Z",
});

test("a run with several events is returned once", () => {
  const several = ["run_created", "hook_start", "hook_blocked", "approval_requested"].map((type) =>
    event(type, "a"),
  );
  expect(changedRuns([...several, event("run_failed", "b")])).toEqual(["a", "b"]);
});

test.each(["log", "text_delta", "tool_call", "hook_acted", "step_start", "rerun_x"])(
  "%s changes no row",
  (type) => {
    expect(changedRuns([event(type, "a")])).toEqual([]);
  },
);

test("an event without a run changes no row", () => {
  expect(changedRuns([event("run_created", null)])).toEqual([]);
});
