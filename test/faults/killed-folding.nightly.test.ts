import { setTimeout as pause } from "node:timers/promises";
import { connectPostgres, startPostgres } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { FoldingBacklog } from "./folding-backlog.ts";
import type { OnEnd } from "./process-fleet.ts";
import { ROUNDS, withSeed } from "./seed.ts";

const KILLS = Math.ceil(ROUNDS / 4);
/** A batch has a thousand, and some batches are folded between two kills. */
const EVENTS = 4_000 + KILLS * 2_000;
/** Longer than a batch and the pause after it take, so that a kill comes at any moment of both. */
const MOMENT_MS = 300;
const TEST_MS = 300_000 + ROUNDS * 20_000;

async function freshServer(onEnd: OnEnd): Promise<string> {
  const postgres = await startPostgres();
  onEnd(() => postgres.remove());
  return postgres.freshDatabase();
}

test.for(["embedded", "server"] as const)(
  "a coordinator that is killed again and again while it adds up events neither loses nor doubles any, with an %s store",
  { timeout: TEST_MS },
  (kind, { onTestFinished }) =>
    withSeed(async (chance) => {
      const url = kind === "server" ? await freshServer(onTestFinished) : undefined;
      const backlog = await FoldingBacklog.make(EVENTS, url, onTestFinished);
      for (let kill = 0; kill < KILLS; kill++) {
        await backlog.start(0);
        await backlog.progress(0);
        await pause(chance.below(MOMENT_MS));
        await backlog.kill(0);
      }
      await backlog.start(0);
      expect(await backlog.problems()).toEqual([]);
    }),
);

test(
  "two coordinators of which one or the other is killed neither lose nor double any",
  ({ onTestFinished }) =>
    withSeed(async (chance) => {
      const backlog = await FoldingBacklog.make(EVENTS, await freshServer(onTestFinished), onTestFinished);
      await Promise.all([backlog.start(0), backlog.start(1)]);
      for (let kill = 0; kill < KILLS; kill++) {
        const n = chance.below(2);
        await backlog.progress(1 - n);
        await pause(chance.below(MOMENT_MS));
        await backlog.kill(n);
        await backlog.start(n);
      }
      expect(await backlog.problems()).toEqual([]);
    }),
  TEST_MS,
);

const IS_WRITING = `
  SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE settings SET value%' AND pid <> pg_backend_pid())
    AS is_writing`;

test(
  "a coordinator that is killed while the server executes its statement leaves all of it or nothing",
  async ({ onTestFinished }) => {
    const url = await freshServer(onTestFinished);
    const backlog = await FoldingBacklog.make(EVENTS, url, onTestFinished);
    const client = await connectPostgres(url);
    // A transaction sees the activity of its first look only.
    const watcher = await connectPostgres(url);
    onTestFinished(async () => void (await Promise.all([client.end(), watcher.end()])));
    await backlog.start(0);
    await backlog.progress(0);
    await backlog.kill(0);
    for (let kill = 0; kill < KILLS; kill++) {
      // The statement waits for the cursor, and goes on after its coordinator is gone.
      await client.query("BEGIN");
      await client.query("SELECT FROM settings WHERE name = 'insights' FOR UPDATE");
      await backlog.start(0);
      await expect
        .poll(async () => (await watcher.query(IS_WRITING)).rows[0]?.is_writing, { interval: 20 })
        .toBe(true);
      await backlog.kill(0);
      await client.query(kill % 2 === 0 ? "COMMIT" : "ROLLBACK");
    }
    await backlog.start(0);
    expect(await backlog.problems()).toEqual([]);
  },
  TEST_MS,
);
