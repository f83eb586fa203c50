import { isKnownEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";
import { runnerHookKey } from "../components/hook-label.ts";

/** The key of the hook that an event is about; undefined for other events, and where the agent of an inline hook is not known. */
export function findEventHook(event: RunEvent, agent: string | undefined): string | undefined {
  if (!isKnownEvent(event)) return undefined;
  switch (event.event_type) {
    case "subagent":
      return findEventHook(subagentEvent(event), agent);
    case "hook_acted":
      // The runner calls the run's own hook of tool calls under the last of these, and the coordinator has events about it.
      return event.hook === null || event.hook === "" || event.hook === "on_tool_call"
        ? undefined
        : runnerHookKey(event.hook);
    case "hook_start":
    case "hook_waiting":
    case "hook_complete":
    case "hook_blocked":
    case "hook_failed":
    case "hook_timeout":
      if (event.hook_name !== undefined) return `named:${event.hook_name}`;
      return agent && `inline:${agent}/${event.hook_type}`;
    case "hook_trial":
      if (event.hook_name !== undefined) return `named:${event.hook_name}`;
      return event.agent_name && `inline:${event.agent_name}/${event.hook_type}`;
    case "named_hook_saved":
      return `named:${event.hook_name}`;
    default:
      return undefined;
  }
}
