import type { AssignedRun } from "@tenterhook/protocol/runs";
import { isAlive, RunningClock } from "@tenterhook/test-support";
import { describe, expect, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { type Gate, RunnerSandbox, STUBBORN } from "./runner-sandbox.ts";

async function fleet(settings: { leaseSeconds?: number; heartbeatSeconds?: number } = {}) {
  const coordinator = Object.assign(await CoordinatorDouble.start(), settings);
  return { coordinator, sandbox: new RunnerSandbox(coordinator) };
}

/** The process id of a run, when it has started. */
function processOf(coordinator: CoordinatorDouble, run: AssignedRun): Promise<number> {
  return coordinator.until(() => {
    const [line] = coordinator.eventsOf(run);
    return line && Number(/^on (\d+)$/.exec(String(line.data.text))?.[1]);
  });
}

const gone = (pid: number) => expect.poll(() => isAlive(pid), { interval: 10 }).toBe(false);

describe("slots", () => {
  test("a runner registers with its name, tags and concurrency", async () => {
    const { coordinator, sandbox } = await fleet();
    const runner = await sandbox.start({ name: "gpu-1", tags: ["gpu", "linux"], concurrency: 3 });
    expect(coordinator.registrations).toMatchObject([
      { name: "gpu-1", tags: ["gpu", "linux"], concurrency: 3, info: { node: process.version } },
    ]);
    expect(runner.id).toBe("runner_1");
  });

  test("as many runs are active as there are slots, and the next starts when one has ended", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start({ concurrency: 2 });
    const gates: Gate[] = [sandbox.gate(), sandbox.gate(), sandbox.gate()];
    const [first, second, third] = gates.map(({ command }) => coordinator.offer({ command }));
    if (!first || !second || !third) throw new Error("three were offered");
    await Promise.all([processOf(coordinator, first), processOf(coordinator, second)]);
    // The runner has no slot left, and its poll reports that.
    await coordinator.until(() => coordinator.polls.at(-1)?.slots === "0");
    await gates[0]?.open();
    await processOf(coordinator, third);
    const kinds = coordinator.reports.map(({ runId, kind }) => [runId, kind]);
    // The first two start side by side.
    expect(kinds.slice(0, 2)).toEqual(
      expect.arrayContaining([
        [first.run_id, "started"],
        [second.run_id, "started"],
      ]),
    );
    expect(kinds.slice(2)).toEqual([
      [first.run_id, "completed"],
      [third.run_id, "started"],
    ]);
  });

  test("a run that executes a hook is taken when no slot is free", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    const gate = sandbox.gate();
    const waiting = coordinator.offer({ command: gate.command });
    await processOf(coordinator, waiting);
    const other = coordinator.offer({ command: ["cat"] });
    const hook = coordinator.offer({ command: ["cat"] }, { kind: "hook", parameters: { a: 1 } });
    expect((await coordinator.ending(hook)).body).toMatchObject({ result_data: { a: 1 } });
    expect(coordinator.reports.some(({ runId }) => runId === other.run_id)).toBe(false);
    await gate.open();
    await coordinator.ending(other);
  });

  test("a runner without a free slot still gets stop orders", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    const run = coordinator.offer({ command: sandbox.gate().command });
    await processOf(coordinator, run);
    await coordinator.until(() => coordinator.polls.at(-1)?.slots === "0");
    coordinator.orderStop(run);
    expect((await coordinator.ending(run)).kind).toBe("stopped");
  });
});

describe("stop orders", () => {
  test("end a program that ignores signals, and are answered within a second", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    const sinceOffer = new RunningClock();
    const run = coordinator.offer({ command: STUBBORN });
    const pid = await processOf(coordinator, run);
    const startMs = sinceOffer.elapsedMs;
    const sinceOrder = new RunningClock();
    coordinator.orderStop(run);
    const { kind, body } = await coordinator.ending(run);
    // And as much longer as everything takes on a busy machine.
    expect(sinceOrder.elapsedMs).toBeLessThan(1_000 + 5 * startMs);
    expect([kind, body.reason]).toEqual(["stopped", "stopped by request"]);
    await gone(pid);
  });

  test("end an agent whose model stalls, and one whose tool ignores its signal", async () => {
    const { coordinator, sandbox } = await fleet();
    let calledTool = () => {};
    const called = new Promise<void>((resolve) => {
      calledTool = resolve;
    });
    const deaf = {
      inputSchema: { type: "object" },
      execute: () => {
        calledTool();
        return new Promise(() => {});
      },
    };
    await sandbox.start({ concurrency: 2, tools: { Deaf: deaf } });
    const agent = (script: readonly unknown[], tools: string[] = []) =>
      coordinator.offer({ type: "autonomous", model: { provider: "scripted", script }, tools });
    const sinceOffer = new RunningClock();
    const silent = agent([{ text: "one two three four", halfway: "stall" }]);
    const busy = agent([{ toolCalls: [{ name: "Deaf", input: {} }] }], ["Deaf"]);
    await called;
    await coordinator.until(() => coordinator.eventsOf(silent).some(({ type }) => type === "text"));
    const startMs = sinceOffer.elapsedMs;
    const sinceOrder = new RunningClock();
    coordinator.orderStop(silent);
    coordinator.orderStop(busy);
    const endings = await Promise.all([silent, busy].map((run) => coordinator.ending(run)));
    expect(sinceOrder.elapsedMs).toBeLessThan(1_000 + 5 * startMs);
    expect(endings.map(({ kind }) => kind)).toEqual(["stopped", "stopped"]);
  });

  test("also arrive with a heartbeat", async () => {
    const { coordinator, sandbox } = await fleet({ heartbeatSeconds: 0.1 });
    await sandbox.start();
    const run = coordinator.offer({ command: STUBBORN });
    await processOf(coordinator, run);
    coordinator.stopping.add(run.run_id);
    expect((await coordinator.ending(run)).kind).toBe("stopped");
  });

  test("about a run that the runner does not have are answered at once, not at the end of the lease", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    const run = { run_id: "run_x", lease_token: "7c1f6f9e-1a53-4a7a-9d0f-0a2f4c3b1a11" } as AssignedRun;
    coordinator.orderStop(run);
    expect((await coordinator.ending(run)).body).toEqual({
      lease_token: run.lease_token,
      reason: "stopped by request",
    });
  });
});

describe("leases", () => {
  test("are renewed by heartbeats while a run is active, and not longer", async () => {
    const { coordinator, sandbox } = await fleet({ heartbeatSeconds: 0.05 });
    await sandbox.start();
    const gate = sandbox.gate();
    const run = coordinator.offer({ command: gate.command });
    await coordinator.until(() => coordinator.heartbeats.filter(({ runs }) => runs.length === 1).length >= 3);
    await gate.open();
    await coordinator.ending(run);
    const count = coordinator.heartbeats.length;
    await coordinator.until(() => coordinator.heartbeats.length > count + 1);
    expect(coordinator.heartbeats.at(-1)?.runs).toEqual([]);
    expect(coordinator.heartbeats.find(({ runs }) => runs.length === 1)?.runs).toEqual([run.run_id]);
  });

  test("are confirmed soon after a claim, long before the first heartbeat is due", async () => {
    const { coordinator, sandbox } = await fleet({ heartbeatSeconds: 600, leaseSeconds: 1_800 });
    await sandbox.start();
    await coordinator.until(() => coordinator.heartbeats.length === 1);
    const run = coordinator.offer({ command: sandbox.gate().command });
    await coordinator.until(() => coordinator.heartbeats.at(-1)?.runs.includes(run.run_id));
  });

  test("that are lost end the run, and nothing is reported about it", async () => {
    const { coordinator, sandbox } = await fleet({ heartbeatSeconds: 0.05 });
    await sandbox.start();
    const run = coordinator.offer({ command: STUBBORN });
    const pid = await processOf(coordinator, run);
    coordinator.lost.add(run.run_id);
    await gone(pid);
    const next = coordinator.offer({ command: ["cat"] });
    await coordinator.ending(next);
    expect(coordinator.reports.filter(({ runId }) => runId === run.run_id).map(({ kind }) => kind)).toEqual([
      "started",
    ]);
    expect(sandbox.lines.filter((line) => line.startsWith("lost"))).toHaveLength(1);
  });

  test("that were lost unnoticed make the coordinator refuse the report, which is dropped", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    const gate = sandbox.gate();
    const run = coordinator.offer({ command: gate.command });
    await processOf(coordinator, run);
    coordinator.lost.add(run.run_id);
    await gate.open();
    await coordinator.report(run, "refused completed");
    const next = coordinator.offer({ command: ["cat"] });
    await coordinator.ending(next);
    const kinds = coordinator.reports.filter(({ runId }) => runId === run.run_id).map(({ kind }) => kind);
    expect(kinds).toEqual(["started", "refused completed"]);
    expect(sandbox.lines.some((line) => line.startsWith(`lost ${run.run_id}`))).toBe(true);
  });

  test("that end with the report are not lost, though a heartbeat is answered with it before the report is", async () => {
    const { coordinator, sandbox } = await fleet({ heartbeatSeconds: 0.05 });
    let crossed: Promise<unknown> = Promise.resolve();
    coordinator.intercept = ({ path }) => {
      if (!path.endsWith("/completed")) return undefined;
      const count = coordinator.heartbeats.length;
      crossed = coordinator.until(() => coordinator.heartbeats.length > count + 1);
      return crossed;
    };
    await sandbox.start();
    const run = coordinator.offer({ command: ["cat"] });
    await coordinator.ending(run);
    await crossed;
    await expect.poll(() => sandbox.lines.at(-1)).toMatch(new RegExp(`^${run.run_id} completed`));
    expect(sandbox.lines.filter((line) => line.startsWith("lost"))).toEqual([]);
  });

  test("that cannot be renewed end the run before they end, and nothing is reported", async () => {
    const { coordinator, sandbox } = await fleet({ leaseSeconds: 10, heartbeatSeconds: 0.1 });
    await sandbox.start();
    const run = coordinator.offer({ command: STUBBORN });
    const pid = await processOf(coordinator, run);
    await coordinator.until(() => coordinator.heartbeats.at(-1)?.runs.includes(run.run_id));
    const sinceRenewal = new RunningClock();
    coordinator.intercept = ({ path }) => (path === "/runner/heartbeat" ? "before" : undefined);
    await gone(pid);
    expect(sinceRenewal.elapsedMs).toBeLessThan(10_000);
    coordinator.intercept = () => undefined;
    await coordinator.ending(coordinator.offer({ command: ["cat"] }));
    expect(coordinator.reports.filter(({ runId }) => runId === run.run_id).map(({ kind }) => kind)).toEqual([
      "started",
    ]);
  });

  test("may end before a result is reported, if the result was there before", async () => {
    const { coordinator, sandbox } = await fleet({ leaseSeconds: 2, heartbeatSeconds: 0.1 });
    let awaySince: number | undefined;
    // From the report on the coordinator is away, for longer than the lease.
    coordinator.intercept = ({ path }) => {
      if (path.endsWith("/completed")) awaySince ??= performance.now();
      return awaySince !== undefined && performance.now() - awaySince < 2_500 ? "before" : undefined;
    };
    await sandbox.start();
    const isLost = ({ run_id }: AssignedRun) =>
      sandbox.lines.some((line) => line.startsWith(`lost ${run_id}`));
    // A machine that stalls loses the lease before there is a result. Then another run is offered.
    for (let run: AssignedRun | undefined; awaySince === undefined; ) {
      run = coordinator.offer({ command: ["cat"] }, { parameters: { a: 1 } });
      await coordinator.until(() => awaySince !== undefined || isLost(run));
    }
    const reported = await coordinator.until(() =>
      coordinator.reports.find(({ kind }) => kind === "completed"),
    );
    expect(reported).toMatchObject({ body: { result_data: { a: 1 } } });
    expect(reported.at - awaySince).toBeGreaterThan(2_000);
  });

  test("must be confirmed first: a run whose lease is lost at its start does not begin", async () => {
    const { coordinator, sandbox } = await fleet();
    await sandbox.start();
    coordinator.lost.add("run_late");
    const marker = `${sandbox.root}/begun`;
    const run = coordinator.offer({ command: ["touch", marker] }, { run_id: "run_late" });
    await coordinator.report(run, "refused started");
    const other = coordinator.offer({ command: ["test", "!", "-e", marker] });
    expect((await coordinator.ending(other)).kind).toBe("completed");
  });
});

test("a run that the runner cannot read is failed at once, with the reason", async () => {
  const { coordinator, sandbox } = await fleet();
  await sandbox.start();
  const held = { run_id: "run_new", lease_token: "7c1f6f9e-1a53-4a7a-9d0f-0a2f4c3b1a11" } as AssignedRun;
  coordinator.offerAnything({ type: "run", run: { ...held, kind: "from the future" } }, true);
  expect((await coordinator.ending(held)).body).toMatchObject({
    error_code: "unreadable_run",
    error: expect.stringContaining("kind"),
  });
});

describe("a runner that drains", () => {
  test("finishes its runs, takes no new ones, and ends", async () => {
    const { coordinator, sandbox } = await fleet();
    const runner = await sandbox.start({ concurrency: 2 });
    const gate = sandbox.gate();
    const run = coordinator.offer({ command: gate.command });
    await processOf(coordinator, run);
    const drained = runner.drain();
    await coordinator.until(() => coordinator.polls.at(-1)?.slots === "0");
    const late = coordinator.offer({ command: ["cat"] });
    await gate.open();
    await drained;
    expect(coordinator.reports.map(({ kind }) => kind)).toEqual(["started", "completed"]);
    expect(coordinator.reports.some(({ runId }) => runId === late.run_id)).toBe(false);
    expect(sandbox.lines.at(-1)).toBe("ended");
  });

  test("still executes hooks, because its own runs may wait for them", async () => {
    const { coordinator, sandbox } = await fleet();
    const runner = await sandbox.start();
    const gate = sandbox.gate();
    await processOf(coordinator, coordinator.offer({ command: gate.command }));
    const drained = runner.drain();
    const hook = coordinator.offer({ command: ["cat"] }, { kind: "hook" });
    expect((await coordinator.ending(hook)).kind).toBe("completed");
    await gate.open();
    await drained;
  });

  test("stops what takes too long, and reports that", async () => {
    const { coordinator, sandbox } = await fleet();
    const runner = await sandbox.start();
    const run = coordinator.offer({ command: STUBBORN });
    const pid = await processOf(coordinator, run);
    await runner.drain({ timeoutMs: 50 });
    expect((await coordinator.ending(run)).body).toMatchObject({ reason: "the runner is shutting down" });
    await gone(pid);
  });

  test("ends although the coordinator is unreachable, and at once when it has no runs", async () => {
    const { coordinator, sandbox } = await fleet();
    const [busy, idle] = [await sandbox.start(), await sandbox.start()];
    const run = coordinator.offer({ command: STUBBORN });
    const pid = await processOf(coordinator, run);
    const sinceOrder = new RunningClock();
    await Promise.race([idle.drain(), busy.drain()]);
    // Long before its poll is answered.
    expect(sinceOrder.elapsedMs).toBeLessThan(10_000);
    coordinator.goAway();
    await Promise.all([busy.stop(), idle.stop()]);
    await gone(pid);
  });
});
