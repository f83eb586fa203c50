import type { AnswerForm } from "./answers.ts";

/**
 * The answers that Claude Code reads. Other clients adopted some of them; each client's own folder has those that it honours, and how
 * that is known.
 */

/** Refuses a prompt, or keeps an agent running that is about to stop. The JSON has the same meaning as exit 2, for a version that reads it first. */
export const BLOCK = {
  exit: 2,
  stderr: "$reason",
  stdout: { decision: "block", reason: "$reason" },
} as const satisfies AnswerForm;

/** Refuses a call of a tool. */
export const DENY = {
  exit: 2,
  stderr: "$reason",
  stdout: {
    hookSpecificOutput: {
      hookEventName: "$event",
      permissionDecision: "deny",
      permissionDecisionReason: "$reason",
    },
  },
} as const satisfies AnswerForm;

/** Refuses a call that the person is about to be asked about. */
export const DENY_REQUEST = {
  exit: 2,
  stderr: "$reason",
  stdout: {
    hookSpecificOutput: { hookEventName: "$event", decision: { behavior: "deny", message: "$reason" } },
  },
} as const satisfies AnswerForm;

/** Asks the person about a call, with the input that hooks changed. */
export const ASK = {
  exit: 0,
  stdout: {
    hookSpecificOutput: {
      hookEventName: "$event",
      permissionDecision: "ask",
      permissionDecisionReason: "$reason",
      updatedInput: "$input",
    },
  },
} as const satisfies AnswerForm;

/** Changes the input of a call, and approves it. */
export const ALLOW_CHANGED = {
  exit: 0,
  stdout: {
    hookSpecificOutput: {
      hookEventName: "$event",
      permissionDecision: "allow",
      permissionDecisionReason: "$reason",
      updatedInput: "$input",
    },
  },
} as const satisfies AnswerForm;

/** Adds text for the model. */
export const CONTEXT = {
  exit: 0,
  stdout: { hookSpecificOutput: { hookEventName: "$event", additionalContext: "$context" } },
} as const satisfies AnswerForm;

/** Gives the model a reason where exit 2 would not. */
export const REASON_AS_CONTEXT = {
  exit: 0,
  stderr: "$reason",
  stdout: { hookSpecificOutput: { hookEventName: "$event", additionalContext: "$reason" } },
} as const satisfies AnswerForm;

/** Shows text to the person. */
export const NOTE = { exit: 0, stdout: { systemMessage: "$note" } } as const satisfies AnswerForm;
