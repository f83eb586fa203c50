import type { HookRecord } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { approvalOf, hookOf } from "../timeline/timeline-fixtures.ts";
import { hookStory } from "./hook-story.ts";

const CALL = { tool_name: "Shell", tool_input: { command: "rm -rf build" } };
const story = (fields: Partial<HookRecord>) => {
  const { about, decided, why, isQuiet } = hookStory(hookOf({ hook_type: "on_run_start", ...fields }), []);
  return [about, decided, why, isQuiet ? "quiet" : "loud"];
};

test.each<[string, Partial<HookRecord>, unknown[]]>([
  [
    "a refused call",
    {
      hook_type: "on_tool_call",
      state: "blocked",
      input: CALL,
      output: { action: "block", block_reason: "no rm" },
    },
    ["Shell rm -rf build", "refused", "no rm", "loud"],
  ],
  [
    "a call that may proceed",
    { hook_type: "on_tool_call", state: "done", input: CALL, output: { action: "continue" } },
    ["Shell rm -rf build", "let it proceed", undefined, "quiet"],
  ],
  [
    "the same parameters again",
    { state: "done", input: { parameters: { a: 1 } }, output: { action: "continue", parameters: { a: 1 } } },
    ["Before the run starts", "let it proceed", undefined, "quiet"],
  ],
  [
    "changed parameters",
    { state: "done", input: { parameters: { a: 1 } }, output: { action: "continue", parameters: { a: 2 } } },
    ["Before the run starts", "changed the parameters", undefined, "loud"],
  ],
  [
    "a failure that ends the run",
    { state: "failed", on_error: "block", error: "exit 1" },
    ["Before the run starts", "failed, so the run does not continue", "exit 1", "loud"],
  ],
  [
    "an observer",
    { hook_type: "on_run_finish", state: "done", output: { kept: true } },
    ["After the run has ended", "is done", undefined, "quiet"],
  ],
])("%s is shown with its subject, its decision and the reason", (_, fields, expected) => {
  expect(story(fields)).toEqual(expected);
});

test("a person's decision is shown with the name", () => {
  const hook = hookOf({
    hook_type: "on_run_start",
    state: "blocked",
    output: { action: "ask", reason: "deploy?" },
  });
  const approval = approvalOf({
    hook_id: hook.hook_id,
    state: "rejected",
    decided_by: "ann",
    decision: { type: "reject", reason: "not today" },
  });
  expect(hookStory(hook, [approval])).toMatchObject({ decided: "rejected by ann", why: "not today" });
});
