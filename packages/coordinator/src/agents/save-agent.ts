import { createHash } from "node:crypto";
import type { Blueprint, RunHookType } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { findViolation, schemaProblem } from "../domain/json-schema.ts";
import { Problem } from "../problem.ts";
import { recordCatalogueEvent } from "../store/record-catalogue-event.ts";
import type { AgentRow, PinnedHook } from "../store/rows.ts";
import { readAgent } from "./blueprint-rows.ts";
import { hookInputProblem, isChained } from "./hook-input-fit.ts";
import { pinHooks, UnknownHookName } from "./pin-hooks.ts";

const SAVE: Statement = {
  name: "save-agent",
  text: `
    WITH a AS (
      INSERT INTO agents (name, revision, blueprint, etag, updated_by)
      VALUES ($1, coalesce((SELECT max(revision) FROM blueprints WHERE name = $1), 0) + 1, $2::jsonb, $3, $4)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, blueprint = excluded.blueprint,
        etag = excluded.etag, updated_at = now(), updated_by = excluded.updated_by
      RETURNING *
    ), b AS (
      INSERT INTO blueprints (name, revision, blueprint, created_by)
      SELECT name, revision, blueprint, updated_by FROM a
    )
    SELECT * FROM a`,
};

// Agents and named hooks refer to each other, so only one of them is changed at a time.
const LOCK: Statement = {
  name: "lock-catalogue",
  text: "SELECT pg_advisory_xact_lock(hashtext('tenterhook:catalogue'))",
};

export async function lockCatalogue(queries: Queries): Promise<void> {
  await queries.run(LOCK);
}

/** The precondition of a save: a certain etag, that it exists, that it does not exist, or none. */
export type Expected = { readonly etag: string } | "present" | "absent" | undefined;

/**
 * Saves a blueprint as a new revision, when it is valid and was not changed by another request. `by` is the name of the person
 * or the token that saves it.
 */
export async function saveAgent(
  queries: Queries,
  blueprint: Blueprint,
  expected: Expected,
  by: string | null = null,
): Promise<AgentRow> {
  await lockCatalogue(queries);
  const known = await readAgent(queries, blueprint.name);
  checkExpected(known?.etag, expected, `the agent "${blueprint.name}"`);
  const etag = etagOf(blueprint);
  if (known?.etag === etag) return known;
  checkSchemas(blueprint);
  checkDemo(blueprint);
  await checkHooks(queries, blueprint);
  const [saved] = await queries.run<AgentRow>(SAVE, [blueprint.name, JSON.stringify(blueprint), etag, by]);
  if (saved === undefined) throw new Error("the agent was not saved");
  if (known !== undefined) await checkUsers(queries, known.blueprint, blueprint);
  const { name: agent_name, revision } = saved;
  await recordCatalogueEvent(queries, {
    type: "agent_saved",
    data: { agent_name, revision, ...(by !== null && { by }) },
  });
  return saved;
}

export function checkExpected(etag: string | undefined, expected: Expected, what: string): void {
  if (expected === "absent" && etag !== undefined) {
    throw new Problem("precondition_failed", `${what} exists already`, {
      hint: "Leave out If-None-Match to replace it.",
    });
  }
  if (expected === "present" && etag === undefined) {
    throw new Problem("precondition_failed", `${what} does not exist`, {
      hint: "Leave out If-Match to create it.",
    });
  }
  if (typeof expected === "object" && etag === undefined) {
    throw new Problem("precondition_failed", `${what} has been deleted since you read it`, {
      hint: "Leave out If-Match to create it again.",
    });
  }
  if (typeof expected === "object" && expected.etag !== etag) {
    throw new Problem("precondition_failed", `${what} has been changed since you read it`, {
      hint: "Read it again, and put your change on top.",
    });
  }
}

export function etagOf(value: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32)}"`;
}

function checkSchemas({ parameters_schema, output_schema }: Blueprint): void {
  for (const [field, schema] of Object.entries({ parameters_schema, output_schema })) {
    const problem = schema === undefined ? undefined : schemaProblem(schema);
    if (problem === undefined) continue;
    throw new Problem("bad_blueprint", `the schema cannot be used: ${problem.message}`, {
      field: problem.path === "" ? field : `${field}.${problem.path}`,
    });
  }
}

/** A button that could only fail is refused when it is made. */
function checkDemo({ demo, parameters_schema }: Blueprint): void {
  if (demo === undefined || parameters_schema === undefined) return;
  const violation = findViolation(parameters_schema, demo.parameters, "demo.parameters");
  if (violation === undefined) return;
  throw new Problem("bad_blueprint", `the demo's parameters do not fit: ${violation.text}`, {
    field: "demo.parameters",
  });
}

/** Types of hooks that decide about the run itself. */
const ALWAYS_AWAITED: ReadonlySet<RunHookType> = new Set(["on_run_start", "on_result"]);

/** A hook's agent must exist, accept the hook's input, and have no hooks of its own when the run waits for it. */
export async function checkHooks(queries: Queries, blueprint: Blueprint): Promise<void> {
  let hooks: Awaited<ReturnType<typeof pinHooks>>;
  try {
    hooks = await pinHooks(queries, blueprint);
  } catch (error) {
    if (!(error instanceof UnknownHookName)) throw error;
    throw new Problem("bad_blueprint", error.message, {
      field: `hooks.${error.hookType}.$ref`,
      hint: "Save the hook first: PUT /hooks/{name}.",
    });
  }
  for (const [type, hook] of Object.entries(hooks) as [RunHookType, (typeof hooks)[RunHookType]][]) {
    if (hook?.mode === "async" && ALWAYS_AWAITED.has(type)) {
      throw new Problem("bad_blueprint", `${type} cannot be async: the run waits for its answer`, {
        field: `hooks.${type}.${hook.name === undefined ? "mode" : "$ref"}`,
        hint: "Leave out the mode.",
      });
    }
    if (hook?.type !== "agent") continue;
    const field = `hooks.${type}.agent_name`;
    const isItself = hook.agent_name === blueprint.name;
    const target = isItself ? blueprint : (await readAgent(queries, hook.agent_name))?.blueprint;
    if (target === undefined) {
      throw new Problem("bad_blueprint", `there is no agent "${hook.agent_name}"`, {
        field,
        hint: "Save that agent first.",
      });
    }
    // The run does not wait for a chained agent: when the agent does not accept the result, its hook reports that.
    if (isChained(type, hook.mode)) continue;
    const problem = hookInputProblem(type, hook.mode, target);
    if (problem !== undefined) throw new Problem("bad_blueprint", problem, { field });
    if (Object.keys(target.hooks).length > 0) {
      throw new Problem(
        "bad_blueprint",
        `the agent "${hook.agent_name}" has hooks of its own, and hook agents run none`,
        {
          field,
          hint: "Use an agent without hooks, or mode async on on_run_finish.",
        },
      );
    }
  }
}

const USERS: Statement = {
  name: "agents-that-use-agent",
  text: `
    SELECT * FROM agents WHERE name <> $1 AND EXISTS (
      SELECT FROM jsonb_each(blueprint->'hooks') AS hook
      LEFT JOIN named_hooks ON named_hooks.name = hook.value->>'$ref'
      WHERE coalesce(named_hooks.definition, hook.value)->>'agent_name' = $1)
    ORDER BY name`,
};

/** A changed agent must still be able to execute the hooks that use it: it accepts their input, and has no hooks of its own. */
async function checkUsers(queries: Queries, before: Blueprint, now: Blueprint): Promise<void> {
  const { name } = now;
  for (const { name: user, blueprint } of await queries.run<AgentRow>(USERS, [name])) {
    const hooks = Object.entries(await pinHooks(queries, blueprint)) as [RunHookType, PinnedHook][];
    for (const [type, hook] of hooks) {
      if (hook.type !== "agent" || hook.agent_name !== name || isChained(type, hook.mode)) continue;
      if (Object.keys(now.hooks).length > 0) {
        throw new Problem(
          "bad_blueprint",
          `the agent "${user}" uses it as ${type}, and hook agents run no hooks`,
          {
            field: "hooks",
            hint: `Leave out its hooks, or name another agent in ${type} of "${user}".`,
          },
        );
      }
      const problem = hookInputProblem(type, hook.mode, now);
      // An agent that did not fit before was saved by an older version, and may still be changed.
      if (problem === undefined || hookInputProblem(type, hook.mode, before) !== undefined) continue;
      throw new Problem("bad_blueprint", `the agent "${user}" uses it as ${type}, and ${problem}`, {
        field: "parameters_schema",
        hint: `Accept the input of the hook, or name another agent in ${type} of "${user}".`,
      });
    }
  }
}
