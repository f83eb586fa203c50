import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { shellAgent } from "./agents.ts";
import { ManualRunner } from "./manual-runner.ts";
import { FaultWorld, type OnEnd } from "./world.ts";

const LEASE_SECONDS = 2;
/** For a runner that must keep its lease on a busy machine. */
const LONG_LEASE_SECONDS = 4;
/** For the sweep interval of the coordinator, and for a busy machine. */
const SLACK_MS = 3_000;
/** How long an occurrence may take before the test fails. */
const LIMIT_MS = 60_000;

function world(runners: number, onEnd: OnEnd, leaseSeconds = LEASE_SECONDS): Promise<FaultWorld> {
  return FaultWorld.start({ store: "embedded", coordinators: 1, runners, leaseSeconds }, onEnd);
}

/** The time between two events of a run, by the coordinator's clock. */
function between({ follower }: FaultWorld, runId: string, first: string, second: string): number {
  const at = (type: string) =>
    Date.parse(String(follower.seen.get(runId)?.find(({ event_type }) => event_type === type)?.timestamp));
  return at(second) - at(first);
}

async function manualRunner({ endpoints: [endpoint] }: FaultWorld): Promise<ManualRunner> {
  if (endpoint === undefined) throw new Error("no coordinator was started");
  return ManualRunner.register(endpoint);
}

test.concurrent("a runner that stops responding loses its run within the lease, and its late reports change nothing", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished);
  const { client, occurrences } = faults;
  const runner = await manualRunner(faults);
  const lost = occurrences.after("run_failed", 1, LIMIT_MS);
  const { run_id } = await client.start("fragile");
  const { lease_token } = await runner.claim();
  await runner.report(run_id, "started", { lease_token });
  expect(await lost).toBe(run_id);
  expect(between(faults, run_id, "run_claimed", "run_failed")).toBeLessThan(LEASE_SECONDS * 1_000 + SLACK_MS);
  const before = await client.read(`/runs/${run_id}`);
  expect(before).toMatchObject({ status: "failed", error_code: "runner_lost" });

  const late: readonly (readonly [string, object])[] = [
    ["started", {}],
    ["events", { first: 1, events: [{ event_type: "log", data: { text: "x" } }] }],
    ["completed", { result_text: null, result_data: { late: true } }],
    ["failed", { error: "late" }],
    ["stopped", {}],
  ];
  for (const [what, report] of late) {
    const answer = await runner.report(run_id, what, { lease_token, ...report });
    expect([what, answer.status, answer.body.code]).toEqual([what, 409, "lease_lost"]);
  }
  expect((await runner.heartbeat([{ run_id, lease_token }])).body).toMatchObject({ lost: [run_id] });
  expect(await client.read(`/runs/${run_id}`)).toEqual(before);
});

test.concurrent("a run whose runner did not receive the stop request is stopped within the lease, and a late report is refused", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished);
  const { client, occurrences } = faults;
  const runner = await manualRunner(faults);
  const stopped = occurrences.after("run_stopped", 1, LIMIT_MS);
  const run = await client.start("plain");
  const { lease_token } = await runner.claim();
  await client.stop(run);
  expect(await stopped).toBe(run.run_id);
  const report = { lease_token, result_text: null, result_data: { late: true } };
  expect((await runner.report(run.run_id, "completed", report)).body.code).toBe("lease_lost");
  expect(await client.read(`/runs/${run.run_id}`)).toMatchObject({ status: "stopped", result_data: null });
});

test.concurrent("a retried run belongs to its new runner, and reports of the old one are refused", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished, LONG_LEASE_SECONDS);
  const { client } = faults;
  const runner = await manualRunner(faults);
  const { run_id } = await client.start("plain");
  const old = await runner.claim();
  await runner.report(run_id, "started", { lease_token: old.lease_token });
  const other = await manualRunner(faults);
  const { lease_token } = await other.claim();
  const result = { result_text: null, result_data: { late: true } };
  expect((await runner.report(run_id, "completed", { lease_token: old.lease_token, ...result })).status).toBe(
    409,
  );
  const fine = { result_text: null, result_data: { late: false } };
  expect((await other.report(run_id, "completed", { lease_token, ...fine })).status).toBe(200);
  expect(await client.read(`/runs/${run_id}`)).toMatchObject({
    status: "completed",
    attempt: 2,
    result_data: { late: false },
  });
});

test.concurrent("a suspended runner loses its run, and does not disturb the new runner when it resumes", async ({
  onTestFinished,
}) => {
  const faults = await world(1, onTestFinished, LONG_LEASE_SECONDS);
  const { client, ledger, occurrences, runners, follower } = faults;
  // Long enough for the runner to be suspended while it runs.
  const slow: BlueprintInput = { ...shellAgent("slow", "worker", ledger, 2), max_attempts: 3 };
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
