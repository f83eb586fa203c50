import type { HookCounts, NamedHook } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import type { NamedHookRow } from "../store/rows.ts";
import { type PageQuery, pageOf, readCursor } from "./cursor.ts";
import { newestCounts } from "./hook-counts.ts";

interface Row extends NamedHookRow, HookCounts {
  readonly used_by: readonly string[];
}

const COLUMNS = `
  named_hooks.*, counts.*,
  ARRAY(
    SELECT agents.name FROM agents
    WHERE EXISTS (SELECT FROM jsonb_each(blueprint->'hooks') AS hook WHERE hook.value->>'$ref' = named_hooks.name)
    ORDER BY agents.name) AS used_by
  FROM named_hooks, LATERAL (${newestCounts("run_hooks.name = named_hooks.name")}) AS counts`;

const READ: Statement = { name: "show-named-hook", text: `SELECT ${COLUMNS} WHERE named_hooks.name = $1` };
const LIST: Statement = {
  name: "list-named-hooks",
  text: `SELECT ${COLUMNS} WHERE $1::text IS NULL OR named_hooks.name > $1 ORDER BY named_hooks.name LIMIT $2`,
};

/** A named hook, with its users and its recent results. */
export async function showNamedHook(queries: Queries, name: string): Promise<NamedHook | undefined> {
  const [row] = await queries.run<Row>(READ, [name]);
  return row && view(row);
}

/** Named hooks, by name. */
export async function listNamedHooks(queries: Queries, { limit, cursor }: PageQuery) {
  const [after] = readCursor(cursor, 1) ?? [];
  const rows = await queries.run<Row>(LIST, [after, limit + 1]);
  const page = pageOf(rows, limit, ({ name }) => [name]);
  return { hooks: page.rows.map(view), next_cursor: page.next_cursor };
}

function view({
  name,
  revision,
  definition,
  etag,
  updated_at,
  updated_by,
  used_by,
  ...counts
}: Row): NamedHook {
  const { ran, blocked, failed, p50_ms, p95_ms, latest } = counts;
  return {
    name,
    revision,
    definition,
    etag,
    updated_at,
    updated_by,
    used_by: [...used_by],
    counts: { ran, blocked, failed, p50_ms, p95_ms, latest },
  };
}
