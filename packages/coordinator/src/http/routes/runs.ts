import {
  run,
  runCount,
  runCountQuery,
  runDetail,
  runEventsPage,
  runEventsQuery,
  runsPage,
  runsQuery,
  stopRequest,
} from "@tenterhook/protocol/runs";
import { checkMayReadRun } from "../../access/review-limits.ts";
import type { RunLifecycle } from "../../lifecycle/index.ts";
import { listRunEvents } from "../../lists/event-list.ts";
import { readRunDetail, showRun } from "../../lists/run-detail.ts";
import { countRuns, listRuns } from "../../lists/run-list.ts";
import { notFound, requireFound } from "../../problem.ts";
import type { RunRow } from "../../store/rows.ts";
import { readRun } from "../../store/run-rows.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** Reading and stopping runs. */
export function runs({ coordinator }: Services): Operation[] {
  const { database, lifecycle } = coordinator;

  const list = operation(
    "GET /runs",
    {
      permission: "read",
      summary: "List runs, the newest first",
      query: runsQuery,
      responses: { 200: runsPage },
    },
    async ({ query }) => ({ status: 200, body: await listRuns(database, query) }),
  );

  const count = operation(
    "GET /runs/count",
    {
      permission: "read",
      summary: "Count the runs of a list, up to 1,000",
      query: runCountQuery,
      responses: { 200: runCount },
    },
    async ({ query }) => ({ status: 200, body: await countRuns(database, query) }),
  );

  const read = operation(
    "GET /runs/{id}",
    {
      permission: "review",
      summary: "Read a run with its hooks and approvals",
      params: idParameter,
      responses: { 200: runDetail },
    },
    async ({ params: { id }, identity }) => {
      await checkMayReadRun(database, identity, id);
      return { status: 200, body: requireFound(await readRunDetail(database, id, identity), "run", id) };
    },
  );

  const events = operation(
    "GET /runs/{id}/events",
    {
      permission: "review",
      summary: "Read what happened in a run, in order",
      params: idParameter,
      query: runEventsQuery,
      responses: { 200: runEventsPage },
    },
    async ({ params: { id }, query, identity }) => {
      await checkMayReadRun(database, identity, id);
      const page = await listRunEvents(database, id, query);
      if (page.events.length === 0 && (await readRun(database, id)) === undefined) throw notFound("run", id);
      return { status: 200, body: page };
    },
  );

  const stop = operation(
    "POST /runs/{id}/stop",
    {
      permission: "run",
      summary: "Stop a run: at once, or through its runner",
      params: idParameter,
      body: stopRequest,
      responses: { 202: run },
    },
    async ({ params: { id }, body: { reason }, identity: { name } }) => {
      const stopped = await stopRun(lifecycle, id, name, reason);
      return { status: 202, body: await showRun(database, stopped) };
    },
  );

  return [list, count, read, events, stop];
}

/** Stops a run on behalf of a person or a token. */
export async function stopRun(
  lifecycle: RunLifecycle,
  id: string,
  by: string,
  reason = `stopped by ${by}`,
): Promise<RunRow> {
  return requireFound(await lifecycle.stop(id, reason, by), "run", id);
}
