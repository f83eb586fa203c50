import { fillEvents, startPostgres } from "@tenterhook/test-support";
import { median, type Row } from "../measure.ts";
import { until } from "../until.ts";
import { claimsOf, cyclesOf } from "./cycles.ts";
import { RemoteCoordinator } from "./remote.ts";

interface Effort {
  /** Pairs of samples, with and without folding. */
  readonly pairs: number;
  /** In a sample. It takes longer than the longest pause between two batches of events, so that some are added up in each. */
  readonly cycles: number;
  readonly warmUp: number;
  /** Events that are not added up when the measurement begins; more than are added up meanwhile. */
  readonly backlog: number;
}

const ON_POSTGRES: Effort = { pairs: 7, cycles: 6_000, warmUp: 4_000, backlog: 200_000 };
/** Its cycles take several times as long. */
const EMBEDDED: Effort = { pairs: 7, cycles: 2_500, warmUp: 1_500, backlog: 60_000 };

/** Fewer than a runner may execute at a time. */
const CLAIMS_AT_ONCE = 80;
/** How much longer a claim or a cycle may take. */
const MOST = 1.05;
/** How long the coordinator may answer nothing because it adds up events, in nanoseconds. */
const LONGEST_DELAY = 100e6;

type Sample = (coordinator: RemoteCoordinator, count: number) => Promise<number>;

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
  // The index of words would follow the same events, and be in some samples more than in others.
  const coordinator = await RemoteCoordinator.start(await database(), { indexRuns: false });
  try {
    await coordinator.prepare();
    await cyclesOf(coordinator)(effort.warmUp);
    const against = "without the sums of insights";
    const row = { against, bar: { most: MOST } };
    const cycle = await compare(coordinator, cycleTime, effort);
    const claim = await compare(coordinator, claimTime, effort);
    const rows: Row[] = [
      { what: `POST, claim, complete, 8 in flight, ${store}, median`, ...row, ...cycle.times },
      { what: `a claim, 8 in flight, ${store}, median`, ...row, ...claim.times },
    ];
    await foldAll(coordinator);
    await coordinator.setFolding(false);
    for (const text of fillEvents(effort.backlog)) await coordinator.execute(text);
    await coordinator.haveRead();
    const { delay, times } = await compare(coordinator, cycleTime, effort, true);
    rows.push(
      {
        what: `POST, claim, complete beside a backlog of ${effort.backlog} events, ${store}, median`,
        ...row,
        ...times,
      },
      {
        what: `the longest delay of the event loop in a sample beside that backlog, ${store}, median`,
        against: "the longest that it may be",
        ours: delay,
        theirs: LONGEST_DELAY,
        bar: { most: 1 },
      },
    );
    if (!(await hasBacklog(coordinator))) throw new Error("the backlog was too short for the measurement");
    return rows;
  } finally {
    await coordinator.close();
  }
}

/**
 * One coordinator, which adds up events in every other sample: two of them differ by more than what is measured, and one without work adds
 * up events at the cost of the other's sample. The ratio is the median of those of neighbouring samples, in changing order. Without a
 * backlog, each sample begins with nothing left.
 */
async function compare(
  coordinator: RemoteCoordinator,
  sample: Sample,
  { pairs, cycles }: Effort,
  isBesideBacklog = false,
) {
  const ratios: number[] = [];
  const plain: number[] = [];
  const delays: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const taken = { folding: 0, plain: 0 };
    for (const kind of pair % 2 === 0 ? (["folding", "plain"] as const) : (["plain", "folding"] as const)) {
      if (!isBesideBacklog) await foldAll(coordinator);
      // So that what a sample leaves behind is not cleaned up in the next one.
      await coordinator.execute("VACUUM (ANALYZE)");
      await coordinator.setFolding(kind === "folding");
      await coordinator.longestDelay();
      taken[kind] = await sample(coordinator, cycles);
      const delay = await coordinator.longestDelay();
      if (kind === "folding") delays.push(delay);
    }
    ratios.push(taken.folding / taken.plain);
    plain.push(taken.plain);
  }
  const theirs = median(plain);
  return { times: { ours: theirs * median(ratios), theirs }, delay: median(delays) };
}

async function foldAll(coordinator: RemoteCoordinator): Promise<void> {
  await coordinator.setFolding(true);
  await until(() => hasFolded(coordinator), { what: "every event has been added up" });
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

/** Whether events of the backlog are left, besides those of the cycles beside it. */
async function hasBacklog(coordinator: RemoteCoordinator): Promise<boolean> {
  const [row] = await coordinator.execute(`
    SELECT EXISTS (SELECT FROM events WHERE (xid, id) > ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint)
      AND run_id LIKE 'filled%') AS is_left
    FROM settings WHERE name = 'insights'`);
  return row?.is_left === true;
}
