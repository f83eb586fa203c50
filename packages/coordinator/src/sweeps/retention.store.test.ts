import type { Insights } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilFolded } from "../testing/insight-problems.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { DEFAULT_RETENTION, trim } from "./retention.ts";

describe.each(["embedded", "server"] as const)("what an %s database keeps", (kind) => {
  let coordinator: TestCoordinator;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  });
  afterAll(() => coordinator.close());

  const change = (text: string) => coordinator.served.coordinator.database.run({ name: "", text });
  const count = async (table: string) => {
    const [row] = (await change(`SELECT count(*) AS count FROM ${table}`)) as { count: number }[];
    return row?.count;
  };

  test("is what is young enough, and what has not ended", async () => {
    const runner = await coordinator.runner();
    const old = await coordinator.start("echo", {}, { session_id: "ses_old" });
    await runner.complete(await runner.claim());
    const busy = await coordinator.start("echo", {}, { session_id: "ses_busy" });
    await coordinator.save({ name: "echo", type: "procedural", command: ["tac"] });
    const headers = { "idempotency-key": "k" };
    const young = await coordinator.admin.post<{ run_id: string }>(
      "/runs",
      { agent_name: "echo" },
      { headers },
    );
    const ages = "interval '40 days'";
    await change(`UPDATE runs SET created_at = created_at - ${ages}, finished_at = finished_at - ${ages}
      WHERE id IN ('${old.run_id}', '${busy.run_id}')`);
    await change(`UPDATE sessions SET created_at = created_at - ${ages}, updated_at = updated_at - ${ages}
      WHERE id IN ('ses_old', 'ses_busy')`);
    await change(`UPDATE events SET created_at = created_at - ${ages} WHERE run_id = '${old.run_id}'`);
    await change(`UPDATE blueprints SET created_at = created_at - ${ages}`);
    await change(`UPDATE idempotency_keys SET created_at = created_at - interval '2 days'`);
    await change(`UPDATE runners SET gone_at = now() - ${ages}`);
    const [{ id: cursor = "" } = {}] = await coordinator.events(old.run_id);

    const { database, feed } = coordinator.served.coordinator;
    const forever = Object.fromEntries(
      Object.keys(DEFAULT_RETENTION).map((key) => [key, Number.POSITIVE_INFINITY]),
    );
    await untilFolded(database);
    await trim(database, { ...DEFAULT_RETENTION, ...forever });
    expect(await count("runs")).toBe(3);

    expect(await trim(database, DEFAULT_RETENTION)).toBe(false);
    expect((await coordinator.admin.get(`/runs/${old.run_id}`)).status).toBe(404);
    expect((await coordinator.admin.get("/sessions/ses_old")).status).toBe(404);
    expect((await coordinator.run(busy.run_id)).status).toBe("pending");
    expect((await coordinator.run(young.body.run_id)).status).toBe("pending");
    expect(await count(`events WHERE run_id = '${old.run_id}'`)).toBe(0);
    expect(await count(`events WHERE run_id <> '${old.run_id}'`)).toBe(2);
    expect(await count("idempotency_keys")).toBe(0);
    expect(await count("runners")).toBe(0);
    // The first revision is still what a run that waits was created with.
    expect(await count("blueprints")).toBe(2);

    const [xid = "", id] = cursor.split("-");
    expect(await feed.isTrimmed({ xid, id: Number(id) })).toBe(true);
    expect(await feed.isTrimmed(feed.position)).toBe(false);
    expect(await feed.isTrimmed({ xid: "0", id: 0 })).toBe(false);
  });

  test("is removed in portions, and reports whether there is more", async () => {
    await change(`INSERT INTO idempotency_keys (key, request_hash, run_id, created_at)
      SELECT 'k' || n, '', '', now() - interval '3 days' FROM generate_series(1, 700) AS n`);
    const { database } = coordinator.served.coordinator;
    expect(await trim(database, DEFAULT_RETENTION)).toBe(true);
    expect(await count("idempotency_keys")).toBe(200);
    expect(await trim(database, DEFAULT_RETENTION)).toBe(false);
    expect(await count("idempotency_keys")).toBe(0);
  });
});

describe.each(["embedded", "server"] as const)(
  "what an %s database says of runs that it no longer has",
  (kind) => {
    let coordinator: TestCoordinator;
    beforeAll(async () => {
      coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
      await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
    });
    afterAll(() => coordinator.close());

    const change = (text: string) => coordinator.served.coordinator.database.run({ name: "", text });

    test("is how many there were, by the times at which they were created, started and ended", async () => {
      const { database } = coordinator.served.coordinator;
      const runner = await coordinator.runner();
      const ids: string[] = [];
      for (const end of ["completed", "failed", "session"]) {
        const { run_id } = await coordinator.start("echo", {}, { session_id: `ses_${end}` });
        const run = await runner.claim();
        ids.push(run.run_id);
        await runner.report(run, "started");
        if (end === "failed") await runner.report(run, "failed", { error: "it was to fail" });
        else await runner.complete(run);
        await coordinator.ended(run_id);
      }
      await untilFolded(database);
      const times = ["created_at", "started_at", "finished_at"].map(
        (column, hours) => `${column} = timestamptz '2026-03-01T10:50:00Z' + interval '${hours} hours'`,
      );
      await change(`UPDATE runs SET ${times.join(", ")} WHERE id IN ('${ids.join("', '")}')`);
      expect((await coordinator.admin.delete("/sessions/ses_session")).status).toBe(204);
      await trim(database, { ...DEFAULT_RETENTION, insightDays: 100_000, insightDetailDays: 100_000 });
      const none = { created: 0, started: 0, completed: 0, failed: 0, stopped: 0 };
      const slot = (step: number, since: string, counts: object) => ({ step, since, ...none, ...counts });
      const created = { created: 3 };
      const started = { started: 3 };
      const ended = { completed: 2, failed: 1 };
      expect(
        await change(`SELECT step, to_char(since AT TIME ZONE 'UTC', 'HH24:MI') AS since, created, started, completed, failed, stopped
        FROM removed_rollups WHERE agent = 'echo' ORDER BY step, removed_rollups.since`),
      ).toEqual([
        ...[slot(15, "10:45", created), slot(15, "11:45", started), slot(15, "12:45", ended)],
        ...[slot(60, "10:00", created), slot(60, "11:00", started), slot(60, "12:00", ended)],
        slot(1440, "00:00", { ...created, ...started, ...ended }),
      ]);
      const ask = async (query: string) =>
        (await coordinator.admin.get<Insights>(`/insights?since=2026-03-01T10:00:00Z&${query}`)).body;
      const all = { ...none, ...created, ...started, ...ended };
      const insights = await ask("until=2026-03-01T13:00:00Z");
      expect([insights.current.removed, insights.previous.removed]).toEqual([all, undefined]);
      const steps = insights.series.filter(({ removed }) => removed !== undefined);
      expect(steps.map(({ since, removed }) => [since, removed])).toEqual([
        ["2026-03-01T10:45:00.000Z", { ...none, ...created }],
        ["2026-03-01T11:45:00.000Z", { ...none, ...started }],
        ["2026-03-01T12:45:00.000Z", { ...none, ...ended }],
      ]);
      expect((await ask("until=2026-03-01T13:00:00Z&agent=other")).current.removed).toBe(undefined);
      const later = (
        await coordinator.admin.get<Insights>(
          "/insights?since=2026-03-01T13:00:00Z&until=2026-03-01T16:00:00Z",
        )
      ).body;
      expect([later.current.removed, later.previous.removed]).toEqual([undefined, all]);
    });
  },
);
