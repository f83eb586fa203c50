import { AIMessage, type UsageMetadata } from "@langchain/core/messages";
import { isRecord } from "@tenterhook/internal";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import type { AnswerChanges, ModelAnswer } from "../core/index.ts";

/** What `wrapModelCall` gets and returns: a message, or one together with the structured response that LangChain read from it. */
export type ModelResponse = AIMessage | StructuredResponse;

interface StructuredResponse {
  readonly structuredResponse: unknown;
  readonly messages: readonly unknown[];
}

/** The message that the model wrote. */
export function findMessage(response: ModelResponse): AIMessage {
  if (!isStructured(response)) return response;
  const message = response.messages.find((part) => AIMessage.isInstance(part));
  return (message as AIMessage | undefined) ?? new AIMessage("");
}

/** Reads an answer. Calls that the provider executed itself are not in `tool_calls`, so no hook sees them. */
export function readAnswer(response: ModelResponse): ModelAnswer {
  const message = findMessage(response);
  const { tool_calls: calls = [] } = message;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return {
    text: message.text,
    toolUses: calls.map(({ id, name, args }) => ({ id: id ?? "", name, input: isRecord(args) ? args : {} })),
    ...(usage !== undefined && {
      usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    }),
  };
}

/** The answer as hooks changed it. */
export function changeAnswer(response: ModelResponse, changes: AnswerChanges): AIMessage {
  if (isStructured(response)) {
    const problem = "a hook changed an answer that LangChain has read as a structured response already.";
    throw new TenterhookError("bad_outcome", problem, {
      event: "after_llm",
      hint: "Refuse the answer with a reason instead, or match agents without a responseFormat.",
    });
  }
  const { text = response.text, toolUses } = changes;
  const calls = toolUses === undefined ? (response.tool_calls ?? []) : toolUses.map(toToolCall);
  // The provider's own copy of the answer is left out: some send it back to their model instead of text and calls.
  const { output: _output, ...metadata } = response.response_metadata as Record<string, unknown>;
  return new AIMessage({
    content: changeContent(response, text, calls.length > 0) as string,
    tool_calls: calls,
    response_metadata: metadata,
    ...(response.id !== undefined && { id: response.id }),
    ...(response.name !== undefined && { name: response.name }),
    ...(response.usage_metadata !== undefined && { usage_metadata: response.usage_metadata }),
  });
}

/** An answer that did not come from the model. */
export function createAnswer({ text, toolUses }: ModelAnswer): AIMessage {
  return new AIMessage({ content: text, tool_calls: toolUses.map(toToolCall) });
}

function isStructured(response: ModelResponse): response is StructuredResponse {
  return "structuredResponse" in response;
}

function toToolCall({ id, name, input }: ToolUse) {
  // A copy: LangChain and its tools may write into it.
  return { type: "tool_call" as const, id, name, args: structuredClone(input) };
}

/** Other parts than text stay, but not the provider's parts for calls, and not reasoning, because it repeats the text. */
function changeContent({ content }: AIMessage, text: string, hasCalls: boolean): unknown {
  if (typeof content === "string" || hasCalls) return text;
  const rest = content.filter(({ type }) => !/^text$|tool_use|tool_call|reasoning|thinking/.test(type));
  return rest.length === 0 ? text : [...rest, { type: "text", text }];
}
