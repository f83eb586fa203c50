import type { Message, ToolDefinition, Usage } from "@tenterhook/protocol";

/** What a model is asked, one step at a time. */
export interface ModelRequest {
  /** The conversation, in the AI SDK's message format; system messages come first. */
  readonly messages: readonly Message[];
  /** What the model may call. Definitions only: whoever asks carries the calls out. */
  readonly tools: readonly ToolDefinition[];
  /** The JSON Schema that the final answer must have. */
  readonly outputSchema?: object | undefined;
  /** Temperature, provider options and the like, passed on as they are. */
  readonly settings?: ModelSettings | undefined;
  readonly signal: AbortSignal;
}

/** Settings of a model call by their AI SDK names: `temperature`, `maxOutputTokens`, `providerOptions`, … */
export type ModelSettings = Readonly<Record<string, unknown>>;

/** A tool call that a model asked for. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as parsed JSON; text when they were no JSON. */
  readonly input: unknown;
  /** Why the call cannot be carried out: no such tool, arguments that are no JSON. */
  readonly invalid?: string | undefined;
  /** Set when the provider carried the call out itself; there is nothing left to run or to refuse. */
  readonly executed?: { readonly result: unknown; readonly isError: boolean } | undefined;
}

/** What a model answered in one step. */
export interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** The answer as a message of the conversation, with everything that the provider wants to see again. */
  readonly message: Message | undefined;
  readonly usage?: Usage | undefined;
  /** `stop`, `tool-calls`, `length`, `content-filter`, `error`, `other`. */
  readonly finishReason: string;
  /** The model that really answered, where the provider says. */
  readonly modelId?: string | undefined;
}

/** A piece of an answer while it is being written. */
export interface ModelDelta {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/**
 * A model, behind the smallest port that a loop needs. Both calls reject with the provider's own error, of which
 * `isRetryable` is read, and with an `AbortError` when the signal fires. Neither retries, and neither runs a tool.
 */
export interface Model {
  readonly modelId: string;
  readonly provider: string;
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** The same, telling the text as it comes. */
  stream(request: ModelRequest, emit: (delta: ModelDelta) => void): Promise<ModelAnswer>;
}
