import { join } from "node:path";
import { expect, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

async function fleet() {
  const coordinator = await CoordinatorDouble.start();
  return { coordinator, sandbox: new RunnerSandbox(coordinator) };
}

const LINES = 100;
const VOLLEYS = 5;

/** Prints lines in volleys; the next one when a report of events has arrived, which a file in the folder shows. */
const talkative = (folder: string) => [
  process.execPath,
  "-e",
  `const { existsSync } = require("node:fs");
   (async () => {
     for (let volley = 1, line = 0; volley <= ${VOLLEYS}; volley++) {
       while (line < (volley * ${LINES}) / ${VOLLEYS}) console.error("line " + ++line);
       while (!existsSync(${JSON.stringify(folder)} + "/report-" + volley)) await new Promise((resolve) => setTimeout(resolve, 5));
     }
     console.log("{}");
   })();`,
];

test("a runner that is refused does not begin", async () => {
  const { coordinator } = await fleet();
  const sandbox = new RunnerSandbox({ url: coordinator.url, token: "wrong" });
  await expect(sandbox.start()).rejects.toThrow("refused: unauthenticated");
  expect(coordinator.polls).toEqual([]);
});

test("a runner waits for a coordinator that has not started yet", async () => {
  const { coordinator, sandbox } = await fleet();
  coordinator.goAway();
  const runner = sandbox.runner();
  const started = runner.start();
  await coordinator.open();
  await started;
  expect(coordinator.registrations).toHaveLength(1);
});

test("a runner that is ended while it waits for a coordinator does not begin", async () => {
  const { coordinator, sandbox } = await fleet();
  coordinator.goAway();
  const runner = sandbox.runner();
  const started = expect(runner.start()).rejects.toThrow("the runner has ended");
  await runner.stop();
  await started;
});

test("runs continue through a restart of the coordinator, and are reported once it is back", async () => {
  const { coordinator, sandbox } = await fleet();
  await sandbox.start({ concurrency: 2 });
  const gate = sandbox.gate();
  const run = coordinator.offer({ command: gate.command });
  await coordinator.until(() => coordinator.eventsOf(run).length === 1);
  const logged = (what: string) => sandbox.lines.filter((line) => line.includes(what)).length;
  coordinator.goAway();
  // A restart that ends before the runner notices it does not count.
  await expect.poll(() => logged("cannot be reached")).toBe(1);
  await gate.open();
  await coordinator.open();
  expect((await coordinator.ending(run)).body).toMatchObject({ result_text: "passed" });
  await coordinator.ending(coordinator.offer({ command: ["cat"] }));
  expect(coordinator.registrations).toHaveLength(1);
  expect([logged("cannot be reached"), logged("is back")]).toEqual([1, 1]);
});

test("a runner that the coordinator no longer knows registers again under the same id", async () => {
  const { coordinator, sandbox } = await fleet();
  await sandbox.start();
  const gate = sandbox.gate();
  const run = coordinator.offer({ command: gate.command });
  await coordinator.until(() => coordinator.eventsOf(run).length === 1);
  coordinator.goAway();
  coordinator.runners = [];
  await coordinator.open();
  await coordinator.until(() => coordinator.registrations.length === 2);
  expect(coordinator.registrations[1]).toMatchObject({ runner_id: "runner_1", name: "test" });
  await gate.open();
  await coordinator.ending(run);
  await coordinator.ending(coordinator.offer({ command: ["cat"] }));
});

test.each(["before", "after"] as const)(
  "events whose connection breaks %s they are stored are sent again, and are stored once, in order",
  async (when) => {
    const { coordinator, sandbox } = await fleet();
    let reports = 0;
    coordinator.intercept = ({ path }) => {
      if (!path.endsWith("/events")) return undefined;
      sandbox.write(join(sandbox.root, `report-${++reports}`), "");
      return reports % 2 === 1 ? when : undefined;
    };
    await sandbox.start();
    const run = coordinator.offer({ command: talkative(sandbox.root) });
    await coordinator.ending(run);
    const events = coordinator.eventsOf(run);
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: LINES }, (_, i) => i + 1));
    expect(events.map(({ data }) => data.text)).toEqual(
      Array.from({ length: LINES }, (_, i) => `line ${i + 1}`),
    );
    expect(reports).toBeGreaterThanOrEqual(VOLLEYS);
  },
);

test("reports whose answer was lost are repeated", async () => {
  const { coordinator, sandbox } = await fleet();
  const broken = new Set<string>();
  coordinator.intercept = ({ path }) => {
    if (!/\/(started|completed)$/.test(path) || broken.has(path)) return undefined;
    broken.add(path);
    return "after";
  };
  await sandbox.start();
  const run = coordinator.offer({ command: ["cat"] });
  await coordinator.until(() => coordinator.reports.length === 4);
  expect(coordinator.reports.map(({ runId, kind }) => [runId, kind])).toEqual([
    [run.run_id, "started"],
    [run.run_id, "started"],
    [run.run_id, "completed"],
    [run.run_id, "completed"],
  ]);
});

test("a stop order ends the retries of a report that is lost, and the run is reported as stopped", async () => {
  const { coordinator, sandbox } = await fleet();
  coordinator.heartbeatSeconds = 0.1;
  let tries = 0;
  let heartbeats = 0;
  coordinator.intercept = ({ path }) => {
    if (path === "/runner/heartbeat") heartbeats++;
    if (!path.endsWith("/completed")) return undefined;
    tries++;
    return "before";
  };
  await sandbox.start();
  const run = coordinator.offer({ command: ["cat"] });
  await coordinator.until(() => tries >= 3);
  coordinator.stopping.add(run.run_id);
  expect(await coordinator.ending(run)).toMatchObject({
    kind: "stopped",
    body: { reason: "stopped by request" },
  });
  // Without the order the tries would continue for as long as the runner lives.
  const [lastTry, lastHeartbeat] = [tries, heartbeats];
  await coordinator.until(() => heartbeats >= lastHeartbeat + 10);
  expect(tries).toBe(lastTry);
});

test("after a poll without an answer the next one lists the runs that have arrived and not started", async () => {
  const { coordinator, sandbox } = await fleet();
  let polls = 0;
  let startIsHeard = () => {};
  const untilHeard = new Promise<void>((resolve) => {
    startIsHeard = resolve;
  });
  coordinator.intercept = ({ path }) => {
    if (path.endsWith("/started")) return untilHeard;
    // The first brings a run. The answer to the second is lost.
    return path === "/runner/runs" && ++polls === 2 ? "after" : undefined;
  };
  await sandbox.start({ concurrency: 3 });
  const run = coordinator.offer({ command: ["cat"] });
  await coordinator.until(() => polls === 2);
  coordinator.offer({ command: ["cat"] });
  await coordinator.until(() => polls === 3);
  expect(coordinator.polls.map(({ unstarted }) => unstarted)).toEqual([null, null, run.run_id]);
  startIsHeard();
  await coordinator.ending(run);
  coordinator.offer({ command: ["cat"] });
  await coordinator.until(() => polls === 4);
  expect(coordinator.polls.at(-1)?.unstarted).toBeNull();
});

test("a result that the coordinator refuses is a failure with that reason", async () => {
  const { coordinator, sandbox } = await fleet();
  coordinator.intercept = ({ path }) => (path.endsWith("/completed") ? 413 : undefined);
  await sandbox.start();
  const run = coordinator.offer({ command: ["cat"] });
  expect(await coordinator.ending(run)).toMatchObject({
    kind: "failed",
    body: { error_code: "result_refused", error: "the coordinator refused the result: refused: by_the_test" },
  });
});

test("events that the coordinator refuses are dropped, and the run continues", async () => {
  const { coordinator, sandbox } = await fleet();
  coordinator.intercept = ({ path }) => (path.endsWith("/events") ? 400 : undefined);
  await sandbox.start();
  const run = coordinator.offer({ command: ["sh", "-c", "echo hm >&2; cat"] });
  expect((await coordinator.ending(run)).kind).toBe("completed");
  expect(coordinator.eventsOf(run)).toEqual([]);
});

test("text that a database cannot store is replaced", async () => {
  const { coordinator, sandbox } = await fleet();
  await sandbox.start();
  const script = `console.error("a\\0b"); console.log(JSON.stringify({ text: "x\\0y\\ud83d" }))`;
  const run = coordinator.offer({ command: [process.execPath, "-e", script] });
  expect((await coordinator.ending(run)).body).toMatchObject({ result_data: { text: "x\ufffdy\ufffd" } });
  expect(coordinator.eventsOf(run)[0]?.data.text).toBe("a\ufffdb");
});
