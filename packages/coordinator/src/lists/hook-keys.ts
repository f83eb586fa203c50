import { type RunHookDefinition, runnerHookOutcome } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";

/** A hook in use, without its results. */
export interface HookKeyRow {
  readonly hook: string;
  readonly agents: readonly string[] | null;
  readonly events: readonly string[] | null;
  readonly definition: RunHookDefinition | null;
}

// The distinct values of an index, one step for each: reading all results for them would be slow.
const distinct = (table: string, columns: readonly string[], where: string) => {
  const list = columns.join(", ");
  const first = `SELECT ${list} FROM ${table} WHERE ${where} ORDER BY ${list} LIMIT 1`;
  const next = `SELECT ${list} FROM ${table} WHERE ${where}
      AND (${list}) > (${columns.map((column) => `known.${column}`).join(", ")}) ORDER BY ${list} LIMIT 1`;
  return `(${first}) UNION ALL SELECT following.* FROM known, LATERAL (${next}) AS following`;
};

/** So many of the newest results with an outcome tell in which agents and on which events a hook on a runner acted. */
const MAX_READ = 100;

// What is defined, and what has results although its definition is gone.
const LIST: Statement = {
  name: "list-hook-keys",
  text: `
    WITH used AS (
      SELECT agents.name AS agent, hook.key AS hook_type, hook.value AS definition, hook.value->>'$ref' AS name
      FROM agents, jsonb_each(agents.blueprint->'hooks') AS hook
    ), named_results AS (
      WITH RECURSIVE known AS (${distinct("run_hooks", ["name"], "finished_at IS NOT NULL AND name IS NOT NULL")}) SELECT * FROM known
    ), inline_results AS (
      WITH RECURSIVE known AS (${distinct("run_hooks", ["agent_name", "hook_type"], "finished_at IS NOT NULL AND name IS NULL")})
      SELECT * FROM known
    ), runner_results AS (
      WITH RECURSIVE known AS (${distinct("runner_hook_results", ["hook"], "true")}) SELECT * FROM known
    ), keys AS (
      SELECT 'named:' || coalesce(named_hooks.name, named_results.name) AS hook, named_hooks.definition
      FROM named_hooks FULL JOIN named_results ON named_results.name = named_hooks.name
      UNION ALL
      SELECT 'inline:' || coalesce(used.agent, agent_name) || '/' || coalesce(used.hook_type, inline_results.hook_type), used.definition
      FROM (SELECT * FROM used WHERE name IS NULL) AS used
      FULL JOIN inline_results ON inline_results.agent_name = used.agent AND inline_results.hook_type = used.hook_type
      UNION ALL
      SELECT 'runner:' || hook, NULL FROM runner_results
    ), page AS (
      SELECT hook COLLATE "C" AS hook, definition FROM keys
      WHERE ($1::text IS NULL OR hook COLLATE "C" > $1) AND ($3::text IS NULL OR hook = $3)
      ORDER BY hook COLLATE "C" LIMIT $2
    )
    SELECT page.hook, page.definition,
      CASE WHEN page.hook LIKE 'runner:%' THEN acted.agents ELSE users.agents END AS agents,
      CASE WHEN page.hook LIKE 'runner:%' THEN acted.events ELSE users.events END AS events
    FROM page
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT agent ORDER BY agent) AS agents, array_agg(DISTINCT hook_type ORDER BY hook_type) AS events
      FROM used WHERE name = substr(page.hook, 7)
    ) AS users ON page.hook LIKE 'named:%'
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT agent_name ORDER BY agent_name) AS agents, array_agg(DISTINCT event ORDER BY event) AS events
      FROM unnest('{${runnerHookOutcome.options.join(",")}}'::text[]) AS result (outcome), LATERAL (
        SELECT agent_name, event FROM runner_hook_results AS stored
        WHERE stored.hook = substr(page.hook, 8) AND stored.outcome = result.outcome
        ORDER BY run_created_at DESC LIMIT ${MAX_READ}) AS newest
    ) AS acted ON page.hook LIKE 'runner:%'
    ORDER BY page.hook`,
};

/** Hooks in use after a key, by key: named ones, those of blueprints, and those that acted on runners. */
export function listHookKeys(
  queries: Queries,
  after: string | undefined,
  most: number,
  only: string | undefined,
): Promise<HookKeyRow[]> {
  return queries.run<HookKeyRow>(LIST, [after, most, only]);
}
