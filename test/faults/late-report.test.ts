import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { shellAgent } from "./agents.ts";
import { type OnEnd, ProcessFleet } from "./process-fleet.ts";

const LEASE_SECONDS = 4;
/** For a runner that must keep its lease on a busy machine. */
const LONG_LEASE_SECONDS = 8;
/** For the sweep interval of the coordinator, and for a busy machine. */
const SLACK_MS = 20_000;
/** How long an occurrence may take before the test fails. */
const LIMIT_MS = 60_000;

function fleet(runners: number, onEnd: OnEnd, leaseSeconds = LEASE_SECONDS): Promise<ProcessFleet> {
  return ProcessFleet.start({ store: "embedded", coordinators: 1, runners, leaseSeconds }, onEnd);
}

/** The time between two events of a run, by the coordinator's clock. */
function between({ follower }: ProcessFleet, runId: string, first: string, second: string): number {
  const at = (type: string) =>
    Date.parse(String(follower.seen.get(runId)?.find(({ event_type }) => event_type === type)?.timestamp));
  return at(second) - at(first);
}

async function manualRunner({ endpoints: [endpoint] }: ProcessFleet): Promise<TestRunner> {
  if (endpoint === undefined) throw new Error("no coordinator was started");
  return TestRunner.register(new ApiClient(endpoint.url, endpoint.token));
}

test.concurrent("a runner that stops responding loses its run within the lease, and its late reports change nothing", async ({
  onTestFinished,
}) => {
  const faults = await fleet(0, onTestFinished);
  const { client, occurrences } = faults;
  const runner = await manualRunner(faults);
  const lost = occurrences.after("run_failed", 1, LIMIT_MS);
  const { run_id } = await client.start("fragile");
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  expect(await lost).toBe(run_id);
  expect(between(faults, run_id, "run_claimed", "run_failed")).toBeLessThan(LEASE_SECONDS * 1_000 + SLACK_MS);
  const before = await client.read(`/runs/${run_id}`);
  expect(before).toMatchObject({ status: "failed", error_code: "runner_lost" });

  const late = [
    ["started", {}],
    ["events", { first: 1, events: [{ event_type: "log", data: { text: "x" } }] }],
    ["completed", { result_text: null, result_data: { late: true } }],
    ["failed", { error: "late" }],
    ["stopped", {}],
  ] as const;
  for (const [what, report] of late) {
    expect((await runner.report(claimed, what, report)).body).toMatchObject({
      status: 409,
      code: "lease_lost",
    });
  }
  const { lease_token } = claimed;
  const beat = { runner_id: runner.id, runs: [{ run_id, lease_token }] };
  expect((await runner.client.post("/runner/heartbeat", beat)).body).toMatchObject({ lost: [run_id] });
  expect(await client.read(`/runs/${run_id}`)).toEqual(before);
});

test.concurrent("a run whose runner did not receive the stop request is stopped within the lease, and a late report is refused", async ({
  onTestFinished,
}) => {
  const faults = await fleet(0, onTestFinished);
  const { client, occurrences } = faults;
  const runner = await manualRunner(faults);
  const stopped = occurrences.after("run_stopped", 1, LIMIT_MS);
  const run = await client.start("plain");
  const claimed = await runner.claim();
  await client.stop(run);
  expect(await stopped).toBe(run.run_id);
  const late = await runner.complete(claimed, { result_data: { late: true } });
  expect(late.body).toMatchObject({ code: "lease_lost" });
  expect(await client.read(`/runs/${run.run_id}`)).toMatchObject({ status: "stopped", result_data: null });
});

test.concurrent("a retried run belongs to its new runner, and reports of the old one are refused", async ({
  onTestFinished,
}) => {
  const faults = await fleet(0, onTestFinished, LONG_LEASE_SECONDS);
  const { client } = faults;
  const runner = await manualRunner(faults);
  const { run_id } = await client.start("plain");
  const old = await runner.claim();
  await runner.report(old, "started");
  const other = await manualRunner(faults);
  const retried = await other.claim();
  expect((await runner.complete(old, { result_data: { late: true } })).status).toBe(409);
  expect((await other.complete(retried, { result_data: { late: false } })).status).toBe(200);
  expect(await client.read(`/runs/${run_id}`)).toMatchObject({
    status: "completed",
    attempt: 2,
    result_data: { late: false },
  });
});

test.concurrent("a suspended runner loses its run, and does not disturb the new runner when it resumes", async ({
  onTestFinished,
}) => {
  const faults = await fleet(1, onTestFinished, LONG_LEASE_SECONDS);
  const { client, ledger, occurrences, runners, follower } = faults;
  // Long enough for the runner to be suspended while it runs.
  const slow: BlueprintInput = { ...shellAgent("slow", "worker", ledger, 6), max_attempts: 3 };
  await client.put(slow);
  const started = occurrences.after("run_started", 1, LIMIT_MS);
  const retried = occurrences.after("run_retried", 1, LIMIT_MS);
  const { run_id } = await client.start("slow");
  await started;
  runners[0]?.suspend();
  expect(await retried).toBe(run_id);
  const again = occurrences.after("run_completed", 1, LIMIT_MS);
  runners[0]?.resume();
  expect(await again).toBe(run_id);
  expect(follower.problems).toEqual([]);
  expect(await client.read(`/runs/${run_id}`)).toMatchObject({ status: "completed", attempt: 2 });
});
