import type { EventName } from "@tenterhook/protocol";

type Fields = Readonly<Record<string, unknown>>;

const ERROR = { name: "Error", message: "an example of an error" };

/** Sample values of required fields in wire form; the user names the tool and its input. */
const SAMPLES: Readonly<Partial<Record<EventName, Fields>>> = {
  before_agent: { message: "an example of a message" },
  after_agent: { status: "completed" },
  before_step: { messages: [] },
  after_step: { messages: [] },
  before_llm: { messages: [] },
  after_llm: { messages: [], text: "an example of an answer", tool_uses: [] },
  after_tool: { tool_result: "an example of a result" },
  after_tool_failure: { error: ERROR },
  before_stop: { stop_reason: "no_tool_calls" },
  subagent_start: { subagent_name: "example", task_description: "an example of a task" },
  subagent_stop: { subagent_name: "example", task_description: "an example of a task" },
  notification: { message: "an example of a message" },
  on_error: { error: ERROR, phase: "tool" },
  agent_failed: { error: ERROR },
};

/** Sample values of the required fields of an event. */
export function sampleFields(event: EventName): Fields {
  return SAMPLES[event] ?? {};
}
