import type { RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { errorMessage } from "../components/error-message.ts";

export type BulkAction = "stop" | "retry";

/** What happened to the runs, by number, and why the first of the others was refused. */
export interface BulkResult {
  readonly done: number;
  readonly refused: number;
  readonly why: string | undefined;
}

/** Requests that are sent at the same time. */
const AT_ONCE = 4;

/** Whether an action makes sense for a run: one that has ended is not stopped, a hook run is not retried alone. */
export function isFor(action: BulkAction, { finished_at, status, kind }: RunSummary): boolean {
  return action === "stop"
    ? finished_at === null && status !== "finishing" && status !== "stopping"
    : finished_at !== null && kind !== "hook";
}

/** Stops or retries runs, a few at a time. A refusal does not end it. */
export async function runBulk(action: BulkAction, ids: readonly string[]): Promise<BulkResult> {
  const rest = [...ids];
  const problems: string[] = [];
  const work = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
      try {
        if (action === "stop") await call("POST /runs/{id}/stop", { params: { id }, body: {} });
        else await call("POST /runs/{id}/retry", { params: { id }, query: {} });
      } catch (error) {
        problems.push(errorMessage(error));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done: ids.length - problems.length, refused: problems.length, why: problems[0] };
}
