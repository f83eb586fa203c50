import { randomUUID } from "node:crypto";
import type { AnswerChanges, HookedAnswer } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import type { ToolUse } from "@tenterhook/protocol";
import { parseInput } from "../core/index.ts";
import type { Item, ModelResponse, StreamEvent } from "./sdk.ts";

/** An answer of the model, streamed or not. */
export interface Answer {
  readonly output: readonly Item[];
  readonly usage: ModelResponse["usage"];
  /** What the model returned; absent if the answer came from a hook. */
  readonly response?: ModelResponse | undefined;
  /** The last event of a stream; absent if the answer came from a hook, or was not streamed. */
  readonly lastEvent?: StreamEvent | undefined;
}

/** The answer as hooks see it. */
export function readAnswer({ output, usage }: Answer): HookedAnswer {
  const toolUses = output.filter(isCall).map(toToolUse);
  const { inputTokens = 0, outputTokens = 0 } = usage;
  return { text: readText(output), toolUses, usage: { inputTokens, outputTokens } };
}

/** The text of an answer. */
export function readText(output: readonly Item[]): string {
  return output
    .filter(isMessage)
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly unknown[]) : []))
    .map((part) => (isRecord(part) && part.type === "output_text" ? String(part.text) : ""))
    .join("");
}

/** The answer with another text, or with other tool calls; everything else stays as the provider wrote it. */
export function changeAnswer(answer: Answer, { text, toolUses }: AnswerChanges): Answer {
  let { output } = answer;
  if (text !== undefined) output = changeText(output, text);
  if (toolUses !== undefined) {
    const calls = output.filter(isCall);
    output = [
      ...output.filter((item) => !isCall(item)),
      ...toolUses.map((use) => findCall(calls, use) ?? toCall(use)),
    ];
  }
  return { ...answer, output };
}

/** An answer that did not come from the model. */
export function createAnswer({ text, toolUses }: HookedAnswer): Answer {
  return { output: [...(text === "" ? [] : [toTextItem(text)]), ...toolUses.map(toCall)], usage: {} };
}

/** The answer in the form that the runner expects of a model that does not stream. */
export function toResponse({ output, response }: Answer): ModelResponse {
  if (response === undefined) return { usage: NO_USAGE, output };
  return response.output === output ? response : { ...response, output };
}

/** The answer as the last event of a stream. */
export function toLastEvent({ output, lastEvent }: Answer): StreamEvent {
  const response = lastEvent?.response ?? { id: `hook_${randomUUID()}`, usage: NO_USAGE };
  return { ...lastEvent, type: "response_done", response: { ...response, output } };
}

/** A call of a function as an item. */
export function toCall({ id, name, input }: ToolUse): Item {
  return { type: "function_call", callId: id, name, status: "completed", arguments: JSON.stringify(input) };
}

const NO_USAGE = Object.freeze({
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  inputTokensDetails: [],
  outputTokensDetails: [],
});

function changeText(output: readonly Item[], text: string): readonly Item[] {
  const at = output.findIndex(isMessage);
  const others = output.filter((item) => !isMessage(item));
  if (text === "") return others;
  if (at < 0) return [...others.filter((item) => !isCall(item)), toTextItem(text), ...others.filter(isCall)];
  const changed = { ...output[at], content: [{ type: "output_text", text }] } as Item;
  return output
    .filter((item, index) => index === at || !isMessage(item))
    .map((item) => (isMessage(item) ? changed : item));
}

function toTextItem(text: string): Item {
  return {
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text }],
  };
}

function isMessage(item: Item): boolean {
  return item.role === "assistant" && (item.type === undefined || item.type === "message");
}

function isCall(item: Item): boolean {
  return item.type === "function_call";
}

function toToolUse(item: Item): ToolUse {
  return { id: String(item.callId), name: String(item.name), input: parseInput(item.arguments) };
}

/** The call of the model that a hook left alone. */
function findCall(calls: readonly Item[], use: ToolUse): Item | undefined {
  const input = JSON.stringify(use.input);
  return calls.find((item) => {
    const { id, name, input: proposed } = toToolUse(item);
    return id === use.id && name === use.name && JSON.stringify(proposed) === input;
  });
}
