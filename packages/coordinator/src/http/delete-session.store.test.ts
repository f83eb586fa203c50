import type { BlueprintInput, RunEvent, SessionDetail } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const gate = { type: "agent", agent_name: "echo", on_error: "block" } as const;

/** Tables that have something of a session, and how it is found there. */
const COLUMNS = {
  sessions: "id",
  runs: "session_id",
  events: "type <> 'session_deleted' AND session_id",
  conversation_entries: "session_id",
} as const;
const TABLES_OF_RUNS = ["run_hooks", "approvals", "idempotency_keys"] as const;

describe.each(["embedded", "server"] as const)("deleting a session of an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    runner = await coordinator.runner();
    await coordinator.save(
      echo,
      { ...echo, name: "guarded", hooks: { on_run_start: gate } },
      { ...echo, name: "chaining", hooks: { on_run_finish: gate } },
    );
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  const remove = (id: string) => coordinator.admin.delete(`/sessions/${id}`);
  const detail = async (id: string) => (await coordinator.admin.get<SessionDetail>(`/sessions/${id}`)).body;
  const count = async (from: string) => {
    const [row] = await coordinator.served.coordinator.database.run<{ count: number }>({
      name: "",
      text: `SELECT count(*)::int AS count FROM ${from}`,
    });
    return row?.count;
  };

  /** How many rows of each table belong to the sessions and runs. */
  async function rowsOf(sessions: readonly string[], runs: readonly string[]) {
    const listed = (ids: readonly string[]) => `IN (${ids.map((id) => `'${id}'`).join(", ")})`;
    const counts: Record<string, number | undefined> = {};
    for (const [table, column] of Object.entries(COLUMNS)) {
      counts[table] = await count(`${table} WHERE ${column} ${listed(sessions)}`);
    }
    for (const table of TABLES_OF_RUNS) counts[table] = await count(`${table} WHERE run_id ${listed(runs)}`);
    return counts;
  }

  test("removes everything of it and of the sessions that ran its hooks, and nothing else", async () => {
    const other = await coordinator.start("echo");
    await runner.complete(await runner.claim());
    const before = await rowsOf([other.session_id], [other.run_id]);

    const headers = { "idempotency-key": `forget-${kind}` };
    const body = { agent_name: "guarded", parameters: { secret: "s" } };
    const { body: run } = await coordinator.admin.post<{ run_id: string; session_id: string }>(
      "/runs",
      body,
      {
        headers,
      },
    );
    const hook = await runner.claim();
    await runner.complete(hook, { result_data: { action: "ask", reason: "may it?" } });
    const { body: page } = await coordinator.admin.get<{ approvals: { approval_id: string }[] }>(
      `/approvals?run=${run.run_id}`,
    );
    await coordinator.admin.post(`/approvals/${page.approvals[0]?.approval_id}`, { decision: "approve" });
    const claimed = await runner.claim();
    await runner.report(claimed, "started");
    const added = await coordinator.admin.post(`/runner/runs/${run.run_id}/conversation`, {
      lease_token: claimed.lease_token,
      first: 1,
      entries: [{ type: "messages", messages: [{ role: "user", content: "secret" }] }],
    });
    expect(added.status).toBeLessThan(300);
    await runner.complete(claimed);

    const sessions = [run.session_id, hook.session_id];
    const runs = [run.run_id, hook.run_id];
    expect(Object.values(await rowsOf(sessions, runs))).not.toContain(0);
    expect((await remove(run.session_id)).status).toBe(204);
    expect(new Set(Object.values(await rowsOf(sessions, runs)))).toEqual(new Set([0]));
    expect(await rowsOf([other.session_id], [other.run_id])).toEqual(before);

    expect((await remove(run.session_id)).body).toMatchObject({ code: "not_found" });
    expect((await coordinator.admin.get(`/runs/${run.run_id}`)).status).toBe(404);
    // The key is free: the request is a new one.
    const again = await coordinator.admin.post<{ run_id: string }>("/runs", body, { headers });
    expect(again.status).toBe(201);
    await coordinator.admin.post(`/runs/${again.body.run_id}/stop`);
  });

  test("is refused while a run has not ended, or a hook of one that has", async () => {
    const { session_id } = await coordinator.start("chaining");
    expect((await remove(session_id)).body).toMatchObject({ status: 409, code: "session_busy" });
    const claimed = await runner.claim();
    expect((await remove(session_id)).status).toBe(409);
    await runner.complete(claimed);
    const chained = await runner.claim();
    const refused = await remove(session_id);
    expect(refused.body).toMatchObject({ status: 409, code: "session_busy" });
    expect(refused.body).toHaveProperty("detail", expect.stringContaining("on_run_finish"));
    expect((await detail(session_id)).run_count).toBe(1);
    await runner.complete(chained);
    expect((await remove(session_id)).status).toBe(204);
  });

  test("keeps the sessions that came of it, without a parent", async () => {
    const first = await coordinator.start("chaining");
    await runner.complete(await runner.claim());
    const chained = await runner.claim();
    await runner.complete(chained);
    const child = await coordinator.start("echo", {}, { parent_session_id: first.session_id });
    await runner.complete(await runner.claim());
    expect((await remove(first.session_id)).status).toBe(204);
    for (const { session_id, run_id } of [chained, child]) {
      expect(await detail(session_id)).toMatchObject({ parent_session_id: null, parent_link: null });
      expect(await coordinator.run(run_id)).toMatchObject({ parent_run_id: null, status: "completed" });
    }
  });

  test("keeps its parent, whose hook and callback point nowhere then", async () => {
    const first = await coordinator.start("chaining");
    await runner.complete(await runner.claim());
    const chained = await runner.claim();
    await runner.complete(chained);
    const asked = { parent_session_id: first.session_id, execution_mode: "async_callback" };
    const child = await coordinator.start("echo", {}, asked);
    await runner.complete(await runner.claim());
    const callback = await runner.claim();
    await runner.complete(callback);
    await runner.complete(await runner.claim());
    expect((await remove(chained.session_id)).status).toBe(204);
    expect((await remove(child.session_id)).status).toBe(204);
    expect((await coordinator.run(first.run_id)).hooks).toMatchObject([
      { state: "done", child_run_id: null },
    ]);
    expect(await coordinator.run(callback.run_id)).toMatchObject({
      parent_run_id: null,
      status: "completed",
    });
  });

  test("lets a child that was to call back end without that", async () => {
    const parent = await coordinator.start("echo");
    await runner.complete(await runner.claim());
    const asked = { parent_session_id: parent.session_id, execution_mode: "async_callback" };
    const child = await coordinator.start("echo", {}, asked);
    const claimed = await runner.claim();
    expect((await remove(parent.session_id)).status).toBe(204);
    await runner.complete(claimed, { result_text: "found" });
    expect(await coordinator.run(child.run_id)).toMatchObject({ status: "completed" });
    expect((await coordinator.admin.get(`/sessions/${parent.session_id}`)).status).toBe(404);
  });

  test("at the moment in which a run is started in it leaves the run and its session, or neither", async () => {
    for (let n = 0; n < 12; n++) {
      const session_id = `ses_raced_${kind}_${n}`;
      await coordinator.start("echo", {}, { session_id });
      await runner.complete(await runner.claim());
      const key = { headers: { "idempotency-key": session_id } };
      const start = (more = {}) =>
        coordinator.admin.post<{ run_id: string }>(
          "/runs",
          { agent_name: "echo", parameters: {}, session_id },
          more,
        );
      const asked = n % 3 === 0 ? [remove(session_id), start(key)] : [start(key), remove(session_id)];
      const [first, second] = await Promise.all(n % 3 === 1 ? [...asked, start()] : asked);
      const [deleted, started] = n % 3 === 0 ? [first, second] : [second, first];
      expect([204, 409]).toContain(deleted?.status);
      expect([201, 409]).toContain(started?.status);
      const rows = await count(`sessions WHERE id = '${session_id}'`);
      const runs = await count(`runs WHERE session_id = '${session_id}'`);
      const waiting = await count(`runs WHERE session_id = '${session_id}' AND finished_at IS NULL`);
      // A session without runs would be there only if a run had been taken from under it.
      expect([rows, (runs ?? 0) > 0]).toEqual(waiting === 0 ? [0, false] : [1, true]);
      if (started?.status === 201) {
        const { run_id } = started.body as { run_id: string };
        const run = await coordinator.admin.get(`/runs/${run_id}`);
        // Started before the session was deleted, it would have kept it from that.
        expect(run.status).toBe(200);
      }
      if (waiting !== 0) await runner.complete(await runner.claim());
    }
  });

  test("is streamed without content, and the events that were kept in memory are gone", async () => {
    const session_id = `ses_told_${kind}`;
    const stream = await coordinator.follow(`?session_id=${session_id}`);
    await coordinator.start("echo", {}, { session_id });
    const received: RunEvent[] = [];
    for await (const { data } of stream.messages()) {
      received.push(JSON.parse(data) as RunEvent);
      if (received.at(-1)?.event_type === "session_deleted") break;
      if (received.length > 1) continue;
      await runner.complete(await runner.claim());
      expect((await remove(session_id)).status).toBe(204);
    }
    const [first, last] = [received[0], received.at(-1)];
    expect(first).toMatchObject({ event_type: "run_created", session_id });
    expect(last).toEqual({
      id: expect.any(String),
      event_type: "session_deleted",
      session_id,
      run_id: null,
      number: null,
      timestamp: expect.any(String),
      by: expect.stringContaining("local commands"),
    });
    const headers = { "last-event-id": first?.id ?? "" };
    const late = await coordinator.follow(`?session_id=${session_id}`, headers);
    expect(await late.take(1)).toEqual([last]);
    late.close();
    stream.close();
  });

  test("needs the scope admin", async () => {
    const { session_id } = await coordinator.start("echo");
    await runner.complete(await runner.claim());
    for (const scope of ["client", "viewer", "runner"] as const) {
      expect((await (await coordinator.client(scope)).delete(`/sessions/${session_id}`)).status).toBe(403);
    }
    expect((await detail(session_id)).run_count).toBe(1);
    expect((await remove("ses_none")).body).toMatchObject({ status: 404, code: "not_found" });
  });
});
