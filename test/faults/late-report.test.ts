import { expect, test } from "vitest";
import { HandRunner } from "./hand-runner.ts";
import { type AtEnd, FaultWorld } from "./world.ts";

const LEASE_SECONDS = 1;
/** For the coordinator to look, and for a machine that is busy with other things. */
const SLACK_MS = 3_000;

function world(runners: number, atEnd: AtEnd): Promise<FaultWorld> {
  return FaultWorld.start(
    { store: "embedded", coordinators: 1, runners, leaseSeconds: LEASE_SECONDS },
    atEnd,
  );
}

async function handRunner({ doors: [door] }: FaultWorld): Promise<HandRunner> {
  if (door === undefined) throw new Error("no coordinator was started");
  return HandRunner.register(door);
}

test.concurrent("a runner that stops answering loses its run within the lease, and nothing that it reports then changes anything", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished);
  const { client, moments } = faults;
  const runner = await handRunner(faults);
  const lost = moments.after("run_failed", 1, LEASE_SECONDS * 1_000 + SLACK_MS);
  const { run_id } = await client.start("fragile");
  const { lease_token } = await runner.claim();
  await runner.report(run_id, "started", { lease_token });
  expect(await lost).toBe(run_id);
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
}, 60_000);

test.concurrent("a run whose runner never heard that it should stop is stopped within the lease, and a late report is refused", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished);
  const { client, moments } = faults;
  const runner = await handRunner(faults);
  const stopped = moments.after("run_stopped", 1, 10_000);
  const run = await client.start("plain");
  const { lease_token } = await runner.claim();
  await client.stop(run);
  expect(await stopped).toBe(run.run_id);
  const report = { lease_token, result_text: null, result_data: { late: true } };
  expect((await runner.report(run.run_id, "completed", report)).body.code).toBe("lease_lost");
  expect(await client.read(`/runs/${run.run_id}`)).toMatchObject({ status: "stopped", result_data: null });
}, 60_000);

test.concurrent("a run that was tried again is its new runner's, whatever the old one reports", async ({
  onTestFinished,
}) => {
  const faults = await world(0, onTestFinished);
  const { client } = faults;
  const runner = await handRunner(faults);
  const { run_id } = await client.start("plain");
  const old = await runner.claim();
  await runner.report(run_id, "started", { lease_token: old.lease_token });
  const other = await handRunner(faults);
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
}, 60_000);

test.concurrent("a runner that is frozen loses its run, and does not disturb the one that has it when it wakes", async ({
  onTestFinished,
}) => {
  const { client, moments, runners, follower } = await world(1, onTestFinished);
  const started = moments.after("run_started", 1, 10_000);
  const retried = moments.after("run_retried", 1, 10_000);
  const { run_id } = await client.start("plain");
  await started;
  runners[0]?.freeze();
  expect(await retried).toBe(run_id);
  const again = moments.after("run_completed", 1, 20_000);
  runners[0]?.thaw();
  expect(await again).toBe(run_id);
  expect(follower.problems).toEqual([]);
  expect(await client.read(`/runs/${run_id}`)).toMatchObject({ status: "completed", attempt: 2 });
}, 60_000);
