import type { AdapterSupport } from "../core/support.ts";

/** What the adapter of the AI SDK carries. */
export const support: AdapterSupport = {
  adapter: "ai-sdk",
  name: "AI SDK",
  peer: { package: "ai", range: "^6.0.0 || ^7.0.0", versions: ["6.", "7."] },
  events: {
    before_agent: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "`prepareCall`; for `generateText` and `streamText`, `prepareStep`",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "the wrapped model and `stopWhen`",
      notes:
        "a run that waits for an approval ends as stopped; an error in the parsing of `output` comes after it",
    },
    before_step: {
      level: "partial",
      effects: ["patch", "stop"],
      by: "`prepareStep`",
      notes: "a step cannot be skipped: the run fails; changed messages last for one step",
    },
    after_step: {
      level: "partial",
      effects: ["stop"],
      by: "the wrapped model and `stopWhen`",
      notes: "changed messages are not used",
    },
    before_llm: { level: "full", effects: ["patch", "skip", "block", "stop"], by: "a wrapped model" },
    after_llm: {
      level: "full",
      effects: ["patch", "block", "stop"],
      by: "a wrapped model",
      notes: "a refused answer is asked for again inside the same step",
    },
    before_tool: {
      level: "full",
      effects: ["patch", "block", "skip", "ask", "stop", "context"],
      by: "a wrapped `execute`, `needsApproval` or `toolApproval`",
      notes: "the conversation keeps the model's own input; unknown tools and invalid input reach no hook",
    },
    after_tool: { level: "full", effects: ["patch", "block", "stop", "context"], by: "a wrapped `execute`" },
    after_tool_failure: {
      level: "full",
      effects: ["patch", "recover", "stop", "context"],
      by: "a wrapped `execute`",
    },
    before_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "a tool that the model is not offered",
      notes: "the feedback appears in the result as a call of `keep_running`",
    },
    on_error: {
      level: "full",
      effects: ["patch", "recover", "stop"],
      by: "the wrapped model and `execute`",
      notes: "phases llm and tool",
    },
    agent_failed: { level: "partial", effects: [], by: "the wrapped model, `prepareStep` and `stopWhen`" },
  },
  around: { around_llm: "a wrapped model", around_tool: "a wrapped `execute`" },
};
