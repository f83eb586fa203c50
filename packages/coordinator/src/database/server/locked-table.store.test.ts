import { freshPostgres } from "@tenterhook/test-support";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { TestCoordinator } from "../../testing/test-coordinator.ts";

let url: string;
let coordinator: TestCoordinator;
beforeAll(async () => {
  url = await freshPostgres();
  coordinator = await TestCoordinator.open({ url });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
});
afterAll(() => coordinator.close());

/** Locks a table as an administrator's session would. Returns the function that unlocks it. */
async function lock(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  let isOver = false;
  const unlock = async () => {
    if (isOver) return;
    isOver = true;
    await client.query("rollback");
    await client.end();
  };
  onTestFinished(unlock);
  await client.query(`begin; lock table ${table}`);
  return unlock;
}

const post = () =>
  coordinator.admin.post<{ status: number; detail: string }>("/runs", { agent_name: "echo" });

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const since = performance.now();
  return { value: await work, ms: performance.now() - since };
}

test("a request that waits for a locked table gets 503 in time, others are answered at once, and all work afterwards", async () => {
  const runner = await coordinator.runner();
  const unlock = await lock("runs");
  const refused = Array.from({ length: 60 }, () => timed(post()));
  const lists = Array.from({ length: 40 }, () => timed(coordinator.admin.get("/runs")));
  // Until the first ones have run into their limit, and after it.
  const agents: { readonly value: { readonly status: number }; readonly ms: number }[] = [];
  let isWaiting = true;
  const all = Promise.all([...refused, ...lists]).finally(() => {
    isWaiting = false;
  });
  while (isWaiting) agents.push(await timed(coordinator.admin.get("/agents")));
  for (const { value, ms } of await all) {
    expect(value.status).toBe(503);
    expect(value.headers.get("retry-after")).toBe("1");
    // What writes learns that nothing can be written; what reads, or waits for a connection, does not.
    expect(value.body).toMatchObject({ code: expect.stringMatching(/^(?:no_writes|unavailable)$/) });
    expect(ms).toBeLessThan(20_000);
  }
  expect(agents.every(({ value }) => value.status === 200)).toBe(true);
  expect(agents.length).toBeGreaterThan(10);
  // Those that wait for a lock need three seconds; one of the first may have waited until these were known to be slow.
  const times = agents.map(({ ms }) => ms).sort((one, other) => other - one);
  expect(times[Math.ceil(times.length / 10)]).toBeLessThan(2_500);
  expect(times[0]).toBeLessThan(20_000);
  await unlock();
  expect((await post()).status).toBe(201);
  await runner.complete(await runner.claim());
});

test("a migration waits for a lock for longer than statements do", async () => {
  const unlock = await lock("migrations");
  const opening = TestCoordinator.open({ url });
  const waiting = async () => {
    const text =
      "select 1 from pg_locks where not granted and waitstart < clock_timestamp() - interval '4 seconds'";
    return (await coordinator.served.coordinator.database.run({ name: "", text })).length;
  };
  await expect.poll(waiting).toBe(1);
  await unlock();
  await (await opening).close();
});
