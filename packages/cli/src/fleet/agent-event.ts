import type { AgentEvent, HookAct } from "@tenterhook/agent";
import type { WouldHave } from "@tenterhook/protocol";
import { isKnownEvent, subagentEvent } from "@tenterhook/protocol/run-events";
import type { KnownRunEvent, RunEvent, RunEventType } from "@tenterhook/protocol/runs";

type ToolInput = Readonly<Record<string, unknown>>;

/** A reported run event as the agent's own event; `undefined` for events of the coordinator. */
export function agentEvent(event: RunEvent): AgentEvent | undefined {
  if (!isKnownEvent(event)) return undefined;
  switch (event.event_type) {
    case "step_start":
      return { type: "step_start", step: event.step };
    case "step_end":
      return { type: "step_end", step: event.step, status: event.status };
    case "answer_buffered":
    case "answer_discarded":
      return { type: event.event_type, step: event.step, reason: event.reason };
    case "text":
      return { type: "text_delta", step: event.step ?? 0, text: event.text };
    case "tool_start": {
      const { step, tool_use_id: toolUseId, tool_name: toolName, tool_input } = event;
      return { type: "tool_start", step, toolUseId, toolName, toolInput: formatInput(tool_input) };
    }
    case "tool_end":
      return toolEnd(event);
    case "hook_acted":
      return { type: "hook_acted", act: hookAct(event) };
    case "retry": {
      const { step, attempt, delay_ms: delayMs, error } = event;
      return { type: "retry", step, attempt, delayMs, error };
    }
    case "compacted": {
      const { messages_before: messagesBefore, messages_after: messagesAfter } = event;
      return { type: "compacted", messagesBefore, messagesAfter };
    }
    case "subagent": {
      const inner = agentEvent(subagentEvent(event));
      if (inner === undefined) return undefined;
      return { type: "subagent", subagent: event.subagent, toolUseId: event.tool_use_id, event: inner };
    }
    default:
      return undefined;
  }
}

type Known<T extends RunEventType> = KnownRunEvent<T>;

function toolEnd(event: Known<"tool_end">): AgentEvent {
  const { step, tool_use_id, tool_name, status, tool_input, result, reason, duration_ms } = event;
  return {
    type: "tool_end",
    step,
    toolUseId: tool_use_id,
    toolName: tool_name,
    status,
    durationMs: duration_ms,
    ...(tool_input !== undefined && { toolInput: formatInput(tool_input) }),
    ...(reason === undefined ? { result } : { reason }),
  };
}

function hookAct({
  event,
  hook,
  action,
  reason,
  changed,
  tool_use_id,
  failed,
  not_enforced,
}: Known<"hook_acted">): HookAct {
  return {
    event: event as HookAct["event"],
    hook: hook ?? undefined,
    action: action as HookAct["action"],
    ...(reason !== undefined && { reason }),
    ...(changed !== undefined && { changed }),
    ...(tool_use_id !== undefined && { toolUseId: tool_use_id }),
    ...(failed && { failed }),
    ...(not_enforced !== undefined && { notEnforced: not_enforced as WouldHave }),
  };
}

/** A long input was shortened to text. */
function formatInput(input: ToolInput | string): ToolInput {
  return typeof input === "string" ? { input } : input;
}
