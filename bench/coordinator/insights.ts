import { startPostgres } from "@tenterhook/test-support";
import type { Row } from "../measure.ts";
import { fillRollups } from "./fill-rollups.ts";
import { RemoteCoordinator } from "./remote.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const WARM_UP = 5;
const COUNTED = 30;

/** How much longer a request may take with a thousand times as many runs. */
const MOST = 3;
/** How long it may take at all, in nanoseconds. */
const MOST_ON_POSTGRES = 300e6;
const MOST_EMBEDDED = 1_000e6;

const PATHS: readonly string[] = [
  "/insights?range=hour",
  "/insights?range=day",
  "/insights?range=week",
  "/insights?range=month",
  "/insights?range=month&timezone=America/New_York",
  "/insights?range=month&hook=hook-1",
  "/insights?range=month&agent=agent-1",
];

export async function insightsOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await insights("PostgreSQL", () => postgres.freshDatabase(), MOST_ON_POSTGRES);
  } finally {
    await postgres.remove();
  }
}

export function insightsEmbedded(): Promise<Row[]> {
  return insights("embedded", async () => undefined, MOST_EMBEDDED);
}

async function insights(
  store: string,
  database: () => Promise<string | undefined>,
  longest: number,
): Promise<Row[]> {
  const opened: RemoteCoordinator[] = [];
  const open = async (runs: number) => {
    const coordinator = await RemoteCoordinator.start(await database());
    opened.push(coordinator);
    for (const text of fillRollups(runs)) await coordinator.execute(text);
    return coordinator;
  };
  try {
    const few = await open(FEW);
    const many = await open(MANY);
    const rows: Row[] = [];
    for (const path of PATHS) {
      const what = `GET ${path} at 1,000,000 runs over 90 days, ${store}, median`;
      const { ours, theirs } = await medians(few, many, path);
      rows.push({ what, against: "at 1,000", ours, theirs, bar: { most: MOST } });
      rows.push({ what, against: "the most that it may take", ours, theirs: longest, bar: { most: 1 } });
    }
    return rows;
  } finally {
    await Promise.all(opened.map((coordinator) => coordinator.close()));
  }
}

async function medians(few: RemoteCoordinator, many: RemoteCoordinator, path: string) {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let n = 0; n < WARM_UP + COUNTED; n++) {
    times.ours.push(await took(many, path));
    times.theirs.push(await took(few, path));
  }
  const median = (values: number[]) =>
    values.slice(WARM_UP).sort((a, b) => a - b)[Math.floor(COUNTED / 2)] ?? Number.NaN;
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

async function took(coordinator: RemoteCoordinator, path: string): Promise<number> {
  const since = performance.now();
  await coordinator.client.ask("GET", path);
  return (performance.now() - since) * 1e6;
}
