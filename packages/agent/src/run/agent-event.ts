import type { Message, ToolUse, Usage } from "@tenterhook/protocol";
import type { HookAct } from "./hook-act.ts";
import type { RunResult } from "./run-result.ts";

/** How a tool call ended. */
export type ToolStatus = "completed" | "skipped" | "failed" | "blocked";

/** An event of a run. Steps are counted from 1. */
export type AgentEvent =
  | {
      readonly type: "run_start";
      readonly runId: string;
      readonly sessionId: string;
      readonly agent: string;
      readonly message: string;
    }
  | { readonly type: "step_start"; readonly step: number }
  /** A piece of the answer. An answer that hooks may still change is not streamed: see `answer_buffered`. */
  | { readonly type: "text_delta"; readonly step: number; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly step: number; readonly text: string }
  /** The answer of this step is not streamed, because hooks may change or refuse it. */
  | { readonly type: "answer_buffered"; readonly step: number; readonly reason: string }
  /** The text streamed for this step is void: the call is retried, or the answer was refused. */
  | { readonly type: "answer_discarded"; readonly step: number; readonly reason: string }
  /** The answer of this step as it is added to the conversation. */
  | {
      readonly type: "answer";
      readonly step: number;
      readonly text: string;
      readonly toolUses: readonly ToolUse[];
    }
  | {
      readonly type: "tool_start";
      readonly step: number;
      readonly toolUseId: string;
      readonly toolName: string;
      readonly toolInput: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "tool_end";
      readonly step: number;
      readonly toolUseId: string;
      readonly toolName: string;
      readonly status: ToolStatus;
      readonly result?: unknown;
      /** Why it failed or was blocked. */
      readonly reason?: string;
      /** The input of a call that was never started; otherwise `tool_start` has it. */
      readonly toolInput?: Readonly<Record<string, unknown>>;
      readonly durationMs: number;
    }
  | {
      readonly type: "step_end";
      readonly step: number;
      readonly status: StepStatus;
      /** What its model calls used, if the model says so. */
      readonly usage?: StepUsage;
    }
  | { readonly type: "hook_acted"; readonly act: HookAct }
  /** A model call failed and is retried after a pause. */
  | {
      readonly type: "retry";
      readonly step: number;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: string;
    }
  | { readonly type: "compacted"; readonly messagesBefore: number; readonly messagesAfter: number }
  /** An event of a subagent. */
  | {
      readonly type: "subagent";
      readonly subagent: string;
      readonly toolUseId: string;
      readonly event: AgentEvent;
    }
  | { readonly type: "run_end"; readonly run: RunResult<unknown> };

/** What the model calls of one step used, without those of subagents. */
export interface StepUsage extends Usage {
  readonly model: string;
}

/** How a step ended. */
export type StepStatus = "completed" | "skipped" | "failed" | "stopped";

/** Gets the events of a run. It must not throw. */
export type RunListener = (event: AgentEvent) => void;

/** A message that the agent adds to the conversation for hooks: feedback, added context. */
export function hookMessage(text: string): Message {
  return { role: "user", content: text };
}
