import type { LatestEvents, RunEventsPage } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { eventView } from "../events/event-view.ts";
import { type Horizon, horizonSql } from "../events/horizon.ts";
import type { EventRow } from "../store/rows.ts";

const OF_RUN: Statement = {
  name: "events-of-run",
  text: "SELECT * FROM events WHERE run_id = $1 AND number > $2 ORDER BY number LIMIT $3",
};

/** The events of a run, in order, after a number. */
export async function listRunEvents(
  queries: Queries,
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RunEventsPage> {
  const rows = await queries.run<EventRow>(OF_RUN, [runId, after, limit + 1]);
  const events = rows.slice(0, limit);
  return {
    events: events.map(eventView),
    next_after: rows.length > limit ? (events.at(-1)?.number ?? null) : null,
  };
}

// Up to the cursor of the stream, so that no event can appear between these and the next ones of the stream.
const LATEST: Statement = {
  name: "latest-events",
  text: `
    SELECT * FROM (
      SELECT * FROM events WHERE xid < ${horizonSql("$2")} ORDER BY xid DESC, id DESC LIMIT $1
    ) AS latest ORDER BY xid, id`,
};

/** The latest events of all runs, in order: a client that subscribes first and then reads these misses nothing. */
export async function listLatestEvents(
  queries: Queries,
  limit: number,
  { nonWriters }: Pick<Horizon, "nonWriters">,
): Promise<LatestEvents> {
  return { events: (await queries.run<EventRow>(LATEST, [limit, nonWriters])).map(eventView) };
}
