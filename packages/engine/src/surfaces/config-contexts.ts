import type { Message, ToolDefinition, ToolUse, Usage } from "@tenterhook/protocol";
import type { MaybePromise } from "../register/hook.ts";

// The names and shapes of the config object: `input`, `result`, 1-based iterations, one `afterTool` for both ends.

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
type Nothing = undefined | void;

export interface ToolExecutionResult {
  readonly success: boolean;
  readonly result?: unknown;
  readonly error?: string;
}

export interface ConfigHookContext {
  readonly sessionId: string;
  readonly iteration: number;
  readonly signal?: AbortSignal;
  readonly metadata: Record<string, unknown>;
  /** True when this hook has judged already and is asked once more, because a later one changed the value. */
  readonly judging: boolean;
}

export interface IterationHookContext extends ConfigHookContext {
  readonly maxIterations: number;
  readonly messages: Message[];
}

export interface AfterIterationHookContext extends IterationHookContext {
  readonly toolCalls: { name: string; input: Record<string, unknown>; result: ToolExecutionResult }[];
  readonly completedWithText: boolean;
}

export interface LLMHookContext extends ConfigHookContext {
  readonly messages: Message[];
  readonly tools: ToolDefinition[];
  readonly systemPrompt: string;
}

export interface AfterLLMHookContext extends LLMHookContext {
  readonly text: string;
  readonly toolUses: ToolUse[];
  readonly usage?: Usage;
  readonly model?: string;
  readonly durationMs: number;
}

export interface ToolHookContext extends ConfigHookContext {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

export interface AfterToolHookContext extends ToolHookContext {
  readonly result: ToolExecutionResult;
  readonly durationMs: number;
}

export interface ErrorHookContext extends ConfigHookContext {
  readonly error: Error;
  readonly phase: "llm" | "tool" | "iteration";
  readonly toolName?: string;
}

export interface BeforeLLMHookResult {
  readonly messages?: Message[];
  readonly tools?: ToolDefinition[];
  readonly systemPrompt?: string;
}

export interface BeforeToolHookResult {
  readonly skip?: boolean;
  readonly result?: ToolExecutionResult;
  readonly input?: Record<string, unknown>;
}

export interface AfterToolHookResult {
  readonly result?: ToolExecutionResult;
}

export interface ErrorHookResult {
  readonly handled?: boolean;
  readonly error?: Error;
  readonly recovery?: ToolExecutionResult;
}

export type BeforeIterationHook = (context: IterationHookContext) => MaybePromise<Nothing | { skip: true }>;
export type AfterIterationHook = (context: AfterIterationHookContext) => MaybePromise<Nothing>;
export type BeforeLLMHook = (context: LLMHookContext) => MaybePromise<Nothing | BeforeLLMHookResult>;
export type AfterLLMHook = (context: AfterLLMHookContext) => MaybePromise<Nothing>;
export type BeforeToolHook = (context: ToolHookContext) => MaybePromise<Nothing | BeforeToolHookResult>;
export type AfterToolHook = (context: AfterToolHookContext) => MaybePromise<Nothing | AfterToolHookResult>;
export type OnErrorHook = (context: ErrorHookContext) => MaybePromise<Nothing | ErrorHookResult>;

/** Hooks by type, as one configuration object. */
export interface HooksConfig {
  beforeIteration?: BeforeIterationHook[];
  afterIteration?: AfterIterationHook[];
  beforeLLM?: BeforeLLMHook[];
  afterLLM?: AfterLLMHook[];
  beforeTool?: BeforeToolHook[];
  afterTool?: AfterToolHook[];
  onError?: OnErrorHook[];
}

export type HookType = keyof HooksConfig;

/** The function that a hook type takes. */
export type ConfigHook<T extends HookType> = NonNullable<HooksConfig[T]>[number];
