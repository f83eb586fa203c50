import { expect, test } from "vitest";
import type { UserCallback } from "./sdk-types.ts";
import { callUserCallbacks, matchesTool } from "./user-callbacks.ts";

async function answer(callback: () => unknown, timeout?: number) {
  const warnings: string[] = [];
  const input = { hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash" };
  const entry = { hooks: [callback as UserCallback], ...(timeout !== undefined && { timeout }) };
  const warn = (message: string) => void warnings.push(message);
  const { signal } = new AbortController();
  const { decision, reason } = await callUserCallbacks([entry], input, "t1", signal, warn);
  return { decision, reason, warnings };
}

const DENIAL = { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } };

test.each([undefined, 5])(
  "a callback that is not async denies a call, with a timeout of %s s",
  async (timeout) => {
    expect(await answer(() => DENIAL, timeout)).toEqual({ decision: "deny", reason: "no", warnings: [] });
  },
);

test("a callback that takes longer than its timeout denies the call", async () => {
  expect(await answer(() => new Promise(() => {}), 0.01)).toMatchObject({
    decision: "deny",
    reason: expect.stringContaining("it took longer than 0.01 s"),
  });
});

test.each([undefined, 5])(
  "a callback that rejects without a reason is a warning, with a timeout of %s s",
  async (timeout) => {
    expect(await answer(() => Promise.reject(), timeout)).toEqual({
      decision: undefined,
      reason: undefined,
      warnings: ["a callback of PreToolUse failed: undefined"],
    });
  },
);

test.each([
  [undefined, true],
  ["", true],
  ["*", true],
  ["mcp__t__echo", true],
  ["Bash|mcp__t__echo", true],
  ["Bash, mcp__t__echo", true],
  [" mcp__t__echo ", true],
  ["mcp__.*", true],
  ["mcp__t__*", true],
  ["^mcp", true],
  ["mcp__t", false],
  ["echo", false],
  ["MCP__T__ECHO", false],
  ["(", false],
])("a matcher %j matches mcp__t__echo: %s, as in Claude Code", (matcher, expected) => {
  expect(matchesTool(matcher, "mcp__t__echo")).toBe(expected);
});

test("the older name Task matches the tool Agent", () => {
  expect([
    matchesTool("Task", "Agent"),
    matchesTool("Agent", "Agent"),
    matchesTool("Shell", "Agent"),
  ]).toEqual([true, true, false]);
});
