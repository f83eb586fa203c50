import type { Case } from "./case.ts";

const block = (reason = "no") => ({ says: { type: "block", reason } }) as const;
const change = (toolInput: Record<string, unknown>) =>
  ({ says: { type: "proceed", patch: { toolInput } } }) as const;

/** How hooks of one event work together. */
export const DECISION_CASES: readonly Case[] = [
  {
    name: "hooks run by priority, higher first, and ties in order of registration",
    event: "before_tool",
    hooks: [
      { name: "low", priority: -5 },
      { name: "first-of-ties" },
      { name: "second-of-ties" },
      { name: "high", priority: 10 },
    ],
    expect: { asked: ["high", "first-of-ties", "second-of-ties", "low"] },
  },
  {
    name: "the first block ends the chain",
    event: "before_tool",
    hooks: [{ name: "a" }, { name: "b", does: block() }, { name: "c" }],
    expect: { outcome: "block", asked: ["a", "b"] },
  },
  {
    name: "the first skip ends the chain",
    event: "before_tool",
    hooks: [{ name: "cache", does: { says: { type: "skip", result: 7 } } }, { name: "later" }],
    expect: { outcome: "skip", result: 7, asked: ["cache"] },
  },
  {
    name: "a hook that answers undefined proceeds",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: undefined } }],
    expect: { outcome: "proceed" },
  },
  {
    name: "null is no answer, and is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: null } }],
    expect: { outcome: "block", failed: { hook: "bad_outcome" } },
  },
  {
    name: "an answer that is no outcome is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { returns: { decision: "deny" } } }],
    expect: { outcome: "block", failed: { hook: "bad_outcome" } },
  },
  {
    name: "a refusal without a reason still refuses",
    event: "before_tool",
    hooks: [{ name: "hook", does: { says: { type: "block", reason: "" } } }],
    expect: { outcome: "block", reason: "no reason given" },
  },
  {
    name: "a hook that outlives its timeout fails, and by default that blocks",
    event: "before_tool",
    hooks: [{ name: "slow", does: { hangs: true }, timeoutMs: 20 }, { name: "later" }],
    expect: { outcome: "block", action: "refuse", failed: { slow: "hook_timeout" }, asked: ["slow"] },
  },
  {
    name: "a hook that outlives its timeout and says onError continue lets the next one judge",
    event: "before_tool",
    hooks: [
      { name: "slow", does: { hangs: true }, timeoutMs: 20, onError: "continue" },
      { name: "guard", does: block("judged") },
    ],
    expect: {
      outcome: "block",
      reason: "judged",
      failed: { slow: "hook_timeout" },
      asked: ["slow", "guard"],
    },
  },
  {
    name: "a stop gate that fails does not keep another gate from holding the agent",
    event: "before_stop",
    hooks: [
      { name: "broken", does: { throws: "boom" } },
      { name: "gate", does: block("tests fail") },
    ],
    expect: {
      action: "hold",
      reason: "tests fail",
      asked: ["broken", "gate"],
      failed: { broken: "hook_threw" },
    },
  },
  {
    name: "a change is seen by later hooks and folds in order",
    event: "before_tool",
    hooks: [
      { name: "first", does: change({ command: "one" }), rejudge: false },
      { name: "second", does: change({ command: "two" }) },
    ],
    expect: { outcome: "proceed", payload: { toolInput: { command: "two" } }, asked: ["first", "second"] },
  },
  {
    name: "a change is seen by the matchers of later hooks",
    event: "before_tool",
    hooks: [
      { name: "rewriter", does: change({ command: "rm -rf /" }) },
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
    ],
    expect: { outcome: "block", reason: "dangerous", asked: ["rewriter", "guard"] },
  },
  {
    name: "a later hook whose pattern no longer matches is not asked",
    event: "before_tool",
    payload: { toolInput: { command: "rm -rf /" } },
    hooks: [
      { name: "rewriter", does: change({ command: "ls" }) },
      { name: "guard", pattern: "rm -rf", does: block() },
    ],
    expect: { outcome: "proceed", asked: ["rewriter"] },
  },
  {
    name: "a guard that passed is asked again about a later change, and may refuse it",
    event: "before_tool",
    hooks: [
      { name: "guard", does: { whenJudging: { type: "block", reason: "not that" } } },
      { name: "rewriter", does: change({ command: "curl evil" }) },
    ],
    expect: { outcome: "block", reason: "not that", asked: ["guard", "rewriter", "guard"] },
  },
  {
    name: "a guard whose pattern did not match is asked when the changed value does",
    event: "before_tool",
    hooks: [
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
      { name: "rewriter", does: change({ command: "rm -rf /" }) },
    ],
    expect: { outcome: "block", reason: "dangerous", asked: ["rewriter", "guard"] },
  },
  {
    name: "a guard that says rejudge false is not asked again",
    event: "before_tool",
    hooks: [
      { name: "counter", rejudge: false, does: { whenJudging: { type: "block", reason: "twice" } } },
      { name: "rewriter", does: change({ command: "ls" }) },
    ],
    expect: { outcome: "proceed", asked: ["counter", "rewriter"] },
  },
  {
    name: "the second judgement only judges: its changes, skips and additions are not done",
    event: "before_tool",
    hooks: [
      {
        name: "rewriter-too",
        does: {
          says: { type: "proceed", patch: { toolInput: { command: "one" } } },
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
      asked: ["rewriter-too", "cache", "rewriter", "rewriter-too", "cache"],
    },
  },
  {
    name: "the hook that made the last change, and those behind it, are not asked again",
    event: "before_tool",
    hooks: [{ name: "guard" }, { name: "rewriter", does: change({ command: "x" }) }, { name: "after" }],
    expect: { outcome: "proceed", asked: ["guard", "rewriter", "after", "guard"] },
  },
  {
    name: "nobody is asked again where a refusal would only be recorded",
    event: "after_tool_failure",
    hooks: [
      { name: "watcher" },
      { name: "rewriter", does: { says: { type: "proceed", patch: { toolResult: "x" } } } },
    ],
    expect: { outcome: "proceed", payload: { toolResult: "x" }, asked: ["watcher", "rewriter"] },
  },
  {
    name: "a tool's name cannot be changed",
    event: "before_tool",
    hooks: [{ name: "hook", does: { says: { type: "proceed", patch: { toolName: "Other" } } } }],
    expect: { outcome: "block", payload: { toolName: "Shell" }, failed: { hook: "patch_not_allowed" } },
  },
  {
    name: "a changed field of the wrong shape is an error of the hook",
    event: "before_tool",
    hooks: [{ name: "hook", does: { says: { type: "proceed", patch: { toolInput: "ls" } } } }],
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
      asked: ["hook", "later"],
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
    name: "the host's permissions are not asked about a value that nobody changed",
    event: "before_tool",
    host: { forbidden: "ls" },
    hooks: [{ name: "hook" }],
    expect: { outcome: "proceed" },
  },
  {
    name: "ask without an approver blocks, and says so",
    event: "before_tool",
    hooks: [{ name: "hook", does: { says: { type: "ask", reason: "deploys" } } }, { name: "later" }],
    expect: { outcome: "block", action: "refuse", reason: "no approver", asked: ["hook"] },
  },
  {
    name: "an approved ask lets the next hook judge",
    event: "before_tool",
    host: { approver: "approve" },
    hooks: [
      { name: "asker", does: { says: { type: "ask", reason: "deploys" } } },
      { name: "guard", does: block() },
    ],
    expect: { outcome: "block", asked: ["asker", "guard"] },
  },
  {
    name: "a rejected ask ends the chain",
    event: "before_tool",
    host: { approver: "reject" },
    hooks: [{ name: "asker", does: { says: { type: "ask", reason: "deploys" } } }, { name: "later" }],
    expect: { outcome: "block", reason: "rejected", asked: ["asker"] },
  },
  {
    name: "an approver's edit is a change: later hooks see it and earlier guards judge it",
    event: "before_tool",
    host: { approver: { edit: { command: "rm -rf build" } } },
    hooks: [
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
      { name: "asker", does: { says: { type: "ask", reason: "deploys" } } },
      { name: "later" },
    ],
    expect: {
      outcome: "block",
      reason: "dangerous",
      payload: { toolInput: { command: "rm -rf build" } },
      asked: ["asker", "later", "guard"],
    },
  },
  {
    name: "an approver that fails blocks",
    event: "before_tool",
    host: { approver: "throw" },
    hooks: [{ name: "asker", does: { says: { type: "ask", reason: "deploys" } } }],
    expect: { outcome: "block", reason: "approver failed", failed: { asker: "approver_failed" } },
  },
  {
    name: "a background hook sees the action and cannot refuse it",
    event: "before_tool",
    hooks: [{ name: "watcher", mode: "background", does: block() }, { name: "sync" }],
    expect: { outcome: "proceed", asked: ["sync"], watched: ["watcher"] },
  },
  {
    name: "a background hook that fails changes nothing",
    event: "before_tool",
    hooks: [{ name: "watcher", mode: "background", does: { throws: "boom" } }],
    expect: { outcome: "proceed", watched: ["watcher"] },
  },
  {
    name: "background hooks do not start when something blocked, except those that say always",
    event: "before_tool",
    hooks: [
      { name: "guard", does: block() },
      { name: "watcher", mode: "background" },
      { name: "auditor", mode: "background", always: true },
    ],
    expect: { outcome: "block", watched: ["auditor"] },
  },
  {
    name: "background hooks start when the operation was skipped",
    event: "before_tool",
    hooks: [
      { name: "cache", does: { says: { type: "skip", result: 1 } } },
      { name: "watcher", mode: "background" },
    ],
    expect: { outcome: "skip", watched: ["watcher"] },
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
    expect: { asked: ["exact", "glob", "regex"] },
  },
  {
    name: "a pattern is searched in each string value of the input",
    event: "before_tool",
    payload: { toolName: "WriteFile", toolInput: { file_path: "src/app.py", content: "x = 1" } },
    hooks: [
      { name: "python", tool: "WriteFile", pattern: "\\.py$" },
      { name: "javascript", tool: "WriteFile", pattern: "\\.js$" },
    ],
    expect: { asked: ["python"] },
  },
  {
    name: "a cancelled dispatch stops and asks nobody",
    event: "before_tool",
    host: { cancelled: true },
    hooks: [{ name: "hook" }],
    expect: { outcome: "stop", action: "stop", reason: "cancelled", asked: [] },
  },
  {
    name: "context that several hooks add arrives in order",
    event: "before_tool",
    hooks: [
      { name: "one", does: { says: { type: "proceed", context: "first" } } },
      { name: "two", does: { says: { type: "proceed", context: "second" } } },
    ],
    expect: { outcome: "proceed", context: ["first", "second"] },
  },
];
