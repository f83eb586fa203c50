import { expect, test } from "vitest";
import { approvalOf, detailOf, hookOf } from "../timeline/timeline-fixtures.ts";
import { blockOrigin } from "./block-origin.ts";

const start = hookOf({ hook_type: "on_run_start", state: "blocked" });
const tool = hookOf({ hook_type: "on_tool_call", state: "blocked" });
const blocked = { block_reason: "no", hooks: [start, tool] };

test("the hook that blocked a run is found, and not one that blocked a tool call", () => {
  expect(blockOrigin(detailOf(blocked))).toEqual({ hook: start });
});

test("a person who rejected it is named", () => {
  const approvals = [approvalOf({ hook_id: start.hook_id, state: "rejected", decided_by: "ada" })];
  expect(blockOrigin(detailOf({ ...blocked, approvals }))).toMatchObject({
    hook: start,
    person: { decided_by: "ada" },
  });
});

test("that nobody decided in time is told apart from a decision", () => {
  const approvals = [approvalOf({ hook_id: start.hook_id, state: "expired", decided_by: "nobody" })];
  const origin = blockOrigin(detailOf({ ...blocked, approvals }));
  expect(origin).toMatchObject({ expired: { state: "expired" } });
  expect(origin?.person).toBeUndefined();
});

test("a run that nobody blocked has no such origin", () => {
  expect(blockOrigin(detailOf({ hooks: [tool] }))).toBeUndefined();
  expect(blockOrigin(detailOf({ block_reason: "no" }))).toBeUndefined();
});
