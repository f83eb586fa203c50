import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { DEFAULT_LIMITS } from "../domain/limits.ts";
import { lockRun } from "../store/run-rows.ts";
import { type ClaimedRun, claimRuns } from "./claim-run.ts";
import { createRun } from "./create-run.ts";
import { completePlainRuns } from "./reports.ts";
import { settled } from "./settle-hooks.ts";
import { stopRun } from "./stop-run.ts";

const folder = temporaryFolder();

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url, folder });
  onTestFinished(() => database.close());
  return database;
}

/** Runs that a runner has, in the order of their ids. */
async function claimedRuns(database: Database, count: number): Promise<readonly ClaimedRun[]> {
  await database.run({
    name: "",
    text: "INSERT INTO agents (name, revision, blueprint, etag) VALUES ('echo', 1, '{}', 'e')",
  });
  for (let index = 0; index < count; index += 1) {
    await createRun(database, {
      ...{ agentName: "echo", revision: 1, kind: "client", executionMode: "async_poll" },
      ...{ parameters: {}, hooks: {}, tags: [], maxAttempts: 1, hasOutputSchema: false },
    });
  }
  const claimant = { runnerId: "runner-1", tags: [], hasSlot: true, leaseSeconds: 60, hookWaitSeconds: 60 };
  const claimed = await claimRuns(database, Array(count).fill(claimant));
  return claimed.flatMap((run) => run ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Waits until a statement waits for a lock. */
async function untilBlocked(database: Database): Promise<void> {
  const blocked = {
    name: "",
    text: "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  };
  await expect.poll(async () => (await database.run(blocked)).length).toBe(1);
}

test("the stream has a run's events in the order of their numbers when it is stopped while the results of others are stored", async () => {
  const database = await open(await freshPostgres());
  const runs = await claimedRuns(database, 3);
  const [first, second, stopped] = runs;
  if (first === undefined || second === undefined || stopped === undefined) throw new Error("no runs");
  const reports = runs.map(({ id, lease_token }) => {
    return { id, token: lease_token ?? "", result_text: null, result_data: null };
  });
  let completed: ReturnType<typeof completePlainRuns> | undefined;
  // The statement has changed the first run and waits for the second one, while a younger transaction stops the third one.
  await database.transaction(async (queries) => {
    await lockRun(queries, second.id);
    completed = completePlainRuns(database, reports);
    await untilBlocked(database);
    await database.transaction((other) =>
      settled(other, DEFAULT_LIMITS, (transition) => stopRun(transition, stopped.id, "stopped")),
    );
  });

  // A result that is not stored here is stored in a transaction of its own.
  expect((await completed)?.map((run) => run?.id)).toEqual([first.id, second.id, undefined]);
  const [again] = await completePlainRuns(database, reports.slice(2));
  expect(again?.state).toBe("completed");
  const events = await database.run<{ number: number }>({
    name: "",
    text: `SELECT number FROM events WHERE run_id = '${stopped.id}' ORDER BY xid, id`,
  });
  expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});
