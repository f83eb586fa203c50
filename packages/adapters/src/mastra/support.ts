import { LOOP_SUPPORT } from "../ai-sdk/support.ts";
import type { AdapterSupport } from "../core/support.ts";

/** What the adapter of Mastra carries. */
export const MASTRA_SUPPORT: AdapterSupport = {
  adapter: "mastra",
  name: "Mastra",
  peer: { package: "@mastra/core", range: "^1.71.0", versions: ["1.71.0"] },
  events: {
    ...LOOP_SUPPORT,
    before_step: {
      ...LOOP_SUPPORT.before_step,
      notes: `${LOOP_SUPPORT.before_step.notes}; changed messages last for one step`,
    },
    before_agent: {
      level: "full",
      effects: ["patch", "block", "stop", "context"],
      by: "`processInput`",
      notes:
        "a call that has its own `inputProcessors` replaces those of the agent: then the message is changed in the requests only, not in the memory",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "the wrapped model and `onFinish`",
      notes:
        "a run that ends at its limit of steps is reported by the agent's `onFinish`, which one of the call replaces; a run that waits for an approval has not ended",
    },
    before_tool: {
      level: "full",
      effects: ["patch", "block", "skip", "ask", "stop", "context"],
      by: "a wrapped `execute`, `beforeToolCall` and `requireApproval`",
      notes:
        "the conversation keeps the model's own input; tools that are not in `tools` of the agent can be asked about only with the option `approve`; a call that has its own tool hooks executes them without ours, which ends the run before the model reads the result",
    },
    after_tool: {
      level: "partial",
      effects: ["patch", "block", "stop", "context"],
      by: "a wrapped `execute` and `afterToolCall`",
      notes:
        "a result that is a text can be changed only of the tools in `tools` of the agent; of others it is withheld",
    },
    after_tool_failure: {
      level: "partial",
      effects: ["patch", "recover", "stop", "context"],
      by: "a wrapped `execute` and `afterToolCall`",
      notes: "only the tools in `tools` of the agent can be recovered",
    },
    before_stop: {
      ...LOOP_SUPPORT.before_stop,
      notes: `${LOOP_SUPPORT.before_stop.notes}, and \`text\` of \`generate\` contains the held answer too`,
    },
    subagent_start: {
      level: "full",
      effects: ["block", "patch", "stop", "context"],
      by: "`beforeToolCall` and `onDelegationStart`",
      notes:
        "an agent that a tool outside of the configuration runs, such as one of a toolset, has a bag of its own and does not follow the stop",
    },
    subagent_stop: {
      level: "partial",
      effects: ["block", "stop"],
      by: "the wrapped model of the subagent, `onDelegationComplete`",
      notes: "a subagent is kept running only if its own configuration has the same hooks",
    },
    agent_failed: { level: "partial", effects: [], by: "the wrapped model and `processInput`" },
  },
  around: {
    around_llm: "a wrapped model",
    around_tool:
      "a wrapped `execute`, `beforeToolCall`; of tools that are not in `tools` of the agent, and of resumed calls, `next` cannot be called again",
  },
};
