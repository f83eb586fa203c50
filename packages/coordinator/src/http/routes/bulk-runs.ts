import { retryRunsRequest, runOutcomes, stopRunsRequest } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { rowSummary } from "../../lists/run-view.ts";
import { retryRequest } from "../../runs/retry-request.ts";
import type { RunRow } from "../../store/rows.ts";
import { type Operation, operation } from "../operation.ts";
import { expectedProblem } from "../respond.ts";
import { problemBody } from "../send.ts";
import type { Services } from "../services.ts";
import { stopRun } from "./runs.ts";
import { keyOf, originOf, START_HEADERS } from "./start-runs.ts";

type Outcomes = z.input<typeof runOutcomes>;

/** Stopping and retrying many runs. A run that is refused does not affect the others. */
export function bulkRuns({ coordinator }: Services): Operation[] {
  const { database, lifecycle } = coordinator;

  const stop = operation(
    "POST /runs/stop",
    {
      permission: "run",
      summary: "Stop runs: each at once, or through its runner",
      body: stopRunsRequest,
      responses: { 200: runOutcomes },
    },
    async ({ body: { ids, reason }, identity: { name } }) => ({
      status: 200,
      body: await collect(ids, (id) => stopRun(lifecycle, id, name, reason)),
    }),
  );

  const retry = operation(
    "POST /runs/retry",
    {
      permission: "run",
      summary: "Retry runs that have ended, with their original parameters",
      headers: START_HEADERS,
      body: retryRunsRequest,
      responses: { 200: runOutcomes },
    },
    async ({ body: { ids }, identity, incoming }) => {
      const key = keyOf(incoming, identity);
      const retried = async (id: string) => {
        const origin = { ...originOf({ identity, incoming }), retryOf: id };
        const own = key === undefined ? undefined : `${key}:${id}`;
        return (await coordinator.startRun(await retryRequest(database, id), own, origin)).run;
      };
      return { status: 200, body: await collect(ids, retried) };
    },
  );

  return [stop, retry];
}

/** One after the other, so that a large request leaves room for others. */
async function collect(ids: readonly string[], work: (id: string) => Promise<RunRow>): Promise<Outcomes> {
  const outcomes: Outcomes["outcomes"] = [];
  for (const id of new Set(ids)) {
    try {
      outcomes.push({ run_id: id, run: rowSummary(await work(id)), problem: null });
    } catch (error) {
      const problem = expectedProblem(error);
      if (problem === undefined) throw error;
      outcomes.push({ run_id: id, run: null, problem: problemBody(problem) });
    }
  }
  return { outcomes };
}
