/**
 * The parts of `@strands-agents/sdk` that the adapter uses. The package is not installed in the workspace, because it declares a
 * newer Node; `test/adapters/strands` compiles against its own types.
 */
declare module "@strands-agents/sdk" {
  export type JSONValue =
    | string
    | number
    | boolean
    | null
    | readonly JSONValue[]
    | { readonly [key: string]: JSONValue };

  export class TextBlock {
    constructor(text: string);
    readonly type: "textBlock";
    readonly text: string;
    toJSON(): { text: string };
  }

  export class JsonBlock {
    constructor(data: { json: JSONValue });
    readonly type: "jsonBlock";
    readonly json: JSONValue;
    toJSON(): { json: JSONValue };
  }

  export class ToolUseBlock {
    constructor(data: { name: string; toolUseId: string; input: JSONValue });
    readonly type: "toolUseBlock";
    readonly name: string;
    readonly toolUseId: string;
    readonly input: JSONValue;
    toJSON(): object;
  }

  /** Images, documents and other content that is passed on as it is. */
  interface OtherBlock {
    readonly type: "otherBlock";
    toJSON(): object;
  }

  export type ToolResultContent = TextBlock | JsonBlock | OtherBlock;
  export function toolResultContentFromData(data: unknown): ToolResultContent;

  export class ToolResultBlock {
    constructor(data: {
      toolUseId: string;
      status: "success" | "error";
      content: ToolResultContent[];
      error?: Error;
    });
    readonly type: "toolResultBlock";
    readonly toolUseId: string;
    readonly status: "success" | "error";
    readonly content: ToolResultContent[];
    readonly error?: Error;
    toJSON(): object;
  }

  export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OtherBlock;

  export class Message {
    constructor(data: { role: "user" | "assistant"; content: ContentBlock[] });
    readonly role: "user" | "assistant";
    readonly content: ContentBlock[];
    metadata?: object;
    static fromMessageData(data: unknown): Message;
    toJSON(): { role: "user" | "assistant"; content: object[] };
  }

  export type SystemPrompt = string | (TextBlock | OtherBlock)[];

  export interface ToolSpec {
    readonly name: string;
    readonly description: string;
    readonly inputSchema?: unknown;
  }

  export interface Tool {
    readonly name: string;
    readonly toolSpec: ToolSpec;
  }

  export interface Model {
    readonly modelId?: string | undefined;
  }

  export type InvocationState = Record<string, unknown>;

  export interface Interruptible {
    interrupt<T = JSONValue>(params: { name: string; reason?: JSONValue }): T;
  }

  export class HookableEvent {
    readonly agent: LocalAgent;
    readonly invocationState: InvocationState;
  }
  export class InitializedEvent extends HookableEvent {}
  export class BeforeInvocationEvent extends HookableEvent {}
  export class AfterInvocationEvent extends HookableEvent {
    resume?: unknown;
  }
  /** A part of `result.traces`: that of a model call has the model's message. */
  export interface AgentTrace {
    readonly children: readonly AgentTrace[];
    message: Message | null;
  }
  export class AgentResultEvent extends HookableEvent {
    readonly result: { readonly traces?: readonly AgentTrace[] };
  }
  export class MessageAddedEvent extends HookableEvent {
    readonly message: Message;
  }
  export class BeforeModelCallEvent extends HookableEvent {}
  export class AfterModelCallEvent extends HookableEvent {
    readonly error?: Error;
    readonly stopData?: { readonly message: Message; readonly stopReason: string };
  }
  export class BeforeToolCallEvent extends HookableEvent implements Interruptible {
    readonly toolUse: ToolUseData;
    interrupt<T = JSONValue>(params: { name: string; reason?: JSONValue }): T;
  }
  export class InterruptEvent extends HookableEvent {}
  export class ModelStreamUpdateEvent extends HookableEvent {
    constructor(data: { agent: LocalAgent; event: object; invocationState: InvocationState });
    readonly type: "modelStreamUpdateEvent";
    readonly event: { readonly type: string; readonly delta?: { readonly type: string } };
  }
  export class ContentBlockEvent extends HookableEvent {
    constructor(data: { agent: LocalAgent; contentBlock: ContentBlock; invocationState: InvocationState });
    readonly type: "contentBlockEvent";
    readonly contentBlock: ContentBlock;
  }

  export const HookOrder: { readonly SDK_FIRST: number; readonly SDK_LAST: number };

  export interface ToolUseData {
    readonly name: string;
    readonly toolUseId: string;
    readonly input: JSONValue;
  }

  /** Events of the stream, which middleware passes on. */
  export type AgentStreamEvent = { readonly type: string };

  export type MiddlewareHandler<C, R> = (
    context: C,
    next: (context: C) => AsyncGenerator<AgentStreamEvent, R, undefined>,
  ) => AsyncGenerator<AgentStreamEvent, R, undefined>;

  export interface MiddlewareStage<C, R> {
    readonly name: string;
    readonly types?: { readonly context: C; readonly result: R };
  }

  export interface ModelResult {
    readonly message: Message;
    readonly stopReason: string;
    readonly metadata?: { readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } };
  }

  export interface InvokeModelContext {
    readonly agent: LocalAgent;
    readonly model: Model;
    readonly messages: readonly Message[];
    readonly systemPrompt?: SystemPrompt;
    readonly toolSpecs: readonly ToolSpec[];
    readonly invocationState: InvocationState;
  }

  export interface ExecuteToolContext {
    readonly agent: LocalAgent;
    readonly tool: Tool | undefined;
    readonly toolUse: ToolUseData;
    readonly invocationState: InvocationState;
    readonly cancelSignal: AbortSignal;
    interrupt(params: { name: string; reason?: JSONValue }): { readonly response: JSONValue };
  }

  export const InvokeModelStage: MiddlewareStage<InvokeModelContext, { readonly result: ModelResult }>;
  export const ExecuteToolStage: MiddlewareStage<ExecuteToolContext, { readonly result: ToolResultBlock }>;

  export interface LocalAgent {
    readonly id: string;
    readonly sessionId: string;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly messages: Message[];
    readonly model: Model;
    readonly tools?: readonly Tool[];
    readonly cancelSignal: AbortSignal;
    cancel?(): void;
    initialize?(): Promise<void>;
    addHook<E extends HookableEvent>(
      event: abstract new (...args: never[]) => E,
      callback: (event: E) => void | Promise<void>,
      options?: { order?: number },
    ): () => void;
    addMiddleware<C, R>(stage: MiddlewareStage<C, R>, handler: MiddlewareHandler<C, R>): () => void;
  }

  export class Agent {
    cancel(): void;
  }

  export interface Plugin {
    readonly name: string;
    initAgent(agent: LocalAgent): void | Promise<void>;
  }
}
