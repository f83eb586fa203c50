import type { ApprovalDecision } from "@tenterhook/engine";
import type { AssignedRun, ConversationEntry } from "@tenterhook/protocol/runs";
import type { ToolVerdict } from "../claims/questions.ts";
import type { ReportedEvent } from "../events/reported-event.ts";
import type { ApprovalQuestion, ToolQuestion } from "../link/coordinator-link.ts";

/** A run to be carried out, and whom to tell and to ask about it. */
export interface Task {
  readonly run: AssignedRun;
  /** Aborted when the run is to be stopped or is no longer ours; its reason says why. */
  readonly signal: AbortSignal;
  /** False when the run may begin elsewhere by now: then nothing of it is to be left behind. */
  isOurs(): boolean;
  /** Takes what happens. It does not throw. */
  tell(event: ReportedEvent): void;
  /** What was said in the session before this run. */
  readConversation(): Promise<readonly ConversationEntry[]>;
  /** Leaves what this run added to whoever goes on with the session. */
  keepConversation(entries: readonly ConversationEntry[]): Promise<void>;
  /** Rejects when nobody decides: then the tool must not run. */
  askAboutTool(question: ToolQuestion, signal: AbortSignal): Promise<ToolVerdict>;
  /** Rejects when nobody decides. */
  askPerson(question: Omit<ApprovalQuestion, "key">, signal: AbortSignal): Promise<ApprovalDecision>;
}
