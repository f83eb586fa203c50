import type { Capability, NoteCapability } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** Gemini reads the JSON before the exit code, so both must have the same meaning. */
const BLOCK: Capability = {
  exit: 2,
  stderr: "$reason",
  stdout: { decision: "deny", reason: "$reason" },
  evidence: "measured",
};

const CONTEXT: Capability = { ...forms.CONTEXT, evidence: "measured" };

const NOTE: NoteCapability = { ...forms.NOTE, seen: "everywhere", evidence: "measured" };

export const GEMINI_EVENTS = {
  SessionStart: { events: ["session_start"], capabilities: { context: CONTEXT, note: NOTE } },
  SessionEnd: { events: ["session_end"], capabilities: { note: NOTE } },
  BeforeAgent: {
    events: ["before_agent"],
    capabilities: { block: BLOCK, context: { ...CONTEXT, evidence: "live" }, note: NOTE },
  },
  BeforeTool: {
    events: ["before_tool"],
    matcher: "*",
    capabilities: {
      block: { ...BLOCK, evidence: "live" },
      rewrite: {
        exit: 0,
        stdout: { hookSpecificOutput: { hookEventName: "$event", tool_input: "$input" } },
        approves: false,
        takes: "merge",
        evidence: "live",
      },
      note: NOTE,
    },
  },
  AfterTool: {
    events: ["after_tool"],
    matcher: "*",
    failedWhen: [{ path: "tool_response.error", is: "present" }],
    capabilities: {
      blockAfter: { ...BLOCK, withholds: true },
      // The reason replaces the result.
      result: {
        exit: 2,
        stderr: "$result",
        stdout: { decision: "deny", reason: "$result" },
        evidence: "measured",
      },
      context: CONTEXT,
      note: NOTE,
    },
  },
  AfterAgent: {
    events: ["before_stop", "after_agent"],
    fields: { finalMessage: "prompt_response" },
    capabilities: { block: { ...forms.BLOCK, evidence: "live" }, note: NOTE },
  },
  // Fired before every turn of the model although nothing is compressed then; only a person's own command is certain.
  PreCompress: {
    events: ["pre_compact"],
    ignoredWhen: [{ path: "trigger", is: { equals: "auto" } }],
    capabilities: { note: NOTE },
    lost: "a compression that Gemini CLI begins by itself cannot be distinguished from the many that it only considers",
  },
  Notification: { events: ["notification"], capabilities: {} },
} as const satisfies Record<string, NativeEvent>;
