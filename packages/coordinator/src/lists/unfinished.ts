import { type Fragment, joined, sql, verbatim } from "../database/fragment.ts";
import type { RunState } from "../domain/run-state.ts";
import { WAITS } from "../store/waiting-runs.ts";

// The conditions are those of the indexes: each is small, however many runs are stored. There is no index of all states.
const WAITING = ["kind IN ('client', 'chained')", "kind = 'hook'", "kind = 'callback'"].map(
  (kind) => `${WAITS} AND ${kind}`,
);
const LEASED = "lease_until IS NOT NULL";

const isWaiting = (state: RunState) => state === "pending" || state === "ready";

/**
 * Selects the ids of runs in these states, which are none of the final ones: they wait for a runner, are leased to one, or wait for a
 * hook. Some ids come twice, and a run that waits for a hook may be in another state.
 */
export function unfinishedRuns(states: readonly RunState[]): Fragment {
  const oneOf = sql`runs.state = ANY (${states}::text[])`;
  const waiting = states.some(isWaiting) ? WAITING : [];
  const others = states.every(isWaiting) ? [] : [LEASED];
  const branches = [...waiting, ...others].map(
    (condition) => sql`SELECT id FROM runs WHERE ${verbatim(condition)} AND ${oneOf}`,
  );
  const ofHooks = others.map(() => verbatim("SELECT run_id FROM run_hooks WHERE finished_at IS NULL"));
  return joined([...branches, ...ofHooks], " UNION ALL ");
}

/** The states of runs that have not ended, one for each. A leased run may wait for a hook, too. */
export const UNFINISHED_STATES = `${[...WAITING, LEASED].map((condition) => `SELECT state FROM runs WHERE ${condition}`).join(" UNION ALL ")}
  UNION ALL SELECT runs.state FROM (SELECT DISTINCT run_id FROM run_hooks WHERE finished_at IS NULL) AS waiting
    JOIN runs ON runs.id = waiting.run_id WHERE runs.state IN ('preparing', 'finishing')`;
