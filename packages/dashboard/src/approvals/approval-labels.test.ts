import type { Approval } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { decisionText, subjectParts, timeLeftText, timingText } from "./approval-labels.ts";

const asked: Approval = {
  approval_id: "apr_1",
  run_id: "run_1",
  agent_name: "deployer",
  hook_id: "hk_1",
  hook_type: "on_run_start",
  asked_by: "four-eyes",
  reason: "production",
  subject: { parameters: { environment: "production" }, run_id: "run_1" },
  editable: "parameters",
  not_by: null,
  requested_by: ["ana"],
  barred: null,
  state: "pending",
  decision: null,
  decided_by: null,
  created_at: "2026-11-15T10:00:00.000Z",
  expires_at: "2026-11-15T10:10:00.000Z",
  decided_at: null,
};

test("an approval shows the editable value first", () => {
  expect(subjectParts(asked)).toEqual({
    title: "parameters",
    main: { environment: "production" },
    tool: undefined,
  });
  const call = { subject: { tool_name: "Shell", tool_input: { command: "ls" } }, editable: "tool_input" };
  expect(subjectParts(call)).toEqual({ title: "tool_input", main: { command: "ls" }, tool: "Shell" });
});

test("an approval shows the whole subject when nothing is editable", () => {
  expect(subjectParts({ subject: { a: 1 }, editable: null })).toMatchObject({
    title: "subject",
    main: { a: 1 },
  });
  expect(subjectParts({ subject: { a: 1 }, editable: "parameters" }).main).toEqual({ a: 1 });
});

test.each([
  ["2026-11-15T10:00:39.500Z", "9 min 20 s left"],
  ["2026-11-15T10:09:57.200Z", "2.0 s left"],
  ["2026-11-15T10:09:59.200Z", "about to expire"],
  ["2026-11-15T11:00:00.000Z", "about to expire"],
])("at %s there is %s", (now, text) => expect(timeLeftText(asked.expires_at, Date.parse(now))).toBe(text));

test.each<[Partial<Approval>, string]>([
  [{ state: "approved", decided_by: "ann", decision: { type: "approve" } }, "approved by ann"],
  [{ state: "approved", decided_by: "ann", decision: { type: "edit" } }, "approved with changes by ann"],
  [{ state: "rejected", decided_by: "bob", decision: { type: "reject" } }, "rejected by bob"],
  [
    { state: "rejected", decided_by: "bob", decision: { type: "reject", reason: "not today" } },
    "rejected by bob: not today",
  ],
  [{ state: "expired", decided_by: "nobody" }, "expired: no decision in time"],
  [
    { state: "cancelled", decision: { type: "cancel", reason: "the run has ended" } },
    "cancelled: the run has ended",
  ],
  [{}, "not decided yet"],
])("%o is %s", (more, text) => expect(decisionText({ ...asked, ...more })).toBe(text));

test("an unknown hook type is shown by its name", () => {
  expect(timingText({ hook_type: "on_run_start" })).toBe("before the run starts");
  expect(timingText({ hook_type: "before_tool" })).toBe("before a tool call");
  expect(timingText({ hook_type: "on_moon" })).toBe("on_moon");
});
