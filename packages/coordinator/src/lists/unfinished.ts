const WAITING = "SELECT id FROM runs WHERE state IN ('pending', 'ready') AND";

/**
 * The ids of runs that have not ended: they wait for a runner, are held by one, or wait for a hook. Each kind has an index
 * of its own that is small, however many runs are stored; there is none of all states. The conditions are those of the indexes.
 */
export const UNFINISHED_RUNS = `
  ${WAITING} kind IN ('client', 'chained')
  UNION ALL ${WAITING} kind = 'hook'
  UNION ALL ${WAITING} kind = 'callback'
  UNION ALL SELECT id FROM runs WHERE lease_until IS NOT NULL
  UNION ALL SELECT run_id FROM run_hooks WHERE finished_at IS NULL`;
