import type { AfterCapability, Capabilities, Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** Copilot shows the model the reason in the JSON, and not the one on stderr. */
const BEFORE_TOOL: Capabilities = {
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

const CONTEXT: Capability = { exit: 0, stdout: { additionalContext: "$context" }, evidence: "measured" };

/** Copilot shows such lines at every event, and reads the rest of the output as the answer. */
const NOTE: NoteCapability = {
  exit: 0,
  stdout: { type: "progress", message: "$note" },
  isOwnLine: true,
  seen: "everywhere",
  evidence: "measured",
};

const BLOCK_AFTER: AfterCapability = {
  exit: 0,
  stderr: "$reason",
  stdout: { additionalContext: "$reason" },
  withholds: false,
  evidence: "measured",
};

/** Exit 2 does nothing at a prompt or a stop; the decision in the JSON does. */
const DECIDED: Capability = {
  exit: 0,
  stderr: "$reason",
  stdout: { decision: "block", reason: "$reason" },
  evidence: "measured",
};

const BEFORE = {
  events: ["before_tool"],
  capabilities: { ...BEFORE_TOOL, context: CONTEXT, note: NOTE },
} as const;
const AFTER = {
  events: ["after_tool"],
  capabilities: { blockAfter: BLOCK_AFTER, context: CONTEXT, note: NOTE },
} as const;

/** The names that switch payloads to snake_case; `install` uses these, because a prompt was measured to be refused only there. */
const PASCAL = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT, note: NOTE } },
  SessionEnd: { events: ["session_end"], capabilities: { note: NOTE } },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: { block: DECIDED, context: CONTEXT, note: NOTE },
  },
  PreToolUse: {
    ...BEFORE,
    capabilities: {
      ...BEFORE.capabilities,
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "measured" },
    },
  },
  PostToolUse: AFTER,
  PostToolUseFailure: { events: ["after_tool_failure"], capabilities: {} },
  Stop: {
    events: ["before_stop", "after_agent"],
    capabilities: { block: DECIDED, note: NOTE },
    stopLimit: 8,
  },
  SubagentStart: { events: [], capabilities: {} },
  SubagentStop: {
    events: ["subagent_stop"],
    capabilities: { block: { ...DECIDED, evidence: "documented" } },
  },
  PreCompact: { events: ["pre_compact"], capabilities: {} },
  Notification: { events: ["notification"], capabilities: {} },
} as const satisfies Record<string, NativeEvent>;

/** The client's first names. Their payloads do not say which event they are. */
const CAMEL = {
  sessionStart: { ...PASCAL.SessionStart, isInstalled: false },
  sessionEnd: { ...PASCAL.SessionEnd, isInstalled: false },
  userPromptSubmitted: {
    events: ["before_agent"],
    capabilities: { context: CONTEXT, note: NOTE },
    isInstalled: false,
  },
  preToolUse: { ...BEFORE, isInstalled: false },
  postToolUse: { ...AFTER, isInstalled: false },
  postToolUseFailure: { ...PASCAL.PostToolUseFailure, isInstalled: false },
  agentStop: { ...PASCAL.Stop, isInstalled: false },
  subagentStart: { events: [], capabilities: {} },
  subagentStop: { ...PASCAL.SubagentStop, isInstalled: false },
  preCompact: { ...PASCAL.PreCompact, isInstalled: false },
  errorOccurred: { events: ["on_error"], capabilities: {} },
  // Its payload stays in camelCase however it was configured.
  permissionRequest: {
    events: ["permission_request"],
    capabilities: {
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
