import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** Exit 2 blocks whatever is printed; the JSON has the same meaning for a version that reads it first. */
const BLOCK: Capability = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Capability = { ...forms.CONTEXT, evidence: "measured" };

const NOTE: NoteCapability = { ...forms.NOTE, seen: "terminal", evidence: "measured" };

/** Without a terminal, Claude Code prints one thing of hooks: the standard error of one that fails as the session ends. */
const NOTE_AT_END: NoteCapability = { exit: 2, stderr: "$note", seen: "everywhere", evidence: "measured" };

export const CLAUDE_EVENTS = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT, note: NOTE } },
  SessionEnd: { events: ["session_end"], capabilities: { note: NOTE_AT_END } },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: { block: BLOCK, context: { ...CONTEXT, evidence: "live" }, note: NOTE },
    timeout: { default: 30_000 },
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    capabilities: {
      block: { ...forms.DENY, evidence: "live" },
      ask: { ...forms.ASK, carriesInput: true, evidence: "documented" },
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "measured" },
      context: CONTEXT,
      note: NOTE,
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    capabilities: {
      blockAfter: { ...BLOCK, withholds: false },
      context: CONTEXT,
      note: NOTE,
    },
  },
  PostToolUseFailure: {
    events: ["after_tool_failure"],
    matcher: "*",
    capabilities: { note: { ...NOTE, evidence: "documented" } },
  },
  Stop: {
    events: ["before_stop", "after_agent"],
    capabilities: { block: { ...BLOCK, evidence: "live" }, note: NOTE },
    stopLimit: 8,
  },
  StopFailure: { events: ["agent_failed"], capabilities: {} },
  // A delegation is checked as the call of the tool that starts it, where it can still be refused.
  SubagentStart: { events: [], capabilities: {} },
  SubagentStop: {
    events: ["subagent_stop"],
    capabilities: { block: { ...BLOCK, evidence: "documented" } },
    stopLimit: 8,
  },
  PreCompact: { events: ["pre_compact"], capabilities: {} },
  // The call was checked as PreToolUse. Unless a hook refuses this too, Claude Code asks the person.
  PermissionRequest: {
    events: ["permission_request"],
    matcher: "*",
    capabilities: { block: { ...forms.DENY_REQUEST, evidence: "documented" } },
  },
  Notification: { events: ["notification"], capabilities: {} },
} as const satisfies Record<string, NativeEvent>;
