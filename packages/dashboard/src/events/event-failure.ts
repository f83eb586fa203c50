import { isKnownEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";

/** Why something was refused or failed, as it was reported, if the event is about that. */
export function failureMessage(event: RunEvent): string | undefined {
  if (!isKnownEvent(event)) return undefined;
  switch (event.event_type) {
    case "run_failed":
      return event.block_reason ?? event.error;
    case "hook_blocked":
      return event.block_reason;
    case "hook_failed":
    case "hook_timeout":
    case "hook_trial":
    case "retry":
      return event.error;
    case "hook_acted":
      return event.failed === true || event.changed === undefined ? event.reason : undefined;
    case "tool_end":
      return event.reason;
    case "subagent":
      return failureMessage(subagentEvent(event));
    default:
      return undefined;
  }
}
