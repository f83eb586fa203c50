import { MAX_AT_ONCE, type RunOutcomes, type RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import type { IdempotencyKey } from "../api/idempotency-key.ts";
import { isProblem, isWorthRetrying } from "../api/problem.ts";
import { errorMessage } from "../components/error-message.ts";

export type BulkAction = "stop" | "retry";

/** What happened to the runs, by number, and why the first of the others was refused. */
export interface BulkResult {
  readonly done: number;
  readonly refused: number;
  readonly why: string | undefined;
  /** Whether a response was lost, so that it is not known what happened. */
  readonly isLost: boolean;
}

/** Whether an action makes sense for a run: one that has ended is not stopped, a hook run is not retried alone. */
export function isFor(action: BulkAction, { finished_at, status, kind }: RunSummary): boolean {
  return action === "stop"
    ? finished_at === null && status !== "finishing" && status !== "stopping"
    : finished_at !== null && kind !== "hook";
}

/** Stops or retries runs, with as few requests as possible. A refusal does not end it. */
export async function runBulk(
  action: BulkAction,
  ids: readonly string[],
  idempotency: IdempotencyKey,
): Promise<BulkResult> {
  // Of all of them: the coordinator distinguishes the runs of one key.
  const key = idempotency.of(ids);
  const problems: string[] = [];
  let isLost = false;
  for (let first = 0; first < ids.length; first += MAX_AT_ONCE) {
    const part = ids.slice(first, first + MAX_AT_ONCE);
    try {
      const { outcomes } = await send(action, part, key);
      problems.push(...outcomes.flatMap(({ problem }) => (problem === null ? [] : [problem.detail])));
    } catch (error) {
      // The user has to sign in before anything else can be sent.
      if (isProblem(error, "unauthenticated")) throw error;
      problems.push(...part.map(() => errorMessage(error)));
      isLost ||= isWorthRetrying(error);
    }
  }
  return { done: ids.length - problems.length, refused: problems.length, why: problems[0], isLost };
}

function send(action: BulkAction, ids: string[], key: string): Promise<RunOutcomes> {
  const body = { ids };
  return action === "stop"
    ? call("POST /runs/stop", { body })
    : call("POST /runs/retry", { body, headers: { "idempotency-key": key } });
}
