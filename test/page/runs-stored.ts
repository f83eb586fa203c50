import type { TestDashboard } from "./test-dashboard.ts";

/** How the nth run is stored; every entry is SQL over `n`, which counts from 1, the newest. */
export interface StoredRun {
  readonly agent?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly hasHooks?: string;
  readonly blockReason?: string;
  readonly age?: string;
}

/** Stores many ended runs directly, which is faster than executing them. */
export async function storeRuns(dashboard: TestDashboard, count: number, run: StoredRun = {}): Promise<void> {
  const {
    agent = "'quick'",
    kind = "'client'",
    state = "'completed'",
    hasHooks = "false",
    blockReason = "NULL::text",
    age = "n * interval '1 second'",
  } = run;
  await dashboard.fleet.served.coordinator.database.run({
    name: "",
    text: `
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, has_hooks,
        block_reason, created_at, started_at, finished_at)
      SELECT ${storedId("n")}, 'ses_' || lpad(n::text, 20, '0'), ${agent}, 1, ${kind}, ${state}, 'async_poll', '{}',
        ${hasHooks}, ${blockReason}, at, at, at + interval '2 seconds'
      FROM generate_series(1, ${count}) AS n, LATERAL (SELECT now() - (${age}) AS at) AS time`,
  });
}

/** The id of the nth run, as SQL. */
export function storedId(n: string): string {
  return `'run_' || lpad(${n}::text, 20, '0')`;
}
