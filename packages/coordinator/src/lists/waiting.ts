import type { Waiting } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { mayFollow } from "../domain/run-state.ts";
import type { RunRow } from "../store/rows.ts";
import { WAITS, waitingTagSets } from "../store/waiting-runs.ts";

/** The highest position that is counted. */
const MAX_COUNTED = 1_000;
/** The most runners and sets of tags that are read. */
const MAX_READ = 1_000;

// `$1` are the run's tags, `$2` is its number in the queue, `$3` its session. Ahead of it are the runs that a runner which can
// execute it would claim first. Without such a runner, one with exactly its tags is assumed. Like a claim, this goes
// from one set of tags to the next through an index, and from the oldest run of each onwards.
const queue = (name: string, kind: string, needsSlot: boolean): Statement => ({
  name: `waiting-${name}`,
  text: `
    WITH RECURSIVE connected AS MATERIALIZED (
      SELECT id, tags, concurrency, is_draining FROM runners WHERE gone_at IS NULL LIMIT ${MAX_READ}
    ), able AS MATERIALIZED (
      SELECT id, tags, concurrency FROM connected WHERE NOT is_draining AND $1::text[] <@ tags
    ), claimants AS MATERIALIZED (
      SELECT DISTINCT tags FROM able UNION ALL SELECT $1::text[] WHERE NOT EXISTS (SELECT FROM able)
    ), ${waitingTagSets("sets", kind)}, ahead AS (
      SELECT FROM (SELECT tags FROM sets LIMIT ${MAX_READ}) AS known, LATERAL (
        SELECT FROM runs WHERE ${WAITS} AND ${kind} AND runs.tags = known.tags AND runs.number < $2
        ORDER BY number LIMIT ${MAX_COUNTED}
      ) AS older
      WHERE EXISTS (SELECT FROM claimants WHERE known.tags <@ claimants.tags)
      LIMIT ${MAX_COUNTED}
    )
    SELECT
      EXISTS (SELECT FROM connected) AS is_any_connected,
      EXISTS (SELECT FROM connected WHERE NOT is_draining) AS is_any_claiming,
      (SELECT count(*) FROM able) AS able,
      (SELECT coalesce(sum(concurrency), 0)::int FROM able) AS slots,
      ${
        needsSlot
          ? `EXISTS (SELECT FROM able WHERE concurrency > (
              SELECT count(*) FROM runs
              WHERE runs.runner_id = able.id AND runs.lease_until IS NOT NULL AND runs.kind <> 'hook'))`
          : "true"
      } AS has_slot,
      EXISTS (SELECT FROM sessions WHERE id = $3 AND active_run_id <> $4) AS is_session_busy,
      (SELECT count(*) FROM ahead) AS ahead`,
});

// The conditions are those of the indexes. Callbacks are few, and are claimed among the runs of clients.
const RUNS = queue("runs", "kind IN ('client', 'chained')", true);
const HOOK_RUNS = queue("hook-runs", "kind = 'hook'", false);

interface QueueRow {
  readonly is_any_connected: boolean;
  readonly is_any_claiming: boolean;
  readonly able: number;
  readonly slots: number;
  readonly has_slot: boolean;
  readonly is_session_busy: boolean;
  readonly ahead: number;
}

/** Whether a run waits for a runner. */
export function isQueued({ state }: Pick<RunRow, "state">): boolean {
  return mayFollow(state, "claimed");
}

/** Why a queued run waits. The cost is limited. */
export async function readWaiting(queries: Queries, run: RunRow): Promise<Waiting> {
  const { id, kind, tags, number, session_id } = run;
  const [row] = await queries.run<QueueRow>(kind === "hook" ? HOOK_RUNS : RUNS, [
    tags,
    number,
    session_id,
    id,
  ]);
  if (row === undefined) throw new Error(`the queue of ${id} could not be read`);
  const more = row.ahead >= MAX_COUNTED;
  const position = more ? MAX_COUNTED : row.ahead + 1;
  return { ...findReason(row, run), position, more, tags: [...tags], run_id: id };
}

function findReason(row: QueueRow, { kind, tags }: RunRow): Pick<Waiting, "reason" | "detail"> {
  if (!row.is_any_claiming) {
    const detail = row.is_any_connected ? "every connected runner is draining" : "no runner is connected";
    return { reason: "no_runner", detail };
  }
  if (row.able === 0) {
    const detail = `no connected runner has the tag${tags.length === 1 ? "" : "s"} ${tags.join(", ")}`;
    return { reason: "no_runner_with_tags", detail };
  }
  if (kind === "callback" && row.is_session_busy) {
    return { reason: "session_busy", detail: "another run of its session is active" };
  }
  if (!row.has_slot) {
    const [slots, are] = row.slots === 1 ? ["the only slot", "is"] : [`all ${row.slots} slots`, "are"];
    return { reason: "slots_busy", detail: `${slots} of the runners that can execute it ${are} busy` };
  }
  return { reason: "position", detail: positionText(row.ahead) };
}

function positionText(ahead: number): string {
  if (ahead === 0) return "it is the next in the queue";
  if (ahead >= MAX_COUNTED) return "more than 1,000 runs are ahead of it in the queue";
  return ahead === 1 ? "one run is ahead of it in the queue" : `${ahead} runs are ahead of it in the queue`;
}
