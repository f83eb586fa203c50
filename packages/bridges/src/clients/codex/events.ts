import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** A key that Codex does not know makes it ignore the whole answer, so every object here is exactly what it declares. */
const BLOCK: Capability = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Capability = { ...forms.CONTEXT, evidence: "measured" };

const NOTE: NoteCapability = { ...forms.NOTE, seen: "terminal", evidence: "measured" };

export const CODEX_EVENTS = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT, note: NOTE } },
  // It is given a second by default, and three at the most.
  SessionEnd: { events: ["session_end"], capabilities: {}, timeout: { default: 1_000, asked: 3_000 } },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: { block: BLOCK, context: { ...CONTEXT, evidence: "live" }, note: NOTE },
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    capabilities: {
      block: { ...forms.DENY, evidence: "live" },
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "live" },
      context: CONTEXT,
      note: NOTE,
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    capabilities: { blockAfter: { ...BLOCK, withholds: false }, context: CONTEXT, note: NOTE },
  },
  Stop: {
    events: ["before_stop", "after_agent"],
    capabilities: { block: { ...BLOCK, evidence: "live" }, note: NOTE },
  },
  SubagentStart: { events: [], capabilities: {} },
  SubagentStop: {
    events: ["subagent_stop"],
    capabilities: { block: { ...BLOCK, evidence: "source" }, note: { ...NOTE, evidence: "source" } },
  },
  PreCompact: { events: ["pre_compact"], capabilities: { note: { ...NOTE, evidence: "source" } } },
  PostCompact: { events: [], capabilities: {} },
  PermissionRequest: {
    events: ["permission_request"],
    matcher: "*",
    capabilities: {
      block: { ...forms.DENY_REQUEST, evidence: "source" },
      note: { ...NOTE, evidence: "source" },
    },
  },
} as const satisfies Record<string, NativeEvent>;
