import type { Message, Usage } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import type { ScriptedAnswer, ScriptedToolCall } from "./script.ts";

/** A scripted call as the port has it. */
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

/** The message that the AI SDK makes of such an answer; none for an answer without anything in it. */
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

/** The rule of thumb for English. */
const LETTERS_PER_TOKEN = 4;
/** What is neither a text nor has one is not measured: this runs in benchmarks, and writing it out as JSON would show there. */
const LETTERS_OF_OTHER_PARTS = 40;

/** Tokens by the length of what was said, the same for the same conversation. */
export function scriptedUsage(answer: ScriptedAnswer, messages: readonly { content?: unknown }[]): Usage {
  if (answer.usage !== undefined) return answer.usage;
  let asked = 0;
  for (const { content } of messages) asked += letters(content);
  const said =
    (answer.text?.length ?? 0) +
    (answer.reasoning?.length ?? 0) +
    (answer.toolCalls?.length ?? 0) * LETTERS_OF_OTHER_PARTS;
  return {
    inputTokens: Math.ceil(asked / LETTERS_PER_TOKEN),
    outputTokens: Math.ceil(said / LETTERS_PER_TOKEN),
  };
}

function letters(content: unknown): number {
  if (typeof content === "string") return content.length;
  if (!Array.isArray(content)) return LETTERS_OF_OTHER_PARTS;
  let count = 0;
  for (const part of content) {
    const { text, output } = Object(part) as { text?: unknown; output?: { value?: unknown } };
    const said = text ?? output?.value;
    count += typeof said === "string" ? said.length : LETTERS_OF_OTHER_PARTS;
  }
  return count;
}

/** A text in the pieces in which it is streamed: its words, each with the space behind it. */
export function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
