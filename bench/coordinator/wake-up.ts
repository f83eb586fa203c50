import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@tenterhook/test-support";
import pg from "pg";
import type { Row } from "../measure.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

/** A coordinator that has just started is still being compiled. */
const WARM_UP = 1_500;
const COUNTED = 300;

const PAYLOAD = { data: "x".repeat(1_000) };

export async function wakeUp(): Promise<Row[]> {
  const postgres = await startPostgres();
  const url = await postgres.freshDatabase();
  const coordinator = await RemoteCoordinator.start(url);
  const listener = new pg.Client(url);
  const notifier = new pg.Client(url);
  await Promise.all([listener.connect(), notifier.connect()]);
  try {
    await coordinator.prepare();
    await listener.query("LISTEN bench");
    const ours: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < WARM_UP + COUNTED; n++) {
      const claim = coordinator.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
      // Until it has looked for work, found none, and waits.
      await pause(5);
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
        ours: median(ours.slice(WARM_UP)) * 1e6,
        theirs: median(bare.slice(WARM_UP)) * 1e6,
        bar: { most: 4 },
      },
    ];
  } finally {
    await Promise.all([listener.end(), notifier.end()]);
    await coordinator.close();
    await postgres.remove();
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
