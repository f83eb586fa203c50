import type { Message, Usage } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model.ts";
import type { ScriptedAnswer, ScriptedToolCall } from "./script.ts";

/** A scripted call as a `ModelToolCall`. */
export function scriptedCall(call: ScriptedToolCall, newId: () => string): ModelToolCall {
  const { id = newId(), name, input, invalid, executed } = call;
  return {
    id,
    name,
    input,
    invalid,
    executed:
      executed === undefined ? undefined : { result: executed.result, isError: executed.isError ?? false },
  };
}

/** The message that the AI SDK would create for this answer; none for an empty answer. */
export function scriptedMessage(
  answer: ScriptedAnswer,
  calls: readonly ModelToolCall[],
): Message | undefined {
  const { text, reasoning } = answer;
  const content: object[] = [];
  if (reasoning) content.push({ type: "reasoning", text: reasoning });
  if (text) content.push({ type: "text", text });
  for (const call of calls) addCall(content, call);
  return content.length === 0 ? undefined : { role: "assistant", content };
}

function addCall(
  content: object[],
  { id: toolCallId, name: toolName, input, invalid, executed }: ModelToolCall,
) {
  const isText = invalid !== undefined && typeof input !== "object";
  const call = { type: "tool-call", toolCallId, toolName, input: isText ? {} : input };
  if (executed === undefined) {
    content.push(call);
    return;
  }
  const output = { type: executed.isError ? "error-json" : "json", value: executed.result ?? null };
  content.push({ ...call, providerExecuted: true });
  content.push({ type: "tool-result", toolCallId, toolName, output });
}

export function scriptedFinish({ finishReason, toolCalls }: ScriptedAnswer): string {
  if (finishReason !== undefined) return finishReason;
  return toolCalls?.some((call) => call.executed === undefined) ? "tool-calls" : "stop";
}

/** An estimate for English text. */
const LETTERS_PER_TOKEN = 4;
/** For parts without text: serializing them would slow down benchmarks. */
const LETTERS_OF_OTHER_PARTS = 40;

/** Token counts by text length, the same for the same conversation. */
export function scriptedUsage(answer: ScriptedAnswer, messages: readonly { content?: unknown }[]): Usage {
  if (answer.usage !== undefined) return answer.usage;
  let input = 0;
  for (const { content } of messages) input += letters(content);
  const output =
    (answer.text?.length ?? 0) +
    (answer.reasoning?.length ?? 0) +
    (answer.toolCalls?.length ?? 0) * LETTERS_OF_OTHER_PARTS;
  return {
    inputTokens: Math.ceil(input / LETTERS_PER_TOKEN),
    outputTokens: Math.ceil(output / LETTERS_PER_TOKEN),
  };
}

function letters(content: unknown): number {
  if (typeof content === "string") return content.length;
  if (!Array.isArray(content)) return LETTERS_OF_OTHER_PARTS;
  let count = 0;
  for (const part of content) {
    const { text, output } = Object(part) as { text?: unknown; output?: { value?: unknown } };
    const value = text ?? output?.value;
    count += typeof value === "string" ? value.length : LETTERS_OF_OTHER_PARTS;
  }
  return count;
}

/** The streamed pieces of a text: its words, each with the following space. */
export function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
