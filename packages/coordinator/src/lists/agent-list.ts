import type { AgentSummary, Blueprint, HookAgents, RunHookType } from "@tenterhook/protocol/runs";
import { DEFAULT_MODES, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { hookInputProblem, isChained } from "../agents/hook-input-fit.ts";
import type { Queries, Statement } from "../database/database.ts";
import type { AgentRow } from "../store/rows.ts";
import { type PageQuery, pageOf, readCursor } from "./cursor.ts";

const LIST: Statement = {
  name: "list-agents",
  text: "SELECT * FROM agents WHERE name > $1 ORDER BY name LIMIT $2",
};

/** Agents, by name. */
export async function listAgents(queries: Queries, { limit, cursor }: PageQuery) {
  // Names are never empty.
  const [after = ""] = readCursor(cursor, 1) ?? [];
  const rows = await queries.run<AgentRow>(LIST, [after, limit + 1]);
  const page = pageOf(rows, limit, ({ name }) => [name]);
  return { agents: page.rows.map(summary), next_cursor: page.next_cursor };
}

function summary({ name, revision, updated_at, updated_by, blueprint }: AgentRow): AgentSummary {
  const { type, description, hooks, tags, demo = null } = blueprint;
  return {
    name,
    type,
    description,
    revision,
    hooks: RUN_HOOK_TYPES.filter((each) => hooks[each] !== undefined),
    tags: [...tags],
    demo,
    updated_at,
    updated_by,
  };
}

/** More agents than this are not offered for selection. */
const MAX_SHOWN = 2_000;

/** Which agents can execute a type of hook, and why the others cannot. */
export async function listHookAgents(
  queries: Queries,
  hookType: RunHookType,
  mode: "sync" | "async" = DEFAULT_MODES[hookType],
): Promise<HookAgents> {
  const rows = await queries.run<AgentRow>(LIST, ["", MAX_SHOWN]);
  return {
    agents: rows.map((row) => {
      const { blueprint } = row;
      const problem = problemWith(hookType, mode, blueprint);
      const { name, type, description } = blueprint;
      return { name, type, description, fits: problem === null, problem };
    }),
  };
}

function problemWith(hookType: RunHookType, mode: "sync" | "async", blueprint: Blueprint): string | null {
  const problem = hookInputProblem(hookType, mode, blueprint);
  if (problem !== undefined) return problem;
  // The next agent in a chain is an ordinary run, with hooks of its own.
  if (isChained(hookType, mode) || Object.keys(blueprint.hooks).length === 0) return null;
  return `the agent "${blueprint.name}" has hooks of its own, and hook agents run none`;
}
