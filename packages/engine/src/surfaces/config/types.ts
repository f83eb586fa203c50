import type { Message, ToolDefinition, ToolUse, Usage } from "@tenterhook/protocol";
import type { MaybePromise } from "../../register/hook.ts";

// The names and shapes of the configuration object: `input`, `result`, 1-based iterations, one `afterTool` for success and failure.

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing.
type Nothing = undefined | void;

/** What a tool returned. */
export interface ToolExecutionResult {
  readonly success: boolean;
  readonly result?: unknown;
  readonly error?: string;
}

/** What every hook of a configuration object is given. */
export interface HookContext {
  readonly sessionId: string;
  readonly iteration: number;
  /** Aborted when the hook times out, or the run is cancelled before the hooks of this event have ended. */
  readonly signal?: AbortSignal;
  readonly metadata: Record<string, unknown>;
  /** True in the second judgement: a later hook changed the value after this one had passed it. */
  readonly judging: boolean;
}

/** What a hook before an iteration is given. */
export interface IterationHookContext extends HookContext {
  readonly maxIterations: number;
  readonly messages: Message[];
}

/** What a hook after an iteration is given. */
export interface AfterIterationHookContext extends IterationHookContext {
  readonly toolCalls: { name: string; input: Record<string, unknown>; result: ToolExecutionResult }[];
  readonly completedWithText: boolean;
}

/** What a hook before a model call is given. */
export interface LLMHookContext extends HookContext {
  readonly messages: Message[];
  readonly tools: ToolDefinition[];
  readonly systemPrompt: string;
}

/** What a hook after a model call is given. */
export interface AfterLLMHookContext extends LLMHookContext {
  readonly text: string;
  readonly toolUses: ToolUse[];
  readonly usage?: Usage;
  readonly model?: string;
  readonly durationMs: number;
}

/** What a hook before a tool call is given. */
export interface ToolHookContext extends HookContext {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

/** What a hook after a tool call is given. */
export interface AfterToolHookContext extends ToolHookContext {
  readonly result: ToolExecutionResult;
  readonly durationMs: number;
}

/** What a hook of an error is given. */
export interface ErrorHookContext extends HookContext {
  readonly error: Error;
  readonly phase: "llm" | "tool" | "iteration";
  readonly toolName?: string;
}

/** What a hook before a model call may change. */
export interface BeforeLLMHookResult {
  readonly messages?: Message[];
  readonly tools?: ToolDefinition[];
  readonly systemPrompt?: string;
}

/** What a hook before a tool call may answer. */
export interface BeforeToolHookResult {
  readonly skip?: boolean;
  readonly result?: ToolExecutionResult;
  readonly input?: Record<string, unknown>;
}

/** What a hook after a tool call may change. */
export interface AfterToolHookResult {
  readonly result?: ToolExecutionResult;
}

/** What a hook of an error may answer. */
export interface ErrorHookResult {
  readonly handled?: boolean;
  readonly error?: Error;
  readonly recovery?: ToolExecutionResult;
}

/** A hook before an iteration. */
export type BeforeIterationHook = (context: IterationHookContext) => MaybePromise<Nothing | { skip: true }>;
/** A hook after an iteration. */
export type AfterIterationHook = (context: AfterIterationHookContext) => MaybePromise<Nothing>;
/** A hook before a model call. */
export type BeforeLLMHook = (context: LLMHookContext) => MaybePromise<Nothing | BeforeLLMHookResult>;
/** A hook after a model call. */
export type AfterLLMHook = (context: AfterLLMHookContext) => MaybePromise<Nothing>;
/** A hook before a tool call. */
export type BeforeToolHook = (context: ToolHookContext) => MaybePromise<Nothing | BeforeToolHookResult>;
/** A hook after a tool call. */
export type AfterToolHook = (context: AfterToolHookContext) => MaybePromise<Nothing | AfterToolHookResult>;
/** A hook of an error. */
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

/** The key of a hook in a configuration object. */
export type HookType = keyof HooksConfig;

/** The function that a hook type takes. */
export type ConfigHook<T extends HookType> = NonNullable<HooksConfig[T]>[number];

/** When a hook is called, and in which order. */
export interface HookRegistrationOptions {
  /** For traces and errors. Default: the function's name. */
  readonly name?: string;
  /** Lower runs first, unlike in the engine. Default 0. */
  readonly priority?: number;
  /**
   * Whether the hook is called again when a later hook changed the value; the context then has `judging: true`, and only a
   * refusal counts. Default false, unlike in the engine: a guard that must see the value that is used sets it.
   */
  readonly rejudge?: boolean;
  /** False: it is called and what it would have done is recorded, and nothing else follows from it. Default true. */
  readonly enforce?: boolean;
}

/** A hook as it was registered. */
export interface RegisteredHook<T> extends HookRegistrationOptions {
  readonly id: string;
  readonly hook: T;
}

/** What happened to a hook. */
export type HookEventType =
  | "hook:registered"
  | "hook:unregistered"
  | "hook:started"
  | "hook:completed"
  | "hook:error";

/** What happened to a hook. */
export interface HookEvent {
  type: HookEventType;
  hookType: HookType;
  hookId?: string;
  hookName?: string;
  durationMs?: number;
  error?: Error;
  /** Set in the second judgement, after a later hook changed the value. */
  judging?: true;
}

/** A listener of what happens to hooks. */
export type HookEventHandler = (event: HookEvent) => void;
