import type { AdapterSupport } from "../core/index.ts";

const HOST = "`withHooks(query, hooks)`, around the query";

/** What the Claude Agent SDK carries. */
export const CLAUDE_AGENT_SDK: AdapterSupport = {
  adapter: "claude-agent-sdk",
  name: "the Claude Agent SDK",
  peer: { package: "@anthropic-ai/claude-agent-sdk", range: "^0.3.325", versions: ["0.3.325"] },
  events: {
    session_start: {
      level: "partial",
      effects: ["block", "stop", "context"],
      by: "the first `UserPromptSubmit`, because callbacks of `SessionStart` are never called",
      notes: "A refused session refuses each of its prompts.",
    },
    session_end: {
      level: "partial",
      effects: ["proceed"],
      by: HOST,
      notes:
        "`claudeHooks` alone does not fire it, which is warned about: callbacks of `SessionEnd` are never called.",
    },
    before_agent: {
      level: "partial",
      effects: ["block", "stop", "context", "patch"],
      by: "`UserPromptSubmit`; a changed message by `withHooks(query, hooks)`",
      notes:
        "A changed message reaches the model if `withHooks` is given the prompt as a text; otherwise the turn is refused.",
    },
    after_agent: {
      level: "partial",
      effects: ["proceed"],
      by: `the result message: ${HOST}`,
      notes: "`claudeHooks` alone does not fire it, which is warned about.",
    },
    after_step: {
      level: "partial",
      effects: ["stop"],
      by: "`PostToolBatch` and `Stop`",
      notes: "`messages` is empty; a hook that changes it fails the turn.",
    },
    before_tool: {
      level: "partial",
      effects: ["block", "stop", "skip", "ask", "patch", "context"],
      by: "`PreToolUse`; `ask` calls `canUseTool`",
      notes: "The result of a skipped call reaches the model as the text of a refusal.",
    },
    after_tool: {
      level: "full",
      effects: ["block", "stop", "patch", "context"],
      by: "`PostToolUse` with `updatedToolOutput`, checked in `PostToolBatch`",
      notes:
        "A result that does not have the shape of its tool is withheld, and the model gets it as context.",
    },
    after_tool_failure: {
      level: "partial",
      effects: ["stop", "recover", "patch", "context"],
      by: "`PostToolUseFailure`; a stop by `PostToolBatch`",
      notes: "The error stays; what a hook puts in its place is added as context.",
    },
    before_stop: { level: "full", effects: ["block", "stop"], by: "`Stop`" },
    subagent_start: {
      level: "full",
      effects: ["block", "stop", "patch", "context"],
      by: "`PreToolUse` of the tool `Agent`",
      notes:
        "An agent that a tool of an MCP server runs in this process has a bag of its own and does not follow the stop.",
    },
    subagent_stop: {
      level: "full",
      effects: ["block", "stop"],
      by: "`SubagentStop`",
      notes:
        "After a stop in a subagent in the background, Claude Code may make further calls of the model before the query ends.",
    },
    pre_compact: {
      level: "partial",
      effects: ["block", "stop"],
      by: "`PreCompact`",
      notes: "Instructions for the summary are not carried, which is warned about.",
    },
    permission_request: {
      level: "partial",
      effects: ["block", "stop"],
      by: "`canUseTool`, before the user's own",
    },
    on_error: {
      level: "partial",
      effects: ["proceed"],
      by: "`StopFailure` for the model, `PostToolUseFailure` for tools",
      notes:
        "An error of the model cannot be recovered or changed, which is warned about; that of a tool as `after_tool_failure`.",
    },
    agent_failed: { level: "partial", effects: ["proceed"], by: "`StopFailure`" },
  },
  around: {
    around_tool:
      "`PreToolUse` and `PostToolUse`; a result instead of the call reaches the model as in `before_tool`, and `next` cannot be called again",
  },
};

/** Without a function around the query, nothing is called when a turn or the session has ended. */
export const CALLBACKS_ALONE: AdapterSupport = {
  ...CLAUDE_AGENT_SDK,
  events: {
    ...CLAUDE_AGENT_SDK.events,
    session_end: { level: "none", effects: [], by: "only withHooks(query, hooks) can fire it" },
    after_agent: { level: "none", effects: [], by: "only withHooks(query, hooks) can fire it" },
  },
};
