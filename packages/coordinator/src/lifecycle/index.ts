// The life of a run, for the other folders: they use the methods of `RunLifecycle` and no other file of this folder.
export type { HookRoom } from "./claim-hooks.ts";
export { type Claimant, type ClaimedRun, claimKey } from "./claim-run.ts";
export type { NewRun, NotCreated } from "./create-run.ts";
export type { ApprovalDecision, ApprovalOutcome } from "./decide-approval.ts";
export { replyOf } from "./end-run.ts";
export { FIRST_QUEUED, type LimitReached, MAX_QUEUED_READ, type QueuedHook } from "./note-waiting.ts";
export type { Postponement } from "./postpone-hook.ts";
export { readUsage } from "./reported-usage.ts";
export type { CompletedReport, Report, ReportedRun, Result } from "./reports.ts";
export { RunLifecycle } from "./run-lifecycle.ts";
export { WaitingPollers } from "./waiting-pollers.ts";
