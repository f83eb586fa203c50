import type { ApprovalDecision } from "@tenterhook/engine";
import type { AssignedRun, ConversationEntry, ToolCallResponse } from "@tenterhook/protocol/runs";
import type { ReportedEvent } from "../events/reported-event.ts";
import type { ApprovalQuestion, ToolQuestion } from "../link/coordinator-link.ts";

export type ToolVerdict = Exclude<ToolCallResponse, { action: "wait" }>;

/** A run to execute, with the ways to report and to ask about it. */
export interface Task {
  readonly run: AssignedRun;
  /** Aborted when the run is stopped or its lease is lost, with the reason. */
  readonly signal: AbortSignal;
  /** False when the lease is lost and the run may start on another machine: then nothing of it is stored. */
  isOurs(): boolean;
  /** Reports an event. It does not throw. */
  report(event: ReportedEvent): void;
  /** The conversation of the session before this run. */
  readConversation(): Promise<readonly ConversationEntry[]>;
  /** Stores what this run added, for the next run of the session. */
  keepConversation(entries: readonly ConversationEntry[]): Promise<void>;
  /** Rejects without a decision: then the tool must not run. */
  askAboutTool(question: ToolQuestion, signal: AbortSignal): Promise<ToolVerdict>;
  /** Rejects without a decision. */
  askPerson(question: Omit<ApprovalQuestion, "key">, signal: AbortSignal): Promise<ApprovalDecision>;
}
