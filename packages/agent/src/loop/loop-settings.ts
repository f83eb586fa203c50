import type { ModelSettings } from "../model/model.ts";

/** What the loop of an agent goes by; every default is filled in. */
export interface LoopSettings {
  readonly instructions: string;
  /** The name of the model to ask, among the agent's models. */
  readonly modelName: string;
  /** How the host was started, for `session_start`. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  readonly modelSettings: ModelSettings | undefined;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly toolTimeoutMs: number;
  readonly parallelTools: boolean;
  /** How often stop hooks may hold the agent in one run. */
  readonly maxHolds: number;
  /** How often hooks may refuse an answer, or an answer may miss the shape asked for, in one run. */
  readonly maxRefusals: number;
  readonly stopOnRejection: boolean;
  readonly compaction: CompactionSettings | undefined;
}

/** When and how a conversation that grows too long is replaced by a summary of itself. */
export interface CompactionSettings {
  /** Compact when the conversation is longer than this, estimated at four characters a token. */
  readonly maxTokens: number;
  /** How many of the latest messages stay as they are. */
  readonly keepMessages: number;
  /** What the summary must keep, for the model that writes it. */
  readonly instructions: string;
}
