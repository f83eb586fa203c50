import type {
  Approval,
  ApprovalsPage,
  Run,
  RunDetail,
  RunEventsPage,
  RunsPage,
  SessionsPage,
  TokensPage,
} from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOldStore, restoreOldStore } from "../testing/old-store.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { openEmbedded } from "./embedded/embedded-database.ts";
import { readMigrations } from "./migrations.ts";
import { openServer } from "./server/server-database.ts";

const store = readOldStore();
const { tables, secrets, pending } = store;
/** Nothing in the store expires while it is compared. */
const LIMITS = { leaseSeconds: 86_400, hookWaitSeconds: 86_400, approvalSeconds: 604_800 };
const column = (table: string, name: string) => (tables[table] ?? []).map((row) => String(row[name])).sort();

// Every answer is checked against what the coordinator's own document promises: see `ApiClient`.
describe.each(["embedded", "server"] as const)("an %s database of the version before names", (kind) => {
  let coordinator: TestCoordinator;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    const old = url === undefined ? await openEmbedded(folder) : await openServer(url, { connections: 1 });
    await restoreOldStore(old, store);
    await old.close();
    coordinator = await TestCoordinator.open({ folder, url, limits: LIMITS });
  });
  afterAll(() => coordinator.close());

  /** With the token of the old store. */
  const get = async <T>(path: string) =>
    (await coordinator.admin.get<T>(path, { token: secrets.token })).body;
  const cookieOf = (secret: string) => `tenterhook_${new URL(coordinator.served.url).port}=${secret}`;

  test("has rows in every table of its time", () => {
    expect(Object.entries(tables).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const made = readMigrations()
      .slice(0, 2)
      .flatMap(({ statements }) => statements)
      .flatMap((text) => [...text.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name]) => name));
    expect(Object.keys(tables).sort()).toEqual(made.sort());
  });

  test("keeps every row", async () => {
    for (const [table, rows] of Object.entries(tables)) {
      // The index of runs and the sums of insights have settings of their own.
      const old = table === "settings" ? "settings WHERE name NOT IN ('run_texts', 'insights')" : table;
      const text = `SELECT count(*)::int AS count FROM ${old}`;
      const [found] = await coordinator.served.coordinator.database.run<{ count: number }>({
        name: "",
        text,
      });
      // A new data folder has a token of its own, and codes that were used up may have been removed.
      if (table !== "tokens") expect(found?.count, table).toBe(rows.length);
    }
  });

  test("finds its runs by their words", async () => {
    const text = "SELECT count(*)::int AS count FROM run_texts";
    const indexed = () => coordinator.served.coordinator.database.run<{ count: number }>({ name: "", text });
    await expect.poll(indexed).toEqual([{ count: tables.runs?.length }]);
  });

  test("shows every run, its events and its session as they were", async () => {
    const { runs } = await get<RunsPage>("/runs?limit=200");
    expect(runs.map(({ run_id }) => run_id).sort()).toEqual(column("runs", "id"));
    for (const row of tables.runs ?? []) {
      const detail = await get<RunDetail>(`/runs/${row.id}`);
      expect(detail).toMatchObject({
        status: row.state,
        parameters: row.parameters,
        result_text: row.result_text,
        stop_reason: row.stop_reason,
        ...{ created_by: null, stopped_by: null, retry_of: null },
      });
      const { events } = await get<RunEventsPage>(`/runs/${row.id}/events?limit=200`);
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
      expect(events).toHaveLength(row.event_count as number);
    }
    const { sessions } = await get<SessionsPage>("/sessions?limit=200");
    expect(sessions.map(({ session_id }) => session_id).sort()).toEqual(column("sessions", "id"));
    for (const { session_id } of sessions) {
      expect(await get(`/sessions/${session_id}`)).toMatchObject({ session_id });
    }
  });

  test("shows agents, named hooks, runners, the latest events and the key as before, without names", async () => {
    for (const name of column("agents", "name")) {
      expect(await get(`/agents/${name}`)).toMatchObject({ blueprint: { name }, updated_by: null });
    }
    expect(await get("/agents")).toMatchObject({
      agents: column("agents", "name").map((name) => ({ name })),
    });
    expect(await get("/hooks/curfew")).toMatchObject({ updated_by: null, used_by: ["judged"] });
    expect(await get("/hooks")).toMatchObject({ hooks: [{ name: "curfew" }] });
    expect(await get("/runners")).toMatchObject({ runners: [{ name: "by hand" }] });
    const { events } = await get<{ events: unknown[] }>("/events/latest?limit=1000");
    expect(events).toHaveLength(tables.events?.length ?? 0);
    expect(await get("/webhook-key")).toMatchObject({ key: expect.any(String) });
  });

  test("has the name of who decided, where it was known", async () => {
    const { approvals } = await get<ApprovalsPage>("/approvals?limit=200");
    expect(approvals.map(({ state, decided_by }) => `${state} ${decided_by}`).sort()).toEqual([
      "approved boss",
      "approved null",
      "cancelled null",
      "expired null",
      "pending null",
      "rejected local commands on laptop",
    ]);
    for (const { approval_id, run_id } of approvals) {
      expect(await get(`/approvals/${approval_id}`)).toMatchObject({ run_id });
    }
  });

  test("keeps the sessions of signed-in users, with the names of their tokens", async () => {
    const as = async (secret: string) =>
      (
        await coordinator.admin.get<{ name: string }>("/whoami", {
          token: null,
          headers: { cookie: cookieOf(secret) },
        })
      ).body.name;
    expect(await as(secrets.session)).toBe("boss");
    expect(await as(secrets.nested)).toBe("local commands on laptop");
    const { tokens } = await get<TokensPage>("/tokens?limit=200");
    expect(tokens.filter(({ name }) => /sign-in|the page, with/.test(name))).toEqual([]);
    expect(tokens).toContainEqual(expect.objectContaining({ name: "gpu", runner_tags: ["gpu"] }));
  });

  test("continues its work: an approval is decided, and runs are stopped and retried by name", async () => {
    const boss = {
      token: null,
      headers: { cookie: cookieOf(secrets.session), origin: coordinator.served.url },
    };
    const decided = await coordinator.admin.post<Approval>(
      `/approvals/${pending.approval_id}`,
      { decision: "approve" },
      boss,
    );
    expect(decided.body).toMatchObject({ state: "approved", decided_by: "boss" });
    const stopped = await coordinator.admin.post<Run>(`/runs/${pending.run_id}/stop`, {}, boss);
    expect(stopped.body).toMatchObject({ status: "stopped", stopped_by: "boss" });
    const again = await coordinator.admin.post<Run>(`/runs/${pending.run_id}/retry`, {}, boss);
    expect(again.body).toMatchObject({ created_by: "boss", retry_of: pending.run_id });
    const runner = await coordinator.runner();
    const claims = [await runner.claim(), await runner.claim()];
    expect(claims.map(({ run_id }) => run_id)).toContain(again.body.run_id);
    for (const claim of claims) await runner.complete(claim);
    expect((await coordinator.ended(again.body.run_id)).status).toBe("completed");
    expect(coordinator.errors).toEqual([]);
  });
});
