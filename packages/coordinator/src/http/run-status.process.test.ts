import type { BlueprintInput, ProblemBody, RunsPage } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const judged = { type: "agent", agent_name: "judge", on_error: "block" } as const;

let coordinator: TestCoordinator;
let runner: TestRunner;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  runner = await coordinator.runner();
  await coordinator.save(
    echo,
    { ...echo, name: "judge" },
    { ...echo, name: "guarded", hooks: { on_run_start: judged } },
    { ...echo, name: "tooled", hooks: { on_tool_call: judged } },
    { ...echo, name: "closed", hooks: { on_run_start: judged, on_run_finish: { ...judged, mode: "sync" } } },
  );
});
afterAll(() => coordinator.close());

const page = async (status: string) =>
  (await coordinator.admin.get<RunsPage>(`/runs?kind=client&status=${status}`)).body.runs;
const ids = async (status: string) => (await page(status)).map(({ run_id }) => run_id);
const count = async (status: string) =>
  (await coordinator.admin.get<{ count: number }>(`/runs/count?kind=client&status=${status}`)).body.count;

const answered = async (agent: string, answer: Readonly<Record<string, unknown>>) => {
  const { run_id } = await coordinator.start(agent);
  await runner.complete(await runner.claim(), { result_data: answer });
  return run_id;
};

test("blocked runs are the failed ones that were refused; a broken hook or program is not a refusal", async () => {
  const refused = await answered("guarded", { action: "block", block_reason: "no" });
  const broken = await answered("guarded", { action: "dance" });
  const { run_id: completed } = await coordinator.start("echo");
  await runner.complete(await runner.claim());
  expect(await ids("blocked")).toEqual([refused]);
  expect(await count("blocked")).toBe(1);
  expect(await page("blocked")).toMatchObject([{ status: "failed", block_reason: "no" }]);
  expect(await ids("failed")).toEqual([broken, refused]);
  expect(await ids("blocked,completed")).toEqual([completed, refused]);
  expect(await ids("blocked,pending")).toEqual([refused]);
});

test("a refused run is blocked once it has ended, not while its finish hooks run", async () => {
  const run = await answered("closed", { action: "block", block_reason: "closed" });
  expect(await ids("finishing")).toEqual([run]);
  expect(await ids("blocked")).not.toContain(run);
  await runner.complete(await runner.claim(), { result_data: {} });
  await coordinator.ended(run);
  expect(await ids("blocked")).toContain(run);
  expect(await ids("finishing")).toEqual([]);
});

test("a run needs approval while a person has to decide, about its start or about a tool call", async () => {
  const asking = { action: "ask", reason: "is this wise?" };
  const start = await answered("guarded", asking);
  const { run_id: call } = await coordinator.start("tooled");
  const { lease_token } = await runner.claim();
  await coordinator.admin.post(`/runner/runs/${call}/start`, { lease_token });
  const requested = coordinator.admin.post(`/runner/runs/${call}/tool-calls?wait=0`, {
    lease_token,
    tool_use_id: "c1",
    tool_name: "Shell",
    tool_input: { command: "ls" },
  });
  await runner.complete(await runner.claim(), { result_data: asking });
  await requested;
  expect(await page("needs_approval")).toMatchObject([
    { run_id: call, status: "running", waiting_for: "approval" },
    { run_id: start, status: "preparing", waiting_for: "approval" },
  ]);
  expect(await coordinator.run(call)).toMatchObject({ status: "running", waiting_for: "approval" });
  expect(await count("needs_approval")).toBe(2);
  expect(await ids("needs_approval,preparing")).toEqual([call, start]);
  for (const id of [call, start]) {
    const [approval] = (await coordinator.run(id)).approvals;
    await coordinator.admin.post(`/approvals/${approval?.approval_id}`, { decision: "reject", reason: "no" });
  }
  expect(await ids("needs_approval")).toEqual([]);
  // A refused tool call does not end its run.
  expect(await ids("blocked")).toContain(start);
  expect(await ids("blocked")).not.toContain(call);
  expect(await coordinator.run(call)).toMatchObject({ status: "running", waiting_for: null });
});

test("an unknown status and the filter of former versions are refused by name", async () => {
  const refusal = async (query: string) => (await coordinator.admin.get<ProblemBody>(`/runs?${query}`)).body;
  expect(await refusal("status=refused")).toMatchObject({
    status: 400,
    field: "status.0",
    detail: expect.stringMatching(/"refused" is none of .*blocked.*needs_approval/),
  });
  expect(await refusal("hook_blocked=true")).toMatchObject({
    status: 400,
    detail: expect.stringContaining("hook_blocked"),
  });
});
