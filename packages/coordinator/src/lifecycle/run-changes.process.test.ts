import { freshPostgres } from "@tenterhook/test-support";
import { expect, onTestFinished, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { recordEvent } from "./run-changes.ts";
import { settled } from "./settle-hooks.ts";
import { stopRun } from "./stop-run.ts";

const BY_TRANSACTION = {
  name: "",
  text: "SELECT number FROM events WHERE run_id = $1 ORDER BY xid, id",
};

test("events of a run are in the order of transactions, also of one that changed another run first", async () => {
  const coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  onTestFinished(() => coordinator.close());
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  const first = await coordinator.start("echo");
  const second = await coordinator.start("echo");
  const { database, limits } = coordinator.served.coordinator;
  let attempts = 0;
  await database.transaction(async (queries) => {
    attempts += 1;
    await recordEvent(queries, first.run_id, "log", { text: "x" });
    // Meanwhile a younger transaction records an event of the other run, and commits.
    if (attempts === 1)
      await database.transaction((other) => recordEvent(other, second.run_id, "log", { text: "x" }));
    await settled(queries, limits, (transition) => stopRun(transition, second.run_id, "no longer needed"));
  });
  const rows = await database.run<{ number: number }>(BY_TRANSACTION, [second.run_id]);
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(attempts).toBe(2);
});
