import { expect, test } from "vitest";
import { findAliases } from "./tool-calls.ts";

test.each([
  ["Bash", ["Shell"]],
  ["Monitor", ["Shell"]],
  ["Read", ["ReadFile"]],
  ["Write", ["WriteFile"]],
  ["Edit", ["EditFile"]],
  ["MultiEdit", ["EditFile"]],
  ["NotebookEdit", ["EditFile"]],
  ["Agent", ["Subagent"]],
  ["Task", ["Subagent"]],
  ["mcp__files__list", ["list"]],
  ["Glob", []],
  ["TodoWrite", []],
  ["constructor", []],
])("%s is also found by %j", (name, aliases) => {
  expect(findAliases(name)).toEqual(aliases);
});
