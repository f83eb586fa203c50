import type { AgentRecord } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { Problem, requireFound } from "../problem.ts";
import { recordCatalogueEvent } from "../store/record-catalogue-event.ts";
import { readAgent } from "./blueprint-rows.ts";
import { checkExpected, type Expected, lockCatalogue } from "./save-agent.ts";

const DELETE: Statement = { name: "delete-agent", text: "DELETE FROM agents WHERE name = $1" };

/** Deletes an agent that executes no hook of another one. Its runs keep the blueprint they were created with. */
export async function deleteAgent(
  queries: Queries,
  name: string,
  expected: Expected,
  by: string,
): Promise<void> {
  await lockCatalogue(queries);
  const known = requireFound(await readAgent(queries, name), "agent", name);
  checkExpected(known.etag, expected, `the agent "${name}"`);
  const { agents, hooks } = await findUsers(queries, name);
  const users = [...agents.filter((user) => user !== name), ...hooks.map((hook) => `hook ${hook}`)];
  if (users.length > 0) {
    throw new Problem("conflict", `the agent "${name}" executes hooks of ${users.join(", ")}`, {
      hint: "Take it out of their hooks first.",
    });
  }
  await queries.run(DELETE, [name]);
  await recordCatalogueEvent(queries, { type: "agent_deleted", data: { agent_name: name, by } });
}

const USERS: Statement = {
  name: "users-of-agent",
  text: `
    SELECT
      ARRAY(SELECT DISTINCT agents.name FROM agents, jsonb_each(agents.blueprint->'hooks') AS hook
        WHERE hook.value->>'agent_name' = $1 ORDER BY 1) AS agents,
      ARRAY(SELECT name FROM named_hooks WHERE definition->>'agent_name' = $1 ORDER BY 1) AS hooks`,
};

/** The agents and the named hooks whose hooks an agent executes. */
export async function findUsers(queries: Queries, name: string): Promise<AgentRecord["used_by"]> {
  const [users] = await queries.run<AgentRecord["used_by"]>(USERS, [name]);
  return users ?? { agents: [], hooks: [] };
}
