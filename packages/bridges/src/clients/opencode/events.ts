import type { NoteCapability } from "../../definition/answers.ts";
import type { NativeEvent } from "../../definition/events.ts";

const CONTEXT = { exit: 0, stdout: { context: "$context" }, evidence: "source" } as const;

/** The plugin shows it as a toast, and on standard error where OpenCode has no screen. */
const NOTE: NoteCapability = { exit: 0, stdout: { note: "$note" }, seen: "everywhere", evidence: "measured" };

/** The events that our own plugin sends; it applies the answers. */
export const OPENCODE_EVENTS = {
  "event:session.created": {
    events: ["session_start"],
    fields: {
      sessionId: ["properties.sessionID", "properties.info.id"],
      cwd: ["properties.info.directory", "cwd"],
    },
    // Fired and forgotten: what a hook adds for the model is kept for the next event.
    capabilities: {},
    waits: false,
  },
  "event:session.deleted": {
    events: ["session_end"],
    fields: { sessionId: ["properties.sessionID", "properties.info.id"] },
    capabilities: {},
    waits: false,
  },
  "event:session.idle": {
    events: ["before_stop", "after_agent"],
    fields: { sessionId: "properties.sessionID" },
    capabilities: {},
    waits: false,
  },
  "event:session.error": {
    events: ["agent_failed"],
    fields: { sessionId: "properties.sessionID", error: "properties.error" },
    capabilities: {},
    waits: false,
  },
  UserPromptSubmit: {
    events: ["before_agent"],
    capabilities: {
      block: { exit: 2, stderr: "$reason", stdout: { block: "$reason" }, evidence: "source" },
      context: CONTEXT,
      note: NOTE,
    },
  },
  PreToolUse: {
    events: ["before_tool"],
    capabilities: {
      block: { exit: 2, stderr: "$reason", stdout: { block: "$reason" }, evidence: "measured" },
      rewrite: {
        exit: 0,
        stdout: { args: "$input" },
        approves: false,
        takes: "whole",
        evidence: "measured",
      },
      context: CONTEXT,
      note: NOTE,
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    capabilities: {
      blockAfter: {
        exit: 0,
        stderr: "$reason",
        stdout: { result: "$reason" },
        withholds: true,
        evidence: "source",
      },
      result: { exit: 0, stdout: { result: "$result" }, evidence: "source" },
      context: CONTEXT,
      note: NOTE,
    },
  },
  // Version 1.18 declares this hook and never calls it; a version that calls it honours `deny`.
  PermissionRequest: {
    events: ["permission_request"],
    capabilities: {
      block: { exit: 2, stderr: "$reason", stdout: { block: "$reason" }, evidence: "documented" },
      note: { ...NOTE, evidence: "source" },
    },
  },
  PreCompact: {
    events: ["pre_compact"],
    capabilities: { context: CONTEXT, note: { ...NOTE, evidence: "source" } },
  },
} as const satisfies Record<string, NativeEvent>;
