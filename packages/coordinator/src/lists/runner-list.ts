import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { runners } from "../store/schema.ts";
import { exactTime, isAfter } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";

const COLUMNS = {
  runner_id: runners.id,
  name: runners.name,
  tags: runners.tags,
  concurrency: runners.concurrency,
  state: sql<RunnerRecord["state"]>`case
    when runners.gone_at is not null then 'gone' when runners.is_draining then 'draining' else 'online' end`,
  active_runs: sql<number>`(
    select count(*) from runs where runs.runner_id = runners.id and runs.lease_until is not null)`,
  info: runners.info,
  registered_at: runners.registeredAt,
  seen_at: runners.seenAt,
};

/** Runners, the one that registered last first. */
export async function listRunners(
  { orm }: Queries,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const rows = await orm
    .select({ ...COLUMNS, place: exactTime(runners.registeredAt) })
    .from(runners)
    .where(and(isAfter(runners.registeredAt, runners.id, readCursor(cursor, 2))))
    .orderBy(desc(runners.registeredAt), desc(runners.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, runner_id }) => [place, runner_id]);
  return {
    runners: page.rows.map(({ place: _place, ...row }) => row as RunnerRecord),
    next_cursor: page.next_cursor,
  };
}

export async function showRunner({ orm }: Queries, id: string): Promise<RunnerRecord | undefined> {
  const [row] = await orm.select(COLUMNS).from(runners).where(eq(runners.id, id));
  return row as RunnerRecord | undefined;
}
