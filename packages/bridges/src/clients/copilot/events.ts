import type { AfterPower, NotePower, Power, Powers } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** Copilot shows the model the reason in the JSON, and not the one on stderr. */
const BEFORE_TOOL: Powers = {
  block: {
    exit: 2,
    stderr: "$reason",
    stdout: { permissionDecision: "deny", permissionDecisionReason: "$reason" },
    evidence: "measured",
  },
  rewrite: {
    exit: 0,
    stdout: { permissionDecision: "allow", permissionDecisionReason: "$reason", modifiedArgs: "$input" },
    approves: true,
    takes: "whole",
    evidence: "measured",
  },
};

const CONTEXT: Power = { exit: 0, stdout: { additionalContext: "$context" }, evidence: "measured" };

/** Copilot shows such lines at every event, and reads the rest of the output as the answer. */
const NOTE: NotePower = {
  exit: 0,
  stdout: { type: "progress", message: "$note" },
  isOwnLine: true,
  seen: "everywhere",
  evidence: "measured",
};

const BLOCK_AFTER: AfterPower = {
  exit: 0,
  stderr: "$reason",
  stdout: { additionalContext: "$reason" },
  withholds: false,
  evidence: "measured",
};

/** Exit 2 does nothing at a prompt or a stop; the decision in the JSON does. */
const DECIDED: Power = {
  exit: 0,
  stderr: "$reason",
  stdout: { decision: "block", reason: "$reason" },
  evidence: "measured",
};

const BEFORE = { events: ["before_tool"], powers: { ...BEFORE_TOOL, context: CONTEXT, note: NOTE } } as const;
const AFTER = {
  events: ["after_tool"],
  powers: { blockAfter: BLOCK_AFTER, context: CONTEXT, note: NOTE },
} as const;

/** The names that switch payloads to snake_case; `install` uses these, because a prompt was measured to be refused only there. */
const PASCAL = {
  SessionStart: { events: ["session_start"], powers: { context: CONTEXT, note: NOTE } },
  SessionEnd: { events: ["session_end"], powers: { note: NOTE } },
  UserPromptSubmit: { events: ["before_agent"], powers: { block: DECIDED, context: CONTEXT, note: NOTE } },
  PreToolUse: {
    ...BEFORE,
    powers: {
      ...BEFORE.powers,
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "measured" },
    },
  },
  PostToolUse: AFTER,
  PostToolUseFailure: { events: ["after_tool_failure"], powers: {} },
  Stop: { events: ["before_stop", "after_agent"], powers: { block: DECIDED, note: NOTE }, stopLimit: 8 },
  SubagentStart: { events: [], powers: {} },
  SubagentStop: { events: ["subagent_stop"], powers: { block: { ...DECIDED, evidence: "documented" } } },
  PreCompact: { events: ["pre_compact"], powers: {} },
  Notification: { events: ["notification"], powers: {} },
} as const satisfies Record<string, NativeEvent>;

/** The client's first names. Their payloads do not say which event they are. */
const CAMEL = {
  sessionStart: { ...PASCAL.SessionStart, isInstalled: false },
  sessionEnd: { ...PASCAL.SessionEnd, isInstalled: false },
  userPromptSubmitted: {
    events: ["before_agent"],
    powers: { context: CONTEXT, note: NOTE },
    isInstalled: false,
  },
  preToolUse: { ...BEFORE, isInstalled: false },
  postToolUse: { ...AFTER, isInstalled: false },
  postToolUseFailure: { ...PASCAL.PostToolUseFailure, isInstalled: false },
  agentStop: { ...PASCAL.Stop, isInstalled: false },
  subagentStart: { events: [], powers: {} },
  subagentStop: { ...PASCAL.SubagentStop, isInstalled: false },
  preCompact: { ...PASCAL.PreCompact, isInstalled: false },
  errorOccurred: { events: ["on_error"], powers: {} },
  // Its payload stays in camelCase however it was configured.
  permissionRequest: {
    events: ["permission_request"],
    powers: {
      block: {
        exit: 0,
        stderr: "$reason",
        stdout: { behavior: "deny", message: "$reason" },
        evidence: "documented",
      },
      note: NOTE,
    },
  },
  notification: { ...PASCAL.Notification, isInstalled: false },
} as const satisfies Record<string, NativeEvent>;

export const COPILOT_EVENTS = { ...PASCAL, ...CAMEL };

/** Claude Code's name of an event, which stands in Claude's configuration that Copilot reads too. */
export const COPILOT_ALIASES = { PermissionRequest: "permissionRequest" } as const;
