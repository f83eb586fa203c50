import type { Message, ToolDefinition, Usage } from "@tenterhook/protocol";

/** The request of one model call. */
export interface ModelRequest {
  /** The conversation, in the AI SDK's message format; system messages come first. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. Definitions only: the caller executes the calls. */
  readonly tools: readonly ToolDefinition[];
  /** The JSON Schema of the final answer. */
  readonly outputSchema?: object | undefined;
  /** Temperature, provider options and so on, passed unchanged. */
  readonly settings?: ModelSettings | undefined;
  readonly signal: AbortSignal;
}

/** Settings of a model call by their AI SDK names: `temperature`, `maxOutputTokens`, `providerOptions`, … */
export type ModelSettings = Readonly<Record<string, unknown>>;

/** A tool call of a model. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as parsed JSON; text if they were not JSON. */
  readonly input: unknown;
  /** Why the call cannot be executed: an unknown tool, or arguments that are not JSON. */
  readonly invalid?: string | undefined;
  /** Set if the provider has executed the call; then it is neither run nor refused. */
  readonly executed?: { readonly result: unknown; readonly isError: boolean } | undefined;
}

/** A model's answer in one step. */
export interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** The answer as a message of the conversation, with everything that the provider expects in the next request. */
  readonly message: Message | undefined;
  readonly usage?: Usage | undefined;
  /** `stop`, `tool-calls`, `length`, `content-filter`, `error`, `other`. */
  readonly finishReason: string;
  /** The model that answered, if the provider returns it. */
  readonly modelId?: string | undefined;
}

/** A piece of a streamed answer. */
export interface ModelDelta {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/**
 * The interface to a model that the loop needs. Both calls reject with the provider's own error, of which `isRetryable` is read,
 * and with an `AbortError` when the signal fires. Neither retries, and neither runs a tool.
 */
export interface Model {
  readonly modelId: string;
  readonly provider: string;
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** Streams the text while the model writes it. */
  stream(request: ModelRequest, emit: (delta: ModelDelta) => void): Promise<ModelAnswer>;
}
