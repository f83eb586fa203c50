import type { RunEvent } from "@tenterhook/protocol/runs";

/** Events that change a row. Acts of hooks on the runner do not change the run. */
const ROW_EVENTS = /^(?:run|hook|approval)_(?!acted$)/;

/** The runs whose rows may have changed, without duplicates. */
export function changedRuns(events: readonly RunEvent[]): readonly string[] {
  const ids = new Set<string>();
  for (const { event_type, run_id } of events) {
    if (run_id !== null && ROW_EVENTS.test(event_type)) ids.add(run_id);
  }
  return [...ids];
}
