import type { Message, TenterhookError, Usage } from "@tenterhook/protocol";
import type { HookAct } from "./hook-act.ts";

/** Why a run ended. */
export type StopReason =
  /** The model called no more tools. */
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

/** What a run came to: returned by `agent.run`, and the `finished` of a stream. */
export interface RunResult<Output = string> {
  readonly id: string;
  readonly sessionId: string;
  readonly status: "completed" | "failed" | "stopped";
  readonly stopReason: StopReason;
  /** Why it was refused or stopped, for display. */
  readonly reason?: string;
  /** The final text. */
  readonly text: string;
  /** The final text, or its parsed value if the request has a schema; absent unless completed. */
  readonly output?: Output;
  /** The whole conversation. */
  readonly messages: readonly Message[];
  readonly stepCount: number;
  /** Of this run and its subagents. */
  readonly usage: Usage;
  /** ISO 8601. The run ends with its turn: the time of `after_agent` hooks is not included. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  /** Set when it failed. */
  readonly error?: Error;
  /** The agent stopped although its stop gate was not satisfied. */
  readonly gateUnsatisfied?: TenterhookError;
  /** Effects of hooks, the latest last; only the latest 1,000 are kept. */
  readonly acts: readonly HookAct[];
}
