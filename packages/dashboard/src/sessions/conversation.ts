import type { RunSummary } from "@tenterhook/protocol/runs";
import type { RunsWithEvents } from "../run/events/use-runs-with-events.ts";
import { transcript } from "../run/transcript/transcript.ts";
import type { TranscriptEntry } from "../run/transcript/transcript-entry.ts";

export interface Conversation {
  readonly entries: readonly TranscriptEntry[];
  /** The runs by the id of their first entry. */
  readonly starts: ReadonlyMap<string, RunSummary>;
}

/** What was said in several runs, one after the other. Runs that are not read yet are left out. */
export function conversation(runs: readonly RunSummary[], read: RunsWithEvents): Conversation {
  const starts = new Map<string, RunSummary>();
  const entries = runs.flatMap((run) => {
    const known = read.get(run.run_id);
    if (known === undefined) return [];
    // The ids of entries are unique within a run only.
    const own = transcript(known.run, known.events).map((entry) => ({
      ...entry,
      id: `${run.run_id}/${entry.id}`,
    }));
    if (own[0] !== undefined) starts.set(own[0].id, run);
    return own;
  });
  return { entries, starts };
}
