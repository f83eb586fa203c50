import type { AdapterSupport, EventSupport } from "../core/support.ts";

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

/** What the adapter of the AI SDK carries. */
export const support: AdapterSupport = {
  adapter: "ai-sdk",
  name: "AI SDK",
  peer: { package: "ai", range: "^6.0.326 || ^7.0.169", versions: ["6.0.326", "7.0.169"] },
  events: {
    ...LOOP_SUPPORT,
    before_step: { ...LOOP_SUPPORT.before_step, by: "`prepareStep`" },
    after_step: { ...LOOP_SUPPORT.after_step, by: "the wrapped model and `stopWhen`" },
    before_agent: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "`prepareCall`; for `generateText` and `streamText`, `prepareStep`",
      notes:
        "the signal of a call of an agent is not given to `prepareCall`: after an abort, the run ends when these hooks have answered or timed out",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "the wrapped model and `stopWhen`",
      notes:
        "a run that waits for an approval ends as stopped; errors of the SDK about the last answer, as in the parsing of `output`, come after it",
    },
    before_tool: {
      level: "full",
      effects: ["patch", "block", "skip", "ask", "stop", "context"],
      by: "a wrapped `execute`, `needsApproval` or `toolApproval`",
      notes:
        "the conversation keeps the model's own input; unknown tools and invalid input reach no hook; hooks see an input as its schema has transformed it, and a changed one is checked by the schema again and executed as the hook wrote it, not transformed",
    },
    after_tool: { level: "full", effects: ["patch", "block", "stop", "context"], by: "a wrapped `execute`" },
    after_tool_failure: {
      level: "full",
      effects: ["patch", "recover", "stop", "context"],
      by: "a wrapped `execute`",
      notes:
        "where a hook changed what the model reads about a failure, the program still finds the error itself, with its message, in `error.cause`",
    },
    subagent_start: {
      level: "partial",
      effects: ["block", "patch", "stop", "context"],
      by: "an agent with hooks that runs inside a tool",
      notes: "a refusal is an error of that agent, and so of the tool",
    },
    subagent_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "an agent with hooks that runs inside a tool",
    },
    agent_failed: { level: "partial", effects: [], by: "the wrapped model, `prepareStep` and `stopWhen`" },
  },
  around: { around_llm: "a wrapped model", around_tool: "a wrapped `execute`" },
};
