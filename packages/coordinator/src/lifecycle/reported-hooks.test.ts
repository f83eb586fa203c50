import { ACTIONS, WOULD_HAVE } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { readReportedHooks } from "./reported-hooks.ts";

const readOne = (event: Parameters<typeof readReportedHooks>[0]) => readReportedHooks(event)[0];
const acted = (more: object = {}) => ({
  type: "hook_acted",
  data: { event: "before_tool", hook: "guard", action: "refuse", ...more },
});

test("every action of the event table is counted as one outcome", () => {
  const outcomes = Object.keys(ACTIONS).map((action) => readOne(acted({ action }))?.outcome);
  expect(outcomes).not.toContain(undefined);
  expect(readReportedHooks(acted())).toEqual([
    { hook: "guard", event: "before_tool", outcome: "blocked", count: 1 },
  ]);
});

test("a hook that failed counts as failed, whatever that meant for the agent", () => {
  expect(readOne(acted({ failed: true }))?.outcome).toBe("failed");
});

test("a hook of a subagent of a subagent is found", () => {
  const { data } = acted({ event_type: "hook_acted" });
  const inner = { event_type: "subagent", subagent: "b", event: data };
  expect(readOne({ type: "subagent", data: { subagent: "a", event: inner } })?.hook).toBe("guard");
});

test.each([
  acted({ hook: null }),
  // A newer runner may know more than this version does.
  acted({ action: "refuse", not_enforced: "would_dance" }),
  { type: "hook_tallies", data: { tallies: "none" } },
  { type: "hook_tallies", data: {} },
  acted({ hook: "" }),
  acted({ hook: "on_tool_call" }),
  acted({ hook: 7 }),
  acted({ event: undefined }),
  acted({ action: "dance" }),
  { type: "subagent", data: { event: "no object" } },
  { type: "log", data: { hook: "guard", event: "x", action: "refuse" } },
])("is not counted: %j", (event) => expect(readReportedHooks(event)).toEqual([]));

test.each(Object.keys(WOULD_HAVE))(
  "what a hook %s is counted as such, not as what it did",
  (not_enforced) => {
    expect(readOne(acted({ action: "go_on", changed: ["toolInput"], not_enforced }))?.outcome).toBe(
      not_enforced,
    );
  },
);

test("a hook that is not enforced and failed counts as failed", () => {
  expect(readOne(acted({ failed: true, not_enforced: "would_block" }))?.outcome).toBe("failed");
});

test("calls that passed and questions are counted from tallies, as other outcomes have events of their own", () => {
  const tally = (outcome: string, count: number) => ({
    ...{ hook: "guard", event: "before_tool", outcome, count },
    ...{ duration_ms: 1, durations: [] },
  });
  const tallies = [tally("passed", 7), tally("added_context", 2), tally("blocked", 3), tally("asked", 1)];
  const report = { type: "hook_tallies", data: { tallies: [...tallies, tally("passed", 0), { hook: 7 }] } };
  expect(readReportedHooks(report).map(({ outcome, count }) => [outcome, count])).toEqual([
    ["passed", 7],
    ["passed", 2],
    ["asked", 1],
  ]);
});

test("a long name is shortened between characters, not inside of one", () => {
  expect(readOne(acted({ hook: `x${"🪝".repeat(300)}` }))?.hook).toBe(`x${"🪝".repeat(99)}…`);
});
