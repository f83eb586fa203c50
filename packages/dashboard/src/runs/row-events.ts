import type { RunEvent } from "@tenterhook/protocol/runs";

/** Events that change what a row shows. What hooks inside of an agent do is told, and changes nothing about its run. */
const CONCERNS = /^(?:run|hook|approval)_(?!acted$)/;

/** The runs whose rows may look different after some events, each once. */
export function changedRuns(events: readonly RunEvent[]): readonly string[] {
  const ids = new Set<string>();
  for (const { event_type, run_id } of events) {
    if (run_id !== null && CONCERNS.test(event_type)) ids.add(run_id);
  }
  return [...ids];
}
