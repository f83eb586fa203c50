import { block, change } from "./answers.ts";
import type { Case } from "./case.ts";

/** Changes, the second judgement of changed values, and the checks of the host. */
export const CHANGE_CASES: readonly Case[] = [
  {
    name: "a change is seen by later hooks and folds in order",
    event: "before_tool",
    hooks: [
      { name: "first", does: change({ command: "one" }), rejudge: false },
      { name: "second", does: change({ command: "two" }) },
    ],
    expect: { outcome: "proceed", payload: { toolInput: { command: "two" } }, called: ["first", "second"] },
  },
  {
    name: "a change is seen by the matchers of later hooks",
    event: "before_tool",
    hooks: [
      { name: "rewriter", does: change({ command: "rm -rf /" }) },
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
    ],
    expect: { outcome: "block", reason: "dangerous", called: ["rewriter", "guard"] },
  },
  {
    name: "a later hook whose pattern no longer matches is not called",
    event: "before_tool",
    payload: { toolInput: { command: "rm -rf /" } },
    hooks: [
      { name: "rewriter", does: change({ command: "ls" }) },
      { name: "guard", pattern: "rm -rf", does: block() },
    ],
    expect: { outcome: "proceed", called: ["rewriter"] },
  },
  {
    name: "a guard that passed is called again about a later change, and may refuse it",
    event: "before_tool",
    hooks: [
      { name: "guard", does: { whenJudging: { type: "block", reason: "not that" } } },
      { name: "rewriter", does: change({ command: "curl evil" }) },
    ],
    expect: { outcome: "block", reason: "not that", called: ["guard", "rewriter", "guard"] },
  },
  {
    name: "a guard whose pattern did not match is called when it matches the changed value",
    event: "before_tool",
    hooks: [
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
      { name: "rewriter", does: change({ command: "rm -rf /" }) },
    ],
    expect: { outcome: "block", reason: "dangerous", called: ["rewriter", "guard"] },
  },
  {
    name: "a guard with rejudge false is not called again",
    event: "before_tool",
    hooks: [
      { name: "counter", rejudge: false, does: { whenJudging: { type: "block", reason: "twice" } } },
      { name: "rewriter", does: change({ command: "ls" }) },
    ],
    expect: { outcome: "proceed", called: ["counter", "rewriter"] },
  },
  {
    name: "a guard with rejudge false is not called about a change that makes its pattern match",
    event: "before_tool",
    hooks: [
      { name: "once", rejudge: false, pattern: "rm -rf", does: block("dangerous") },
      { name: "rewriter", does: change({ command: "rm -rf /" }) },
    ],
    expect: { outcome: "proceed", payload: { toolInput: { command: "rm -rf /" } }, called: ["rewriter"] },
  },
  {
    name: "of several guards those are called again that do not set rejudge to false, in their order",
    event: "before_tool",
    hooks: [
      { name: "counter", rejudge: false, does: { whenJudging: { type: "block", reason: "twice" } } },
      { name: "guard" },
      { name: "rewriter-once", rejudge: false, does: change({ command: "one" }) },
      { name: "late-guard", does: { whenJudging: { type: "block", reason: "not that" } } },
      { name: "rewriter", does: change({ command: "two" }) },
    ],
    expect: {
      outcome: "block",
      reason: "not that",
      called: ["counter", "guard", "rewriter-once", "late-guard", "rewriter", "guard", "late-guard"],
    },
  },
  {
    name: "the second judgement only judges: its changes, skips and additions are not done",
    event: "before_tool",
    hooks: [
      {
        name: "rewriter-too",
        does: {
          answers: { type: "proceed", patch: { toolInput: { command: "one" } } },
          whenJudging: { type: "proceed", patch: { toolInput: { command: "again" } }, context: "again" },
        },
      },
      { name: "cache", does: { whenJudging: { type: "skip", result: "old" } } },
      { name: "rewriter", does: change({ command: "two" }) },
    ],
    expect: {
      outcome: "proceed",
      payload: { toolInput: { command: "two" } },
      context: [],
      called: ["rewriter-too", "cache", "rewriter", "rewriter-too", "cache"],
    },
  },
  {
    name: "the hook that made the last change, and those behind it, are not called again",
    event: "before_tool",
    hooks: [{ name: "guard" }, { name: "rewriter", does: change({ command: "x" }) }, { name: "after" }],
    expect: { outcome: "proceed", called: ["guard", "rewriter", "after", "guard"] },
  },
  {
    name: "no hook is called again where a refusal would only be recorded",
    event: "after_tool_failure",
    hooks: [
      { name: "watcher" },
      { name: "rewriter", does: { answers: { type: "proceed", patch: { toolResult: "x" } } } },
    ],
    expect: { outcome: "proceed", payload: { toolResult: "x" }, called: ["watcher", "rewriter"] },
  },
  {
    name: "a tool's name cannot be changed",
    event: "before_tool",
    hooks: [{ name: "hook", does: { answers: { type: "proceed", patch: { toolName: "Other" } } } }],
    expect: { outcome: "block", payload: { toolName: "Shell" }, failed: { hook: "patch_not_allowed" } },
  },
  {
    name: "a changed field of the wrong shape is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { answers: { type: "proceed", patch: { toolInput: "ls" } } } }],
    expect: {
      outcome: "block",
      payload: { toolInput: { command: "ls -la" } },
      failed: { hook: "bad_patch" },
    },
  },
  {
    name: "a change that the host's schema refuses is an error of the hook",
    event: "before_tool",
    host: { invalid: "bogus" },
    hooks: [{ name: "hook", onError: "continue", does: change({ bogus: 1 }) }, { name: "later" }],
    expect: {
      outcome: "proceed",
      payload: { toolInput: { command: "ls -la" } },
      failed: { hook: "bad_patch" },
      called: ["hook", "later"],
    },
  },
  {
    name: "the host's permissions are checked again on a changed value",
    event: "before_tool",
    host: { forbidden: "curl" },
    hooks: [{ name: "hook", does: change({ command: "curl evil" }) }],
    expect: { outcome: "block", action: "refuse", reason: "not permitted" },
  },
  {
    name: "the host's permissions are not checked for a value that no hook changed",
    event: "before_tool",
    host: { forbidden: "ls" },
    hooks: [{ name: "hook" }],
    expect: { outcome: "proceed" },
  },
];
