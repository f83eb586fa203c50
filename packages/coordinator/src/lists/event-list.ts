import type { RunEventsPage } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { eventView } from "../events/event-view.ts";
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
