import { createHash } from "node:crypto";
import { type Blueprint, RUN_HOOK_CONTRACTS, type RunHookType } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { misfit, schemaProblem } from "../domain/json-schema.ts";
import { Problem } from "../problem.ts";
import { type AgentRow, readAgent } from "./blueprint-rows.ts";
import { pinHooks, UnknownHookName } from "./pin-hooks.ts";

const SAVE: Statement = {
  name: "save-agent",
  text: `
    WITH a AS (
      INSERT INTO agents (name, revision, blueprint, etag)
      VALUES ($1, coalesce((SELECT max(revision) FROM blueprints WHERE name = $1), 0) + 1, $2::jsonb, $3)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, blueprint = excluded.blueprint,
        etag = excluded.etag, updated_at = now()
      RETURNING *
    ), b AS (
      INSERT INTO blueprints (name, revision, blueprint) SELECT name, revision, blueprint FROM a
    )
    SELECT * FROM a`,
};

// Agents and named hooks name each other, so whoever changes one keeps all others from changing any.
const LOCK: Statement = {
  name: "lock-catalogue",
  text: "SELECT pg_advisory_xact_lock(hashtext('tenterhook:catalogue'))",
};

export async function lockCatalogue(queries: Queries): Promise<void> {
  await queries.run(LOCK);
}

/** What whoever saves has seen: its etag, that there is one, that there is none, or nothing in particular. */
export type Expected = { readonly etag: string } | "present" | "absent" | undefined;

/** Saves a blueprint as a new revision, when it makes sense and nobody else has changed it meanwhile. */
export async function saveAgent(
  queries: Queries,
  blueprint: Blueprint,
  expected: Expected,
): Promise<AgentRow> {
  await lockCatalogue(queries);
  const known = await readAgent(queries, blueprint.name);
  checkExpected(known?.etag, expected, `the agent "${blueprint.name}"`);
  const etag = etagOf(blueprint);
  if (known?.etag === etag) return known;
  checkSchemas(blueprint);
  await checkHooks(queries, blueprint);
  const [saved] = await queries.run<AgentRow>(SAVE, [blueprint.name, JSON.stringify(blueprint), etag]);
  if (saved === undefined) throw new Error("the agent was not saved");
  if (Object.keys(blueprint.hooks).length > 0) await checkUsers(queries, blueprint.name);
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

/** Types of hooks that decide about the run itself. */
const ALWAYS_AWAITED: ReadonlySet<RunHookType> = new Set(["on_run_start", "on_result"]);

/** A hook's agent must exist, take what the hook gives it, and have no hooks of its own when it is waited for. */
export async function checkHooks(queries: Queries, blueprint: Blueprint): Promise<void> {
  let hooks: Awaited<ReturnType<typeof pinHooks>>;
  try {
    hooks = await pinHooks(queries, blueprint);
  } catch (error) {
    if (!(error instanceof UnknownHookName)) throw error;
    const type = Object.entries(blueprint.hooks).find(([, hook]) =>
      JSON.stringify(hook).includes(error.hookName),
    )?.[0];
    throw new Problem("bad_blueprint", error.message, {
      field: `hooks.${type}.$ref`,
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
    const isChained = type === "on_run_finish" && hook.mode === "async";
    // The run does not wait for what a chained agent makes of the input, so that is for its hook to report.
    const problem = isChained ? undefined : envelopeProblem(type, target);
    if (problem !== undefined) throw new Problem("bad_blueprint", problem, { field });
    if (!isChained && Object.keys(target.hooks).length > 0) {
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

/** An agent that gets hooks must not be the agent of a hook that is waited for: those run none. */
async function checkUsers(queries: Queries, name: string): Promise<void> {
  for (const { name: user, blueprint } of await queries.run<AgentRow>(USERS, [name])) {
    for (const [type, hook] of Object.entries(await pinHooks(queries, blueprint))) {
      const isChained = type === "on_run_finish" && hook.mode === "async";
      if (hook.type !== "agent" || hook.agent_name !== name || isChained) continue;
      throw new Problem(
        "bad_blueprint",
        `the agent "${user}" uses it as ${type}, and hook agents run no hooks`,
        {
          field: "hooks",
          hint: `Leave out its hooks, or name another agent in ${type} of "${user}".`,
        },
      );
    }
  }
}

/** Why an agent cannot serve a type of hook: its schema does not take what the hook gives it. */
export function envelopeProblem(
  type: RunHookType,
  { name, parameters_schema }: Blueprint,
): string | undefined {
  const problem = misfit(parameters_schema, SAMPLES[type], "parameters");
  return problem === undefined
    ? undefined
    : `the parameters_schema of "${name}" does not take the input of ${type}: ${problem}`;
}

const ABOUT = { agent_name: "agent", session_id: "ses_1", run_id: "run_1", parameters: {} };
const ENDED = { ...ABOUT, result_text: null, result_data: null, status: "completed", error: null };

/** An input of every type, for asking schemas whether they would take one. */
const SAMPLES: { readonly [T in RunHookType]: unknown } = {
  on_run_start: RUN_HOOK_CONTRACTS.on_run_start.input.parse(ABOUT),
  on_tool_call: { ...ABOUT, tool_name: "tool", tool_input: {}, tool_use_id: "call_1" },
  on_result: { ...ABOUT, result_text: null, result_data: null },
  on_run_finish: ENDED,
  on_run_error: { ...ENDED, status: "failed", error: "it failed" },
  on_timeout: { ...ABOUT, timeout_seconds: 60 },
};
