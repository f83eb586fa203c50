import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { ApiClient, freshPostgres, TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expireLeases } from "../testing/expire-leases.ts";
import { type ForgetfulProxy, startForgetfulProxy } from "../testing/forgetful-proxy.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe("a run that was claimed and not started", () => {
  let coordinator: TestCoordinator;
  let proxy: ForgetfulProxy;
  let behindProxy: TestRunner;
  let other: TestRunner;

  beforeAll(async () => {
    const limits = { maxUnstartedClaims: 2 };
    coordinator = await TestCoordinator.open({ url: await freshPostgres(), limits });
    await coordinator.save(
      echo,
      { ...echo, name: "hasty", timeout_seconds: 60 },
      { ...echo, name: "guard" },
      {
        ...echo,
        name: "guarded",
        hooks: {
          on_run_start: { type: "agent", agent_name: "guard", on_error: "block", timeout_seconds: 60 },
        },
      },
    );
    proxy = await startForgetfulProxy(coordinator.served.url);
    behindProxy = await TestRunner.register(new ApiClient(proxy.url, coordinator.admin.token));
    other = await coordinator.runner();
  });
  afterAll(async () => {
    await proxy.close();
    await coordinator.close();
  });
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  const change = (text: string) => coordinator.served.coordinator.database.run({ name: "", text });
  const passLease = () => expireLeases(coordinator.served.coordinator.database);
  const passTimeout = () =>
    change("UPDATE runs SET deadline_at = now() - interval '1 second' WHERE lease_until IS NOT NULL");

  /** Claims a run through the proxy, which loses the answer. */
  async function claimInVain(slots = 1): Promise<void> {
    proxy.losesAnswers = true;
    await expect(behindProxy.next(30, slots)).rejects.toThrow();
    proxy.losesAnswers = false;
  }

  const types = async (id: string) => (await coordinator.events(id)).map(({ event_type }) => event_type);

  test("goes back to the queue when its lease ends, and the attempt does not count", async () => {
    const { run_id } = await coordinator.start("echo");
    await claimInVain();
    await passLease();
    const run = await other.claim();
    expect(run).toMatchObject({ run_id, attempt: 1 });
    await other.complete(run, { result_text: "done" });
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed", result_text: "done" });
    expect(await types(run_id)).toEqual([
      "run_created",
      "run_claimed",
      "run_released",
      "run_claimed",
      "run_completed",
    ]);
  });

  test("goes back when its own timeout ends first", async () => {
    const { run_id } = await coordinator.start("hasty");
    await claimInVain();
    await passTimeout();
    const run = await other.claim();
    expect(run).toMatchObject({ run_id, attempt: 1 });
    await other.complete(run);
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
  });

  test("does not use up the time of the hook that it executes", async () => {
    const { run_id } = await coordinator.start("guarded");
    await claimInVain();
    await change("UPDATE run_hooks SET deadline_at = now() - interval '1 second' WHERE finished_at IS NULL");
    const guard = await other.claim();
    expect(guard).toMatchObject({ agent_name: "guard", attempt: 1 });
    await other.report(guard, "started");
    await other.complete(guard, { result_data: { action: "continue", parameters: {} } });
    const run = await other.claim();
    expect(run.run_id).toBe(run_id);
    await other.complete(run);
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
  });

  test("is refused to the runner that wants to start it after its lease has ended", async () => {
    const { run_id } = await coordinator.start("echo");
    const late = await behindProxy.claim();
    await passLease();
    const taken = await other.claim();
    expect(taken.run_id).toBe(run_id);
    expect((await behindProxy.report(late, "started")).body).toMatchObject({ code: "lease_lost" });
    expect((await behindProxy.complete(late, { result_text: "late" })).body).toMatchObject({
      code: "lease_lost",
    });
    expect((await other.report(taken, "started")).status).toBe(200);
    await other.complete(taken, { result_text: "in time" });
    expect(await coordinator.ended(run_id)).toMatchObject({ result_text: "in time" });
  });

  test.each([
    ["whose runners always end before they start it", "echo", passLease],
    ["whose timeout is always up before it is started", "hasty", passTimeout],
  ])("fails after so many claims, when it is one %s", async (_, agent, pass) => {
    const { run_id } = await coordinator.start(agent);
    const first = await other.claim();
    await pass();
    const last = await other.claim();
    await pass();
    expect([first.run_id, last.run_id]).toEqual([run_id, run_id]);
    const reason = /claimed 2 times and never started; the runner "by hand" had it last/;
    expect(await coordinator.ended(run_id)).toMatchObject({
      status: "failed",
      error_code: "never_started",
      error: expect.stringMatching(reason),
      attempt: 1,
    });
    expect(await other.next(0)).toBeUndefined();
    expect((await other.complete(last, { result_text: "late" })).body).toMatchObject({ code: "lease_lost" });
  });

  test("fails the hook that it executes after so many claims, by its on_error", async () => {
    const { run_id } = await coordinator.start("guarded");
    for (let n = 0; n < 2; n++) {
      expect(await other.claim()).toMatchObject({ agent_name: "guard" });
      await passLease();
    }
    expect(await coordinator.ended(run_id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("claimed 2 times and never started"),
    });
  });

  test("counts as started by the first report of what happens in it", async () => {
    const { run_id } = await coordinator.start("echo");
    const run = await other.claim();
    const events = [{ event_type: "note", data: {} }];
    expect((await other.report(run, "events", { first: 1, events })).status).toBe(204);
    await passLease();
    expect(await coordinator.ended(run_id)).toMatchObject({
      status: "failed",
      error_code: "runner_lost",
      error: 'the runner "by hand" stopped answering',
    });
    expect((await types(run_id)).slice(0, 4)).toEqual(["run_created", "run_claimed", "run_started", "note"]);
  });
});
