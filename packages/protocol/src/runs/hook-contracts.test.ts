import { describe, expect, test } from "vitest";
import { RUN_HOOK_TYPES } from "./blueprint.ts";
import { DEFAULT_MODES, RUN_HOOK_CONTRACTS } from "./hook-contracts.ts";

const about = {
  parameters: { a: 1 },
  agent_name: "my-agent",
  session_id: "ses_abc123",
  run_id: "run_xyz789",
};
const ending = { ...about, result_text: "…", result_data: null, status: "completed", error: null };

/** Which fields a value may not do without. */
function required(
  schema: { safeParse(value: unknown): { success: boolean } },
  value: Record<string, unknown>,
) {
  return Object.keys(value).filter((field) => {
    const { [field]: _left, ...rest } = value;
    return !schema.safeParse(rest).success;
  });
}

test("every type of hook has a contract and a mode", () => {
  expect(Object.keys(RUN_HOOK_CONTRACTS).sort()).toEqual([...RUN_HOOK_TYPES].sort());
  expect(Object.keys(DEFAULT_MODES).sort()).toEqual([...RUN_HOOK_TYPES].sort());
});

describe("on_run_start", () => {
  const { input, output } = RUN_HOOK_CONTRACTS.on_run_start;

  test("is given parameters, agent_name, session_id and run_id", () => {
    expect(input.parse(about)).toEqual(about);
    expect(required(input, about)).toEqual(Object.keys(about));
  });

  // "Main agent run proceeds with original (untransformed) data"
  test("may continue without parameters, or with them", () => {
    expect(output.parse({ action: "continue" })).toEqual({ action: "continue" });
    const changed = { action: "continue", parameters: { a: 2 } };
    expect(output.parse(changed)).toEqual(changed);
  });

  test.each([
    { action: "block", block_reason: "Insufficient permissions for this operation" },
    { action: "ask", reason: "production" },
  ])("may answer %j, and needs all of it", (answer) => {
    expect(output.parse(answer)).toEqual(answer);
    expect(required(output, answer)).toEqual(Object.keys(answer));
  });

  test.each([
    {},
    { action: "dance" },
    { action: "continue", parameters: "a" },
    { action: "continue", parameters: null },
    { action: "block", block_reason: "" },
    "continue",
    null,
  ])("may not answer %j", (answer) => expect(output.safeParse(answer).success).toBe(false));
});

describe("on_run_finish", () => {
  const { input, output } = RUN_HOOK_CONTRACTS.on_run_finish;

  test("is given parameters, result, status, error and the ids of the run", () => {
    expect(input.parse(ending)).toEqual(ending);
    expect(required(input, ending).sort()).toEqual(Object.keys(ending).sort());
  });

  test.each(["completed", "failed", "stopped"])("is called for runs that are %s", (status) => {
    expect(input.safeParse({ ...ending, status }).success).toBe(true);
  });

  test("is called for no other status", () => {
    expect(input.safeParse({ ...ending, status: "running" }).success).toBe(false);
  });

  test.each([{}, { action: "block", block_reason: "too late" }, "OK", null])("may answer %j", (answer) => {
    expect(output.safeParse(answer).success).toBe(true);
  });
});

test("a tool hook may leave the input as it is, or change it", () => {
  const { input, output } = RUN_HOOK_CONTRACTS.on_tool_call;
  const call = { ...about, tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "call-1" };
  expect(required(input, call)).toEqual(Object.keys(call));
  expect(output.safeParse({ action: "continue" }).success).toBe(true);
  expect(output.safeParse({ action: "continue", tool_input: { command: "ls -l" } }).success).toBe(true);
  expect(output.safeParse({ action: "continue", tool_input: "ls" }).success).toBe(false);
});

test("a result hook may change text and data, and cannot ask", () => {
  const { output } = RUN_HOOK_CONTRACTS.on_result;
  expect(output.safeParse({ action: "continue", result_text: "short", result_data: null }).success).toBe(
    true,
  );
  expect(output.safeParse({ action: "ask", reason: "?" }).success).toBe(false);
});
