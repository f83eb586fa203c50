import type { ModelSettings } from "../model/model.ts";
import type { CompactionSettings } from "./compaction.ts";

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
