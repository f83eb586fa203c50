import type { Message, TenterhookError, Usage } from "@tenterhook/protocol";
import type { HookAct } from "./hook-act.ts";

export type RunStatus = "completed" | "failed" | "stopped";

/** Why a run ended. */
export type StopReason =
  /** The model had nothing left to call. */
  | "no_tool_calls"
  | "max_steps"
  | "budget_exhausted"
  /** A person rejected a tool call, and the agent stops on that. */
  | "tool_rejected"
  /** A hook refused the session or the turn. */
  | "refused"
  | "stopped_by_hook"
  | "aborted"
  | "error";

/** A run that has ended, whichever way. */
export interface Run<Output = string> {
  readonly id: string;
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  /** Why it was refused, stopped or held, in words for a person. */
  readonly reason?: string;
  /** The final text. */
  readonly text: string;
  /** The final text, or the value that it stands for when a shape was asked for; absent unless completed. */
  readonly output?: Output;
  /** The whole conversation as it stands now. */
  readonly messages: readonly Message[];
  readonly stepCount: number;
  /** Of this run and its subagents. */
  readonly usage: Usage;
  /** ISO 8601. The run ends when its turn does: what hooks on `after_agent` take is not in its times. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  /** Set when it failed. */
  readonly error?: Error;
  /** The agent stopped although its gate did not let it. */
  readonly gateUnsatisfied?: TenterhookError;
  /** What hooks did beyond looking on, the latest last; of very long runs only the latest are kept. */
  readonly acts: readonly HookAct[];
}
