import { matches, PatternBudget } from "@tenterhook/engine/internal";
import { isStoredMatcher } from "@tenterhook/protocol/internal";
import { expect, test } from "vitest";
import { matcherOf, quickMatcherOf } from "./matcher.ts";

/** The tools that a `tool` expression matches. */
function found(tool: string, names: readonly string[] = NAMES): readonly string[] {
  const matcher = matcherOf({ matcher: { tool } });
  return names.filter((toolName) => matcher === undefined || matches(matcher, "before_tool", { toolName }));
}

const FILES = ["ReadFile", "WriteFile", "EditFile", "DeleteFile"];
const NAMES = ["Shell", ...FILES, "Glob", "Grep", "Subagent", "deploy", "mcp__box__Bash", "BashTool"];

test.each([
  // Searched in the tool's own name, as before, and the whole of a native name.
  ["Bash", ["Shell", "mcp__box__Bash", "BashTool"]],
  ["^Bash$", ["Shell"]],
  ["Bash$", ["Shell", "mcp__box__Bash"]],
  ["Bash|Write", ["Shell", "WriteFile", "mcp__box__Bash", "BashTool"]],
  ["^(Bash|Write|Edit|MultiEdit)$", ["Shell", "WriteFile", "EditFile"]],
  ["run_shell_command", ["Shell"]],
  ["(?i)^BASH$", ["Shell"]],
  ["[Bb]ash_?", ["Shell", "mcp__box__Bash", "BashTool"]],
  ["^B.*h$", ["Shell"]],
  // A part of a native name is not the tool.
  ["BASH", []],
  ["Bas$", []],
  ["^exec_", []],
  ["^ash$", []],
  // A name that several tools share, and a canonical name that an agent uses too.
  ["^editor$", ["WriteFile", "EditFile"]],
  ["^apply_patch$", ["WriteFile", "EditFile", "DeleteFile"]],
  ["^Edit$", ["EditFile"]],
  ["Edit", ["EditFile"]],
  ["^Shell$", ["Shell"]],
  ["^Glob$", ["Glob"]],
  ["^mcp__box__Bash$", ["mcp__box__Bash"]],
  ["^constructor$", []],
])("%j matches %j", (tool, expected) => {
  expect(found(tool)).toEqual(expected);
  expect(found(`(?:${tool})`)).toEqual(expected);
});

test("a native name is not searched in the names of other tools of a program", () => {
  expect(found("^Bash$", ["Bash", "bash", "constructor", ""])).toEqual(["Bash"]);
});

test("a pattern that cannot be used matches every tool", () => {
  expect(found("^Bash(?!x)")).toEqual(NAMES);
});

test("a hook that was never trusted is found by a native name too", () => {
  const matcher = quickMatcherOf({ matcher: { tool: "^Bash$", pattern: "a{9}" } });
  expect(matcher?.plan("before_tool", "Shell", new PatternBudget())).toBe("yes");
  expect(matcher?.plan("before_tool", "ReadFile", new PatternBudget())).toBe("no");
});

test("a native name decides the tool, and the pattern still decides the input", () => {
  const matcher = matcherOf({ matcher: { tool: "^Bash$", pattern: "rm -rf" } });
  const isFound = (toolName: string, command: string) =>
    matcher !== undefined && matches(matcher, "before_tool", { toolName, toolInput: { command } });
  expect([isFound("Shell", "rm -rf /"), isFound("Shell", "ls"), isFound("ReadFile", "rm -rf /")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("of several matchers one must match, and one without a condition matches everything", () => {
  const matcher = [{ tool: "^Bash$", pattern: "rm -rf" }, { tool: "WriteFile" }];
  const isFound = (toolName: string, command: string, list: readonly object[] = matcher) => {
    const engines = matcherOf({ matcher: list });
    return engines === undefined || matches(engines, "before_tool", { toolName, toolInput: { command } });
  };
  expect([isFound("Shell", "rm -rf /"), isFound("Shell", "ls"), isFound("WriteFile", "ls")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isFound("ReadFile", "rm -rf /")).toBe(false);
  expect(isFound("ReadFile", "ls", [...matcher, {}])).toBe(true);
});

test.each<[unknown, boolean]>([
  [undefined, true],
  [{}, true],
  [{ tool: "Shell", pattern: "x", later: 1 }, true],
  [[{ tool: "Shell" }, { pattern: "x" }], true],
  [[], false],
  [[{ tool: 7 }], false],
  [[[{ tool: "Shell" }]], false],
  [{ pattern: ["x"] }, false],
  ["Shell", false],
  [null, false],
])("%j has the form of a stored matcher: %j", (value, expected) => {
  expect(isStoredMatcher(value)).toBe(expected);
});
