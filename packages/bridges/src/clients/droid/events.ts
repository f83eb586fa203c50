import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

const BLOCK: Capability = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Capability = { ...forms.CONTEXT, evidence: "measured" };

/** droid shows this after a tool and as it stops; at its other events it only writes it into its log. */
const NOTE: NoteCapability = { ...forms.NOTE, seen: "terminal", evidence: "source" };

export const DROID_EVENTS = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT } },
  SessionEnd: { events: ["session_end"], capabilities: {} },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: { block: { ...BLOCK, evidence: "documented" } },
    lost: "not delivered by droid exec",
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    capabilities: {
      // The decision "block" that its documentation names is ignored here; the permission decision is not.
      block: { ...forms.DENY, evidence: "measured" },
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "measured" },
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    capabilities: { blockAfter: { ...BLOCK, withholds: false }, context: CONTEXT, note: NOTE },
  },
  Stop: { events: ["before_stop", "after_agent"], capabilities: { block: BLOCK, note: NOTE } },
  SubagentStop: { events: ["subagent_stop"], capabilities: { block: { ...BLOCK, evidence: "documented" } } },
  PreCompact: { events: ["pre_compact"], capabilities: {} },
  Notification: { events: ["notification"], capabilities: {} },
} as const satisfies Record<string, NativeEvent>;
