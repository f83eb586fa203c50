import type { AdapterSupport } from "../core/index.ts";

/** What this adapter carries, with a runner that has hooks. */
export const SUPPORT: AdapterSupport = {
  adapter: "openai-agents",
  name: "OpenAI Agents",
  peer: { package: "@openai/agents", range: "^0.20.0", versions: ["0.20.0"] },
  events: {
    before_agent: {
      level: "partial",
      effects: ["patch", "block", "stop", "context"],
      by: "the runner's `run`",
      notes:
        "Only with a runner that has hooks. A refused turn rejects with `turn_refused`. Not fired when a paused run continues.",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "the runner's `run`",
      notes: "Only with a runner that has hooks. Not fired while a run waits for approval.",
    },
    agent_failed: {
      level: "partial",
      effects: [],
      by: "the runner's `run`",
      notes: "Only with a runner that has hooks.",
    },
    before_step: {
      level: "partial",
      effects: ["patch", "stop"],
      by: "the wrapped `Model`",
      notes: "Changed messages count for this step only. `skip` and `block` fail the run.",
    },
    after_step: {
      level: "partial",
      effects: ["stop"],
      by: "the wrapped `Model`",
      notes: "Fires before the next model call, or before the agent stops. Changed messages fail the run.",
    },
    before_llm: {
      level: "full",
      effects: ["patch", "block", "stop", "skip"],
      by: "the wrapped `Model`",
      notes: "Another model can be chosen only with a runner that has hooks.",
    },
    after_llm: {
      level: "full",
      effects: ["patch", "block", "stop"],
      by: "the wrapped `Model`",
      notes: "A refused answer is in no history.",
    },
    before_tool: {
      level: "full",
      effects: ["patch", "block", "stop", "skip", "ask", "context"],
      by: "the wrapped `invoke` and `needsApproval` of function tools, MCP tools and agents as tools",
      notes:
        "Context becomes part of the tool's result. The conversation keeps the model's own input. An approval request has no place for the reason. Tools that the provider executes are not covered, which is warned about.",
    },
    after_tool: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "the wrapped `invoke`",
    },
    after_tool_failure: {
      level: "partial",
      effects: ["patch", "recover", "stop", "context"],
      by: "tools that were made with `hookedTool`",
      notes:
        "The model reads the SDK's own text about a failure, unless a hook changed it. The SDK's own `tool` catches errors inside. Not fired for a call that a person rejected.",
    },
    before_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "a call of the internal tool `hooks_feedback`, which is added to the final answer",
      notes: "The model reads the feedback as a message of the user; the history shows the call.",
    },
    subagent_start: {
      level: "partial",
      effects: ["patch", "block", "stop", "context"],
      by: "the wrapped `invoke` of agents as tools, and `onInvokeHandoff`",
      notes: "At a handoff nothing can be changed or added; it can be refused.",
    },
    subagent_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "the wrapped `Model` of an agent as tool",
      notes: "Keeps the agent running only if that has hooks itself. Not fired for handoffs.",
    },
    on_error: {
      level: "partial",
      effects: ["recover", "patch", "stop"],
      by: "the wrapped `Model`, and tools that were made with `hookedTool`",
      notes: "Phases llm and tool.",
    },
  },
  around: {
    around_llm: "the wrapped `Model`",
    around_tool: "the wrapped `invoke`",
  },
};
