import type { RunStatus, RunSummary } from "./run-records.ts";

/**
 * Whether a run failed because a hook or a person refused it. A run that was refused and still waits for its finish hooks has a
 * reason already, but is not blocked before it has ended.
 */
export function isBlocked({ status, block_reason }: Pick<RunSummary, "status" | "block_reason">): boolean {
  return status === "failed" && block_reason !== null;
}

/** The status of a run for people: `blocked`, `preparing, needs approval`, `running`. */
export function statusText(run: Pick<RunSummary, "status" | "block_reason" | "waiting_for">): string {
  if (isBlocked(run)) return "blocked";
  const { status, waiting_for } = run;
  if (waiting_for === null) return status;
  return `${status}, ${waiting_for === "approval" ? "needs approval" : "waiting for a hook"}`;
}

/** A status as filters show it. */
export function statusLabel(status: RunStatus): string {
  return status.replaceAll("_", " ");
}
