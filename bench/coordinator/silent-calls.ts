import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startPostgres } from "@tenterhook/test-support";
import { measure, type Row } from "../measure.ts";
import { until } from "../until.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

/** What leaves hooks without a response: one endpoint for hooks that nothing waits for, or twenty for guards. */
const CASES = [
  {
    beside: "1,000 calls",
    targets: 1,
    hooks: 1_000,
    type: "on_run_finish",
    mode: "async",
    state: "completed",
  },
  {
    beside: "320 guards of 20 hosts",
    targets: 20,
    hooks: 16,
    type: "on_run_start",
    mode: "sync",
    state: "preparing",
  },
] as const;
type Case = (typeof CASES)[number];
const CYCLES = 20;
const ROUNDS = 8;
const OPTIONS = { allowPrivate: ["127.0.0.1"] };

export async function silentCallsOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await allCases("PostgreSQL", () => postgres.freshDatabase());
  } finally {
    await postgres.remove();
  }
}

export function silentCallsEmbedded(): Promise<Row[]> {
  return allCases("embedded", async () => undefined);
}

async function allCases(store: string, database: () => Promise<string | undefined>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of CASES) rows.push(await silentCalls(store, database, each));
  return rows;
}

/** A run with a guard, from its creation to its result, while endpoints leave many other hooks without a response. */
async function silentCalls(
  store: string,
  database: () => Promise<string | undefined>,
  silence: Case,
): Promise<Row> {
  const guard = await listening((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"action":"continue","parameters":{}}');
  });
  const silent = await Promise.all(Array.from({ length: silence.targets }, () => listening(() => undefined)));
  const quiet = await RemoteCoordinator.start(await database(), OPTIONS);
  const busy = await RemoteCoordinator.start(await database(), OPTIONS);
  try {
    for (const each of [quiet, busy]) {
      await each.prepare();
      const on_run_start = { type: "http", url: urlOf(guard), on_error: "block" };
      const guarded = { name: "guarded", type: "procedural", command: ["cat"], hooks: { on_run_start } };
      await each.client.ask("PUT", "/agents/guarded", guarded);
    }
    for (const each of silent) await storeSilentHooks(busy, urlOf(each), silence);
    await allNoted(busy);
    const best = await measure(
      { busy: guardedCycles(busy), quiet: guardedCycles(quiet) },
      { rounds: ROUNDS, times: CYCLES },
    );
    const what = `a guarded run beside ${silence.beside} without a response, ${store}`;
    return { what, against: "without them", ours: best.busy, theirs: best.quiet, bar: { most: 1.5 } };
  } finally {
    await Promise.all([quiet.close(), busy.close()]);
    for (const server of [guard, ...silent]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** Stores hooks of one endpoint that never responds. */
async function storeSilentHooks(
  coordinator: RemoteCoordinator,
  url: string,
  { hooks, type, mode, state }: Case,
): Promise<void> {
  const definition = { type: "http", url, method: "POST", headers: {}, on_error: "continue" };
  const pinned = JSON.stringify({ ...definition, mode, timeout_seconds: 3_600, target: url });
  const { port } = new URL(url);
  const finished = state === "completed" ? "now()" : "NULL";
  await coordinator.execute(`
    WITH made AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, finished_at)
      SELECT 'silent_${port}_' || n, 'silent_${port}_' || n, 'echo', 1, 'client', '${state}', 'async_poll', '{}', ${finished}
      FROM generate_series(1, ${hooks}) AS n RETURNING id, agent_name, created_at
    )
    INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, mode, target, state, input, deadline_at)
    SELECT 'hook_' || id, id, agent_name, created_at, '${type}', '${pinned}', '${mode}', '${url}', 'pending', '{}', now() + interval '1 hour'
    FROM made`);
}

/** Waits until as many hooks are called as may be, and the others are noted. */
async function allNoted(coordinator: RemoteCoordinator): Promise<void> {
  const count = "SELECT count(*)::int AS count FROM run_hooks WHERE state = 'pending' AND waiting IS NULL";
  const what = "every hook is called or noted as waiting";
  await until(async () => (await coordinator.execute(count))[0]?.count === 0, { what, everyMs: 200 });
}

function guardedCycles({ client }: RemoteCoordinator): (times: number) => Promise<void> {
  return async (times) => {
    for (let count = 0; count < times; count++) {
      await client.ask("POST", "/runs", { agent_name: "guarded", parameters: {} });
      const { run } = await client.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=30&slots=1");
      const { run_id, lease_token } = run;
      await client.ask("POST", `/runner/runs/${run_id}/completed`, { lease_token, result_data: {} });
    }
  };
}

async function listening(respond: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
