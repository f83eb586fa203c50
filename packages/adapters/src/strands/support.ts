import type { AdapterSupport } from "../core/index.ts";

/** What the Strands adapter carries. */
export const strandsSupport: AdapterSupport = {
  adapter: "strands",
  name: "Strands",
  peer: { package: "@strands-agents/sdk", range: "^1.16.0", versions: ["1.16.0"] },
  events: {
    session_start: {
      level: "partial",
      effects: ["block", "stop", "context"],
      by: "InitializedEvent",
      notes: "once for each agent object, before its first run; a refusal rejects that run",
    },
    before_agent: {
      level: "full",
      effects: ["block", "stop", "patch", "context"],
      by: "MessageAddedEvent, BeforeModelCallEvent, InvokeModelStage",
      notes: "the reason of a refusal is the agent's answer, and the conversation stays as it was",
    },
    after_agent: {
      level: "partial",
      effects: [],
      by: "AfterInvocationEvent",
      notes: "a run that another plugin failed, or that its reader left, counts as stopped",
    },
    before_step: { level: "full", effects: ["block", "stop", "skip", "patch"], by: "BeforeModelCallEvent" },
    after_step: { level: "full", effects: ["stop", "patch"], by: "MessageAddedEvent" },
    before_llm: {
      level: "full",
      effects: ["block", "stop", "skip", "patch"],
      by: "InvokeModelStage",
      notes: "another model must be in the option `models`; fired for each attempt of Strands' own retries",
    },
    after_llm: { level: "full", effects: ["block", "stop", "patch"], by: "InvokeModelStage" },
    before_tool: {
      level: "full",
      effects: ["block", "stop", "skip", "ask", "patch", "context"],
      by: "ExecuteToolStage, BeforeToolCallEvent.interrupt",
      notes: "not fired for agent.tool.x.invoke(), which the program itself calls",
    },
    after_tool: { level: "full", effects: ["block", "stop", "patch", "context"], by: "ExecuteToolStage" },
    after_tool_failure: {
      level: "full",
      effects: ["stop", "patch", "recover", "context"],
      by: "ExecuteToolStage",
    },
    before_stop: {
      level: "full",
      effects: ["block", "stop"],
      by: "AfterInvocationEvent.resume",
      notes: "a stop leaves the answer that was given; not fired at Strands' own limits",
    },
    subagent_start: {
      level: "full",
      effects: ["block", "stop", "patch", "context"],
      by: "ExecuteToolStage of an agent among the tools",
      notes:
        "not for the nodes of a Graph or a Swarm, which have bags of their own; Strands cannot continue an agent that is a tool and waits for a person",
    },
    subagent_stop: {
      level: "full",
      effects: ["block", "stop"],
      by: "AfterInvocationEvent.resume of the subagent",
    },
    on_error: {
      level: "full",
      effects: ["stop", "patch", "recover"],
      by: "InvokeModelStage, ExecuteToolStage",
      notes: "phases llm and tool; a hook is called before Strands retries",
    },
    agent_failed: { level: "partial", effects: [], by: "AfterModelCallEvent, AfterInvocationEvent" },
  },
  around: { around_llm: "InvokeModelStage", around_tool: "ExecuteToolStage" },
};
