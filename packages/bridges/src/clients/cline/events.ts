import type { NativeEvent } from "../../definition/events.ts";

/** Cline waits for the hooks of tool events only; it starts all others and ignores their answers. */
const DETACHED = { capabilities: {}, waits: false } as const;

const CONTEXT = {
  exit: 0,
  stdout: { contextModification: "$context" },
  evidence: "source",
} as const;

/** By the name of the file that contains the hook. Exit codes are ignored. */
export const CLINE_EVENTS = {
  TaskStart: { events: ["session_start"], ...DETACHED },
  TaskResume: { events: ["session_start"], ...DETACHED },
  TaskCancel: { events: ["after_agent"], endsAs: "stopped", ...DETACHED },
  TaskComplete: {
    events: ["before_stop", "after_agent"],
    fields: { finalMessage: "turn.outputText", stopReason: "turn.status" },
    ...DETACHED,
  },
  TaskError: { events: ["agent_failed"], ...DETACHED },
  UserPromptSubmit: {
    events: ["before_agent"],
    ...DETACHED,
    lost: "not delivered by a run without a terminal",
  },
  PreToolUse: {
    events: ["before_tool"],
    capabilities: {
      // Cline cannot refuse a single call: the run ends.
      block: {
        exit: 0,
        stderr: "$reason",
        stdout: { cancel: true, errorMessage: "$reason" },
        evidence: "measured",
      },
      rewrite: {
        exit: 0,
        stdout: { overrideInput: "$input" },
        approves: false,
        takes: "whole",
        evidence: "measured",
      },
      context: CONTEXT,
    },
  },
  PostToolUse: {
    events: ["after_tool"],
    failedWhen: [{ path: "postToolUse.success", is: { equals: false } }],
    capabilities: {
      blockAfter: {
        exit: 0,
        stderr: "$reason",
        stdout: { contextModification: "$reason" },
        withholds: false,
        evidence: "source",
      },
      context: CONTEXT,
    },
  },
  PreCompact: { events: ["pre_compact"], ...DETACHED, isInstalled: false, lost: "not fired by the command" },
  SessionShutdown: {
    events: ["session_end"],
    ...DETACHED,
    lost: "delivered only when a run is aborted",
  },
} as const satisfies Record<string, NativeEvent>;

/** The names of these events in payloads. */
export const CLINE_ALIASES = {
  agent_start: "TaskStart",
  agent_resume: "TaskResume",
  agent_abort: "TaskCancel",
  agent_end: "TaskComplete",
  agent_error: "TaskError",
  prompt_submit: "UserPromptSubmit",
  tool_call: "PreToolUse",
  tool_result: "PostToolUse",
  session_shutdown: "SessionShutdown",
} as const;
