import type { RunHookDefinition } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";
import { Problem, requireFound } from "../problem.ts";
import { recordCatalogueEvent } from "../store/record-catalogue-event.ts";
import type { AgentRow, NamedHookRow } from "../store/rows.ts";
import { readAgent } from "./blueprint-rows.ts";
import { checkExpected, checkHooks, type Expected, etagOf, lockCatalogue } from "./save-agent.ts";

export const readNamedHook = rowReader<NamedHookRow>({
  name: "read-named-hook",
  text: "SELECT * FROM named_hooks WHERE name = $1",
});

const SAVE: Statement = {
  name: "save-named-hook",
  text: `
    WITH h AS (
      INSERT INTO named_hooks (name, revision, definition, etag, updated_by)
      VALUES ($1, coalesce((SELECT max(revision) FROM named_hook_revisions WHERE name = $1), 0) + 1, $2::jsonb, $3, $4)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, definition = excluded.definition, etag = excluded.etag,
        updated_at = now(), updated_by = excluded.updated_by
      RETURNING *
    ), r AS (
      INSERT INTO named_hook_revisions (name, revision, definition, created_by)
      SELECT name, revision, definition, updated_by FROM h
    )
    SELECT * FROM h`,
};

/**
 * Saves a hook under a name as its next revision, when it is valid for every agent that uses it. Existing runs keep the definition
 * they have. A definition that is the same as before makes no revision.
 */
export async function saveNamedHook(
  queries: Queries,
  name: string,
  definition: RunHookDefinition,
  expected: Expected,
  by: string,
): Promise<{ readonly hook: NamedHookRow; readonly isNew: boolean }> {
  await lockCatalogue(queries);
  const known = await readNamedHook(queries, name);
  checkExpected(known?.etag, expected, `the hook "${name}"`);
  const etag = etagOf(definition);
  if (known?.etag === etag) return { hook: known, isNew: false };
  if (definition.type === "agent" && (await readAgent(queries, definition.agent_name)) === undefined) {
    throw new Problem("bad_hook", `there is no agent "${definition.agent_name}"`, {
      field: "agent_name",
      hint: "Save that agent first.",
    });
  }
  const [hook] = await queries.run<NamedHookRow>(SAVE, [name, JSON.stringify(definition), etag, by]);
  if (hook === undefined) throw new Error("the hook was not saved");
  for (const { blueprint } of await agentsWithHook(queries, name)) {
    try {
      await checkHooks(queries, blueprint);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem("bad_hook", `the agent "${blueprint.name}" uses it, and then ${error.message}`);
    }
  }
  await recordCatalogueEvent(queries, {
    type: "named_hook_saved",
    data: { hook_name: name, revision: hook.revision, by },
  });
  return { hook, isNew: known === undefined };
}

const DELETE: Statement = { name: "delete-named-hook", text: "DELETE FROM named_hooks WHERE name = $1" };

/** Deletes a hook that no agent uses. */
export async function deleteNamedHook(
  queries: Queries,
  name: string,
  expected: Expected,
  by: string,
): Promise<void> {
  await lockCatalogue(queries);
  const known = requireFound(await readNamedHook(queries, name), "hook named", name);
  checkExpected(known.etag, expected, `the hook "${name}"`);
  const users = (await agentsWithHook(queries, name)).map((agent) => agent.name);
  if (users.length > 0) {
    throw new Problem("conflict", `the hook "${name}" is used by ${users.join(", ")}`, {
      hint: "Take it out of their blueprints first.",
    });
  }
  await queries.run(DELETE, [name]);
  await recordCatalogueEvent(queries, { type: "named_hook_deleted", data: { hook_name: name, by } });
}

const USERS: Statement = {
  name: "users-of-hook",
  text: `
    SELECT * FROM agents
    WHERE EXISTS (SELECT FROM jsonb_each(blueprint->'hooks') AS hook WHERE hook.value->>'$ref' = $1)
    ORDER BY name`,
};

/** The agents that refer to a named hook. */
function agentsWithHook(queries: Queries, name: string): Promise<AgentRow[]> {
  return queries.run<AgentRow>(USERS, [name]);
}
