import { expect, test } from "vitest";
import { matchesTool } from "./user-callbacks.ts";

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
