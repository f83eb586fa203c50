import type { AdapterSupport } from "../core/index.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";

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
