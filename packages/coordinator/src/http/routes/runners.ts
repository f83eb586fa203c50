import { drainRequest, pageQuery, runner, runnersPage } from "@tenterhook/protocol/runs";
import { listRunners, showRunner } from "../../lists/runner-list.ts";
import { requireFound } from "../../problem.ts";
import { drainRunner } from "../../runners/runner-rows.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** The runners of the fleet, for people. */
export function runners({ coordinator, runners: known }: Services): Operation[] {
  const { database } = coordinator;

  const list = operation(
    "GET /runners",
    {
      permission: "read",
      summary: "List runners, the one that registered last first",
      query: pageQuery,
      responses: { 200: runnersPage },
    },
    async ({ query }) => ({ status: 200, body: await listRunners(database, query) }),
  );

  const drain = operation(
    "POST /runners/{id}/drain",
    {
      permission: "administer",
      summary: "Drain a runner, or let it take runs again",
      params: idParameter,
      body: drainRequest,
      responses: { 200: runner },
    },
    async ({ params: { id }, body: { draining }, identity: { name } }) => {
      await database.transaction((queries) => drainRunner(queries, id, draining, name));
      const drained = requireFound(await showRunner(database, id), "runner", id);
      known.forget(id);
      return { status: 200, body: drained };
    },
  );

  return [list, drain];
}
