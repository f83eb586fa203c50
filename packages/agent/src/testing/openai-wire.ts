import type { ModelToolCall } from "../model/model.ts";
import type { ScriptedAnswer } from "../model/scripted/script.ts";
import { scriptedFinish, scriptedUsage, words } from "../model/scripted/script.ts";

/** The fields of a chat completion request that a scripted answer uses. */
export interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly { readonly role?: string; readonly content?: unknown }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** One answer of the server. */
export interface ScriptedReply {
  readonly request: ChatRequest;
  readonly answer: ScriptedAnswer;
  readonly calls: readonly ModelToolCall[];
  /** The number of this answer, from 1. */
  readonly number: number;
}

/** The body of a chat completion. */
export function completion(reply: ScriptedReply): object {
  const { text = "", reasoning } = reply.answer;
  const toolCalls = reply.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: formatArguments(call) },
  }));
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return {
    ...head(reply, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: formatFinish(reply) }],
    usage: formatUsage(reply),
  };
}

/** The chunks of a streamed completion, with tool arguments split at arbitrary positions. */
export function chunks(reply: ScriptedReply): object[] {
  const { text = "", reasoning = "" } = reply.answer;
  const deltas: object[] = [
    { role: "assistant", content: "" },
    ...words(reasoning).map((word) => ({ reasoning_content: word })),
    ...words(text).map((word) => ({ content: word })),
    ...reply.calls.flatMap(callDeltas),
  ];
  const start = head(reply, "chat.completion.chunk");
  const all: object[] = deltas.map((delta) => ({
    ...start,
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  all.push({ ...start, choices: [{ index: 0, delta: {}, finish_reason: formatFinish(reply) }] });
  if (reply.request.stream_options?.include_usage) {
    all.push({ ...start, choices: [], usage: formatUsage(reply) });
  }
  return all;
}

function callDeltas(call: ModelToolCall, index: number): object[] {
  const whole = formatArguments(call);
  const third = Math.ceil(whole.length / 3);
  const pieces = [whole.slice(0, third), whole.slice(third, 2 * third), whole.slice(2 * third)];
  return [
    { tool_calls: [{ index, id: call.id, type: "function", function: { name: call.name, arguments: "" } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** Arguments are sent as text, which need not be JSON. */
function formatArguments({ input, invalid }: ModelToolCall): string {
  return invalid !== undefined && typeof input === "string" ? input : JSON.stringify(input ?? {});
}

function head({ request, number }: ScriptedReply, object: string): object {
  return { id: `chatcmpl-${number}`, object, created: 0, model: request.model ?? "scripted" };
}

/** `tool-calls` is `tool_calls` here. */
function formatFinish({ answer }: ScriptedReply): string {
  return scriptedFinish(answer).replaceAll("-", "_");
}

function formatUsage({ answer, request }: ScriptedReply): object {
  const { inputTokens, outputTokens } = scriptedUsage(answer, request.messages ?? []);
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
