import { fillEvents, startPostgres } from "@tenterhook/test-support";
import { median, type Row } from "../measure.ts";
import { until } from "../until.ts";
import { claimsOf, cyclesOf } from "./cycles.ts";
import { RemoteCoordinator } from "./remote.ts";

interface Effort {
  readonly rounds: number;
  /** In a round. Long enough that events are added up in each. */
  readonly cycles: number;
  readonly warmUp: number;
  /** Events that are not added up when the measurement begins; more than are added up meanwhile. */
  readonly backlog: number;
}

const ON_POSTGRES: Effort = { rounds: 11, cycles: 1_000, warmUp: 4_000, backlog: 200_000 };
/** Its cycles take several times as long. */
const EMBEDDED: Effort = { rounds: 9, cycles: 400, warmUp: 1_500, backlog: 60_000 };

/** Fewer than a runner may execute at a time. */
const CLAIMS_AT_ONCE = 80;
/** How much longer a claim or a cycle may take. */
const MOST = 1.05;
/** How long the coordinator may answer nothing because it adds up events, in nanoseconds. */
const LONGEST_DELAY = 100e6;

/** Two coordinators with the same load, of which only one adds up events. */
interface Pair {
  readonly folding: RemoteCoordinator;
  readonly plain: RemoteCoordinator;
}

/** What it costs a claim and a cycle that events are added up for insights, those of now and those of a long backlog. */
export async function foldingOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await folding("PostgreSQL", () => postgres.freshDatabase(), ON_POSTGRES);
  } finally {
    await postgres.remove();
  }
}

export function foldingEmbedded(): Promise<Row[]> {
  return folding("the embedded database", async () => undefined, EMBEDDED);
}

async function folding(
  store: string,
  database: () => Promise<string | undefined>,
  effort: Effort,
): Promise<Row[]> {
  const pair: Pair = {
    folding: await RemoteCoordinator.start(await database()),
    plain: await RemoteCoordinator.start(await database(), { foldInsights: false }),
  };
  const both = [pair.folding, pair.plain];
  try {
    await Promise.all(both.map((coordinator) => coordinator.prepare()));
    for (const coordinator of both) await cyclesOf(coordinator)(effort.warmUp);
    const against = "without the sums of insights";
    const row = { against, bar: { most: MOST } };
    const rows: Row[] = [
      {
        what: `POST, claim, complete, 8 in flight, ${store}, median`,
        ...row,
        ...(await medians(pair, cycleTime, effort)),
      },
      { what: `a claim, 8 in flight, ${store}, median`, ...row, ...(await medians(pair, claimTime, effort)) },
    ];
    for (const coordinator of both)
      for (const text of fillEvents(effort.backlog)) await coordinator.execute(text);
    await pair.folding.longestDelay();
    rows.push(
      {
        what: `POST, claim, complete beside a backlog of ${effort.backlog} events, ${store}, median`,
        ...row,
        ...(await medians(pair, cycleTime, effort, true)),
      },
      {
        what: `the longest delay of the event loop beside that backlog, ${store}`,
        against: "the longest that it may be",
        ours: await pair.folding.longestDelay(),
        theirs: LONGEST_DELAY,
        bar: { most: 1 },
      },
    );
    if (await hasFolded(pair.folding)) throw new Error("the backlog was too short for the measurement");
    return rows;
  } finally {
    await Promise.all(both.map((coordinator) => coordinator.close()));
  }
}

/** Medians, because the best round would be one in which nothing was added up. Without a backlog, each begins with nothing left. */
async function medians(
  { folding, plain }: Pair,
  time: (coordinator: RemoteCoordinator, count: number) => Promise<number>,
  { rounds, cycles }: Effort,
  hasBacklog = false,
) {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const contenders = [
    { coordinator: folding, taken: times.ours },
    { coordinator: plain, taken: times.theirs },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { coordinator, taken } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      if (!hasBacklog) await until(() => hasFolded(folding), { what: "every event has been added up" });
      taken.push(await time(coordinator, cycles));
    }
  }
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

/** Nanoseconds for each cycle. */
async function cycleTime(coordinator: RemoteCoordinator, cycles: number): Promise<number> {
  const since = performance.now();
  await cyclesOf(coordinator)(cycles);
  return ((performance.now() - since) * 1e6) / cycles;
}

/** Nanoseconds for each claim, without the creation and the completion of the runs between. */
async function claimTime(coordinator: RemoteCoordinator, claims: number): Promise<number> {
  const { start, claim, complete } = claimsOf(coordinator);
  const rounds = Math.ceil(claims / CLAIMS_AT_ONCE);
  let taken = 0;
  for (let round = 0; round < rounds; round++) {
    await start(CLAIMS_AT_ONCE);
    const since = performance.now();
    await claim(CLAIMS_AT_ONCE);
    taken += performance.now() - since;
    await complete(CLAIMS_AT_ONCE);
  }
  return (taken * 1e6) / (rounds * CLAIMS_AT_ONCE);
}

async function hasFolded(coordinator: RemoteCoordinator): Promise<boolean> {
  const [row] = await coordinator.execute(`
    SELECT EXISTS (SELECT FROM events WHERE (xid, id) > ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint)) AS is_left
    FROM settings WHERE name = 'insights'`);
  return row?.is_left === false;
}
