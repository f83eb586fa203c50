import { type Message, TenterhookError, type ToolUse } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import type { ModelAnswer, ModelToolCall } from "../model/model.ts";
import { errorOutput } from "./tool-output.ts";

/**
 * Reads what stands in for a model's answer: what a hook skipped or recovered with, or a wrapper returned. A text, an object
 * with `text` and `toolUses`, or an answer of a model.
 */
export function readAnswer(given: unknown, whose: string): ModelAnswer {
  if (given === undefined || given === null) return answerOf("", []);
  if (typeof given === "string") return answerOf(given, []);
  if (typeof given === "object") {
    const { text, toolUses, toolCalls, message } = given as Partial<ModelAnswer> & {
      toolUses?: readonly ToolUse[];
    };
    // A whole answer is kept as it is: its message may hold what the provider wants to see again.
    if (typeof text === "string" && Array.isArray(toolCalls) && message !== undefined)
      return given as ModelAnswer;
    const calls = (toolCalls ?? toolUses ?? []) as readonly ModelToolCall[];
    if (typeof (text ?? "") === "string" && Array.isArray(calls)) return answerOf(text ?? "", calls);
  }
  throw new TenterhookError(
    "bad_outcome",
    `${whose} gave an answer that is neither text nor { text, toolUses }.`,
  );
}

function answerOf(text: string, toolCalls: readonly ModelToolCall[]): ModelAnswer {
  const finishReason = toolCalls.length > 0 ? "tool-calls" : "stop";
  return { text, toolCalls, message: assistantMessage(text, toolCalls), finishReason };
}

/** An answer in which hooks changed the text or the tool calls; what they did not touch stays as the provider wrote it. */
export function changedAnswer(
  answer: ModelAnswer,
  text: string,
  toolUses: readonly ToolUse[] | undefined,
): ModelAnswer {
  const toolCalls =
    toolUses === undefined
      ? answer.toolCalls
      : [
          ...answer.toolCalls.filter(({ executed }) => executed !== undefined),
          ...toolUses.map(
            (use) => unchangedCall(answer, use) ?? { id: use.id, name: use.name, input: use.input },
          ),
        ];
  return { ...answer, text, toolCalls, message: rebuilt(answer, text, toolCalls) };
}

/** An answer with other tool calls, those that the provider carried out included; its text stays as it is. */
export function changedCalls(answer: ModelAnswer, toolCalls: readonly ModelToolCall[]): ModelAnswer {
  const changed = new Map(
    toolCalls.filter((call, index) => call !== answer.toolCalls[index]).map((call) => [call.id, call]),
  );
  const content = answer.message?.content;
  if (!Array.isArray(content))
    return { ...answer, toolCalls, message: assistantMessage(answer.text, toolCalls) };
  const parts = (content as readonly Part[]).map((part) => {
    const call = part.toolCallId === undefined ? undefined : changed.get(part.toolCallId);
    if (call === undefined) return part;
    if (part.type === "tool-call") return { ...part, input: isRecord(call.input) ? call.input : {} };
    return part.type === "tool-result" ? { ...part, output: errorOutput(call.executed?.result) } : part;
  });
  return { ...answer, toolCalls, message: { role: "assistant", content: parts } };
}

/** The tool calls as hooks see them; those that the provider carried out itself are no longer anybody's to decide. */
export function toolUsesOf({ toolCalls }: ModelAnswer): ToolUse[] {
  return toolCalls
    .filter(({ executed }) => executed === undefined)
    .map(({ id, name, input }) => ({ id, name, input: isRecord(input) ? input : {} }));
}

function unchangedCall(answer: ModelAnswer, use: ToolUse): ModelToolCall | undefined {
  const call = answer.toolCalls.find(({ id, name }) => id === use.id && name === use.name);
  // A call that could not be read shows as an empty input; left alone, it is still the call that could not be read.
  return call !== undefined &&
    (call.input === use.input || (call.invalid !== undefined && isEmpty(use.input)))
    ? call
    : undefined;
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly providerExecuted?: boolean;
}

function rebuilt(
  answer: ModelAnswer,
  text: string,
  toolCalls: readonly ModelToolCall[],
): Message | undefined {
  const content = answer.message?.content;
  if (!Array.isArray(content)) return assistantMessage(text, toolCalls);
  const kept = (content as readonly Part[]).filter((part) => {
    // Reasoning says again what the text says, so it does not outlive a text that was changed.
    if (part.type === "reasoning") return text === answer.text;
    if (part.type === "text") return text === answer.text;
    return part.type !== "tool-call" || part.providerExecuted === true;
  });
  const said = text === answer.text || text === "" ? [] : [{ type: "text", text }];
  const calls = toolCalls.filter(({ executed }) => executed === undefined);
  const parts = [
    ...kept,
    ...said,
    ...calls.map((call) => original(content as readonly Part[], call) ?? callPart(call)),
  ];
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

/** The part that the provider wrote for a call, if the call is still the same. */
function original(content: readonly Part[], call: ModelToolCall): Part | undefined {
  const part = content.find(({ type, toolCallId }) => type === "tool-call" && toolCallId === call.id) as
    | (Part & { readonly input?: unknown; readonly toolName?: string })
    | undefined;
  return part?.toolName === call.name && (part.input === call.input || call.invalid !== undefined)
    ? part
    : undefined;
}

function assistantMessage(text: string, toolCalls: readonly ModelToolCall[]): Message | undefined {
  const said = text === "" ? [] : [{ type: "text", text }];
  const parts = [...said, ...toolCalls.map(callPart)];
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

function callPart({ id, name, input }: ModelToolCall) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: isRecord(input) ? input : {} };
}

function isEmpty(input: object): boolean {
  return Object.keys(input).length === 0;
}
