import type { Database } from "@tenterhook/coordinator";
import { INSIGHT_CHECKS } from "@tenterhook/test-support";

/** Invariants of a store in which all runs have ended: a description, and a query for violations. */
const CHECKS: readonly (readonly [string, string])[] = [
  ["a run has not ended", "SELECT id FROM runs WHERE finished_at IS NULL"],
  [
    "a run did not end exactly once with the event of its state",
    `SELECT runs.id FROM runs LEFT JOIN events ON events.run_id = runs.id
       AND events.type IN ('run_completed', 'run_failed', 'run_stopped')
     GROUP BY runs.id HAVING count(events.id) <> 1 OR min(events.type) <> 'run_' || runs.state`,
  ],
  [
    "an event other than of end hooks follows the end of a run",
    `SELECT events.run_id AS id FROM events JOIN events AS final ON final.run_id = events.run_id
       AND final.type IN ('run_completed', 'run_failed', 'run_stopped')
     WHERE events.number > final.number AND events.type NOT LIKE 'hook_%'`,
  ],
  [
    "the events of a run are not numbered from 1 on",
    `SELECT runs.id FROM runs LEFT JOIN events ON events.run_id = runs.id GROUP BY runs.id
     HAVING count(*) <> runs.event_count OR min(events.number) <> 1 OR max(events.number) <> runs.event_count
       OR count(DISTINCT events.number) <> runs.event_count`,
  ],
  ["a hook has not ended", "SELECT id FROM run_hooks WHERE finished_at IS NULL"],
  [
    "a started hook does not have exactly one start event",
    `SELECT run_hooks.id FROM run_hooks LEFT JOIN events ON events.run_id = run_hooks.run_id
       AND events.type = 'hook_start' AND events.data->>'hook_id' = run_hooks.id
     WHERE run_hooks.state <> 'cancelled' GROUP BY run_hooks.id HAVING count(events.id) <> 1`,
  ],
  [
    "a hook does not have exactly one end event",
    `SELECT run_hooks.id FROM run_hooks LEFT JOIN events ON events.run_id = run_hooks.run_id
       AND events.type IN ('hook_complete', 'hook_failed') AND events.data->>'hook_id' = run_hooks.id
     GROUP BY run_hooks.id HAVING count(events.id) <> CASE run_hooks.state WHEN 'cancelled' THEN 0 ELSE 1 END`,
  ],
  [
    "a hook has more than one run",
    "SELECT hook_id AS id FROM runs WHERE hook_id IS NOT NULL GROUP BY hook_id HAVING count(*) > 1",
  ],
  [
    "a finish hook of an agent did not start exactly one run",
    `SELECT run_hooks.id FROM run_hooks LEFT JOIN runs ON runs.parent_run_id = run_hooks.run_id AND runs.kind = 'chained'
     WHERE run_hooks.hook_type = 'on_run_finish' AND run_hooks.mode = 'async'
       AND run_hooks.definition->>'type' = 'agent' GROUP BY run_hooks.id
     HAVING count(runs.id) <> 1`,
  ],
  [
    "a run did not call back exactly once",
    `SELECT child.id FROM runs AS child LEFT JOIN runs ON runs.parent_run_id = child.id AND runs.kind = 'callback'
     WHERE child.execution_mode = 'async_callback' GROUP BY child.id HAVING count(runs.id) <> 1`,
  ],
  [
    "a start hook changed the parameters twice, or not at all",
    `SELECT runs.id FROM runs LEFT JOIN run_hooks ON run_hooks.run_id = runs.id AND run_hooks.hook_type = 'on_run_start'
       AND run_hooks.state = 'done'
     WHERE runs.kind = 'client' GROUP BY runs.id
     HAVING (runs.parameters->>'count')::int <> count(run_hooks.id)
       OR (count(run_hooks.id) = 1 AND (runs.original_parameters->>'count')::int IS DISTINCT FROM 0)`,
  ],
  [
    "a result does not match the parameters and the result hook",
    `SELECT runs.id FROM runs LEFT JOIN run_hooks ON run_hooks.run_id = runs.id AND run_hooks.hook_type = 'on_result'
       AND run_hooks.state = 'done'
     WHERE runs.kind = 'client' AND runs.state = 'completed' GROUP BY runs.id
     HAVING (runs.result_data->>'count')::int IS DISTINCT FROM (runs.parameters->>'count')::int
       OR (runs.result_data->>'seals')::int IS DISTINCT FROM count(run_hooks.id)`,
  ],
  ["a session still has a run", "SELECT id FROM sessions WHERE active_run_id IS NOT NULL"],
  ["a run has more attempts than allowed", "SELECT id FROM runs WHERE attempt > max_attempts"],
];

/** All violations in a store in which all runs should have ended. */
export async function storeProblems(database: Database): Promise<string[]> {
  const problems: string[] = [];
  for (const [sentence, text] of [...CHECKS, ...INSIGHT_CHECKS]) {
    for (const { id } of await database.run<{ id: string }>({ name: "", text })) {
      problems.push(`${sentence}: ${id}`);
    }
  }
  return problems;
}
