import type { AdapterSupport } from "../core/index.ts";

/** What `hooksMiddleware` carries, for agents of LangChain's `createAgent`. */
export const LANGCHAIN_SUPPORT: AdapterSupport = {
  adapter: "langchain",
  name: "LangChain",
  peer: { package: "langchain", range: "^1.5.14", versions: ["1.5.14"] },
  events: {
    before_agent: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "beforeAgent, with a jump to the end",
      notes: "A refused turn ends with the reason as the answer.",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "afterAgent, and errors that pass the middleware",
      notes:
        "Without `withRunEnd` not fired when another middleware throws, at the recursion limit, and for an abort between two nodes.",
    },
    before_step: {
      level: "full",
      effects: ["patch", "skip", "block", "stop"],
      by: "beforeModel",
    },
    after_step: {
      level: "partial",
      effects: ["patch", "stop"],
      by: "the next beforeModel, or afterAgent",
    },
    before_llm: {
      level: "full",
      effects: ["patch", "skip", "block", "stop"],
      by: "wrapModelCall",
      notes: "Another model is one of the option `models`. The model calls of other middleware are not seen.",
    },
    after_llm: {
      level: "full",
      effects: ["patch", "block", "stop"],
      by: "wrapModelCall",
      notes:
        "Text that a hook may change is streamed when the hooks are done. A structured response can be refused, not changed.",
    },
    before_tool: {
      level: "full",
      effects: ["patch", "skip", "ask", "block", "stop", "context"],
      by: "wrapToolCall; ask by interrupt, which needs a checkpointer",
      notes:
        "Unknown tools and invalid input reach the hooks too. Tools that the provider executes, and the tool of a structured response, do not. The conversation keeps the model's own arguments.",
    },
    after_tool: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "wrapToolCall",
      notes:
        "Hooks see a result as the model reads it: a text, which is JSON where the tool returned an object or a list. `streamEvents` shows the tool's own result.",
    },
    after_tool_failure: {
      level: "full",
      effects: ["patch", "recover", "stop", "context"],
      by: "wrapToolCall",
    },
    before_stop: {
      level: "full",
      effects: ["block", "stop"],
      by: "afterAgent, with a jump to the model",
      notes: "Each time counts towards the recursion limit.",
    },
    subagent_start: {
      level: "partial",
      effects: ["patch", "block", "stop", "context"],
      by: "beforeAgent of an agent that runs inside a tool",
      notes:
        "Only for subagents that have the middleware themselves; before_tool sees the others. A stop leaves a subagent's model call, whose request LangChain does not cancel.",
    },
    subagent_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "afterAgent of an agent that runs inside a tool",
      notes: "Only for subagents that have the middleware themselves.",
    },
    on_error: {
      level: "partial",
      effects: ["patch", "recover", "stop"],
      by: "wrapModelCall and wrapToolCall",
      notes: "Phases llm and tool.",
    },
    agent_failed: {
      level: "partial",
      effects: [],
      by: "errors that pass the middleware",
    },
  },
  around: { around_llm: "wrapModelCall", around_tool: "wrapToolCall" },
};

/** What `HooksCallbackHandler` carries: a callback can refuse by throwing, and change nothing. */
export const CALLBACK_SUPPORT: AdapterSupport = {
  ...LANGCHAIN_SUPPORT,
  name: "LangChain's callbacks",
  events: {
    before_llm: { level: "partial", effects: ["block", "stop"], by: "handleChatModelStart" },
    after_llm: {
      level: "partial",
      effects: ["block", "stop"],
      by: "handleLLMEnd",
      notes: "A refused answer fails the run. It has been streamed by then.",
    },
    before_tool: {
      level: "partial",
      effects: ["block", "ask", "stop"],
      by: "handleToolStart; ask by the option `approve`",
    },
    after_tool: { level: "partial", effects: ["block", "stop"], by: "handleToolEnd" },
    after_tool_failure: { level: "partial", effects: ["stop"], by: "handleToolError" },
  },
  around: {},
};
