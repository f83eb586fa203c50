import type { HookCounts, NamedHook } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import type { NamedHookRow } from "../store/rows.ts";
import { type PageQuery, pageOf, readCursor } from "./cursor.ts";

interface Row extends NamedHookRow, HookCounts {
  readonly used_by: readonly string[];
}

/** The number of results in a small chart. */
const MAX_CHARTED = 40;

// Of the latest thousand only, so that a hook which ran a million times is as quick to show.
const COLUMNS = `
  named_hooks.*, counts.*,
  ARRAY(
    SELECT agents.name FROM agents
    WHERE EXISTS (SELECT FROM jsonb_each(blueprint->'hooks') AS hook WHERE hook.value->>'$ref' = named_hooks.name)
    ORDER BY agents.name) AS used_by
  FROM named_hooks, LATERAL (
    SELECT count(*) FILTER (WHERE has_ended) AS ran,
      count(*) FILTER (WHERE state = 'blocked') AS blocked,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50_ms,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95_ms,
      coalesce(
        jsonb_agg(jsonb_build_object('state', state, 'duration_ms', round(ms)) ORDER BY ordinal DESC)
          FILTER (WHERE has_ended AND ordinal <= ${MAX_CHARTED}),
        '[]') AS latest
    FROM (
      SELECT *, row_number() OVER (PARTITION BY has_ended ORDER BY created_at DESC) AS ordinal
      FROM (
        SELECT state, created_at, state IN ('done', 'failed', 'blocked') AS has_ended,
          extract(epoch FROM finished_at - coalesce(started_at, created_at))::float8 * 1000 AS ms
        FROM run_hooks WHERE run_hooks.name = named_hooks.name ORDER BY created_at DESC LIMIT 1000) AS newest
    ) AS numbered
  ) AS counts`;

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

function view({ name, definition, etag, updated_at, updated_by, used_by, ...counts }: Row): NamedHook {
  const { ran, blocked, failed, p50_ms, p95_ms, latest } = counts;
  return {
    name,
    definition,
    etag,
    updated_at,
    updated_by,
    used_by: [...used_by],
    counts: { ran, blocked, failed, p50_ms, p95_ms, latest },
  };
}
