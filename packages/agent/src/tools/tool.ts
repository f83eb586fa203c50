import type { Message } from "@tenterhook/protocol";

/** What a tool gets beside its input. The first three have the AI SDK's names, so that its tools work unchanged. */
export interface ToolCallContext {
  readonly toolCallId: string;
  /** The conversation that led to this call. */
  readonly messages: readonly Message[];
  /** Aborted when the call times out or the run is cancelled. */
  readonly abortSignal: AbortSignal;
  /** The folder that the agent works in. */
  readonly workDir: string;
  readonly sessionId: string;
  readonly runId: string;
}

/**
 * A tool that an agent may call. Tools of the AI SDK's `tool()` can be used; `inputSchema` may also be a plain JSON Schema. An error
 * of `execute` fails the call, and the model gets its message.
 */
export interface AgentTool {
  readonly description?: string | undefined;
  /** zod, any Standard Schema, the AI SDK's `jsonSchema()`, or a plain JSON Schema object. */
  readonly inputSchema?: unknown;
  /** Absent for tools that the provider executes. */
  execute?(input: never, context: never): unknown;
  /** Default: the agent's `toolTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** Tools by the names that the model uses. */
export type AgentTools = Readonly<Record<string, AgentTool>>;
