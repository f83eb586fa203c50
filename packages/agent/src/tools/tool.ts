import type { Message } from "@tenterhook/protocol";

/** What a tool is given beside its input. The first three have the AI SDK's names, so that its tools work as they are. */
export interface ToolCallContext {
  readonly toolCallId: string;
  /** The conversation that led to this call. */
  readonly messages: readonly Message[];
  /** Aborted when the call's time is up or the run is cancelled. */
  readonly abortSignal: AbortSignal;
  /** The folder that the agent works in. */
  readonly workDir: string;
  readonly sessionId: string;
  readonly runId: string;
}

/**
 * A tool that an agent may call. Tools made with the AI SDK's `tool()` are such tools; `inputSchema` may also be a plain
 * JSON Schema. What `execute` throws is a failed call, which the model is told of.
 */
export interface AgentTool {
  readonly description?: string | undefined;
  /** zod, any Standard Schema, the AI SDK's `jsonSchema()`, or a plain JSON Schema object. */
  readonly inputSchema?: unknown;
  /** Absent for tools that the provider carries out itself. */
  execute?(input: never, context: never): unknown;
  /** Default: the agent's `toolTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** Tools by the names that the model calls them by. */
export type AgentTools = Readonly<Record<string, AgentTool>>;
