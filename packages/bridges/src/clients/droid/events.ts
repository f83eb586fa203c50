import type { NotePower, Power } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

const BLOCK: Power = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Power = { ...forms.CONTEXT, evidence: "measured" };

/** droid shows this after a tool and as it stops; at its other events it only writes it into its log. */
const NOTE: NotePower = { ...forms.NOTE, seen: "terminal", evidence: "source" };

export const DROID_EVENTS = {
  SessionStart: { events: ["session_start"], powers: { context: CONTEXT } },
  SessionEnd: { events: ["session_end"], powers: {} },
  UserPromptSubmit: {
    events: ["before_agent"],
    powers: { block: { ...BLOCK, evidence: "documented" } },
    lost: "not delivered by droid exec",
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    powers: {
      // The decision "block" that its documentation names is ignored here; the permission decision is not.
      block: { ...forms.DENY, evidence: "measured" },
      rewrite: { ...forms.ALLOW_CHANGED, approves: true, takes: "whole", evidence: "measured" },
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    powers: { blockAfter: { ...BLOCK, withholds: false }, context: CONTEXT, note: NOTE },
  },
  Stop: { events: ["before_stop", "after_agent"], powers: { block: BLOCK, note: NOTE } },
  SubagentStop: { events: ["subagent_stop"], powers: { block: { ...BLOCK, evidence: "documented" } } },
  PreCompact: { events: ["pre_compact"], powers: {} },
  Notification: { events: ["notification"], powers: {} },
} as const satisfies Record<string, NativeEvent>;
