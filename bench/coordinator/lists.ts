import { startPostgres } from "@tenterhook/test-support";
import pg from "pg";
import type { Row } from "../measure.ts";
import { fillQuickly } from "./fill-quickly.ts";
import { RemoteCoordinator } from "./remote.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const WARM_UP = 10;
const COUNTED = 60;
/** How often a list is measured; other work of the machine only adds time. */
const ROUNDS = 3;

const RUN = "run_0000000000000101";
const SESSION = "ses_0000000000000001";

/** No runner renews the leases of generated runs, and they must not expire during the benchmark. Nor are their events added up meanwhile. */
const LEASE = { leaseSeconds: 86_400, foldInsights: false };

/** Words that the newest runs contain. */
const NEAR_SEARCHES: readonly string[] = [
  "/runs?search=said",
  "/runs?search=s",
  "/runs?search=said&status=failed",
  "/runs?search=said&agent=agent-7",
  "/runs/count?search=said",
];

/** Words that few runs contain, or none, or only old ones. They are looked for in every part of the index, back to the runs that have them. */
const FAR_SEARCHES: readonly string[] = [
  "/runs?search=early",
  "/runs?search=quarterly",
  "/runs?search=quarter+fig",
  "/runs?search=said+quarterly",
  "/runs?search=said+early",
  "/runs?search=said+zzz",
  "/runs?search=t1",
  "/runs?search=t1&limit=200",
  "/runs?search=t4242",
  "/runs?search=zzz",
  "/runs?search=early&agent=agent-7",
  "/runs/count?search=early",
  "/runs/count?search=quarterly",
  "/runs/count?search=zzz",
];

/** How much longer something may take with a thousand times as many runs. */
const MOST = 2;
/** The parts of the index are a thousandth of the runs, at some 20 µs each. */
const MAX_FAR = 4;

/** Every list, and every filter of the lists that grow with the runs. */
const PATHS: readonly string[] = [
  "/runs",
  ...["pending", "ready", "preparing", "claimed", "running", "stopping", "finishing"].map(withStatus),
  ...["completed", "failed", "stopped", "failed,stopped", "blocked", "needs_approval"].map(withStatus),
  "/runs?kind=hook",
  "/runs?kind=client",
  "/runs?agent=rare",
  `/runs?session=${SESSION}`,
  "/runs?runner=runner_full",
  `/runs?id=${RUN}`,
  "/runs?has_hooks=true",
  "/runs?has_hooks=false",
  "/runs?search=run_00000000000001",
  "/runs?search=rare",
  ...NEAR_SEARCHES,
  ...FAR_SEARCHES,
  "/sessions",
  "/sessions?agent=rare",
  "/sessions?kind=hook",
  `/sessions?parent=${SESSION}`,
  "/sessions?search=rare",
  "/approvals",
  "/approvals?state=pending",
  `/approvals?run=${RUN}`,
  "/hooks",
  "/runners",
  `/runs/${RUN}`,
  `/runs/${RUN}/events`,
  `/sessions/${SESSION}`,
  "/events/latest",
  "/metrics",
];

function withStatus(status: string): string {
  return `/runs?status=${status}`;
}

export async function listsOnPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    return await lists("PostgreSQL", async (runs) => {
      const url = await postgres.freshDatabase();
      const coordinator = await RemoteCoordinator.start(url, LEASE);
      const client = new pg.Client(url);
      try {
        await client.connect();
        await fillQuickly(async (text) => (await client.query(text)).rows, runs);
      } catch (error) {
        await coordinator.close();
        throw error;
      } finally {
        await client.end();
      }
      return coordinator;
    });
  } finally {
    await postgres.remove();
  }
}

export function listsEmbedded(): Promise<Row[]> {
  return lists("embedded", async (runs) => {
    const coordinator = await RemoteCoordinator.start(undefined, LEASE);
    await coordinator.fill(runs);
    return coordinator;
  });
}

async function lists(store: string, open: (runs: number) => Promise<RemoteCoordinator>): Promise<Row[]> {
  const opened: RemoteCoordinator[] = [];
  try {
    const few = await open(FEW);
    opened.push(few);
    const many = await open(MANY);
    opened.push(many);
    await Promise.all([few.haveRead(), many.haveRead()]);
    const rows: Row[] = [];
    for (const path of PATHS) {
      rows.push({
        what: `GET ${path} at 1,000,000 runs, ${store}, p95`,
        against: "at 1,000",
        ...(await p95s(few, many, path)),
        bar: { most: FAR_SEARCHES.includes(path) ? MAX_FAR : MOST },
      });
    }
    return rows;
  } finally {
    await Promise.all(opened.map((coordinator) => coordinator.close()));
  }
}

/** Asks both in turns, so that what disturbs one disturbs the other. */
async function p95s(few: RemoteCoordinator, many: RemoteCoordinator, path: string) {
  const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let n = 0; n < WARM_UP + COUNTED; n++) {
      times.ours.push(await took(many, path));
      times.theirs.push(await took(few, path));
    }
    best.ours = Math.min(best.ours, p95(times.ours.slice(WARM_UP)));
    best.theirs = Math.min(best.theirs, p95(times.theirs.slice(WARM_UP)));
  }
  return best;
}

async function took(coordinator: RemoteCoordinator, path: string): Promise<number> {
  const since = performance.now();
  await coordinator.client.ask("GET", path);
  return (performance.now() - since) * 1e6;
}

function p95(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}
