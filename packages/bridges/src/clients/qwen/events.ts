import type { NotePower, Power } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

const BLOCK: Power = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Power = { ...forms.CONTEXT, evidence: "measured" };

/** Qwen Code shows this as it stops, and at no other event. */
const NOTE: NotePower = { ...forms.NOTE, seen: "everywhere", evidence: "measured" };

export const QWEN_EVENTS = {
  SessionStart: { events: ["session_start"], powers: { context: CONTEXT } },
  SessionEnd: { events: ["session_end"], powers: {}, lost: "not delivered when Qwen Code runs headless" },
  UserPromptSubmit: {
    events: ["before_agent"],
    // Fired again, with an empty prompt, for every turn that only hands back results of tools.
    ignoredWhen: [
      { path: "prompt", is: "empty" },
      { path: "submitted_prompt", is: "absent" },
    ],
    powers: { block: BLOCK, context: CONTEXT },
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    powers: {
      block: { ...forms.DENY, evidence: "measured" },
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    powers: {
      // Exit 2 does not reach the model here; added context does.
      blockAfter: { ...forms.REASON_AS_CONTEXT, withholds: false, evidence: "measured" },
      context: CONTEXT,
    },
  },
  PostToolUseFailure: { events: ["after_tool_failure"], matcher: "*", powers: {} },
  // Version 0.15 sets stop_hook_active on the first Stop already, so the bridge counts for itself.
  Stop: { events: ["before_stop", "after_agent"], powers: { block: BLOCK, note: NOTE }, stopLimit: 8 },
  StopFailure: { events: ["agent_failed"], powers: {} },
  SubagentStart: { events: [], powers: {} },
  SubagentStop: {
    events: ["subagent_stop"],
    powers: { block: { ...BLOCK, evidence: "source" } },
    stopLimit: 8,
  },
  PreCompact: { events: ["pre_compact"], powers: {} },
  PermissionRequest: {
    events: ["permission_request"],
    matcher: "*",
    powers: { block: { ...forms.DENY_REQUEST, evidence: "documented" } },
  },
  Notification: { events: ["notification"], powers: {} },
} as const satisfies Record<string, NativeEvent>;
