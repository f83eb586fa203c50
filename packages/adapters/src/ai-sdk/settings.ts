import type { PromptMessage, Tools } from "./sdk-types.ts";

/** The settings that the adapter reads; all others are kept. */
export interface SettingsLike {
  readonly model: unknown;
}

/** The same settings with the fields that the adapter uses. */
export interface Settings {
  readonly id?: string;
  readonly model: unknown;
  readonly tools?: Tools;
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly maxRetries?: number;
  /** Of version 7: how often a step asks again for an answer that contains an error. */
  readonly streamRetries?: number;
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

export interface FinishEvent {
  readonly toolCalls?: readonly { readonly toolCallId: string }[];
}

export interface StepOptions {
  readonly stepNumber: number;
  readonly messages: readonly PromptMessage[];
  readonly steps: readonly StepLike[];
}
