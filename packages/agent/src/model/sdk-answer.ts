import { messageOf } from "@tenterhook/internal";
import type { Message, Usage } from "@tenterhook/protocol";
import type { StepResult, ToolSet } from "ai";
import type { ModelAnswer, ModelToolCall } from "./model.ts";

type Step = StepResult<ToolSet>;
type Executed = NonNullable<ModelToolCall["executed"]>;

/** One step of the AI SDK as a model's answer. */
export function sdkAnswer(step: Step): ModelAnswer {
  return {
    text: step.text,
    toolCalls: toolCalls(step.content),
    // The SDK answers invalid calls itself, in a later tool message. The agent answers every call, so that message is dropped.
    message: step.response.messages.findLast((message) => message.role === "assistant") as
      | Message
      | undefined,
    usage: usage(step.usage),
    finishReason: step.finishReason,
    modelId: step.response.modelId,
  };
}

function toolCalls(content: Step["content"]): ModelToolCall[] {
  const results = new Map<string, Executed>();
  for (const part of content) {
    if (part.type === "tool-result") {
      results.set(part.toolCallId, { result: part.output, isError: false });
    } else if (part.type === "tool-error") {
      results.set(part.toolCallId, { result: part.error, isError: true });
    }
  }
  const calls: ModelToolCall[] = [];
  for (const part of content) {
    if (part.type !== "tool-call") continue;
    const { toolCallId: id, toolName: name, input, providerExecuted } = part;
    calls.push({
      id,
      name,
      input,
      invalid: part.invalid && !providerExecuted ? messageOf(part.error) : undefined,
      // A provider may send the result later, with another answer; there is nothing to run here in any case.
      executed: providerExecuted ? (results.get(id) ?? { result: undefined, isError: false }) : undefined,
    });
  }
  return calls;
}

/** Unknown is not zero: a budget that counts zeros never ends. If one count is known, the other defaults to zero. */
function usage({ inputTokens, outputTokens }: Step["usage"]): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
