/** The parts of the AI SDK's types that the adapter uses, the same in versions 6 and 7. */
export interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly Part[];
  readonly [field: string]: unknown;
}

export interface FunctionTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly [field: string]: unknown;
}

export interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly FunctionTool[] | undefined;
  readonly toolChoice?: { readonly type: string; readonly toolName?: string } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly [setting: string]: unknown;
}

export interface GenerateResult {
  readonly content: readonly Part[];
  /** A text in the second version of models. */
  readonly finishReason: string | { readonly unified: string; readonly raw?: string | undefined };
  readonly usage: unknown;
  readonly warnings: readonly unknown[];
  readonly [field: string]: unknown;
}

export interface StreamResult {
  readonly stream: ReadableStream<Part>;
  readonly [field: string]: unknown;
}

/** A language model of any specification. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls?: unknown;
  doGenerate(params: CallParams): PromiseLike<GenerateResult>;
  doStream(params: CallParams): PromiseLike<StreamResult>;
}

export interface ToolOptions {
  readonly toolCallId: string;
  readonly messages: readonly PromptMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly [field: string]: unknown;
}

export interface Tool {
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly needsApproval?:
    | boolean
    | ((input: never, options: never) => boolean | PromiseLike<boolean>)
    | undefined;
  readonly [field: string]: unknown;
}

export type Tools = Readonly<Record<string, Tool>>;

/** The settings of an agent or of a call, as far as the adapter reads them. */
export interface Settings {
  readonly id?: string;
  readonly model: unknown;
  readonly tools?: Tools | undefined;
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly maxRetries?: number | undefined;
  /** Of version 7: how often a step asks again for an answer that contains an error. */
  readonly streamRetries?: number | undefined;
  readonly abortSignal?: AbortSignal;
  readonly activeTools?: readonly string[];
  readonly toolApproval?: unknown;
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  readonly prepareStep?: (options: StepOptions) => unknown;
  readonly prepareCall?: (args: Settings) => unknown;
  readonly onFinish?: (event: FinishEvent) => unknown;
  readonly onEnd?: (event: FinishEvent) => unknown;
  readonly onError?: (event: { readonly error: unknown }) => unknown;
}

export type StopCondition = (options: {
  readonly steps: readonly StepLike[];
}) => boolean | PromiseLike<boolean>;

export interface StepLike {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly toolName: string; readonly toolCallId: string }[];
  readonly response?: { readonly messages?: readonly PromptMessage[] };
}

/** What `onFinish` and `onEnd` are given. */
export type FinishEvent = Pick<StepLike, "toolCalls">;

export interface StepOptions {
  readonly stepNumber: number;
  readonly messages: readonly PromptMessage[];
  readonly steps: readonly StepLike[];
}
