import {
  agentRecord,
  agentsPage,
  blueprint,
  hookAgents,
  hookAgentsQuery,
  nameParameter,
  pageQuery,
} from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { readAgent } from "../../agents/blueprint-rows.ts";
import { checkTarget } from "../../agents/check-target.ts";
import { deleteAgent, findUsers } from "../../agents/delete-agent.ts";
import { checkUnmasked, maskedBlueprint, seesHeaders } from "../../agents/masked-headers.ts";
import { etagOf, saveAgent } from "../../agents/save-agent.ts";
import { listAgents, listHookAgents } from "../../lists/agent-list.ts";
import { Problem, requireFound } from "../../problem.ts";
import type { AgentRow } from "../../store/rows.ts";
import { ETAG_HEADERS, expectedOf, isKnown } from "../etag.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** The agents of the fleet. */
export function agents({ coordinator, allowsAddress }: Services): Operation[] {
  const { database } = coordinator;

  const list = operation(
    "GET /agents",
    {
      permission: "read",
      summary: "List agents, by name",
      query: pageQuery,
      responses: { 200: agentsPage },
    },
    async ({ query }) => ({ status: 200, body: await listAgents(database, query) }),
  );

  const read = operation(
    "GET /agents/{name}",
    {
      permission: "read",
      summary: "Read an agent's blueprint",
      params: nameParameter,
      headers: { "If-None-Match": "the etag that you have" },
      responses: { 200: agentRecord, 304: "nothing" },
    },
    async ({ params: { name }, identity, incoming }) => {
      const stored = requireFound(await readAgent(database, name), "agent", name);
      const agent = seesHeaders(identity.scope) ? stored : maskedAgent(stored);
      const headers = { etag: agent.etag };
      if (isKnown(incoming, agent.etag)) return { status: 304, headers };
      return { status: 200, body: await view(agent), headers };
    },
  );

  const save = operation(
    "PUT /agents/{name}",
    {
      permission: "define",
      summary: "Save an agent's blueprint as its next revision",
      params: nameParameter,
      headers: ETAG_HEADERS,
      body: blueprint,
      bodyProblem: "bad_blueprint",
      completeBody: (body, { name }) => ({ name, ...body }),
      responses: { 200: agentRecord.describe("replaced, or the same as before"), 201: agentRecord },
    },
    async ({ params: { name }, body, identity, incoming }) => {
      if (body.name !== name) {
        throw new Problem("bad_blueprint", `it is the blueprint of "${body.name}"`, { field: "name" });
      }
      for (const [type, hook] of Object.entries(body.hooks)) {
        if (hook === undefined) continue;
        checkUnmasked(hook, `hooks.${type}.`, "bad_blueprint");
        checkTarget(hook, `hooks.${type}.`, "bad_blueprint", allowsAddress);
      }
      const expected = expectedOf(incoming);
      const { isNew, agent } = await database.transaction(async (queries) => ({
        isNew: (await readAgent(queries, name)) === undefined,
        agent: await saveAgent(queries, body, expected, identity.name),
      }));
      coordinator.wake("events");
      const headers = { etag: agent.etag, location: `/agents/${name}` };
      return { status: isNew ? 201 : 200, body: await view(agent), headers };
    },
  );

  const remove = operation(
    "DELETE /agents/{name}",
    {
      permission: "define",
      summary: "Delete an agent; runs keep the blueprint they were created with",
      params: nameParameter,
      headers: { "If-Match": ETAG_HEADERS["If-Match"] },
      responses: { 204: "nothing" },
    },
    async ({ params: { name }, identity, incoming }) => {
      const expected = expectedOf(incoming);
      await database.transaction((queries) => deleteAgent(queries, name, expected, identity.name));
      coordinator.wake("events");
      return { status: 204 };
    },
  );

  const forHooks = operation(
    "GET /hook-agents",
    {
      permission: "read",
      summary: "List which agents can serve a type of hook, and why the others cannot",
      query: hookAgentsQuery,
      responses: { 200: hookAgents },
    },
    async ({ query: { type, mode } }) => ({ status: 200, body: await listHookAgents(database, type, mode) }),
  );

  /** A masked agent has an etag of its own that does not depend on hidden values. */
  function maskedAgent(agent: AgentRow): AgentRow {
    const blueprint = maskedBlueprint(agent.blueprint);
    return { ...agent, blueprint, etag: etagOf(blueprint) };
  }

  async function view(agent: AgentRow): Promise<z.input<typeof agentRecord>> {
    const { name, revision, etag, updated_at, updated_by, blueprint } = agent;
    return { revision, etag, updated_at, updated_by, blueprint, used_by: await findUsers(database, name) };
  }

  return [list, read, save, remove, forHooks];
}
