import type { NotePower, Power } from "../../definition/answers.ts";
import * as forms from "../../definition/claude-forms.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** Gemini reads the JSON before the exit code, so both must have the same meaning. */
const BLOCK: Power = {
  exit: 2,
  stderr: "$reason",
  stdout: { decision: "deny", reason: "$reason" },
  evidence: "measured",
};

const CONTEXT: Power = { ...forms.CONTEXT, evidence: "measured" };

const NOTE: NotePower = { ...forms.NOTE, seen: "everywhere", evidence: "measured" };

export const GEMINI_EVENTS = {
  SessionStart: { events: ["session_start"], powers: { context: CONTEXT, note: NOTE } },
  SessionEnd: { events: ["session_end"], powers: { note: NOTE } },
  BeforeAgent: {
    events: ["before_agent"],
    powers: { block: BLOCK, context: { ...CONTEXT, evidence: "live" }, note: NOTE },
  },
  BeforeTool: {
    events: ["before_tool"],
    matcher: "*",
    powers: {
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
    powers: {
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
    powers: { block: { ...forms.BLOCK, evidence: "live" }, note: NOTE },
  },
  // Fired before every turn of the model although nothing is compressed then; only a person's own command is certain.
  PreCompress: {
    events: ["pre_compact"],
    ignoredWhen: [{ path: "trigger", is: { equals: "auto" } }],
    powers: { note: NOTE },
    lost: "a compression that Gemini CLI begins by itself cannot be distinguished from the many that it only considers",
  },
  Notification: { events: ["notification"], powers: {} },
} as const satisfies Record<string, NativeEvent>;
