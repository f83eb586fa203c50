import type { BlueprintInput, ProblemBody, RunOutcomes } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ user: "olga" });
  await coordinator.save(echo);
});
afterAll(() => coordinator.close());

const started = async () => (await coordinator.start("echo", { a: 1 })).run_id;

test("runs are stopped together, and one that is unknown does not keep the others from it", async () => {
  const [first, second] = [await started(), await started()];
  const ids = [first, "run_none", second, first];
  const { status, body } = await coordinator.admin.post<RunOutcomes>("/runs/stop", {
    ids,
    reason: "no more",
  });
  expect(status).toBe(200);
  expect(body.outcomes).toMatchObject([
    {
      run_id: first,
      run: { status: "stopped", stopped_by: "olga", stop_reason: "no more" },
      problem: null,
    },
    { run_id: "run_none", run: null, problem: { code: "not_found", status: 404 } },
    { run_id: second, run: { status: "stopped", stopped_by: "olga" }, problem: null },
  ]);
});

test("runs that have ended are retried together, and each refusal has its reason", async () => {
  const [ended, active] = [await started(), await started()];
  await coordinator.admin.post(`/runs/${ended}/stop`);
  const ids = [ended, active, "run_none"];
  const { body } = await coordinator.admin.post<RunOutcomes>("/runs/retry", { ids });
  expect(body.outcomes).toMatchObject([
    { run_id: ended, run: { retry_of: ended, created_by: "olga", status: "pending" }, problem: null },
    { run_id: active, run: null, problem: { code: "conflict", hint: "Stop it first." } },
    { run_id: "run_none", run: null, problem: { code: "not_found" } },
  ]);
});

test("a request to retry that is sent twice with one key starts each run once", async () => {
  const ids = [await started(), await started()];
  await coordinator.admin.post("/runs/stop", { ids });
  const send = async () =>
    (
      await coordinator.admin.post<RunOutcomes>(
        "/runs/retry",
        { ids },
        { headers: { "idempotency-key": "again" } },
      )
    ).body.outcomes.map(({ run }) => run?.run_id);
  const first = await send();
  expect(new Set(first).size).toBe(2);
  expect(await send()).toEqual(first);
});

test.each([
  [[], "ids"],
  [Array.from({ length: 101 }, (_, n) => `run_${n}`), "ids"],
  [["x".repeat(101)], "ids.0"],
  ["run_1", "ids"],
])("ids that are malformed, or too many, are refused", async (ids, field) => {
  for (const path of ["/runs/stop", "/runs/retry"]) {
    expect(await coordinator.admin.post<ProblemBody>(path, { ids })).toMatchObject({
      status: 400,
      body: { field },
    });
  }
});

test("a viewer can neither stop nor retry", async () => {
  const viewer = await coordinator.client("viewer");
  for (const path of ["/runs/stop", "/runs/retry"]) {
    expect((await viewer.post<ProblemBody>(path, { ids: ["run_1"] })).status).toBe(403);
  }
});

test("a hundred runs are stopped by one request", async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, started));
  const { body } = await coordinator.admin.post<RunOutcomes>("/runs/stop", { ids });
  expect(body.outcomes.map(({ run }) => run?.status)).toEqual(ids.map(() => "stopped"));
});
