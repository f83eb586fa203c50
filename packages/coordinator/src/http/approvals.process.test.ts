import type { Approval, ApprovalsPage, BlueprintInput } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
let runner: TestRunner;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  runner = await coordinator.runner();
  await coordinator.save(
    { ...echo, name: "judge" },
    {
      ...echo,
      parameters_schema: { type: "object", properties: { a: { type: "integer" } } },
      hooks: { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } },
    },
  );
});
afterAll(() => coordinator.close());

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

/** A run whose start hook wants a person to decide. */
async function asked(): Promise<{ readonly run_id: string; readonly approval: Approval }> {
  const { run_id } = await coordinator.start("echo", { a: 1 });
  await runner.complete(await runner.claim(), { result_data: { action: "ask", reason: "is this wise?" } });
  const { approvals } = (await coordinator.admin.get<ApprovalsPage>(`/approvals?state=pending&run=${run_id}`))
    .body;
  const [approval] = approvals;
  if (approval === undefined) throw new Error("no approval was requested");
  return { run_id, approval };
}

const decide = (id: string, body: object) => coordinator.admin.post<Approval>(`/approvals/${id}`, body);

test("an approval has its subject, and the run waits for it", async () => {
  const { run_id, approval } = await asked();
  expect(approval).toMatchObject({
    run_id,
    agent_name: "echo",
    hook_type: "on_run_start",
    asked_by: "judge",
    reason: "is this wise?",
    subject: { parameters: { a: 1 } },
    editable: "parameters",
    state: "pending",
  });
  expect(await coordinator.run(run_id)).toMatchObject({
    status: "preparing",
    waiting_for: "approval",
    approvals: [{ approval_id: approval.approval_id }],
  });
  expect((await coordinator.admin.get(`/approvals/${approval.approval_id}`)).body).toEqual(approval);
  const { session_id } = await coordinator.run(run_id);
  const waiting = { session_id, last_status: "preparing", last_waiting_for: "approval" };
  expect((await coordinator.admin.get(`/sessions/${session_id}`)).body).toMatchObject(waiting);
  expect((await coordinator.admin.get(`/sessions?search=${session_id}`)).body).toMatchObject({
    sessions: [waiting],
  });
});

test("approved, the run continues unchanged", async () => {
  const { run_id, approval } = await asked();
  expect(await decide(approval.approval_id, { decision: "approve" })).toMatchObject({
    status: 200,
    body: { state: "approved", decided_by: expect.stringContaining("local commands") },
  });
  expect(await runner.claim()).toMatchObject({ run_id, parameters: { a: 1 } });
});

test("edited, the run continues with the edit, which must match the schema", async () => {
  const { run_id, approval } = await asked();
  const violation = { decision: "edit", value: { a: "x" } };
  expect((await decide(approval.approval_id, violation)).body).toMatchObject({
    code: "bad_parameters",
    field: "value",
  });
  await decide(approval.approval_id, { decision: "edit", value: { a: 2 } });
  expect(await runner.claim()).toMatchObject({ run_id, parameters: { a: 2 } });
});

test("rejected, the run fails with the reason; and a second decision is refused", async () => {
  const { run_id, approval } = await asked();
  await decide(approval.approval_id, { decision: "reject", reason: "no way" });
  expect(await coordinator.run(run_id)).toMatchObject({ status: "failed", block_reason: "no way" });
  expect((await decide(approval.approval_id, { decision: "approve" })).body).toMatchObject({
    status: 409,
    code: "conflict",
    detail: expect.stringContaining("rejected"),
  });
});

test("an unknown decision, and one about an unknown approval, are refused", async () => {
  const { approval } = await asked();
  const refused = async (body: object) => (await decide(approval.approval_id, body)).body;
  expect(await refused({ decision: "maybe" })).toMatchObject({ code: "bad_request", field: "decision" });
  expect(await refused({ decision: "edit" })).toMatchObject({ field: "value" });
  expect(await refused({ decision: "approve", value: {} })).toMatchObject({ field: "value" });
  expect((await decide("apr_none", { decision: "approve" })).body).toMatchObject({ code: "not_found" });
});

test("the list has every question once and is filtered by state", async () => {
  const list = async (query: string) =>
    (await coordinator.admin.get<ApprovalsPage>(`/approvals?${query}`)).body;
  const first = await list("limit=3");
  const rest = await list(`cursor=${first.next_cursor}`);
  expect([...first.approvals, ...rest.approvals]).toHaveLength(5);
  expect(new Set([...first.approvals, ...rest.approvals].map((each) => each.approval_id)).size).toBe(5);
  const counts = { approved: 2, rejected: 1, pending: 2, expired: 0 };
  for (const [state, count] of Object.entries(counts)) {
    expect((await list(`state=${state}`)).approvals).toHaveLength(count);
  }
  expect((await list("state=approved,rejected")).approvals).toHaveLength(3);
});
