import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

const BLOCK: Capability = { ...forms.BLOCK, evidence: "measured" };

const CONTEXT: Capability = { ...forms.CONTEXT, evidence: "measured" };

/** Qwen Code shows this as it stops, and at no other event. */
const NOTE: NoteCapability = { ...forms.NOTE, seen: "everywhere", evidence: "measured" };

export const QWEN_EVENTS = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT } },
  SessionEnd: {
    events: ["session_end"],
    capabilities: {},
    lost: "not delivered when Qwen Code runs headless",
  },
  UserPromptSubmit: {
    events: ["before_agent"],
    // Fired again, with an empty prompt, for every turn that only hands back results of tools.
    ignoredWhen: [
      { path: "prompt", is: "empty" },
      { path: "submitted_prompt", is: "absent" },
    ],
    capabilities: { block: BLOCK, context: CONTEXT },
  },
  PreToolUse: {
    events: ["before_tool"],
    matcher: "*",
    capabilities: {
      block: { ...forms.DENY, evidence: "measured" },
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    matcher: "*",
    capabilities: {
      // Exit 2 does not reach the model here; added context does.
      blockAfter: { ...forms.REASON_AS_CONTEXT, withholds: false, evidence: "measured" },
      context: CONTEXT,
    },
  },
  PostToolUseFailure: { events: ["after_tool_failure"], matcher: "*", capabilities: {} },
  // Version 0.15 sets stop_hook_active on the first Stop already, so the bridge counts for itself.
  Stop: { events: ["before_stop", "after_agent"], capabilities: { block: BLOCK, note: NOTE }, stopLimit: 8 },
  StopFailure: { events: ["agent_failed"], capabilities: {} },
  SubagentStart: { events: [], capabilities: {} },
  SubagentStop: {
    events: ["subagent_stop"],
    capabilities: { block: { ...BLOCK, evidence: "source" } },
    stopLimit: 8,
  },
  PreCompact: { events: ["pre_compact"], capabilities: {} },
  PermissionRequest: {
    events: ["permission_request"],
    matcher: "*",
    capabilities: { block: { ...forms.DENY_REQUEST, evidence: "documented" } },
  },
  Notification: { events: ["notification"], capabilities: {} },
} as const satisfies Record<string, NativeEvent>;
