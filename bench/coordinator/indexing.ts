import { startPostgres } from "@tenterhook/test-support";
import { median, type Row } from "../measure.ts";
import { until } from "../until.ts";
import { cyclesOf } from "./cycles.ts";
import { RemoteCoordinator } from "./remote.ts";
import type { RemoteOptions } from "./server-process.ts";

interface Effort {
  readonly rounds: number;
  /** In a round. Long enough that the indexer works in each. */
  readonly cycles: number;
  readonly warmUp: number;
}

const ON_POSTGRES: Effort = { rounds: 15, cycles: 1_500, warmUp: 6_000 };
/** Its cycles take several times as long. */
const EMBEDDED: Effort = { rounds: 9, cycles: 800, warmUp: 2_000 };

const WITHOUT: RemoteOptions = { indexRuns: false };

export async function indexingOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await indexing("PostgreSQL", () => postgres.freshDatabase(), [8, 64], ON_POSTGRES);
  } finally {
    await postgres.remove();
  }
}

export function indexingEmbedded(): Promise<Row[]> {
  return indexing("the embedded database", async () => undefined, [8], EMBEDDED);
}

/** What it costs a cycle that the words of runs are indexed meanwhile. */
async function indexing(
  store: string,
  database: () => Promise<string | undefined>,
  inFlight: readonly number[],
  effort: Effort,
): Promise<Row[]> {
  const whole = await RemoteCoordinator.start(await database());
  const plain = await RemoteCoordinator.start(await database(), WITHOUT);
  try {
    await Promise.all([whole.prepare(), plain.prepare()]);
    for (const coordinator of [whole, plain]) await cyclesOf(coordinator)(effort.warmUp);
    const rows: Row[] = [];
    for (const clients of inFlight) {
      rows.push({
        what: `POST, claim, complete, ${clients} in flight, ${store}, median`,
        against: "without the index of words",
        ...(await medians(whole, plain, clients, effort)),
        bar: { most: 1.05 },
      });
    }
    return rows;
  } finally {
    await Promise.all([whole.close(), plain.close()]);
  }
}

/** Medians, because the best round would be one in which nothing was indexed. Each begins with nothing left to index. */
async function medians(
  whole: RemoteCoordinator,
  plain: RemoteCoordinator,
  clients: number,
  { rounds, cycles }: Effort,
) {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const contenders = [
    { run: cyclesOf(whole, clients), taken: times.ours },
    { run: cyclesOf(plain, clients), taken: times.theirs },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { run, taken } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      await hasIndexed(whole);
      const since = performance.now();
      await run(cycles);
      taken.push(((performance.now() - since) * 1e6) / cycles);
    }
  }
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

async function hasIndexed(coordinator: RemoteCoordinator): Promise<void> {
  const left = `
    SELECT EXISTS (SELECT FROM events WHERE (xid, id) > ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint)) AS is_left
    FROM settings WHERE name = 'run_texts'`;
  const what = "every event has been indexed";
  await until(async () => (await coordinator.execute(left))[0]?.is_left === false, { what });
}
