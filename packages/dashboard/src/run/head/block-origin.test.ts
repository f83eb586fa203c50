import { expect, test } from "vitest";
import { approvalOf, detailOf, hookOf } from "../timeline/timeline-fixtures.ts";
import { blockOrigin } from "./block-origin.ts";

const start = hookOf({ hook_type: "on_run_start", state: "blocked" });
const tool = hookOf({ hook_type: "on_tool_call", state: "blocked" });
const blocked = { block_reason: "no", hooks: [start, tool] };

test("the page finds the hook that blocked the run, not one that blocked a tool call", () => {
  expect(blockOrigin(detailOf(blocked))).toEqual({ hook: start });
});

test("the page names the user who rejected a run", () => {
  const approvals = [approvalOf({ hook_id: start.hook_id, state: "rejected", decided_by: "ada" })];
  expect(blockOrigin(detailOf({ ...blocked, approvals }))).toMatchObject({
    hook: start,
    person: { decided_by: "ada" },
  });
});

test("the page distinguishes an expired approval from a rejection", () => {
  const approvals = [approvalOf({ hook_id: start.hook_id, state: "expired", decided_by: "nobody" })];
  const origin = blockOrigin(detailOf({ ...blocked, approvals }));
  expect(origin).toMatchObject({ expired: { state: "expired" } });
  expect(origin?.person).toBeUndefined();
});

test("a run that was not blocked has no origin", () => {
  expect(blockOrigin(detailOf({ hooks: [tool] }))).toBeUndefined();
  expect(blockOrigin(detailOf({ block_reason: "no" }))).toBeUndefined();
});
