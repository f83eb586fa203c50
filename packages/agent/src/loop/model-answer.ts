import { snapshot } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { type Message, TenterhookError, type ToolUse } from "@tenterhook/protocol";
import type { ModelAnswer, ModelToolCall } from "../model/model.ts";
import { errorOutput } from "./tool-output.ts";

/**
 * Reads an answer that did not come from the model: the result of a hook that skipped or recovered, or of a wrapper. It may be a
 * text, an object with `text` and `toolUses`, or a model's answer.
 */
export function readAnswer(given: unknown, whose: string): ModelAnswer {
  if (given === undefined || given === null) return createAnswer("", []);
  if (typeof given === "string") return createAnswer(given, []);
  if (typeof given === "object") {
    const { text, toolUses, toolCalls, message } = given as Partial<ModelAnswer> & {
      toolUses?: readonly ToolUse[];
    };
    // A complete answer is kept as it is: its message may have parts that the provider expects in the next request.
    if (typeof text === "string" && Array.isArray(toolCalls) && message !== undefined)
      return given as ModelAnswer;
    const calls = (toolCalls ?? toolUses ?? []) as readonly ModelToolCall[];
    if (typeof (text ?? "") === "string" && Array.isArray(calls)) return createAnswer(text ?? "", calls);
  }
  const problem = `${whose} gave an answer that is neither text nor { text, toolUses }.`;
  throw new TenterhookError("bad_outcome", problem);
}

function createAnswer(text: string, toolCalls: readonly ModelToolCall[]): ModelAnswer {
  const finishReason = toolCalls.length > 0 ? "tool-calls" : "stop";
  return { text, toolCalls, message: assistantMessage(text, toolCalls), finishReason };
}

/** An answer in which hooks changed the text or the tool calls; everything else stays as the provider wrote it. */
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
  return { ...answer, text, toolCalls, message: rebuiltMessage(answer, text, toolCalls) };
}

/** An answer with other tool calls, including those that the provider executed; its text stays as it is. */
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

/** The tool calls as hooks see them, without those that the provider has already executed. */
export function toolUsesOf({ toolCalls }: ModelAnswer): ToolUse[] {
  return snapshot(
    toolCalls
      .filter(({ executed }) => executed === undefined)
      .map(({ id, name, input }) => ({ id, name, input: isRecord(input) ? input : {} })),
  );
}

function unchangedCall(answer: ModelAnswer, use: ToolUse): ModelToolCall | undefined {
  const call = answer.toolCalls.find(({ id, name }) => id === use.id && name === use.name);
  // Hooks see an invalid call with an empty input; if they do not change that, it stays invalid.
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

function rebuiltMessage(
  answer: ModelAnswer,
  text: string,
  toolCalls: readonly ModelToolCall[],
): Message | undefined {
  const content = answer.message?.content;
  if (!Array.isArray(content)) return assistantMessage(text, toolCalls);
  const remaining = (content as readonly Part[]).filter((part) => {
    // Reasoning repeats the text, so it is removed when the text was changed.
    if (part.type === "reasoning" || part.type === "text") return text === answer.text;
    return part.type !== "tool-call" || part.providerExecuted === true;
  });
  const textParts = text === answer.text || text === "" ? [] : [{ type: "text", text }];
  const calls = toolCalls.filter(({ executed }) => executed === undefined);
  const parts = [
    ...remaining,
    ...textParts,
    ...calls.map((call) => originalPart(content as readonly Part[], call) ?? callPart(call)),
  ];
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

/** The provider's own part for a call, if the call is unchanged. */
function originalPart(content: readonly Part[], call: ModelToolCall): Part | undefined {
  const part = content.find(({ type, toolCallId }) => type === "tool-call" && toolCallId === call.id) as
    | (Part & { readonly input?: unknown; readonly toolName?: string })
    | undefined;
  return part?.toolName === call.name && (part.input === call.input || call.invalid !== undefined)
    ? part
    : undefined;
}

function assistantMessage(text: string, toolCalls: readonly ModelToolCall[]): Message | undefined {
  const textParts = text === "" ? [] : [{ type: "text", text }];
  const parts = [...textParts, ...toolCalls.map(callPart)];
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

function callPart({ id, name, input }: ModelToolCall) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: isRecord(input) ? input : {} };
}

function isEmpty(input: object): boolean {
  return Object.keys(input).length === 0;
}
