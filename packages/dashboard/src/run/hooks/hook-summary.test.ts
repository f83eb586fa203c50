import type { HookRecord } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { approvalOf, hookOf } from "../timeline/timeline-fixtures.ts";
import { hookSummary } from "./hook-summary.ts";

const CALL = { tool_name: "Shell", tool_input: { command: "rm -rf build" } };
const summaryOf = (fields: Partial<HookRecord>) => {
  const { about, decided, why, isUnchanged } = hookSummary(
    hookOf({ hook_type: "on_run_start", ...fields }),
    [],
  );
  return [about, decided, why, isUnchanged ? "unchanged" : "notable"];
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
    ["Shell rm -rf build", "refused", "no rm", "notable"],
  ],
  [
    "a call that a hook which is not enforced would have refused",
    {
      hook_type: "on_tool_call",
      state: "done",
      enforce: false,
      input: CALL,
      output: { action: "block", block_reason: "no rm" },
    },
    ["Shell rm -rf build", "would have blocked (not enforced)", "no rm", "notable"],
  ],
  [
    "a failure of a hook that is not enforced",
    { state: "failed", enforce: false, on_error: "block", error: "broken" },
    ["Before the run starts", "failed; the run continues", "broken", "notable"],
  ],
  [
    "a call that may proceed",
    { hook_type: "on_tool_call", state: "done", input: CALL, output: { action: "continue" } },
    ["Shell rm -rf build", "let it proceed", undefined, "unchanged"],
  ],
  [
    "the same parameters again",
    { state: "done", input: { parameters: { a: 1 } }, output: { action: "continue", parameters: { a: 1 } } },
    ["Before the run starts", "let it proceed", undefined, "unchanged"],
  ],
  [
    "changed parameters",
    { state: "done", input: { parameters: { a: 1 } }, output: { action: "continue", parameters: { a: 2 } } },
    ["Before the run starts", "changed the parameters", undefined, "notable"],
  ],
  [
    "a failure that ends the run",
    { state: "failed", on_error: "block", error: "exit 1" },
    ["Before the run starts", "failed, so the run does not continue", "exit 1", "notable"],
  ],
  [
    "a hook that waits to be called",
    { state: "pending", waiting: { reason: "call_limit", detail: "all slots are occupied", until: null } },
    ["Before the run starts", "waits", "all slots are occupied", "notable"],
  ],
  [
    "an observer",
    { hook_type: "on_run_finish", state: "done", output: { kept: true } },
    ["After the run has ended", "is done", undefined, "unchanged"],
  ],
])("%s is shown with its subject, its decision and the reason", (_, fields, expected) => {
  expect(summaryOf(fields)).toEqual(expected);
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
  expect(hookSummary(hook, [approval])).toMatchObject({ decided: "rejected by ann", why: "not today" });
});
