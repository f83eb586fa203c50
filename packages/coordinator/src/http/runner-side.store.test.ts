import { type ClientRequest, request } from "node:http";
import {
  type AssignedRun,
  type BlueprintInput,
  type ConversationPage,
  type HeartbeatResponse,
  LEASE_HEADER,
  type RunnerRecord,
  type ToolCallResponse,
} from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

/** Asks for a run by a connection of its own, which can be broken. */
function pollOnce(coordinator: TestCoordinator, runner: TestRunner): ClientRequest {
  const poll = request(`${coordinator.served.url}/runner/runs?runner_id=${runner.id}&wait=30`, {
    headers: { authorization: `Bearer ${coordinator.admin.token}` },
  });
  poll.on("error", () => {});
  poll.end();
  return poll;
}

describe.each(["embedded", "server"] as const)("a runner, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save(
      echo,
      { ...echo, name: "judge" },
      { ...echo, name: "tagged", tags: ["gpu"] },
      {
        ...echo,
        name: "guarded",
        hooks: { on_tool_call: { type: "agent", agent_name: "judge", on_error: "block" } },
      },
    );
    runner = await coordinator.runner();
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  test("must be registered, and is the same when it comes back with its id", async () => {
    const nobody = await coordinator.admin.get("/runner/runs?runner_id=nobody");
    expect(nobody.body).toMatchObject({ status: 404, code: "unknown_runner" });
    const beat = await coordinator.admin.post("/runner/heartbeat", { runner_id: "nobody", runs: [] });
    expect(beat.body).toMatchObject({ code: "unknown_runner" });
    const again = await coordinator.admin.post("/runner/register", { runner_id: runner.id, name: "by hand" });
    expect(again.body).toEqual({ runner_id: runner.id, lease_seconds: 30, heartbeat_seconds: 10 });
  });

  test("waits for a run and has it as soon as there is one", async () => {
    const waiting = runner.claim();
    const { run_id } = await coordinator.start("echo");
    const run = await waiting;
    expect(run).toMatchObject({ run_id, blueprint: { command: ["cat"] }, has_tool_hook: false });
    await runner.complete(run);
    expect(await runner.next(0)).toBeUndefined();
  });

  test("that did not get the answer to its poll reports it, and is given the run again at once", async () => {
    const begun = await coordinator.start("echo");
    const held = await coordinator.start("echo");
    const unread = await coordinator.start("echo");
    const [first, second, third] = [await runner.claim(), await runner.claim(), await runner.claim()];
    await runner.report(first, "started");
    const path = `/runner/runs?runner_id=${runner.id}&unstarted=${held.run_id}`;
    const { body } = await coordinator.admin.get<{ run: AssignedRun }>(path);
    expect(body.run).toMatchObject({ run_id: unread.run_id, attempt: 1 });
    expect(body.run.lease_token).not.toBe(third.lease_token);
    // Should the lost answer arrive after all, its start is refused.
    expect((await runner.report(third, "started")).body).toMatchObject({ code: "lease_lost" });
    for (const run of [second, body.run]) expect((await runner.report(run, "started")).status).toBe(200);
    for (const run of [first, second, body.run]) expect((await runner.complete(run)).status).toBe(200);
    const types = (await coordinator.events(unread.run_id)).map(({ event_type }) => event_type);
    expect(types.slice(0, 4)).toEqual(["run_created", "run_claimed", "run_released", "run_claimed"]);
    for (const { run_id } of [begun, held]) {
      expect((await coordinator.events(run_id)).map(({ event_type }) => event_type)).not.toContain(
        "run_released",
      );
    }
  });

  test("learns why a result cannot be stored, and can still end the run", async () => {
    for (const [result, problem] of [
      [{ result_text: "a\0b" }, { status: 400, detail: expect.stringContaining("cannot be stored") }],
      [{ result_data: { text: "a\0b" } }, { status: 400, hint: expect.stringContaining("U+0000") }],
      [{ result_data: { text: "\ud83d" } }, { status: 400 }],
      [{ result_text: "x".repeat(1_100_000) }, { status: 413, code: "too_large" }],
    ] as const) {
      const { run_id } = await coordinator.start("echo");
      const run = await runner.claim();
      expect((await runner.complete(run, result)).body).toMatchObject(problem);
      expect((await coordinator.run(run_id)).status).toBe("claimed");
      await runner.report(run, "failed", { error: "its result could not be kept" });
      expect(await coordinator.run(run_id)).toMatchObject({
        status: "failed",
        result_text: null,
        result_data: null,
      });
    }
  });

  test("gets only runs whose tags it has, and none without a slot", async () => {
    const { run_id } = await coordinator.start("tagged");
    expect(await runner.next(0)).toBeUndefined();
    const able = await coordinator.runner({ tags: ["gpu", "eu"] });
    expect(await able.next(0, 0)).toBeUndefined();
    const run = await able.claim();
    expect(run.run_id).toBe(run_id);
    await able.complete(run);
  });

  test("that disconnects is given no run", async () => {
    const waiting = (count: number) =>
      expect
        .poll(async () => (await coordinator.admin.get<string>("/metrics")).body)
        .toContain(`tenterhook_waiting_requests ${count}\n`);
    const poll = pollOnce(coordinator, runner);
    await waiting(1);
    poll.destroy();
    await waiting(0);
    const { run_id } = await coordinator.start("echo");
    const run = await runner.claim();
    expect(run).toMatchObject({ run_id, attempt: 1 });
    await runner.complete(run);
    const types = (await coordinator.events(run_id)).map(({ event_type }) => event_type);
    expect(types).toEqual(["run_created", "run_claimed", "run_completed"]);
  });

  test("reports events of a while ago with their time, but never before the start of the run", async () => {
    const { run_id } = await coordinator.start("echo");
    const run = await runner.claim();
    await runner.report(run, "started");
    const started = Date.parse((await coordinator.events(run_id)).at(-1)?.timestamp ?? "");
    const times = async () =>
      (await coordinator.events(run_id)).map(({ timestamp }) => Date.parse(timestamp));
    await expect.poll(() => Date.now() - started).toBeGreaterThan(60);
    const note = { event_type: "note", data: {} };
    const events = [{ ...note, ms_ago: 60_000 }, { ...note, ms_ago: 40 }, note];
    await runner.report(run, "events", { first: 1, events });
    const [first = 0, second = 0, third = 0] = (await times()).slice(-3);
    expect(first).toBe(started);
    expect(third - second).toBe(40);
    await runner.complete(run);
  });

  test("finds the conversation of a session as runs that ended left it, and not what a lost one began", async () => {
    const messages = (...contents: string[]) => contents.map((content) => ({ role: "user", content }));
    const entry = (...contents: string[]) => ({ type: "messages", messages: messages(...contents) });
    const conversation = async ({ run_id, lease_token }: AssignedRun, after = 0) => {
      const path = `/runner/runs/${run_id}/conversation?after=${after}`;
      const headers = { [LEASE_HEADER]: lease_token };
      return (await runner.client.get<ConversationPage>(path, { headers })).body;
    };
    const add = ({ run_id, lease_token }: AssignedRun, first: number, entries: object[]) =>
      runner.client.post(`/runner/runs/${run_id}/conversation`, { lease_token, first, entries });
    const next = async () => {
      await coordinator.start("echo", {}, { session_id: "ses_talk" });
      return runner.claim();
    };

    const first = await next();
    expect(await conversation(first)).toEqual({ entries: [], next_after: null });
    for (const _ of [1, 2]) expect((await add(first, 1, [entry("a"), entry("b")])).status).toBe(204);
    await add(first, 3, [entry("c")]);
    expect((await conversation(first)).entries).toEqual([]);
    await runner.complete(first);
    expect((await add(first, 4, [entry("late")])).body).toMatchObject({ code: "lease_lost" });
    expect(await conversation(first)).toMatchObject({ code: "lease_lost" });

    const lost = await next();
    await add(lost, 1, [entry("half")]);
    await coordinator.served.coordinator.database.run(
      { name: "lapse", text: "UPDATE runs SET lease_until = now() - interval '1 minute' WHERE id = $1" },
      [lost.run_id],
    );
    expect(await coordinator.ended(lost.run_id)).toMatchObject({ error_code: "runner_lost" });

    const third = await next();
    expect(await conversation(third)).toEqual({
      entries: [entry("a"), entry("b"), entry("c")],
      next_after: null,
    });
    await add(
      third,
      1,
      Array.from({ length: 150 }, (_, n) => entry(String(n))),
    );
    await runner.complete(third);
    const fourth = await next();
    const page = await conversation(fourth);
    expect(page.entries).toHaveLength(100);
    const rest = await conversation(fourth, page.next_after ?? 0);
    expect(rest).toMatchObject({ next_after: null });
    expect([...page.entries, ...rest.entries].slice(-2)).toEqual([entry("148"), entry("149")]);
    await runner.complete(fourth);
  });

  test("may repeat every report, and report nothing about a run of another runner", async () => {
    await coordinator.start("echo");
    const run = await runner.claim();
    for (const _ of [1, 2]) expect((await runner.report(run, "started")).body).toEqual({ status: "running" });
    const stranger = { ...run, lease_token: crypto.randomUUID() };
    for (const what of ["started", "completed", "stopped"] as const) {
      expect((await runner.report(stranger, what)).body).toMatchObject({ status: 409, code: "lease_lost" });
    }
    expect((await runner.report(stranger, "failed", { error: "x" })).body).toMatchObject({
      code: "lease_lost",
    });
    const events = { first: 1, events: [{ event_type: "note", data: {} }] };
    expect((await runner.report(stranger, "events", events)).body).toMatchObject({ code: "lease_lost" });
    for (const _ of [1, 2]) expect((await runner.complete(run)).body).toEqual({ status: "completed" });
    const unknown = { ...run, run_id: "run_none" };
    expect((await runner.complete(unknown)).body).toMatchObject({ status: 404, code: "not_found" });
  });

  test("learns from its heartbeat what it has lost, what to stop, and that it is to drain", async () => {
    await coordinator.start("echo");
    const run = await runner.claim();
    const { run_id, lease_token } = run;
    const runs = [
      { run_id, lease_token },
      { run_id: "run_gone", lease_token: crypto.randomUUID() },
    ];
    const beat = async () =>
      (await coordinator.admin.post<HeartbeatResponse>("/runner/heartbeat", { runner_id: runner.id, runs }))
        .body;
    expect(await beat()).toEqual({ lost: ["run_gone"], stop: [], is_draining: false });
    await coordinator.admin.post(`/runs/${run_id}/stop`);
    expect(await beat()).toMatchObject({ stop: [run_id] });
    await runner.report(run, "stopped");
    const drained = await coordinator.admin.post(`/runners/${runner.id}/drain`);
    expect(drained.body).toMatchObject({ state: "draining", active_runs: 0 });
    expect(await beat()).toMatchObject({ is_draining: true });
    await coordinator.start("echo");
    expect(await runner.next(0)).toBeUndefined();
    expect(
      (await coordinator.admin.post(`/runners/${runner.id}/drain`, { draining: false })).body,
    ).toMatchObject({
      state: "online",
    });
    await runner.complete(await runner.claim());
  });

  test("that was told to end is gone at once, and not lost; it may come back", async () => {
    const leaving = await coordinator.runner({ name: "leaving" });
    const read = async () => {
      const { body } = await coordinator.admin.get<{ runners: RunnerRecord[] }>("/runners");
      return body.runners.find(({ runner_id }) => runner_id === leaving.id);
    };
    expect(await read()).toMatchObject({ state: "online", left_at: null });
    const goodbye = { runner_id: leaving.id, runs: [], leaving: true };
    expect((await coordinator.admin.post("/runner/heartbeat", goodbye)).status).toBe(200);
    expect(await read()).toMatchObject({ state: "gone", left_at: expect.any(String) });
    // One that was on its way when the runner left.
    await coordinator.admin.post("/runner/heartbeat", { runner_id: leaving.id, runs: [] });
    expect(await read()).toMatchObject({ state: "gone", left_at: expect.any(String) });
    await coordinator.admin.post("/runner/register", { runner_id: leaving.id, name: "leaving" });
    expect(await read()).toMatchObject({ state: "online", left_at: null });
    await coordinator.admin.post("/runner/heartbeat", goodbye);
  });

  test("asks a hook about a tool call, and waits until it has judged", async () => {
    const { run_id } = await coordinator.start("guarded");
    const run = await runner.claim();
    expect(run.has_tool_hook).toBe(true);
    const call = { tool_use_id: "c1", tool_name: "Shell", tool_input: { command: "ls" } };
    const ask = (wait: number, more = {}) =>
      coordinator.admin.post<ToolCallResponse>(`/runner/runs/${run_id}/tool-calls?wait=${wait}`, {
        lease_token: run.lease_token,
        ...call,
        ...more,
      });
    expect((await ask(0)).body).toEqual({ action: "wait" });
    const waiting = ask(30);
    const judging = await runner.claim(30, 0);
    expect(judging).toMatchObject({ kind: "hook", parameters: { tool_name: "Shell", run_id } });
    await runner.complete(judging, { result_data: { action: "continue", tool_input: { command: "ls -l" } } });
    expect((await waiting).body).toEqual({ action: "continue", tool_input: { command: "ls -l" } });
    expect((await ask(0)).body).toMatchObject({ action: "continue" });
    const lost = await ask(0, { lease_token: crypto.randomUUID() });
    expect(lost.body).toMatchObject({ code: "lease_lost" });
    await runner.complete(run);
    expect((await coordinator.run(run_id)).hooks).toMatchObject([
      { hook_type: "on_tool_call", tool_use_id: "c1", target_name: "judge", state: "done", attempt: 1 },
    ]);
  });

  test("asks a person, once for each question, and learns what was decided", async () => {
    const { run_id } = await coordinator.start("echo");
    const run = await runner.claim();
    const question = {
      lease_token: run.lease_token,
      key: "call-1",
      hook: "careful",
      reason: "is this wise?",
      subject: { tool_name: "Shell", tool_input: { command: "rm x" } },
    };
    const path = `/runner/runs/${run_id}/approvals`;
    const asked = await coordinator.admin.post<{ approval_id: string }>(path, question);
    const { approval_id } = asked.body;
    expect(asked.body).toEqual({ approval_id, answer: { type: "wait" } });
    expect((await coordinator.admin.post(path, question)).body).toMatchObject({ approval_id });
    const headers = { [LEASE_HEADER]: run.lease_token };
    const waiting = coordinator.admin.get(`${path}/${approval_id}?wait=30`, { headers });
    const decision = { decision: "edit", value: { command: "ls x" } };
    const decided = await coordinator.admin.post(`/approvals/${approval_id}`, decision);
    expect(decided.body).toMatchObject({ state: "approved", editable: "tool_input", asked_by: "careful" });
    expect((await waiting).body).toEqual({ type: "edit", value: { command: "ls x" } });
    expect((await coordinator.admin.post(`/approvals/${approval_id}`, decision)).body).toMatchObject({
      code: "conflict",
    });
    const elsewhere = await coordinator.admin.get(`/runner/runs/run_none/approvals/${approval_id}`, {
      headers,
    });
    expect(elsewhere.body).toMatchObject({ code: "lease_lost" });
    expect((await coordinator.admin.get(`${path}/apr_none`, { headers })).body).toMatchObject({
      code: "not_found",
    });
    await runner.complete(run);
  });

  test("of the test helpers executes every run", async () => {
    const stop = (await coordinator.runner()).work(({ parameters }) => {
      if (parameters.fail === true) throw new Error("it should fail");
      return { result_data: { seen: parameters } };
    });
    const sync = { execution_mode: "sync" };
    expect(await coordinator.start("echo", { a: 1 }, sync)).toMatchObject({
      result_data: { seen: { a: 1 } },
    });
    expect(await coordinator.start("echo", { fail: true }, sync)).toMatchObject({
      status: "failed",
      error: "it should fail",
      error_code: "agent_failed",
    });
    await stop();
  });
});

test("a run that was claimed for a runner which is gone by then is given back at once", async () => {
  const url = await freshPostgres();
  const coordinator = await TestCoordinator.open({ url });
  const other = new pg.Client(url);
  await other.connect();
  try {
    await coordinator.save(echo);
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("echo");
    // No event can be recorded while this is held, so the claim has to wait.
    await other.query("BEGIN; LOCK TABLE events IN SHARE MODE");
    const poll = pollOnce(coordinator, runner);
    const blocked = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%SKIP LOCKED%'`;
    // Within a transaction the view shows for ever what it showed first.
    const waiters = async () => {
      await other.query("SELECT pg_stat_clear_snapshot()");
      return (await other.query(blocked)).rowCount;
    };
    await expect.poll(waiters).toBe(1);
    const gone = new Promise((resolve) => poll.once("close", resolve));
    poll.destroy();
    await gone;
    // By the time that a later request is answered, the coordinator has heard of it.
    for (const _ of [1, 2, 3]) await coordinator.admin.get("/healthz");
    await other.query("COMMIT");
    const types = async () => (await coordinator.events(run_id)).map(({ event_type }) => event_type);
    const released = ["run_created", "run_claimed", "run_released"];
    await expect.poll(types).toEqual(released);
    const run = await runner.claim();
    expect(run).toMatchObject({ run_id, attempt: 1 });
    await runner.complete(run);
    expect(await types()).toEqual([...released, "run_claimed", "run_completed"]);
  } finally {
    await other.end();
    await coordinator.close();
  }
});

test("a runner that is lost loses its run, and its late report is refused", async () => {
  const hasty = await TestCoordinator.open({ url: await freshPostgres(), limits: { leaseSeconds: 5 } });
  try {
    await hasty.save(echo);
    const lost = await hasty.runner();
    const { run_id } = await hasty.start("echo");
    const run = await lost.claim();
    expect((await lost.report(run, "started")).status).toBe(200);
    expect(await hasty.ended(run_id)).toMatchObject({ status: "failed", error_code: "runner_lost" });
    expect((await lost.complete(run, { result_text: "late" })).body).toMatchObject({ code: "lease_lost" });
    expect(await hasty.run(run_id)).toMatchObject({ result_text: null });
    await expect
      .poll(async () => (await hasty.admin.get("/runners")).body)
      .toMatchObject({ runners: [{ runner_id: lost.id, state: "gone" }] });
  } finally {
    await hasty.close();
  }
});
