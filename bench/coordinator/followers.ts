import { fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "@tenterhook/test-support";
import type { Row } from "../measure.ts";
import { nextMessage } from "../next-message.ts";
import type { Seen } from "./follower-process.ts";
import { type Assigned, RemoteCoordinator } from "./remote.ts";

const SUBSCRIBERS = 1_000;
const EVENTS_A_SECOND = 200;
const EVENTS_A_REPORT = 4;
const SECONDS = 10;
/** Events before the measurement: a coordinator keeps the latest thousands, and its heap grows until it has them. */
const BEFORE = 6_000;
/** How often a measurement is repeated that other work of the machine disturbed. */
const ROUNDS = 3;

/** A thousand subscribers of every event, in a process of their own. */
export async function followers(): Promise<Row[]> {
  const postgres = await startPostgres();
  // The rate is kept by waiting: on a busy machine a round takes longer than the usual lease.
  const coordinator = await RemoteCoordinator.start(await postgres.freshDatabase(), { leaseSeconds: 600 });
  const program = fileURLToPath(new URL("follower-process.js", import.meta.url));
  const crowd = fork(program, [coordinator.url.href, coordinator.token, String(SUBSCRIBERS)]);
  try {
    await nextMessage(crowd, "the subscribers");
    const report = await eventReporter(coordinator);
    const received = async (expected: number): Promise<Seen> => {
      crowd.send(expected);
      const seen = await nextMessage<Seen>(crowd, "the subscribers");
      if (seen.fewest === expected && seen.most === expected) return seen;
      throw new Error(`of ${expected} events, subscribers received ${seen.fewest} to ${seen.most}`);
    };
    await report(BEFORE, 10 * EVENTS_A_SECOND);
    await received(BEFORE);
    const first = await coordinator.usage();
    let cpu = Number.POSITIVE_INFINITY;
    let p99 = Number.POSITIVE_INFINITY;
    let last = first;
    for (let round = 0; round < ROUNDS; round++) {
      const before = await coordinator.usage();
      await report(SECONDS * EVENTS_A_SECOND, EVENTS_A_SECOND);
      const seen = await received(SECONDS * EVENTS_A_SECOND);
      last = await coordinator.usage();
      cpu = Math.min(cpu, (last.cpuMs - before.cpuMs) / SECONDS);
      p99 = Math.min(p99, seen.p99);
    }
    const what = "1,000 subscribers, 200 events a second";
    return [
      {
        what: `${what}: the coordinator's time on a core, each second`,
        against: "half a core",
        ours: cpu * 1e6,
        theirs: 500e6,
        bar: { most: 1 },
      },
      {
        what: `${what}: until one has an event, p99`,
        against: "250 ms",
        ours: p99 * 1e6,
        theirs: 250e6,
        bar: { most: 1 },
      },
      {
        what: `${what}: heap after ${ROUNDS * SECONDS} s`,
        against: "at their beginning",
        ours: last.heapBytes,
        theirs: first.heapBytes,
        unit: "bytes",
        bar: { most: 1.2 },
      },
    ];
  } finally {
    crowd.kill();
    await coordinator.close();
    await postgres.remove();
  }
}

/** A runner that reports events at an even rate; resolves when the last one is stored. */
async function eventReporter(
  coordinator: RemoteCoordinator,
): Promise<(count: number, aSecond: number) => Promise<void>> {
  await coordinator.prepare();
  await coordinator.client.ask("POST", "/runs", { agent_name: "echo", parameters: {} });
  const { run } = await coordinator.client.demand<Assigned>("GET", "/runner/runs?runner_id=bench&wait=5");
  const { run_id, lease_token } = run;
  let first = 1;
  return async (count, aSecond) => {
    const since = performance.now();
    for (let reported = EVENTS_A_REPORT; reported <= count; reported += EVENTS_A_REPORT) {
      const events = Array.from({ length: EVENTS_A_REPORT }, (_, index) => ({
        event_type: "tool_call",
        data: { tool: "Shell", input: { command: `make ${first + index}` } },
      }));
      await coordinator.client.ask("POST", `/runner/runs/${run_id}/events`, { lease_token, first, events });
      first += EVENTS_A_REPORT;
      const due = since + (reported * 1_000) / aSecond;
      await pause(Math.max(0, due - performance.now()));
    }
    await coordinator.client.ask("POST", "/runner/heartbeat", {
      runner_id: "bench",
      runs: [{ run_id, lease_token }],
    });
  };
}
