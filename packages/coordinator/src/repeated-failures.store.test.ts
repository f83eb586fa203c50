import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "./database/database.ts";
import { unavailable } from "./database/sql-error.ts";
import { InsightFolder } from "./insights/insight-folder.ts";
import { RepeatedFailures } from "./repeated-failures.ts";
import { RunIndexer } from "./search/run-indexer.ts";
import { DEFAULT_RETENTION, trim } from "./sweeps/retention.ts";
import { TestCoordinator } from "./testing/test-coordinator.ts";
import { Wakeups } from "./wakeups.ts";

const PRICES = { currency: "EUR", models: {} };

/** Too long for an index of the store, and without anything that compresses. */
const LONG_NAME = Array.from({ length: 4_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join("");

describe.each(["embedded", "server"] as const)("over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  let reported: string[];
  let failures: RepeatedFailures;
  const database = (): Database => coordinator.served.coordinator.database;
  const ask = <R>(text: string) => database().run<R>({ name: "", text });
  const newFolder = (store = database()) =>
    new InsightFolder(store, coordinator.served.coordinator.feed, new Wakeups(store), PRICES, failures);

  beforeAll(async () => {
    const server = kind === "server" && { url: await freshPostgres() };
    coordinator = await TestCoordinator.open({ ...server, foldInsights: false, indexRuns: false });
    await coordinator.save({ name: "plain", type: "procedural", command: ["cat"] });
    runner = await coordinator.runner();
  });
  afterAll(() => coordinator.close());
  beforeEach(() => {
    reported = [];
    failures = new RepeatedFailures((error) => void reported.push(String(error)));
  });

  async function completeRun(note = ""): Promise<string> {
    const { run_id } = await coordinator.start("plain", { note });
    await runner.complete(await runner.claim());
    return run_id;
  }

  /** Calls a round again and again until it has nothing left, not more than so often. */
  async function untilIdle(round: () => Promise<unknown>, idle: unknown): Promise<void> {
    for (let times = 0; times < 200; times++) if ((await round()) === idle) return;
    throw new Error(`it never ended; reported: ${reported.join("; ")}`);
  }

  const untilFolded = (folder: InsightFolder) => untilIdle(() => folder.fold(), "nothing");
  const countRuns = async () => {
    const [row] = await ask<{ completed: number }>(
      "SELECT coalesce(sum(completed), 0)::int AS completed FROM run_rollups WHERE step = 1440",
    );
    return row?.completed ?? 0;
  };

  test.each([
    ["whose time cannot be computed with", "UPDATE events SET created_at = 'infinity' WHERE id = "],
    [
      "whose sums the store refuses",
      `UPDATE events SET run_id = 'run_removed', data = data || jsonb_build_object('agent_name', '${LONG_NAME}') WHERE id = `,
    ],
  ])("an event %s is set aside alone, counted and named, and no other", async (_, breaking) => {
    const folder = newFolder();
    await untilFolded(folder);
    const before = await countRuns();
    await completeRun();
    const broken = await completeRun();
    for (let n = 0; n < 5; n++) await completeRun();
    const [event] = await ask<{ id: number }>(
      `SELECT id FROM events WHERE run_id = '${broken}' AND type = 'run_created'`,
    );
    await ask(`${breaking}${event?.id}`);
    await untilFolded(folder);
    expect(await countRuns()).toBe(before + 7);
    expect(failures.setAside).toBe(1);
    expect(reported).toHaveLength(2);
    expect(reported[1]).toMatch(new RegExp(`the event \\d+-${event?.id} \\(run_created of .*set aside: `));
    // It neither stays in the way of retention, nor of the next events.
    await ask("UPDATE events SET created_at = now() - interval '31 days'");
    await trim(database(), DEFAULT_RETENTION);
    expect(await ask(`SELECT id FROM events WHERE id = ${event?.id}`)).toEqual([]);
  });

  test("an outage sets nothing aside, however long it is and however often it comes back", async () => {
    await untilFolded(newFolder());
    const before = await countRuns();
    await completeRun();
    let isAway = true;
    const run: Database["run"] = (statement, values) =>
      isAway && statement.name === "write-rollups"
        ? Promise.reject(unavailable("the database is away"))
        : database().run(statement, values);
    const folder = newFolder(Object.create(database(), { run: { value: run } }) as Database);
    for (let times = 0; times < 10; times++) await expect(folder.fold()).rejects.toThrow("is away");
    isAway = false;
    await untilFolded(folder);
    expect(await countRuns()).toBe(before + 1);
    expect(failures.setAside).toBe(0);
    expect(reported).toEqual([]);
  });

  test("an event whose failure passes is counted, not set aside", async () => {
    await untilFolded(newFolder());
    const before = await countRuns();
    await completeRun();
    let left = 4;
    const run: Database["run"] = (statement, values) =>
      statement.name === "write-rollups" && left-- > 0
        ? Promise.reject(new TypeError("a defect"))
        : database().run(statement, values);
    await untilFolded(newFolder(Object.create(database(), { run: { value: run } }) as Database));
    expect(await countRuns()).toBe(before + 1);
    expect(failures.setAside).toBe(0);
  });

  test.each(["as they happen", "of a store that had no index"])(
    "a run whose texts the store refuses is set aside, and those after it are found, %s",
    async (when) => {
      const { feed } = coordinator.served.coordinator;
      const indexer = new RunIndexer(database(), feed, new Wakeups(database()), undefined, failures);
      if (when === "as they happen") await untilIdle(() => indexer.index(), 0);
      const before = await completeRun("sought");
      const broken = await completeRun("sought");
      const after = await completeRun("sought");
      await ask(`CREATE OR REPLACE FUNCTION refuse_text() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no text of this run' USING ERRCODE = '23514'; END $$`);
      await ask(`CREATE TRIGGER refuse BEFORE INSERT ON run_texts FOR EACH ROW
        WHEN (NEW.run_id = '${broken}') EXECUTE FUNCTION refuse_text()`);
      if (when !== "as they happen") await ask("DELETE FROM settings WHERE name = 'run_texts'");
      for (let round = 0; round < 12; round++) await indexer.index();
      await untilIdle(() => indexer.index(), 0);
      await ask("DROP TRIGGER refuse ON run_texts");
      const found = await ask<{ run_id: string }>(
        `SELECT run_id FROM run_texts WHERE run_id IN ('${before}', '${broken}', '${after}')`,
      );
      expect(found.map(({ run_id }) => run_id).sort()).toEqual([before, after].sort());
      expect(failures.setAside).toBeGreaterThan(0);
      expect(reported.at(-1)).toContain(`the run ${broken}`);
    },
  );

  test("a kind of rows that cannot be removed does not keep the others from being removed", async () => {
    await completeRun();
    await ask(`CREATE OR REPLACE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no removal' USING ERRCODE = '23514'; END $$`);
    await ask("CREATE TRIGGER refuse BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_removal()");
    await untilFolded(newFolder());
    await ask("UPDATE events SET created_at = now() - interval '31 days'");
    await ask(
      "UPDATE runs SET created_at = now() - interval '31 days', finished_at = now() - interval '31 days'",
    );
    await expect(trim(database(), DEFAULT_RETENTION)).rejects.toThrow("no removal");
    expect(await ask("SELECT id FROM runs")).toEqual([]);
    await ask("DROP TRIGGER refuse ON events");
  });

  test("what was set aside is in the metrics", async () => {
    const { body } = await coordinator.admin.get<string>("/metrics");
    expect(body).toMatch(/^tenterhook_set_aside_total 0$/m);
    coordinator.served.coordinator.failures.countSetAside();
    expect((await coordinator.admin.get<string>("/metrics")).body).toMatch(/^tenterhook_set_aside_total 1$/m);
  });
});
