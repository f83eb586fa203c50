import type { PromptMessage } from "../ai-sdk/sdk-types.ts";

/** The configuration of an agent, as far as the adapter reads it; all other fields are kept. */
export interface ConfigLike {
  readonly model: unknown;
}

/** The context of one call of an agent: the same object in its model, its tools and its processors. */
export interface RequestContext {
  get(key: string): unknown;
}

/** What Mastra gives functions of a configuration. */
export interface ConfigArgs {
  readonly requestContext: RequestContext;
  readonly mastra?: unknown;
}

/** The same configuration with the fields that the adapter uses. Each may be a function of the request. */
export interface Config {
  readonly id?: string;
  readonly name?: string;
  readonly model: unknown;
  readonly maxRetries?: number;
  readonly tools?: Tools | ((args: ConfigArgs) => Tools | PromiseLike<Tools>);
  readonly hooks?: ToolHooks;
  readonly inputProcessors?: readonly unknown[] | ((args: ConfigArgs) => unknown);
  readonly defaultOptions?: CallOptions | ((args: ConfigArgs) => CallOptions | PromiseLike<CallOptions>);
}

export type Tools = Readonly<Record<string, Tool>>;

/** A tool of Mastra or of the AI SDK. */
export interface Tool {
  readonly inputSchema?: unknown;
  readonly execute?: (input: unknown, context: ToolContext) => unknown;
  readonly requireApproval?: boolean | ApprovalPolicy;
  /** The same of a tool of the AI SDK. */
  readonly needsApproval?: boolean | ApprovalPolicy;
  readonly needsApprovalFn?: ApprovalPolicy;
}

export type ApprovalPolicy = (input: unknown, context?: unknown) => boolean | PromiseLike<boolean>;

/** What a tool is executed with. The tools of the AI SDK have the fields of `agent` beside the others. */
export interface ToolContext {
  readonly requestContext?: RequestContext;
  readonly abortSignal?: AbortSignal;
  readonly toolCallId?: string;
  readonly resumeData?: unknown;
  readonly agent?: { readonly toolCallId?: string; readonly resumeData?: unknown };
}

export interface ToolHooks {
  beforeToolCall?(call: HookCall): unknown;
  afterToolCall?(call: HookCall & { readonly output?: unknown; readonly error?: unknown }): unknown;
}

/** What tool hooks are given. `input` and `context` are handed on to the tool. */
export interface HookCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: {
    readonly toolCallId: string;
    readonly requestContext?: RequestContext;
    readonly abortSignal?: AbortSignal;
    /** What a tool that had suspended itself is resumed with. */
    readonly resumeData?: unknown;
    suspend?: (...args: readonly unknown[]) => unknown;
  };
}

/** Options of `generate` and `stream`. Those of a call replace those of the agent. */
export interface CallOptions {
  readonly modelSettings?: { readonly maxRetries?: number };
  readonly onFinish?: (event: FinishEvent) => unknown;
  readonly delegation?: Delegation;
  readonly requireToolApproval?: CallPolicy;
  readonly hooks?: ToolHooks;
}

/** Whether calls of tools need the approval of a person: all, or those about which it says so. */
type CallPolicy =
  | boolean
  | ((question: {
      readonly toolName: string;
      readonly args: unknown;
      readonly requestContext?: unknown;
    }) => boolean | PromiseLike<boolean>);

export interface FinishEvent {
  readonly finishReason?: string;
  readonly text?: string;
  readonly steps?: readonly { readonly text?: string; readonly toolCalls?: readonly FinishedCall[] }[];
}

/** Mastra writes the id of a call in one of two places. */
interface FinishedCall {
  readonly toolCallId?: string;
  readonly payload?: { readonly toolCallId?: string };
}

export interface Delegation {
  onDelegationStart?(context: DelegationStart): unknown;
  onDelegationComplete?(context: DelegationEnd): unknown;
}

export interface DelegationStart {
  readonly primitiveId: string;
  readonly primitiveType: string;
  readonly prompt: string;
  readonly toolCallId: string;
  /** Of the subagent's run. */
  readonly requestContext: RequestContext;
}

export interface DelegationEnd {
  readonly toolCallId: string;
  readonly success: boolean;
  readonly result?: { readonly text?: string };
}

/** A message of Mastra, as processors get it. */
export interface StoredMessage {
  readonly role: string;
  readonly content: {
    readonly parts?: readonly { readonly type: string; readonly text?: string }[];
    readonly content?: unknown;
  };
}

export type Prompt = readonly PromptMessage[];
