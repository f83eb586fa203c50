/**
 * The parts of `@openai/agents` that are used here, by their shape: the package is an optional peer, so this source must not import
 * it. Tests compare them with its real types.
 */

/** An agent, as the caller has it. */
export interface AgentLike {
  readonly name: string;
  readonly tools: readonly object[];
  readonly handoffs: readonly object[];
  readonly mcpServers: readonly object[];
}

/** A runner, as the caller has it. */
export interface RunnerLike {
  readonly config: object;
  run(agent: never, input: never, options?: never): unknown;
}

export type Item = { readonly type?: string } & Readonly<Record<string, unknown>>;

interface SdkUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export interface ModelResponse {
  readonly usage: SdkUsage;
  readonly output: readonly Item[];
  readonly responseId?: string | undefined;
}

export interface SdkToolDefinition {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
}

export interface ModelRequest {
  readonly systemInstructions?: string | undefined;
  readonly input: string | readonly Item[];
  readonly tools: readonly SdkToolDefinition[];
  readonly signal?: AbortSignal | undefined;
}

export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface Model {
  getResponse(request: ModelRequest): Promise<ModelResponse>;
  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent>;
  readonly getRetryAdvice?: ((request: object) => unknown) | undefined;
  readonly supportsPromptModelSelection?: boolean | undefined;
}

export interface ModelProvider {
  getModel(name?: string): Promise<Model> | Model;
}

/** The context of a run, which tools are given. */
export interface RunContext {
  isToolApproved(call: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

export interface ToolCallDetails {
  readonly toolCall?: { readonly callId: string; readonly name: string };
  readonly signal?: AbortSignal;
  readonly resumeState?: string;
}

export type Invoke = (context: RunContext, input: string, details?: ToolCallDetails) => Promise<unknown>;

export interface FunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly invoke: Invoke;
  readonly needsApproval: (context: RunContext, input: unknown, callId?: string) => Promise<boolean>;
  /** Tools of agents have it: it listens to events of the agent's run. */
  readonly on?: unknown;
}

export type Tool = FunctionTool | { readonly type: Exclude<string, "function">; readonly name: string };

export function isFunction(tool: Tool): tool is FunctionTool {
  return tool.type === "function";
}

export interface Handoff {
  readonly agent: Agent;
  readonly agentName: string;
  readonly toolName: string;
  readonly onInvokeHandoff: (context: RunContext, input: string) => Promise<Agent> | Agent;
  clone(changes: { agent?: Agent; onInvokeHandoff?: Handoff["onInvokeHandoff"] }): Handoff;
}

export interface Agent extends AgentLike {
  readonly model: string | Model;
  readonly tools: readonly Tool[];
  readonly handoffs: readonly (Agent | Handoff)[];
  readonly mcpConfig: Readonly<Record<string, unknown>>;
  readonly toolUseBehavior: unknown;
  /** Agents in a sandbox have it: they make tools of their own in every turn. */
  readonly capabilities?: readonly object[];
  clone(changes: object): Agent;
  asTool(options: object): FunctionTool;
  getAllTools(context: RunContext, ...more: readonly unknown[]): Promise<readonly Tool[]>;
  getEnabledHandoffs(context: RunContext): Promise<readonly Handoff[]>;
  /** `agent_end` is emitted when a run has its final output, by the agent that gave it. */
  emit(event: string, ...values: readonly unknown[]): boolean;
}

/** A paused run. */
export interface RunState {
  readonly currentAgent: Agent;
  readonly history: readonly Item[];
  /** Has no public name; used to restore a state only, so that the caller's own context survives. */
  readonly _context: RunContext;
  toString(): string;
}

export interface RunResult {
  readonly state: RunState;
  readonly interruptions?: readonly unknown[];
  readonly finalOutput?: unknown;
}

export interface StreamedRunResult extends RunResult, AsyncIterable<unknown> {
  readonly completed: Promise<void>;
  readonly cancelled: boolean;
  readonly error: unknown;
}

export interface RunOptions {
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
  readonly maxTurns?: number | null;
  readonly session?: { getSessionId(): Promise<string> };
  readonly conversationId?: string;
}

export type RunInput = string | readonly Item[] | RunState;

export interface RunnerConfig {
  readonly modelProvider: ModelProvider;
  readonly model?: string | Model;
}

export interface Runner {
  readonly config: RunnerConfig;
  readonly traceOverrides?: object;
  run(agent: Agent, input: RunInput, options?: RunOptions): Promise<RunResult | StreamedRunResult>;
  emit(event: string, ...values: readonly unknown[]): boolean;
}
