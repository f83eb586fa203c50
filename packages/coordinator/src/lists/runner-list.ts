import type { RunnerRecord } from "@tenterhook/protocol/runs";
import type { Queries } from "../database/database.ts";
import { allOf, runComposed, sql, verbatim } from "../database/fragment.ts";
import { rowReader } from "../database/row-reader.ts";
import { isAfter, type Positioned } from "./columns.ts";
import { type PageQuery, pageOf, readCursor } from "./cursor.ts";

const COLUMNS = `id AS runner_id, name, tags, concurrency,
    CASE WHEN gone_at IS NOT NULL THEN 'gone' WHEN is_draining THEN 'draining' ELSE 'online' END AS state,
    (SELECT count(*) FROM runs WHERE runs.runner_id = runners.id AND runs.lease_until IS NOT NULL) AS active_runs,
    info, registered_at, seen_at, left_at`;

/** Runners, the one that registered last first. */
export async function listRunners(queries: Queries, { limit, cursor }: PageQuery) {
  const rows = await runComposed<RunnerRecord & Positioned>(
    queries,
    sql`SELECT ${verbatim(COLUMNS)}, registered_at::text AS position FROM runners
      WHERE ${allOf([isAfter("registered_at", "id", readCursor(cursor, 2))])}
      ORDER BY registered_at DESC, id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, runner_id }) => [position, runner_id]);
  return {
    runners: page.rows.map(({ position: _position, ...runner }): RunnerRecord => runner),
    next_cursor: page.next_cursor,
  };
}

export const showRunner = rowReader<RunnerRecord>({
  name: "show-runner",
  text: `SELECT ${COLUMNS} FROM runners WHERE id = $1`,
});
