import type { Insights } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { foldAll, insightProblems } from "../testing/insight-problems.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { Wakeups } from "../wakeups.ts";
import { InsightFolder, prepareInsights, readProgress } from "./insight-folder.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PRICES = { currency: "EUR", models: {} };

/** What the clock of a coordinator may be ahead of the store's. An embedded store has the clock of its process. */
const CLOCKS: readonly (readonly [string, number])[] = [
  ["three hours behind", -3 * HOUR_MS],
  ["three hours ahead", 3 * HOUR_MS],
  ["ten days ahead", 10 * DAY_MS],
  ["in 1969", -Date.now() - DAY_MS],
];

const tallies = (...outcomes: readonly string[]) =>
  JSON.stringify({
    tallies: outcomes.map((outcome) => ({
      ...{ hook: "guard", event: "before_tool", outcome, count: 1, duration_ms: 1, durations: [1] },
    })),
  });

describe.each(["embedded", "server"] as const)("the times of roll-ups in an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let folder: InsightFolder;
  const query = <R>(text: string) => coordinator.served.coordinator.database.run<R>({ name: "", text });

  beforeAll(async () => {
    const server = kind === "server" && { url: await freshPostgres() };
    coordinator = await TestCoordinator.open({ ...server, foldInsights: false });
    const { database, feed } = coordinator.served.coordinator;
    await prepareInsights(database);
    folder = new InsightFolder(database, feed, new Wakeups(database), PRICES);
  });
  afterAll(() => coordinator.close());
  afterEach(() => void vi.useRealTimers());

  const fold = () => foldAll(folder, coordinator.served.coordinator.database);
  const insights = async (asked: string) =>
    (await coordinator.admin.get<Insights>(`/insights?${asked}`)).body;
  const passed = async (asked: string) => (await insights(asked)).current.decisions.passed ?? 0;
  const storeTally = (createdAt: string, outcome = "passed") =>
    query(
      `INSERT INTO events (type, data, created_at) VALUES ('hook_tallies', '${tallies(outcome)}', ${createdAt})`,
    );

  test.each(kind === "server" ? CLOCKS : [])(
    "are those of the store when the clock of the coordinator is %s",
    async (_, byMs) => {
      const before = await passed("range=hour");
      const slots = async () =>
        (
          await query<{ count: number }>(
            "SELECT coalesce(sum(count), 0)::float8 AS count FROM hook_rollups WHERE step = 5",
          )
        )[0]?.count ?? 0;
      const inSlots = await slots();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
      await storeTally("now()");
      await fold();
      expect([await passed("range=hour"), await slots()]).toEqual([before + 1, inSlots + 1]);
      for (const range of ["day", "week", "month"]) expect(await passed(`range=${range}`)).toBe(before + 1);
      vi.useRealTimers();
      expect(await insightProblems(coordinator.served.coordinator.database)).toEqual([]);
    },
  );

  test("are not of a future that a clock had before it was put back", async () => {
    const before = await passed("range=day");
    await storeTally("now() + interval '3 years'");
    await storeTally("now() + interval '40 days'");
    await fold();
    expect(await passed("range=day")).toBe(before + 2);
    for (const table of ["decision_rollups", "hook_rollups", "total_rollups", "reason_rollups"])
      expect(await query(`SELECT since FROM ${table} WHERE since > now() + interval '1 day'`)).toEqual([]);
    await query("DELETE FROM events WHERE created_at > now() + interval '1 day'");
  });

  test("are counted from when the store had events, also if the first came from the future", async () => {
    await query(
      "UPDATE settings SET value = value || '{\"since\": null, \"tallies_since\": null}', version = version + 1 WHERE name = 'insights'",
    );
    await storeTally("now() + interval '3 years'");
    await fold();
    const { since, tallies_since } =
      (await readProgress(coordinator.served.coordinator.database))?.value ?? {};
    for (const time of [since, tallies_since])
      expect(Date.parse(time ?? "")).toBeLessThan(Date.now() + DAY_MS);
    await query("DELETE FROM events WHERE created_at > now() + interval '1 day'");
  });

  test("do not fill the years since 1970 for a run that started before the clock was set", async () => {
    await query(`
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, attempt, runner_id, event_count,
        created_at, started_at, finished_at)
      VALUES ('run_old', 'ses_old', 'old', 1, 'client', 'completed', 'async_poll', '{}', 1, 'gone', 1, 'epoch', 'epoch', now())`);
    await query(`
      INSERT INTO events (run_id, session_id, number, type, data, created_at) VALUES
        ('run_old', 'ses_old', 1, 'run_completed', '{}', now())`);
    await fold();
    const [row] = await query<{ count: number; attempts: number }>(
      "SELECT count(*) AS count, sum(attempts)::float8 AS attempts FROM runner_rollups WHERE runner = 'gone' AND step = 15",
    );
    expect(row?.attempts).toBe(1);
    expect(row?.count).toBeLessThan(10_000);
    expect((await insights("range=day")).agents.find(({ agent }) => agent === "old")?.runs.completed).toBe(1);
    await query("DELETE FROM events WHERE run_id = 'run_old'");
  });

  test.each(["constructor", "__proto__", "to_string", "value_of"])(
    "count an outcome of a newer runner that is called %s",
    async (outcome) => {
      const before = (await insights("range=day")).hooks.find(({ hook }) => hook === "guard")?.calls ?? 0;
      await storeTally("now()", outcome);
      await fold();
      const { status, body } = await coordinator.admin.get<Insights>("/insights?range=day");
      expect(status).toBe(200);
      expect(Object.entries(body.current.decisions)).toContainEqual([outcome, 1]);
      const row = body.hooks.find(({ hook }) => hook === "guard");
      expect(row?.calls).toBe(before + 1);
      expect(Object.entries(row?.decisions ?? {})).toContainEqual([outcome, 1]);
      const inSeries = body.series.flatMap(({ decisions }) => Object.entries(decisions));
      expect(inSeries).toContainEqual([outcome, 1]);
    },
  );
});
