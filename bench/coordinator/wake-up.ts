import { startPostgres } from "@tenterhook/coordinator/testing";
import pg from "pg";
import type { Row } from "../measure.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

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
    for (let n = 0; n < 200; n++) {
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

/** An answer means that everything before it is done, and the runner's poll is waiting. */
async function idle(coordinator: RemoteCoordinator): Promise<void> {
  for (let n = 0; n < 3; n++) await coordinator.ask("GET", "/healthz");
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
