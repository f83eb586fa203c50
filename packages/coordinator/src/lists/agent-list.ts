import type { AgentSummary, Blueprint, HookAgents, RunHookType } from "@tenterhook/protocol/runs";
import { DEFAULT_MODES, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { asc, gt } from "drizzle-orm";
import { hookInputProblem, isChained } from "../agents/hook-input-fit.ts";
import type { Queries } from "../database/database.ts";
import { agents } from "../store/schema.ts";
import { pageOf, readCursor } from "./cursor.ts";

/** Agents, by name. */
export async function listAgents(
  { orm }: Queries,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const [after] = readCursor(cursor, 1) ?? [];
  const rows = await orm
    .select()
    .from(agents)
    .where(after === undefined ? undefined : gt(agents.name, after))
    .orderBy(asc(agents.name))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ name }) => [name]);
  return { agents: page.rows.map(summary), next_cursor: page.next_cursor };
}

function summary({ name, revision, updatedAt, blueprint }: typeof agents.$inferSelect): AgentSummary {
  // It was checked when it was saved.
  const { type, description, hooks, tags } = blueprint as Blueprint;
  return {
    name,
    type,
    description,
    revision,
    hooks: RUN_HOOK_TYPES.filter((each) => hooks[each] !== undefined),
    tags: [...tags],
    updated_at: updatedAt,
  };
}

/** A fleet has more agents than this only by mistake; whoever picks one picks from a list. */
const MOST_SHOWN = 2_000;

/** Which agents can serve a type of hook, and why the others cannot. */
export async function listHookAgents(
  { orm }: Queries,
  hookType: RunHookType,
  mode: "sync" | "async" = DEFAULT_MODES[hookType],
): Promise<HookAgents> {
  const rows = await orm.select().from(agents).orderBy(asc(agents.name)).limit(MOST_SHOWN);
  return {
    agents: rows.map((row) => {
      const blueprint = row.blueprint as Blueprint;
      const problem = unfitness(hookType, mode, blueprint);
      const { name, type, description } = blueprint;
      return { name, type, description, fits: problem === null, problem };
    }),
  };
}

function unfitness(hookType: RunHookType, mode: "sync" | "async", blueprint: Blueprint): string | null {
  const problem = hookInputProblem(hookType, mode, blueprint);
  if (problem !== undefined) return problem;
  // The next agent in a chain is an ordinary run, with hooks of its own.
  if (isChained(hookType, mode) || Object.keys(blueprint.hooks).length === 0) return null;
  return `the agent "${blueprint.name}" has hooks of its own, and hook agents run none`;
}
