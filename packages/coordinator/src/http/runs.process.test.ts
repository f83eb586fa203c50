import type { BlueprintInput, Run, RunsPage } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("runs over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save(echo, {
      ...echo,
      name: "picky",
      parameters_schema: { type: "object", required: ["a"], properties: { a: { type: "integer" } } },
    });
    runner = await coordinator.runner();
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  test("a run is started, executed and read with its result", async () => {
    const started = await coordinator.admin.post<Run>("/runs", { agent_name: "echo", parameters: { a: 1 } });
    expect(started.status).toBe(201);
    expect(started.headers.get("location")).toBe(`/runs/${started.body.run_id}`);
    expect(started.body).toMatchObject({ status: "pending", parameters: { a: 1 }, agent_name: "echo" });
    const claimed = await runner.claim();
    expect(claimed).toMatchObject({ run_id: started.body.run_id, parameters: { a: 1 }, attempt: 1 });
    expect((await runner.report(claimed, "started")).body).toEqual({ status: "running" });
    expect((await runner.complete(claimed, { result_text: "done" })).body).toEqual({ status: "completed" });
    expect(await coordinator.run(claimed.run_id)).toMatchObject({
      status: "completed",
      result_text: "done",
      hooks: [],
      approvals: [],
      event_count: 4,
    });
  });

  test("what does not fit is refused with its code and its field", async () => {
    const refused = async (body: object) => (await coordinator.admin.post("/runs", body)).body;
    expect(await refused({ agent_name: "nobody" })).toMatchObject({
      status: 422,
      code: "unknown_agent",
      field: "agent_name",
    });
    expect(await refused({ agent_name: "picky", parameters: { a: "x" } })).toMatchObject({
      code: "bad_parameters",
      field: "parameters.a",
      detail: expect.stringContaining("must be integer"),
    });
    expect(await refused({ agent_name: "echo", execution_mode: "async_callback" })).toMatchObject({
      code: "bad_request",
      field: "parent_session_id",
    });
    expect(await refused({ agent_name: "echo", parent_session_id: "ses_none" })).toMatchObject({
      field: "parent_session_id",
    });
    expect(await refused({ agent_name: "echo", session_id: "../etc" })).toMatchObject({
      field: "session_id",
    });
  });

  test("the same request with the same key starts one run, and another one is refused", async () => {
    const ask = (a: number, headers = { "idempotency-key": "key-1" }) =>
      coordinator.admin.post<Run>("/runs", { agent_name: "echo", parameters: { a } }, { headers });
    const answers = await Promise.all([ask(1), ask(1), ask(1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
    expect((await ask(2)).body).toMatchObject({ status: 409, code: "idempotency_conflict" });
    expect((await ask(1, { "idempotency-key": " " })).body).toMatchObject({ field: "Idempotency-Key" });
    await runner.complete(await runner.claim());
    expect((await ask(1)).body).toMatchObject({ run_id: answers[0]?.body.run_id, status: "completed" });
  });

  test("a key belongs to the token of its sender", async () => {
    const headers = { "idempotency-key": "key-2" };
    const body = { agent_name: "echo" };
    const mine = await coordinator.admin.post<Run>("/runs", body, { headers });
    const theirs = await (await coordinator.client("client")).post<Run>("/runs", body, { headers });
    expect(theirs.status).toBe(201);
    expect(theirs.body.run_id).not.toBe(mine.body.run_id);
    await runner.complete(await runner.claim());
    await runner.complete(await runner.claim());
  });

  test("sync waits for the end, and no longer than the given time", async () => {
    const sync = { agent_name: "echo", execution_mode: "sync" };
    const late = await coordinator.admin.post<Run>("/runs?wait=0.1", sync);
    expect(late).toMatchObject({ status: 202, body: { status: "pending" } });
    await runner.complete(await runner.claim());
    const answer = coordinator.admin.post<Run>("/runs", sync);
    await runner.complete(await runner.claim(), { result_data: { b: 2 } });
    expect(await answer).toMatchObject({ status: 201, body: { status: "completed", result_data: { b: 2 } } });
  });

  test("a session has one run at a time, of its own agent", async () => {
    const run = await coordinator.start("echo", {}, { session_id: "ses_one" });
    const again = { agent_name: "echo", session_id: "ses_one" };
    expect((await coordinator.admin.post("/runs", again)).body).toMatchObject({ code: "session_busy" });
    await runner.complete(await runner.claim());
    const other = { agent_name: "picky", parameters: { a: 1 }, session_id: "ses_one" };
    expect((await coordinator.admin.post("/runs", other)).body).toMatchObject({
      code: "conflict",
      field: "session_id",
    });
    expect((await coordinator.start("echo", {}, { session_id: "ses_one" })).run_id).not.toBe(run.run_id);
    await runner.complete(await runner.claim());
  });

  test("a run that waits is stopped at once, and one that runs by its runner", async () => {
    const waiting = await coordinator.start("echo");
    const stop = (id: string, body = {}) => coordinator.admin.post<Run>(`/runs/${id}/stop`, body);
    expect(await stop(waiting.run_id, { reason: "not needed" })).toMatchObject({
      status: 202,
      body: { status: "stopped", error: null, stop_reason: "not needed" },
    });
    const { run_id } = await coordinator.start("echo");
    const claimed = await runner.claim();
    expect((await stop(run_id)).body.status).toBe("stopping");
    const order = await runner.next();
    expect(order).toEqual({ type: "stop", run_id, lease_token: claimed.lease_token });
    expect((await runner.report(claimed, "stopped")).body).toEqual({ status: "stopped" });
    expect((await stop(run_id)).body.status).toBe("stopped");
    expect((await stop("run_none")).body).toMatchObject({ code: "not_found" });
  });

  test("a run that has ended is tried again with the parameters it was first given", async () => {
    const { run_id, session_id } = await coordinator.start("picky", { a: 7 });
    const retry = () => coordinator.admin.post<Run>(`/runs/${run_id}/retry`);
    expect((await retry()).body).toMatchObject({ code: "conflict" });
    await runner.report(await runner.claim(), "failed", { error: "boom", error_code: "broken" });
    expect(await coordinator.run(run_id)).toMatchObject({
      status: "failed",
      error: "boom",
      error_code: "broken",
    });
    const again = await retry();
    expect(again).toMatchObject({ status: 201, body: { session_id, parameters: { a: 7 } } });
    expect(again.body.run_id).not.toBe(run_id);
    expect(await coordinator.run(again.body.run_id)).toMatchObject({ retry_of: run_id });
    expect(await coordinator.run(run_id)).toMatchObject({ retry_of: null });
    const [created] = await coordinator.events(again.body.run_id);
    expect(created).toMatchObject({ event_type: "run_created", retry_of: run_id });
    await runner.complete(await runner.claim());
  });

  test("a retry with other parameters is checked like a new run, and refused with the field", async () => {
    const { run_id } = await coordinator.start("picky", { a: 7 });
    await runner.complete(await runner.claim());
    const retry = (body: object, headers = {}) =>
      coordinator.admin.post<Run>(`/runs/${run_id}/retry`, body, { headers });
    expect((await retry({ parameters: { a: "many" } })).body).toMatchObject({
      status: 422,
      code: "bad_parameters",
      field: "parameters.a",
    });
    expect((await retry({ parameters: 7 })).body).toMatchObject({ status: 400, field: "parameters" });
    expect((await retry({ agent_name: "echo" })).body).toMatchObject({ status: 400 });
    const key = { "idempotency-key": "retry-once" };
    const first = await retry({ parameters: { a: 8 } }, key);
    expect(first).toMatchObject({ status: 201, body: { parameters: { a: 8 }, original_parameters: null } });
    expect((await retry({ parameters: { a: 8 } }, key)).body.run_id).toBe(first.body.run_id);
    expect((await retry({ parameters: { a: 9 } }, key)).body).toMatchObject({ code: "idempotency_conflict" });
    await runner.complete(await runner.claim());
    expect((await coordinator.run(run_id)).parameters).toEqual({ a: 7 });
  });

  test("events are read in order, page by page", async () => {
    const { run_id, session_id } = await coordinator.start("echo");
    const run = await runner.claim();
    const many = [1, 2, 3].map((step) => ({ event_type: "step_start", data: { step, run_id: "forged" } }));
    expect((await runner.report(run, "events", { first: 1, events: many })).status).toBe(204);
    expect((await runner.report(run, "events", { first: 2, events: many })).status).toBe(204);
    await runner.complete(run);
    const page = (query: string) =>
      coordinator.admin.get<{ events: { number: number }[]; next_after: number | null }>(
        `/runs/${run_id}/events?${query}`,
      );
    const first = (await page("limit=4")).body;
    expect(first.events.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const rest = (await page(`limit=4&after=${first.next_after}`)).body;
    expect(rest).toMatchObject({
      events: [{ number: 5 }, { number: 6 }, { number: 7 }, { number: 8 }],
      next_after: null,
    });
    expect(first.events[3]).toMatchObject({
      id: expect.stringMatching(/^\d+-\d+$/),
      event_type: "step_start",
      session_id,
      run_id,
      timestamp: expect.stringMatching(/Z$/),
      step: 1,
    });
    const forged = { first: 9, events: [{ event_type: "run_completed", data: {} }] };
    expect((await runner.report(run, "events", forged)).status).toBe(400);
    expect((await coordinator.admin.get("/runs/run_none/events")).body).toMatchObject({ code: "not_found" });
  });

  describe("the list", () => {
    const list = async (query: string) => (await coordinator.admin.get<RunsPage>(`/runs?${query}`)).body;
    const ids = async (query: string) => (await list(query)).runs.map(({ run_id }) => run_id);

    test("has every run once, the newest first, however small its pages", async () => {
      const started: string[] = [];
      for (let n = 0; n < 7; n++) started.unshift((await coordinator.start("echo", { n })).run_id);
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: RunsPage = await list(`status=pending&limit=3${cursor ? `&cursor=${cursor}` : ""}`);
        seen.push(...page.runs.map(({ run_id }) => run_id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(started);
      for (const id of started) await coordinator.admin.post(`/runs/${id}/stop`);
    });

    test("is filtered by status, agent, session, time and text", async () => {
      const { run_id, session_id, created_at } = await coordinator.start(
        "picky",
        { a: 1 },
        { session_id: "ses_x" },
      );
      expect(await ids(`agent=picky&status=pending,ready`)).toEqual([run_id]);
      expect(await ids(`session=${session_id}`)).toEqual([run_id]);
      expect(await ids(`search=${run_id.slice(0, 20)}`)).toEqual([run_id]);
      expect(await ids(`search=ses_x`)).toEqual([run_id]);
      expect(await ids(`search=ICK&status=pending`)).toEqual([run_id]);
      expect(await ids(`search=%25`)).toEqual([]);
      expect(await ids(`from=${created_at}&status=pending`)).toEqual([run_id]);
      expect(await ids(`to=${created_at}&status=pending`)).toEqual([]);
      expect(await ids("status=running")).toEqual([]);
      await runner.report(await runner.claim(), "started");
      expect(await ids("status=running")).toEqual([run_id]);
      expect(await ids(`runner=${runner.id}`)).toEqual([run_id]);
      expect(await ids("runner=runner_none")).toEqual([]);
      expect(await ids(`id=run_none,${run_id}&status=running`)).toEqual([run_id]);
      expect(await ids(`id=${run_id}&status=completed`)).toEqual([]);
      expect(await ids("kind=hook")).toEqual([]);
      await coordinator.admin.post(`/runs/${run_id}/stop`);
      await runner.next();
    });

    test("is refused with an invalid cursor, size or filter", async () => {
      const refused = async (query: string) => (await coordinator.admin.get(`/runs?${query}`)).body;
      expect(await refused("cursor=abc")).toMatchObject({ code: "bad_request", field: "cursor" });
      expect(await refused("limit=201")).toMatchObject({ code: "bad_request", field: "limit" });
      expect(await refused("status=lost")).toMatchObject({ field: "status.0" });
      expect(await refused("sesion=x")).toMatchObject({ hint: "Did you mean session?" });
    });
  });
});
