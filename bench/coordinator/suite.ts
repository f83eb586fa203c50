import { startPostgres } from "@tenterhook/coordinator/testing";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { measure, type Row, type Suite } from "../measure.ts";
import { RemoteCoordinator } from "./remote.ts";

/** What the coordinator costs, against what its database can do without it. */
export const coordinatorSuite: Suite = { cyclesOnPostgres, cyclesEmbedded, wakeUp, claimAmongMany };

const IN_FLIGHT = 8;
const CYCLES = 160;
const ROUNDS = 8;
const PAYLOAD = { data: "x".repeat(1_000) };

async function cyclesOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  const coordinator = await RemoteCoordinator.start(await postgres.freshDatabase());
  const boss = await startBoss(await postgres.freshDatabase());
  try {
    await prepare(coordinator);
    const best = await measure(
      { ours: ourCycles(coordinator), boss: bossCycles(boss) },
      { rounds: ROUNDS, times: CYCLES },
    );
    return [
      {
        what: "POST, claim, complete over HTTP with events, 8 in flight, PostgreSQL",
        against: "pg-boss send, fetch, complete on that server",
        ours: best.ours,
        theirs: best.boss,
        bar: { least: 1 },
      },
    ];
  } finally {
    await boss.stop({ graceful: false });
    await coordinator.close();
    await postgres.remove();
  }
}

async function cyclesEmbedded(): Promise<Row[]> {
  const postgres = await startPostgres();
  const coordinator = await RemoteCoordinator.start(undefined);
  const boss = await startBoss(await postgres.freshDatabase());
  try {
    await prepare(coordinator);
    const best = await measure(
      { ours: ourCycles(coordinator), boss: bossCycles(boss) },
      { rounds: ROUNDS, times: CYCLES },
    );
    return [
      {
        what: "the same on the embedded database",
        against: "pg-boss send, fetch, complete on PostgreSQL",
        ours: best.ours,
        theirs: best.boss,
        bar: { least: 0.4 },
      },
    ];
  } finally {
    await boss.stop({ graceful: false });
    await coordinator.close();
    await postgres.remove();
  }
}

async function wakeUp(): Promise<Row[]> {
  const postgres = await startPostgres();
  const url = await postgres.freshDatabase();
  const coordinator = await RemoteCoordinator.start(url);
  const listener = new pg.Client(url);
  const notifier = new pg.Client(url);
  await Promise.all([listener.connect(), notifier.connect()]);
  try {
    await prepare(coordinator);
    await listener.query("LISTEN bench");
    const ours: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < 60; n++) {
      const claim = coordinator.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
      await idle(coordinator);
      const since = performance.now();
      await coordinator.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD });
      const { run } = await claim;
      ours.push(performance.now() - since);
      await coordinator.ask("POST", `/runner/runs/${run.run_id}/completed`, {
        lease_token: run.lease_token,
      });
      const heard = new Promise((resolve) => listener.once("notification", resolve));
      const start = performance.now();
      await notifier.query("NOTIFY bench");
      await heard;
      bare.push(performance.now() - start);
    }
    return [
      {
        what: "POST until an idle runner has the run, p50",
        against: "a bare LISTEN wake-up",
        ours: median(ours) * 1e6,
        theirs: median(bare) * 1e6,
        bar: { most: 3 },
      },
    ];
  } finally {
    await Promise.all([listener.end(), notifier.end()]);
    await coordinator.close();
    await postgres.remove();
  }
}

const MANY = 1_000_000;

async function claimAmongMany(): Promise<Row[]> {
  const postgres = await startPostgres();
  const databases = { few: await postgres.freshDatabase(), many: await postgres.freshDatabase() };
  const few = await RemoteCoordinator.start(databases.few);
  const many = await RemoteCoordinator.start(databases.many);
  try {
    await Promise.all([prepare(few), prepare(many)]);
    await fill(databases.few, 1_000);
    await fill(databases.many, MANY);
    const best = await measure(
      { few: ourCycles(few), many: ourCycles(many) },
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

interface Assigned {
  readonly run: { readonly run_id: string; readonly lease_token: string };
}

async function prepare(coordinator: RemoteCoordinator): Promise<void> {
  await coordinator.ask("PUT", "/agents/echo", { name: "echo", type: "procedural", command: ["cat"] });
  await coordinator.ask("POST", "/runner/register", {
    runner_id: "bench",
    name: "bench",
    concurrency: 100,
  });
}

/** An answer means that everything before it is done, and the runner's poll is waiting. */
async function idle(coordinator: RemoteCoordinator): Promise<void> {
  for (let n = 0; n < 3; n++) await coordinator.ask("GET", "/healthz");
}

function ourCycles(coordinator: RemoteCoordinator): (times: number) => Promise<void> {
  return inFlight(async () => {
    await coordinator.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD });
    const { run } = await coordinator.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
    const { run_id, lease_token } = run;
    await coordinator.ask("POST", `/runner/runs/${run_id}/completed`, {
      lease_token,
      result_data: { ok: true },
    });
  });
}

async function startBoss(url: string): Promise<PgBoss> {
  const boss = new PgBoss(url);
  await boss.start();
  await boss.createQueue("bench");
  return boss;
}

function bossCycles(boss: PgBoss): (times: number) => Promise<void> {
  return inFlight(async () => {
    await boss.send("bench", PAYLOAD);
    const [job] = await boss.fetch("bench");
    if (job !== undefined) await boss.complete("bench", job.id, { ok: true });
  });
}

function inFlight(cycle: () => Promise<void>): (times: number) => Promise<void> {
  return async (times) => {
    let left = times;
    const loop = async () => {
      while (left-- > 0) await cycle();
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
