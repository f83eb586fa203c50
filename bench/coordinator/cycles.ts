import { type PostgresServer, startPostgres } from "@tenterhook/test-support";
import pg from "pg";
import { measure, type Row } from "../measure.ts";
import { BareProcess } from "./bare-process.ts";
import { type Boss, startBoss } from "./pg-boss.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

/** The number of concurrent clients: of a small team's runners, and of a fleet's. */
const IN_FLIGHT = [8, 64] as const;
const CYCLES = 400;
const ROUNDS = 10;
/** The JavaScript engine compiles hot code only after so many cycles; a coordinator runs for months. */
const WARM_UP = 6_000;
const PAYLOAD = { data: "x".repeat(1_000) };

const OURS = "POST, claim, complete over HTTP with events";
const IN_PROCESS = "pg-boss send, fetch, complete on PostgreSQL, without HTTP";
const OVER_HTTP = "pg-boss on PostgreSQL behind a bare HTTP server";

/** How many times faster it must be, by the number in flight. With few in flight, network hops dominate, and ours has those of HTTP as well. */
const SERVER_BARS = { overHttp: { 8: 1.25, 64: 1.25 }, inProcess: { 8: 1, 64: 1.25 } };
const EMBEDDED_BARS = { overHttp: { 8: 0.4, 64: 0.4 }, inProcess: { 8: 0.4, 64: 0.4 } };

/** On the server of the tests, which does not wait for its disk, so that the cost of the coordinator shows. */
export async function cyclesOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  return cycles(postgres, await postgres.freshDatabase(), "PostgreSQL", SERVER_BARS);
}

/** On a server with default settings, where confirmed data survives a power cut. */
export async function cyclesOnDurablePostgres(): Promise<Row[]> {
  const postgres = await startPostgres({});
  return cycles(postgres, await postgres.freshDatabase(), "PostgreSQL that waits for its disk", SERVER_BARS);
}

export async function cyclesEmbedded(): Promise<Row[]> {
  return cycles(await startPostgres(), undefined, "the embedded database", EMBEDDED_BARS);
}

/** A coordinator's cycles against pg-boss's, and then the end of the server. */
async function cycles(
  postgres: PostgresServer,
  url: string | undefined,
  store: string,
  bars: typeof SERVER_BARS,
): Promise<Row[]> {
  const coordinator = await RemoteCoordinator.start(url);
  const boss = await startBoss(await postgres.freshDatabase(), "bench");
  const bossServer = await BareProcess.start("boss-process", await postgres.freshDatabase());
  try {
    await coordinator.prepare();
    const rows: Row[] = [];
    for (const inFlight of IN_FLIGHT) {
      const contenders = {
        ours: cyclesOf(coordinator, inFlight),
        inProcess: bossCycles(boss, inFlight),
        overHttp: bossServerCycles(bossServer, inFlight),
      };
      if (rows.length === 0) await measure(contenders, { rounds: 1, times: WARM_UP });
      const { ours, inProcess, overHttp } = await measure(contenders, { rounds: ROUNDS, times: CYCLES });
      const row = { what: `${OURS}, ${inFlight} in flight, ${store}`, ours };
      rows.push({ ...row, against: OVER_HTTP, theirs: overHttp, bar: { least: bars.overHttp[inFlight] } });
      rows.push({ ...row, against: IN_PROCESS, theirs: inProcess, bar: { least: bars.inProcess[inFlight] } });
    }
    return rows;
  } finally {
    await bossServer.close();
    await boss.stop({ graceful: false });
    await coordinator.close();
    await postgres.remove();
  }
}

const MANY = 1_000_000;

export async function claimAmongMany(): Promise<Row[]> {
  const postgres = await startPostgres();
  const databases = { few: await postgres.freshDatabase(), many: await postgres.freshDatabase() };
  const few = await RemoteCoordinator.start(databases.few);
  const many = await RemoteCoordinator.start(databases.many);
  try {
    await Promise.all([few.prepare(), many.prepare()]);
    await fill(databases.few, 1_000);
    await fill(databases.many, MANY);
    const best = await measure(
      { few: cyclesOf(few), many: cyclesOf(many) },
      { rounds: ROUNDS, times: CYCLES },
    );
    return [
      {
        what: "a cycle at 1,000,000 stored runs",
        against: "at 1,000",
        ours: best.many,
        theirs: best.few,
        bar: { most: 1.5 },
      },
    ];
  } finally {
    await Promise.all([few.close(), many.close()]);
    await postgres.remove();
  }
}

/** Stores runs that have ended, as years of use would. */
async function fill(url: string, count: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, finished_at)
     SELECT 'old_' || n, 'ses_' || n, 'echo', 1, 'client', 'completed', 'async_poll', '{}', now()
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
  await client.query("VACUUM ANALYZE runs");
  await client.end();
}

/** Runs that wait for a runner, what claims them, and what completes them. */
export function claimsOf(coordinator: RemoteCoordinator, clients: number = IN_FLIGHT[0]) {
  const { client } = coordinator;
  const claimed: Assigned["run"][] = [];
  return {
    start: inFlight(clients, () => client.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD })),
    claim: inFlight(clients, async () => {
      claimed.push((await client.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5")).run);
    }),
    complete: inFlight(clients, async () => {
      const { run_id, lease_token } = claimed.pop() as Assigned["run"];
      await client.ask("POST", `/runner/runs/${run_id}/completed`, {
        lease_token,
        result_data: { ok: true },
      });
    }),
  };
}

export function cyclesOf(
  coordinator: RemoteCoordinator,
  clients: number = IN_FLIGHT[0],
): (times: number) => Promise<void> {
  return inFlight(clients, async () => {
    await coordinator.client.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD });
    const { run } = await coordinator.client.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
    const { run_id, lease_token } = run;
    await coordinator.client.ask("POST", `/runner/runs/${run_id}/completed`, {
      lease_token,
      result_data: { ok: true },
    });
  });
}

function bossCycles(boss: Boss, clients: number): (times: number) => Promise<void> {
  return inFlight(clients, async () => {
    await boss.send("bench", PAYLOAD);
    const [job] = await boss.fetch("bench");
    if (job !== undefined) await boss.complete("bench", job.id, { ok: true });
  });
}

function bossServerCycles(server: BareProcess, clients: number): (times: number) => Promise<void> {
  return inFlight(clients, async () => {
    await server.client.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD });
    const { run } = await server.client.demand<Partial<Assigned>>(
      "GET",
      "/runner/runs?runner_id=bench&wait=5",
    );
    if (run === undefined) return;
    const { run_id } = run;
    await server.client.ask("POST", `/runner/runs/${run_id}/completed`, {
      run_id,
      result_data: { ok: true },
    });
  });
}

function inFlight(clients: number, cycle: () => Promise<unknown>): (times: number) => Promise<void> {
  return async (times) => {
    let left = times;
    const loop = async () => {
      while (left-- > 0) await cycle();
    };
    await Promise.all(Array.from({ length: clients }, loop));
  };
}
