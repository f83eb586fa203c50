import { type HookedAnswer, snapshot } from "@tenterhook/engine/host";
import { checkJson, isRecord, JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";
import type { Message, ToolUse } from "@tenterhook/protocol";
import type { ModelAnswer, ModelToolCall } from "../model/model.ts";
import { jsonProblem } from "../tools/json-problem.ts";
import { errorOutput } from "./tool-output.ts";

/**
 * An answer that did not come from the model: of a hook that skipped or recovered, or of a wrapper, which gave `given`. If that is complete,
 * it is kept as it is: its message may have parts that the provider expects in the next request.
 */
export function readAnswer({ text, toolUses }: HookedAnswer, given: unknown): ModelAnswer {
  if (isRecord(given) && given.message !== undefined && Array.isArray(given.toolCalls))
    return given as unknown as ModelAnswer;
  return createAnswer(text, toolUses);
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

/**
 * Checks a model's answer against the limits of JSON, and freezes it: a copy, because the model may keep what it returned. A tool call
 * whose input exceeds them becomes an invalid call with a reason; the input itself reaches neither hooks nor the model. Throws
 * `json_limit` when the rest of the answer exceeds them.
 */
export function boundedAnswer(answer: ModelAnswer): ModelAnswer {
  const toolCalls = answer.toolCalls.map(boundedCall);
  const isChanged = toolCalls.some((call, index) => call !== answer.toolCalls[index]);
  const bounded = isChanged ? changedCalls(answer, toolCalls) : answer;
  const { text, usage, finishReason, modelId } = bounded;
  checkJson({ text, message: bounded.message }, "the model's answer", JSON_DOCUMENT_LIMITS);
  // In one copy: parts of the message are recognised by being the parts of the calls.
  const { toolCalls: calls, message } = snapshot({ toolCalls: bounded.toolCalls, message: bounded.message });
  return { text, toolCalls: calls, message, usage, finishReason, modelId };
}

function boundedCall(call: ModelToolCall): ModelToolCall {
  const { id, name, executed } = call;
  const inputProblem = jsonProblem(call.input, `the input of ${name}`);
  const resultProblem =
    executed === undefined ? undefined : jsonProblem(executed.result, `the result of ${name}`);
  if (inputProblem === undefined && resultProblem === undefined) return call;
  if (executed === undefined) return { id, name, input: {}, invalid: inputProblem };
  return {
    id,
    name,
    input: inputProblem === undefined ? call.input : {},
    executed: resultProblem === undefined ? executed : { result: resultProblem, isError: true },
  };
}

/** An answer with other tool calls, including those that the provider executed; its text stays as it is. */
function changedCalls(answer: ModelAnswer, toolCalls: readonly ModelToolCall[]): ModelAnswer {
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
