import type { BlueprintInput, HooksPage, NamedHook, RunDetail } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
let runner: TestRunner;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  runner = await coordinator.runner();
  await coordinator.save(echo, { ...echo, name: "judge" });
});
afterAll(() => coordinator.close());

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const judged = { type: "agent", agent_name: "judge", on_error: "block" } as const;

test("a hook is saved under a name, used by agents, and not deleted while they use it", async () => {
  const created = await coordinator.admin.put<NamedHook>("/hooks/gate", judged);
  expect(created).toMatchObject({
    status: 201,
    body: { name: "gate", definition: judged, used_by: [] },
  });
  await coordinator.save({ ...echo, name: "guarded", hooks: { on_run_start: { $ref: "gate" } } });
  expect((await coordinator.admin.get<NamedHook>("/hooks/gate")).body.used_by).toEqual(["guarded"]);
  expect((await coordinator.admin.delete("/hooks/gate")).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining("guarded"),
  });
  const etag = created.headers.get("etag") ?? "";
  expect((await coordinator.admin.get("/hooks/gate", { headers: { "if-none-match": etag } })).status).toBe(
    304,
  );
  const stale = { headers: { "if-match": '"other"' } };
  expect((await coordinator.admin.put("/hooks/gate", judged, stale)).body).toMatchObject({ status: 412 });
  await coordinator.admin.put("/hooks/idle", judged);
  expect((await coordinator.admin.delete("/hooks/idle")).status).toBe(204);
  expect((await coordinator.admin.get("/hooks/idle")).status).toBe(404);
});

test("a hook may repeat its name, as long as it is the one of its address", async () => {
  const named = {
    name: "audit-logger",
    type: "http",
    url: "https://audit.example.com/log",
    on_error: "continue",
  };
  const { name, ...definition } = named;
  expect(await coordinator.admin.put<NamedHook>("/hooks/audit-logger", named)).toMatchObject({
    status: 201,
    body: { name, definition },
  });
  expect((await coordinator.admin.put("/hooks/other-logger", named)).body).toMatchObject({
    code: "bad_hook",
    field: "name",
    detail: expect.stringContaining('"audit-logger"'),
  });
  expect((await coordinator.admin.delete("/hooks/audit-logger")).status).toBe(204);
});

test("a hook that is invalid, or invalid for an agent that uses it, is refused", async () => {
  const put = async (body: object) => (await coordinator.admin.put("/hooks/gate", body)).body;
  expect(await put({ type: "agent", agent_name: "judge" })).toMatchObject({
    code: "bad_hook",
    field: "on_error",
  });
  expect(await put({ ...judged, agent_name: "nobody" })).toMatchObject({ field: "agent_name" });
  await coordinator.save({
    ...echo,
    name: "narrow",
    parameters_schema: { type: "object", required: ["tool_name"] },
  });
  expect(await put({ ...judged, agent_name: "narrow" })).toMatchObject({
    code: "bad_hook",
    detail: expect.stringMatching(/"guarded" uses it.*tool_name/),
  });
  expect((await coordinator.admin.get<NamedHook>("/hooks/gate")).body.definition).toMatchObject(judged);
});

test("how a hook has done is counted", async () => {
  const answers = [
    { action: "continue", parameters: {} },
    { action: "block", block_reason: "no" },
    { action: "dance" },
  ];
  const runs: RunDetail[] = [];
  for (const answer of answers) {
    const { run_id } = await coordinator.start("guarded");
    await runner.complete(await runner.claim(), { result_data: answer });
    if (answer.action === "continue") await runner.complete(await runner.claim());
    runs.push(await coordinator.ended(run_id));
  }
  expect(runs.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
  const { counts } = (await coordinator.admin.get<NamedHook>("/hooks/gate")).body;
  expect(counts).toMatchObject({ ran: 3, blocked: 1, failed: 1 });
  expect(counts.latest.map(({ state }) => state)).toEqual(["done", "blocked", "failed"]);
  expect(counts.latest.every(({ duration_ms }) => duration_ms >= 0)).toBe(true);
  expect(counts.p50_ms).toBeGreaterThan(0);
  expect(counts.p95_ms).toBeGreaterThanOrEqual(counts.p50_ms ?? 0);
  const { hooks } = (await coordinator.admin.get<HooksPage>("/hooks")).body;
  expect(hooks).toMatchObject([{ name: "gate", counts: { ran: 3 } }]);
});

test("a run shows its hooks, what they changed and why they blocked; lists find it by that", async () => {
  const list = async (query: string) =>
    (await coordinator.admin.get<{ runs: RunDetail[] }>(`/runs?agent=guarded&${query}`)).body.runs;
  const [blocked] = await list("status=blocked");
  expect(blocked).toMatchObject({ status: "failed", block_reason: "no", has_hooks: true });
  expect(await list("status=blocked")).toHaveLength(1);
  expect(await list("has_hooks=true")).toHaveLength(3);
  expect(await list("has_hooks=false")).toHaveLength(0);
  const { run_id } = await coordinator.start("guarded", { a: 1 });
  const hookRun = await runner.claim();
  expect(await coordinator.run(run_id)).toMatchObject({ status: "preparing", waiting_for: "hook" });
  await runner.complete(hookRun, { result_data: { action: "continue", parameters: { a: 2 } } });
  await runner.complete(await runner.claim());
  expect(await coordinator.run(run_id)).toMatchObject({
    parameters: { a: 2 },
    original_parameters: { a: 1 },
    hooks: [
      {
        hook_type: "on_run_start",
        name: "gate",
        target_type: "agent",
        target_name: "judge",
        state: "done",
        input: { parameters: { a: 1 }, run_id },
        output: { parameters: { a: 2 } },
        child_run_id: hookRun.run_id,
        duration_ms: expect.any(Number),
      },
    ],
    child_runs: [{ run_id: hookRun.run_id, kind: "hook", parent_run_id: run_id }],
  });
  const [complete] = (await coordinator.events(run_id)).filter(
    ({ event_type }) => event_type === "hook_complete",
  );
  expect(complete).toMatchObject({
    event_type: "hook_complete",
    hook_type: "on_run_start",
    target_type: "agent",
    duration_ms: expect.any(Number),
    action: "continue",
  });
});

test("events of hooks have the fields that are promised", async () => {
  const recorded = async (answer: Record<string, unknown>) => {
    const { run_id, session_id } = await coordinator.start("guarded");
    await runner.complete(await runner.claim(), { result_data: answer });
    await coordinator.ended(run_id);
    const events = (await coordinator.events(run_id)).filter(({ event_type }) =>
      event_type.startsWith("hook_"),
    );
    for (const event of events) {
      expect(event).toMatchObject({
        run_id,
        session_id,
        timestamp: expect.any(String),
        hook_type: "on_run_start",
        target_type: "agent",
        target_name: "judge",
        hook_name: "gate",
      });
    }
    return events;
  };
  expect(await recorded({ action: "block", block_reason: "no" })).toMatchObject([
    { event_type: "hook_start" },
    { event_type: "hook_complete", action: "block", duration_ms: expect.any(Number) },
    { event_type: "hook_blocked", block_reason: "no" },
  ]);
  expect(await recorded({ action: "dance" })).toMatchObject([
    { event_type: "hook_start" },
    { event_type: "hook_failed", error: expect.stringContaining("action"), on_error_behavior: "block" },
  ]);
});

test("a result that its hook did not allow is not shown", async () => {
  await coordinator.save({ ...echo, name: "secretive", hooks: { on_result: judged } });
  const { run_id } = await coordinator.start("secretive");
  await runner.complete(await runner.claim(), {
    result_data: { password: "hunter2" },
    result_text: "hunter2",
  });
  const hookRun = await runner.claim(30, 0);
  expect(hookRun.parameters).toMatchObject({ result_text: "hunter2" });
  const look = async () =>
    JSON.stringify([
      await coordinator.run(run_id),
      await coordinator.run(hookRun.run_id),
      await coordinator.events(run_id),
    ]);
  expect(await look()).not.toContain("hunter2");
  await runner.complete(hookRun, {
    result_data: { action: "continue", result_text: "***", result_data: null },
  });
  expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed", result_text: "***" });
  expect(await look()).not.toContain("hunter2");
});

test("runs of hooks cannot be retried", async () => {
  const [hookRun] = (await coordinator.admin.get<{ runs: RunDetail[] }>("/runs?kind=hook&limit=1")).body.runs;
  expect((await coordinator.admin.post(`/runs/${hookRun?.run_id}/retry`)).body).toMatchObject({
    code: "conflict",
  });
});
