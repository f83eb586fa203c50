import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@tenterhook/test-support";
import pg from "pg";
import { median, type Row } from "../measure.ts";
import { BareProcess } from "./bare-process.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

/** A coordinator that has just started is still being compiled. */
const WARM_UP = 1_500;
const COUNTED = 300;

const PAYLOAD = { data: "x".repeat(1_000) };

export async function wakeUp(): Promise<Row[]> {
  const postgres = await startPostgres();
  const url = await postgres.freshDatabase();
  const coordinator = await RemoteCoordinator.start(url);
  const floor = await BareProcess.start("bare-queue-process", url);
  const listener = new pg.Client(url);
  const notifier = new pg.Client(url);
  await Promise.all([listener.connect(), notifier.connect()]);
  try {
    await coordinator.prepare();
    await listener.query("LISTEN bench");
    const ours: number[] = [];
    const least: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < WARM_UP + COUNTED; n++) {
      const { run, took } = await woken(coordinator);
      ours.push(took);
      await coordinator.client.ask("POST", `/runner/runs/${run.run_id}/completed`, {
        lease_token: run.lease_token,
      });
      least.push((await woken(floor)).took);
      const notified = new Promise((resolve) => listener.once("notification", resolve));
      const start = performance.now();
      await notifier.query("NOTIFY bench");
      await notified;
      bare.push(performance.now() - start);
    }
    const row = {
      what: "POST until an idle runner has the run, p50",
      ours: median(ours.slice(WARM_UP)) * 1e6,
    };
    return [
      {
        ...row,
        against: "a bare HTTP server that inserts the row and notifies",
        theirs: median(least.slice(WARM_UP)) * 1e6,
        bar: { most: 2 },
      },
      { ...row, against: "a bare LISTEN wake-up", theirs: median(bare.slice(WARM_UP)) * 1e6 },
    ];
  } finally {
    await Promise.all([listener.end(), notifier.end()]);
    await floor.close();
    await coordinator.close();
    await postgres.remove();
  }
}

/** Lets a runner wait, starts a run, and measures until both have been answered. */
async function woken(server: RemoteCoordinator | BareProcess) {
  const claim = server.client.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
  // Until the server has found no run and the runner waits.
  await pause(5);
  const since = performance.now();
  await server.client.ask("POST", "/runs", { agent_name: "echo", parameters: PAYLOAD });
  const { run } = await claim;
  return { run, took: performance.now() - since };
}
