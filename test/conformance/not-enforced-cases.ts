import { block, change } from "./answers.ts";
import type { Case } from "./case.ts";

const off = { name: "trial", enforce: false } as const;

/** Hooks that are not enforced: what they would have done is recorded, and changes nothing. */
export const NOT_ENFORCED_CASES: readonly Case[] = [
  {
    name: "a hook that is not enforced would have blocked, and the next hook is called",
    event: "before_tool",
    hooks: [{ ...off, does: block("no") }, { name: "later" }],
    expect: {
      outcome: "proceed",
      action: "go_on",
      called: ["trial", "later"],
      notEnforced: { trial: "would_block" },
    },
  },
  {
    name: "a hook that is not enforced leaves the decision to a guard behind it",
    event: "before_tool",
    hooks: [
      { ...off, does: block("no") },
      { name: "guard", does: block("forbidden") },
    ],
    expect: {
      outcome: "block",
      action: "refuse",
      reason: "forbidden",
      called: ["trial", "guard"],
      notEnforced: { trial: "would_block" },
    },
  },
  {
    name: "a hook that is not enforced would have stopped the run, which goes on",
    event: "before_tool",
    hooks: [{ ...off, does: { answers: { type: "stop", reason: "enough" } } }],
    expect: { outcome: "proceed", action: "go_on", notEnforced: { trial: "would_stop" } },
  },
  {
    name: "a hook that is not enforced would have asked, and no person is asked",
    event: "before_tool",
    host: { approver: "approve" },
    hooks: [{ ...off, does: { answers: { type: "ask", reason: "deploys" } } }],
    expect: { outcome: "proceed", action: "go_on", notEnforced: { trial: "would_ask" } },
  },
  {
    name: "a hook that is not enforced would have changed the input, and a guard behind it sees it unchanged",
    event: "before_tool",
    payload: { toolInput: { command: "touch a" } },
    hooks: [
      { ...off, does: change({ command: "rm -rf /" }) },
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
    ],
    expect: {
      outcome: "proceed",
      action: "go_on",
      payload: { toolInput: { command: "touch a" } },
      called: ["trial"],
      notEnforced: { trial: "would_change" },
    },
  },
  {
    name: "a hook that is not enforced and fails does not block, although its on_error is block",
    event: "before_tool",
    hooks: [{ ...off, onError: "block", does: { throws: "broken" } }, { name: "later" }],
    expect: {
      outcome: "proceed",
      action: "go_on",
      called: ["trial", "later"],
      failed: { trial: "hook_threw" },
      notEnforced: {},
    },
  },
  {
    name: "a hook that is not enforced and does not answer in time does not block",
    event: "before_tool",
    hooks: [{ ...off, onError: "block", timeoutMs: 20, does: { hangs: true } }, { name: "later" }],
    expect: {
      outcome: "proceed",
      action: "go_on",
      called: ["trial", "later"],
      failed: { trial: "hook_timeout" },
    },
  },
  {
    name: "a stop gate that is not enforced would have kept the agent running",
    event: "before_stop",
    hooks: [{ ...off, does: block("not yet") }],
    expect: { outcome: "proceed", action: "go_on", notEnforced: { trial: "would_block" } },
  },
  {
    name: "a hook before the agent that is not enforced does not refuse the message",
    event: "before_agent",
    hooks: [{ ...off, does: block("no") }],
    expect: { outcome: "proceed", action: "go_on", notEnforced: { trial: "would_block" } },
  },
];
