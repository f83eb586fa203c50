import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** With exit 0 the whole output goes to the model, JSON or not, so a block prints nothing on stdout. */
const BLOCK: Capability = { exit: 2, stderr: "$reason", evidence: "measured" };

/** What a hook of a prompt prints is shown to the person, and goes to the model too. At its other events Kimi Code shows nothing. */
const NOTE: NoteCapability = { exit: 0, stdout: "$note", seen: "everywhere", evidence: "measured" };

/** Fired and forgotten: an answer has no effect, and at the client's end the event itself may be lost. */
const OBSERVED = { capabilities: {}, waits: false } as const;

export const KIMI_EVENTS = {
  SessionStart: { events: ["session_start"], ...OBSERVED },
  SessionEnd: { events: ["session_end"], ...OBSERVED, lost: "lost when Kimi Code exits" },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: {
      block: BLOCK,
      context: { exit: 0, stdout: "$context", evidence: "measured" },
      note: NOTE,
    },
  },
  PreToolUse: {
    events: ["before_tool"],
    capabilities: {
      block: { ...forms.DENY, evidence: "measured" },
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    ...OBSERVED,
    lost: "the last one is lost when Kimi Code exits",
  },
  PostToolUseFailure: { events: ["after_tool_failure"], ...OBSERVED },
  // It is called once in a turn, also when it kept the agent running.
  Stop: { events: ["before_stop", "after_agent"], capabilities: { block: BLOCK }, stopLimit: 1 },
  StopFailure: { events: ["agent_failed"], ...OBSERVED },
  SubagentStart: { events: [], ...OBSERVED },
  SubagentStop: { events: ["subagent_stop"], ...OBSERVED },
  PreCompact: { events: ["pre_compact"], ...OBSERVED },
  // It ends a turn without a Stop.
  Interrupt: { events: ["after_agent"], endsAs: "stopped", ...OBSERVED },
  PermissionRequest: { events: ["permission_request"], ...OBSERVED },
  Notification: { events: ["notification"], ...OBSERVED },
} as const satisfies Record<string, NativeEvent>;
