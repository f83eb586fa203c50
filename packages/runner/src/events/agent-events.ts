import type { AgentEvent } from "@tenterhook/agent";
import { bounded, boundedInput, boundedText } from "./bounded.ts";
import type { ReportedEvent } from "./reported-event.ts";

/** How much of an agent's output may be reported before its end. */
export interface ReportOptions {
  /** A result hook checks the answer first, so its text is kept back. */
  readonly withholdText: boolean;
}

/** An event of an agent as it is reported to the coordinator; `undefined` for one that the coordinator records itself. */
export function agentEvent(event: AgentEvent, options: ReportOptions): ReportedEvent | undefined {
  switch (event.type) {
    case "step_start":
      return { type: "step_start", data: { step: event.step } };
    case "step_end":
      return stepEnd(event);
    case "text_delta":
      return options.withholdText ? undefined : spoken("text", event);
    case "reasoning_delta":
      return options.withholdText ? undefined : spoken("reasoning", event);
    case "answer_buffered":
    case "answer_discarded":
      return { type: event.type, data: { step: event.step, reason: boundedText(event.reason) } };
    case "tool_start": {
      const { step, toolUseId, toolName, toolInput } = event;
      const data = { step, tool_use_id: toolUseId, tool_name: toolName, tool_input: boundedInput(toolInput) };
      return { type: "tool_start", data };
    }
    case "tool_end":
      return toolEnd(event);
    case "hook_acted":
      return hookActed(event);
    case "retry": {
      const { step, attempt, delayMs, error } = event;
      return { type: "retry", data: { step, attempt, delay_ms: delayMs, error: boundedText(error) } };
    }
    case "compacted": {
      const { messagesBefore, messagesAfter } = event;
      return {
        type: "compacted",
        data: { messages_before: messagesBefore, messages_after: messagesAfter },
      };
    }
    case "subagent": {
      const inner = agentEvent(event.event, options);
      if (inner === undefined) return undefined;
      const { subagent, toolUseId } = event;
      return {
        type: "subagent",
        data: { subagent, tool_use_id: toolUseId, event: { event_type: inner.type, ...inner.data } },
      };
    }
    case "run_end": {
      const { usage, stepCount, durationMs } = event.run;
      const { inputTokens, outputTokens } = usage;
      return {
        type: "agent_usage",
        data: {
          steps: stepCount,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          duration_ms: Math.round(durationMs),
        },
      };
    }
    // The coordinator records the start itself, and the text of an answer has been reported in pieces.
    case "run_start":
    case "answer":
      return undefined;
  }
}

function spoken(
  type: "text" | "reasoning",
  { step, text }: { readonly step: number; readonly text: string },
): ReportedEvent {
  return { type, data: { step, text } };
}

function stepEnd({ step, status, usage }: AgentEvent & { readonly type: "step_end" }): ReportedEvent {
  if (usage === undefined) return { type: "step_end", data: { step, status } };
  const { model, inputTokens, outputTokens } = usage;
  return {
    type: "step_end",
    data: { step, status, usage: { model, input_tokens: inputTokens, output_tokens: outputTokens } },
  };
}

function toolEnd(event: AgentEvent & { readonly type: "tool_end" }): ReportedEvent {
  const { step, toolUseId, toolName, toolInput, status, result, reason, durationMs } = event;
  return {
    type: "tool_end",
    data: {
      step,
      tool_use_id: toolUseId,
      tool_name: toolName,
      ...(toolInput !== undefined && { tool_input: boundedInput(toolInput) }),
      status,
      duration_ms: Math.round(durationMs),
      ...(reason === undefined ? { result: bounded(result) } : { reason: boundedText(reason) }),
    },
  };
}

function hookActed({ act }: AgentEvent & { readonly type: "hook_acted" }): ReportedEvent {
  const { event, hook, action, reason, changed, toolUseId, failed, notEnforced } = act;
  return {
    type: "hook_acted",
    data: {
      event,
      hook: hook ?? null,
      action,
      ...(reason !== undefined && { reason: boundedText(reason) }),
      ...(changed !== undefined && { changed }),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      ...(failed && { failed }),
      ...(hook !== undefined && { tallied: true }),
      ...(notEnforced !== undefined && { not_enforced: notEnforced }),
    },
  };
}
