import { block } from "./answers.ts";
import type { Case } from "./case.ts";

/** Outcomes that a person decides about. */
export const APPROVAL_CASES: readonly Case[] = [
  {
    name: "ask without an approver blocks, with that reason",
    event: "before_tool",
    hooks: [{ name: "hook", does: { answers: { type: "ask", reason: "deploys" } } }, { name: "later" }],
    expect: { outcome: "block", action: "refuse", reason: "no approver", called: ["hook"] },
  },
  {
    name: "an approved ask lets the next hook judge",
    event: "before_tool",
    host: { approver: "approve" },
    hooks: [
      { name: "asker", does: { answers: { type: "ask", reason: "deploys" } } },
      { name: "guard", does: block() },
    ],
    expect: { outcome: "block", called: ["asker", "guard"] },
  },
  {
    name: "a rejected ask ends the dispatch",
    event: "before_tool",
    host: { approver: "reject" },
    hooks: [{ name: "asker", does: { answers: { type: "ask", reason: "deploys" } } }, { name: "later" }],
    expect: { outcome: "block", reason: "rejected", called: ["asker"] },
  },
  {
    name: "an approver's edit is a change: later hooks see it and earlier guards judge it",
    event: "before_tool",
    host: { approver: { edit: { command: "rm -rf build" } } },
    hooks: [
      { name: "guard", pattern: "rm -rf", does: block("dangerous") },
      { name: "asker", does: { answers: { type: "ask", reason: "deploys" } } },
      { name: "later" },
    ],
    expect: {
      outcome: "block",
      reason: "dangerous",
      payload: { toolInput: { command: "rm -rf build" } },
      called: ["asker", "later", "guard"],
    },
  },
  {
    name: "an approver that fails blocks",
    event: "before_tool",
    host: { approver: "throw" },
    hooks: [{ name: "asker", does: { answers: { type: "ask", reason: "deploys" } } }],
    expect: { outcome: "block", reason: "approver failed", failed: { asker: "approver_failed" } },
  },
  {
    name: "an ask that excludes the requester is blocked where nothing can check who decides",
    event: "before_tool",
    host: { approver: "approve" },
    hooks: [
      { name: "asker", does: { answers: { type: "ask", reason: "deploys", notBy: "requester" } } },
      { name: "later" },
    ],
    expect: {
      outcome: "block",
      action: "refuse",
      reason:
        "deploys (a person other than the requester must decide, and nothing here can check who decides",
      called: ["asker"],
      failed: { asker: "approver_failed" },
    },
  },
  {
    name: "an ask that excludes the requester is decided where the approver knows who decides",
    event: "before_tool",
    host: { approver: "approve", enforcesNotBy: true },
    hooks: [
      { name: "asker", does: { answers: { type: "ask", reason: "deploys", notBy: "requester" } } },
      { name: "guard", does: block() },
    ],
    expect: { outcome: "block", reason: "no", called: ["asker", "guard"] },
  },
  {
    name: "an ask that excludes a person in an unknown way is blocked, although on_error is continue",
    event: "before_tool",
    host: { approver: "approve" },
    hooks: [
      {
        name: "asker",
        onError: "continue",
        does: { answers: { type: "ask", reason: "deploys", notBy: "requestor" } },
      },
      { name: "later" },
    ],
    expect: { outcome: "block", reason: "requestor", called: ["asker"] },
  },
];
