import type { ModelSettings } from "../model/model.ts";

/** The settings of an agent's loop, with all defaults applied. */
export interface LoopSettings {
  readonly instructions: string;
  /** The name of the agent's default model. */
  readonly modelName: string;
  /** How the host was started, for `session_start`. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  readonly modelSettings: ModelSettings | undefined;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly toolTimeoutMs: number;
  readonly parallelTools: boolean;
  /** How often stop hooks may make the agent continue in one run. */
  readonly maxHolds: number;
  /** How often hooks may refuse an answer, or an answer may not match the output schema, in one run. */
  readonly maxRefusals: number;
  readonly stopOnRejection: boolean;
  readonly compaction: CompactionSettings | undefined;
}

/** When and how a long conversation is replaced by a summary. */
export interface CompactionSettings {
  /** Compact when the conversation is longer than this, estimated at four characters a token. */
  readonly maxTokens: number;
  /** The number of latest messages that stay unchanged. */
  readonly keepMessages: number;
  /** Instructions for the model that writes the summary. */
  readonly instructions: string;
}

/** The settings of a compaction; only the length is required. */
export type CompactionOptions = Partial<CompactionSettings> & Pick<CompactionSettings, "maxTokens">;
