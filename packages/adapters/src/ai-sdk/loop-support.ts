import type { EventSupport } from "../core/support.ts";

/** The rows that are the same in every framework whose loop calls a wrapped model of the AI SDK. */
export const LOOP_SUPPORT = {
  before_step: {
    level: "partial",
    effects: ["patch", "stop"],
    by: "a wrapped model",
    notes: "a step cannot be skipped or refused: the run fails",
  },
  after_step: {
    level: "partial",
    effects: ["stop"],
    by: "a wrapped model",
    notes: "messages cannot be changed: the run fails",
  },
  before_llm: { level: "full", effects: ["patch", "skip", "block", "stop"], by: "a wrapped model" },
  after_llm: {
    level: "full",
    effects: ["patch", "block", "stop"],
    by: "a wrapped model",
    notes: "a refused answer is asked for again inside the same step",
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
} as const satisfies Record<string, EventSupport>;
