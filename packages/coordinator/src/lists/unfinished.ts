/**
 * The ids of runs that have not ended: they wait for a runner, are held by one, or wait for a hook. Each kind has an index
 * of its own that is small, however many runs are stored; there is none of all states.
 */
export const UNFINISHED_RUNS = `
  SELECT id FROM runs WHERE state IN ('pending', 'ready')
  UNION ALL SELECT id FROM runs WHERE lease_until IS NOT NULL
  UNION ALL SELECT run_id FROM run_hooks WHERE finished_at IS NULL`;
