import { type Message, TenterhookError, type Usage } from "@tenterhook/protocol";
import type { ModelRequest, ModelToolCall } from "../model.ts";

/** A tool call in a script. */
export interface ScriptedToolCall {
  readonly name: string;
  /** Parsed arguments; a text, together with `invalid`, for arguments that are not JSON. */
  readonly input: unknown;
  /** Default `call-1`, `call-2`, … in the order of the calls. */
  readonly id?: string | undefined;
  /** Why the call cannot be executed. */
  readonly invalid?: string | undefined;
  /** Set if the provider executed the call. */
  readonly executed?: { readonly result: unknown; readonly isError?: boolean | undefined } | undefined;
}

/** One answer of a scripted model. */
export interface ScriptedAnswer {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default: one token for four characters of the conversation and of the answer. */
  readonly usage?: Usage | undefined;
  /** Default `tool-calls` if there are calls to execute, otherwise `stop`. */
  readonly finishReason?: string | undefined;
  /** After half of the answer the connection is closed (`cut`), or sends nothing more (`stall`) until the call is aborted. */
  readonly halfway?: "cut" | "stall" | undefined;
  readonly error?: undefined;
}

/** The error of the call; over HTTP its `statusCode` (default 500) and `responseHeaders` are used. */
export interface ScriptedFailure {
  readonly error: Error;
}

/** One answer of a model: a text, a text with tool calls and more, or a failure. */
export type ScriptedTurn = string | ScriptedAnswer | ScriptedFailure;

/** The answers of a model, in order. A function gets the request, and may delay the answer. */
export type Script<Request = ModelRequest> = readonly (
  | ScriptedTurn
  | ((request: Request, index: number) => ScriptedTurn | Promise<ScriptedTurn>)
)[];

/** Returns the turns of a script, one by one. */
export class ScriptPlayer<Request> {
  readonly #script: Script<Request>;
  readonly #repeat: boolean;
  #callIds = 0;
  /** The number of returned turns. */
  calls = 0;

  constructor(script: Script<Request>, repeat = false) {
    this.#script = script;
    this.#repeat = repeat;
  }

  /** The next turn. Throws `script_ended` if there is none. */
  next(request: Request): ScriptedTurn | Promise<ScriptedTurn> {
    const index = this.calls++;
    const { length } = this.#script;
    const turn = this.#script[this.#repeat ? index % length : index];
    if (turn === undefined) {
      const problem = `the script has ${length} ${length === 1 ? "turn" : "turns"}, and the model was asked for turn ${index + 1}.`;
      const hint = "Give it more turns, or `repeat: true` to start over.";
      throw new TenterhookError("script_ended", problem, { hint });
    }
    return typeof turn === "function" ? turn(request, index) : turn;
  }

  /** Continues counting when a script is repeated, because ids must be unique in a conversation. */
  callId(): string {
    return `call-${++this.#callIds}`;
  }
}

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
  for (const { id: toolCallId, name: toolName, input, invalid, executed } of calls) {
    const isText = invalid !== undefined && typeof input !== "object";
    const call = { type: "tool-call", toolCallId, toolName, input: isText ? {} : input };
    content.push(executed === undefined ? call : { ...call, providerExecuted: true });
    if (executed === undefined) continue;
    const output = { type: executed.isError ? "error-json" : "json", value: executed.result ?? null };
    content.push({ type: "tool-result", toolCallId, toolName, output });
  }
  return content.length === 0 ? undefined : { role: "assistant", content };
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
