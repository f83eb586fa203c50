import type { RunEvent as AgentEvent } from "@tenterhook/agent";
import type { RunEvent } from "@tenterhook/protocol/runs";

type Fields = Readonly<Record<string, unknown>>;

/** What an agent did on a runner, as the agent itself tells it; `undefined` for what is no agent's doing. */
export function agentEvent(event: RunEvent): AgentEvent | undefined {
  return read(event.event_type, event);
}

function read(type: string, event: Fields): AgentEvent | undefined {
  const told = camelCased(event);
  switch (type) {
    case "step_start":
    case "step_end":
    case "answer_buffered":
    case "answer_discarded":
    case "tool_start":
    case "tool_end":
    case "retry":
    case "compacted":
      // Runners report what the agent told, with other names for the same fields.
      return { ...told, type } as unknown as AgentEvent;
    case "text":
      return { ...told, type: "text_delta" } as unknown as AgentEvent;
    case "hook_acted":
      return { type, act: { ...told, hook: told.hook ?? undefined } } as unknown as AgentEvent;
    case "subagent": {
      const { event_type, ...inner } = Object(event.event) as Fields;
      const its = read(String(event_type), inner);
      return its && ({ ...told, type, event: its } as unknown as AgentEvent);
    }
    default:
      return undefined;
  }
}

function camelCased(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
