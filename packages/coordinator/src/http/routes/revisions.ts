import {
  nameParameter,
  pageQuery,
  revisionParameters,
  revisionRecord,
  revisionsPage,
} from "@tenterhook/protocol/runs";
import { maskedBlueprint, seesHeaders } from "../../agents/masked-headers.ts";
import { listRevisions, readRevision } from "../../lists/revision-list.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** The versions of agents. To restore one, save its blueprint again. */
export function revisions({ coordinator: { database } }: Services): Operation[] {
  const list = operation(
    "GET /agents/{name}/revisions",
    {
      permission: "read",
      summary: "List the revisions of an agent, the newest first",
      params: nameParameter,
      query: pageQuery,
      responses: { 200: revisionsPage },
    },
    async ({ params: { name }, query }) => ({
      status: 200,
      body: await listRevisions(database, name, query),
    }),
  );

  const read = operation(
    "GET /agents/{name}/revisions/{revision}",
    {
      permission: "read",
      summary: "Read a revision of an agent's blueprint",
      params: revisionParameters,
      responses: { 200: revisionRecord },
    },
    async ({ params: { name, revision }, identity }) => {
      const stored = await readRevision(database, name, Number(revision));
      const blueprint = seesHeaders(identity.scope) ? stored.blueprint : maskedBlueprint(stored.blueprint);
      return { status: 200, body: { ...stored, blueprint } };
    },
  );

  return [list, read];
}
