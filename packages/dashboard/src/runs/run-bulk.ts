import { MAX_AT_ONCE, type RunOutcomes, type RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import type { IdempotencyKey } from "../api/idempotency-key.ts";
import { isProblem, isWorthRetrying } from "../api/problem.ts";
import { errorMessage } from "../components/error-message.ts";

export type BulkAction = "stop" | "retry";

/** A run that was not stopped or retried. */
export interface BulkFailure {
  readonly run_id: string;
  readonly why: string;
}

export interface BulkResult {
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  /** Runs for which nothing was sent, because the user cancelled. */
  readonly left: number;
  /** Whether a response was lost, so that it is not known what happened. */
  readonly isLost: boolean;
}

export interface BulkOptions {
  /** Gets the number of runs that were handled, after every batch. */
  readonly onProgress?: (count: number) => void;
  /** Ends it after the current batch. */
  readonly signal?: AbortSignal;
}

/** Whether an action makes sense for a run: one that has ended is not stopped, a hook run is not retried alone. */
export function isFor(action: BulkAction, { finished_at, status, kind }: RunSummary): boolean {
  return action === "stop"
    ? finished_at === null && status !== "finishing" && status !== "stopping"
    : finished_at !== null && kind !== "hook";
}

/** Stops or retries runs, as many at once as the coordinator allows. A refusal does not end it. */
export async function runBulk(
  action: BulkAction,
  ids: readonly string[],
  idempotency: IdempotencyKey,
  { onProgress, signal }: BulkOptions = {},
): Promise<BulkResult> {
  // Of all of them: the coordinator distinguishes the runs of one key.
  const key = idempotency.of(ids);
  const failures: BulkFailure[] = [];
  let isLost = false;
  let sent = 0;
  while (sent < ids.length && !signal?.aborted) {
    const part = ids.slice(sent, sent + MAX_AT_ONCE);
    try {
      const { outcomes } = await send(action, part, key);
      for (const { run_id, problem } of outcomes)
        if (problem !== null) failures.push({ run_id, why: problem.detail });
    } catch (error) {
      // The user has to sign in before anything else can be sent.
      if (isProblem(error, "unauthenticated")) throw error;
      failures.push(...part.map((run_id) => ({ run_id, why: errorMessage(error) })));
      isLost ||= isWorthRetrying(error);
    }
    sent += part.length;
    onProgress?.(sent);
  }
  return { done: sent - failures.length, failures, left: ids.length - sent, isLost };
}

function send(action: BulkAction, ids: string[], key: string): Promise<RunOutcomes> {
  const body = { ids };
  return action === "stop"
    ? call("POST /runs/stop", { body })
    : call("POST /runs/retry", { body, headers: { "idempotency-key": key } });
}
