import { startPostgres } from "@tenterhook/test-support";
import { measure, type Row } from "../measure.ts";
import { cyclesOf } from "./cycles.ts";
import { RemoteCoordinator } from "./remote.ts";

const WAITING = 20_000;
const CYCLES = 200;
const ROUNDS = 8;

/** Runs that cannot be claimed: they wait for a tag that no runner has, or for a session that is busy. */
const QUEUES = {
  "runs that wait for an absent tag": `
    INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, tags)
    SELECT 'absent_' || n, 'absent_' || n, 'echo', 1, 'client', 'pending', 'async_poll', '{}', '{absent}'
    FROM generate_series(1, ${WAITING}) AS n`,
  "callbacks that wait for a busy session": `
    WITH busy AS (INSERT INTO sessions (id, agent_name, kind, active_run_id) VALUES ('busy', 'echo', 'client', 'another'))
    INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters)
    SELECT 'callback_' || n, 'busy', 'echo', 1, 'callback', 'pending', 'async_poll', '{}'
    FROM generate_series(1, ${WAITING}) AS n`,
};

export async function waitingOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await waiting("PostgreSQL", () => postgres.freshDatabase());
  } finally {
    await postgres.remove();
  }
}

export function waitingEmbedded(): Promise<Row[]> {
  return waiting("embedded", async () => undefined);
}

async function waiting(store: string, database: () => Promise<string | undefined>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, text] of Object.entries(QUEUES)) {
    const empty = await RemoteCoordinator.start(await database());
    const full = await RemoteCoordinator.start(await database());
    try {
      await Promise.all([empty.prepare(), full.prepare()]);
      await full.execute(text);
      const best = await measure(
        { full: cyclesOf(full), empty: cyclesOf(empty) },
        { rounds: ROUNDS, times: CYCLES },
      );
      rows.push({
        what: `a cycle beside 20,000 ${what}, ${store}`,
        against: "without them",
        ours: best.full,
        theirs: best.empty,
        bar: { most: 1.5 },
      });
    } finally {
      await Promise.all([empty.close(), full.close()]);
    }
  }
  return rows;
}
