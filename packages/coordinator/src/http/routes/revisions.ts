import {
  type Blueprint,
  hookRevisionRecord,
  nameParameter,
  pageQuery,
  type RunHookDefinition,
  revisionParameters,
  revisionRecord,
  revisionsPage,
} from "@tenterhook/protocol/runs";
import { maskedBlueprint, maskedHook, seesHeaders } from "../../agents/masked-headers.ts";
import { RevisionList } from "../../lists/revision-list.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

const AGENTS = new RevisionList<"blueprint", Blueprint>("blueprints", "blueprint", "agent");
const HOOKS = new RevisionList<"definition", RunHookDefinition>(
  "named_hook_revisions",
  "definition",
  "hook named",
);

/** The versions of agents and of named hooks. To restore one, save it again. */
export function revisions({ coordinator: { database } }: Services): Operation[] {
  const ofAgent = operation(
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
      body: await AGENTS.list(database, name, query),
    }),
  );

  const agent = operation(
    "GET /agents/{name}/revisions/{revision}",
    {
      permission: "read",
      summary: "Read a revision of an agent's blueprint",
      params: revisionParameters,
      responses: { 200: revisionRecord },
    },
    async ({ params: { name, revision }, identity }) => {
      const stored = await AGENTS.read(database, name, Number(revision));
      const blueprint = seesHeaders(identity.scope) ? stored.blueprint : maskedBlueprint(stored.blueprint);
      return { status: 200, body: { ...stored, blueprint } };
    },
  );

  const ofHook = operation(
    "GET /hooks/{name}/revisions",
    {
      permission: "read",
      summary: "List the revisions of a named hook, the newest first",
      params: nameParameter,
      query: pageQuery,
      responses: { 200: revisionsPage },
    },
    async ({ params: { name }, query }) => ({
      status: 200,
      body: await HOOKS.list(database, name, query),
    }),
  );

  const hook = operation(
    "GET /hooks/{name}/revisions/{revision}",
    {
      permission: "read",
      summary: "Read a revision of a named hook",
      params: revisionParameters,
      responses: { 200: hookRevisionRecord },
    },
    async ({ params: { name, revision }, identity }) => {
      const stored = await HOOKS.read(database, name, Number(revision));
      const definition = seesHeaders(identity.scope) ? stored.definition : maskedHook(stored.definition);
      return { status: 200, body: { ...stored, definition } };
    },
  );

  return [ofAgent, agent, ofHook, hook];
}
