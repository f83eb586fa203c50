import type { HookFile } from "@tenterhook/protocol";
import type { FileMatcher } from "@tenterhook/protocol/internal";
import { expect, test } from "vitest";
import { matcherFindings } from "./matcher-findings.ts";

function findings(matcher: FileMatcher | readonly FileMatcher[]): readonly string[] {
  const hook = { name: "rule", events: ["before_tool"], matcher } as unknown as HookFile;
  return matcherFindings("/hooks/rule", hook).map(({ field, message }) => `${field}: ${message}`);
}

test.each<[FileMatcher, RegExp]>([
  [{ effect: ["power"], path: ["root"] }, /^matcher: matcher can never match: power has no path/],
  [{ effect: ["execute.remote", "process"], path: ["system"] }, /execute.remote and process has no path/],
  [{ effect: ["delete"], host: ["example.com"] }, /delete has no host/],
  [{ effect: ["delete"], path: ["scratch", "~/x"], notPath: ["~/x", "made", "scratch"] }, /not_path has all/],
  [{ effect: ["read"], tool: "^Glob$" }, /Glob has no effects/],
  [{ effect: ["read"], tool: "^(Agent|Task)$" }, /Subagent has no effects/],
])("names %j as a matcher that can never match", (matcher, message) => {
  expect(findings(matcher)).toEqual([expect.stringMatching(message)]);
});

test.each<[FileMatcher]>([
  [{ effect: ["power", "delete"], path: ["root"] }],
  [{ effect: ["execute"], path: ["scratch"] }],
  [{ effect: ["send"], host: ["*.example.com"] }],
  [{ effect: ["delete"], path: ["scratch", "root"], notPath: ["scratch"] }],
  [{ effect: ["read"], tool: "Shell|Glob" }],
  [{ effect: ["read"], tool: "^mcp__box__" }],
  [{ tool: "^Glob$", pattern: "x" }],
])("finds nothing wrong with %j", (matcher) => {
  expect(findings(matcher)).toEqual([]);
});

test("names the one of several that can never match", () => {
  expect(findings([{ effect: ["delete"] }, { effect: ["power"], path: ["root"] }])).toEqual([
    expect.stringMatching(/^matcher.1: matcher.1 can never match/),
  ]);
});
