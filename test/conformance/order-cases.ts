import { block } from "./answers.ts";
import type { Case } from "./case.ts";

/** Which hooks are called, in which order, and what their answers and failures mean. */
export const ORDER_CASES: readonly Case[] = [
  {
    name: "hooks run by priority, higher first, and ties in order of registration",
    event: "before_tool",
    hooks: [
      { name: "low", priority: -5 },
      { name: "first-of-ties" },
      { name: "second-of-ties" },
      { name: "high", priority: 10 },
    ],
    expect: { called: ["high", "first-of-ties", "second-of-ties", "low"] },
  },
  {
    name: "the first block ends the dispatch",
    event: "before_tool",
    hooks: [{ name: "a" }, { name: "b", does: block() }, { name: "c" }],
    expect: { outcome: "block", called: ["a", "b"] },
  },
  {
    name: "the first skip ends the dispatch",
    event: "before_tool",
    hooks: [{ name: "cache", does: { answers: { type: "skip", result: 7 } } }, { name: "later" }],
    expect: { outcome: "skip", result: 7, called: ["cache"] },
  },
  {
    name: "a hook that answers undefined proceeds",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: undefined } }],
    expect: { outcome: "proceed" },
  },
  {
    name: "null is not an answer, and is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: null } }],
    expect: { outcome: "block", failed: { hook: "bad_outcome" } },
  },
  {
    name: "an answer that is not an outcome is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: { decision: "deny" } } }],
    expect: { outcome: "block", failed: { hook: "bad_outcome" } },
  },
  {
    name: "a refusal without a reason still refuses",
    event: "before_tool",
    hooks: [{ name: "hook", does: { answers: { type: "block", reason: "" } } }],
    expect: { outcome: "block", reason: "no reason given" },
  },
  {
    name: "a hook that exceeds its timeout fails, and by default that blocks",
    event: "before_tool",
    hooks: [{ name: "slow", does: { hangs: true }, timeoutMs: 20 }, { name: "later" }],
    expect: { outcome: "block", action: "refuse", failed: { slow: "hook_timeout" }, called: ["slow"] },
  },
  {
    name: "a hook that exceeds its timeout with onError continue lets the next one judge",
    event: "before_tool",
    hooks: [
      { name: "slow", does: { hangs: true }, timeoutMs: 20, onError: "continue" },
      { name: "guard", does: block("judged") },
    ],
    expect: {
      outcome: "block",
      reason: "judged",
      failed: { slow: "hook_timeout" },
      called: ["slow", "guard"],
    },
  },
  {
    name: "a stop gate that fails does not keep another gate from keeping the agent running",
    event: "before_stop",
    hooks: [
      { name: "broken", does: { throws: "boom" } },
      { name: "gate", does: block("tests fail") },
    ],
    expect: {
      action: "hold",
      reason: "tests fail",
      called: ["broken", "gate"],
      failed: { broken: "hook_threw" },
    },
  },
  {
    name: "a background hook sees the action and cannot refuse it",
    event: "before_tool",
    hooks: [{ name: "watcher", mode: "background", does: block() }, { name: "sync" }],
    expect: { outcome: "proceed", called: ["sync"], observed: ["watcher"] },
  },
  {
    name: "a background hook that fails changes nothing",
    event: "before_tool",
    hooks: [{ name: "watcher", mode: "background", does: { throws: "boom" } }],
    expect: { outcome: "proceed", observed: ["watcher"] },
  },
  {
    name: "background hooks do not start after a refusal, except those with always",
    event: "before_tool",
    hooks: [
      { name: "guard", does: block() },
      { name: "watcher", mode: "background" },
      { name: "auditor", mode: "background", always: true },
    ],
    expect: { outcome: "block", observed: ["auditor"] },
  },
  {
    name: "background hooks start when the operation was skipped",
    event: "before_tool",
    hooks: [
      { name: "cache", does: { answers: { type: "skip", result: 1 } } },
      { name: "watcher", mode: "background" },
    ],
    expect: { outcome: "skip", observed: ["watcher"] },
  },
  {
    name: "a tool matcher keeps a hook from other tools",
    event: "before_tool",
    hooks: [
      { name: "exact", tool: "Shell" },
      { name: "glob", tool: "Sh*" },
      { name: "regex", tool: "/^(Shell|Bash)$/" },
      { name: "other", tool: "ReadFile" },
    ],
    expect: { called: ["exact", "glob", "regex"] },
  },
  {
    name: "a pattern is searched in each string value of the input",
    event: "before_tool",
    payload: { toolName: "WriteFile", toolInput: { file_path: "src/app.py", content: "x = 1" } },
    hooks: [
      { name: "python", tool: "WriteFile", pattern: "\\.py$" },
      { name: "javascript", tool: "WriteFile", pattern: "\\.js$" },
    ],
    expect: { called: ["python"] },
  },
  {
    name: "a cancelled dispatch stops and calls no hook",
    event: "before_tool",
    host: { cancelled: true },
    hooks: [{ name: "hook" }],
    expect: { outcome: "stop", action: "stop", reason: "cancelled", called: [] },
  },
  {
    name: "context that several hooks add arrives in order",
    event: "before_tool",
    hooks: [
      { name: "one", does: { answers: { type: "proceed", context: "first" } } },
      { name: "two", does: { answers: { type: "proceed", context: "second" } } },
    ],
    expect: { outcome: "proceed", context: ["first", "second"] },
  },
];
