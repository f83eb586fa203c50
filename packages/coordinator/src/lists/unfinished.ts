// The conditions are those of the indexes: each is small, however many runs are stored. There is none of all states.
const WAITING = [
  "state IN ('pending', 'ready') AND kind IN ('client', 'chained')",
  "state IN ('pending', 'ready') AND kind = 'hook'",
  "state IN ('pending', 'ready') AND kind = 'callback'",
];
const HELD = "lease_until IS NOT NULL";

const ofRuns = (column: string) =>
  [...WAITING, HELD].map((condition) => `SELECT ${column} FROM runs WHERE ${condition}`).join(" UNION ALL ");

/** The ids of runs that have not ended: they wait for a runner, are held by one, or wait for a hook. Some of them twice. */
export const UNFINISHED_RUNS = `${ofRuns("id")} UNION ALL SELECT run_id FROM run_hooks WHERE finished_at IS NULL`;

/** The states of runs that have not ended, one for each. A run that is held may wait for a hook, too. */
export const UNFINISHED_STATES = `${ofRuns("state")}
  UNION ALL SELECT runs.state FROM (SELECT DISTINCT run_id FROM run_hooks WHERE finished_at IS NULL) AS waiting
    JOIN runs ON runs.id = waiting.run_id WHERE runs.state IN ('preparing', 'finishing')`;
