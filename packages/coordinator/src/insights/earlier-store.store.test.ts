import type { Insights } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEmbedded } from "../database/embedded/embedded-database.ts";
import { openServer } from "../database/server/server-database.ts";
import { insightProblems, untilFolded } from "../testing/insight-problems.ts";
import { readStoreOf0007, restoreOldStore } from "../testing/old-store.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const store = readStoreOf0007();
const events = store.tables.events ?? [];
/** As they were when the store was written: nothing in it expires while it is compared. */
const LIMITS = { leaseSeconds: 86_400, hookWaitSeconds: 86_400, approvalSeconds: 604_800 };

/** How many events of a type the earlier version had stored. */
function count(type: string): number {
  return events.filter((event) => event.type === type).length;
}

describe.each(["embedded", "server"] as const)("the insights of the %s database of version 0.1.0", (kind) => {
  let coordinator: TestCoordinator;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    const old = url === undefined ? await openEmbedded(folder) : await openServer(url, { connections: 1 });
    await restoreOldStore(old, store);
    await old.close();
    coordinator = await TestCoordinator.open({ folder, url, limits: LIMITS });
    await untilFolded(coordinator.served.coordinator.database);
  });
  afterAll(() => coordinator.close());

  const read = async () => (await coordinator.admin.get<Insights>("/insights?range=month")).body;

  test("have what its events contain, from the first event of a run on", async () => {
    // Some runs of the store are being executed: their attempts are counted when they end.
    const problems = await insightProblems(coordinator.served.coordinator.database);
    expect(problems.filter((problem) => !problem.startsWith("the attempts of runners"))).toEqual([]);
    const { current, recorded_since, hooks, reasons } = await read();
    expect(current.runs).toMatchObject({
      created: count("run_created"),
      completed: count("run_completed"),
      failed: count("run_failed"),
      stopped: count("run_stopped"),
    });
    expect(current.runs.created).toBeGreaterThan(10);
    const ofRuns = events.filter(({ run_id }) => run_id !== null);
    const first = Math.min(...ofRuns.map(({ created_at }) => Date.parse(String(created_at))));
    expect(Date.parse(recorded_since ?? "")).toBe(first);
    expect(hooks.filter((hook) => hook.kind !== "runner").length).toBeGreaterThan(0);
    expect(reasons.length).toBeGreaterThan(0);
  });

  test("say that calls which passed are unknown, until a runner reports tallies", async () => {
    const before = await read();
    expect(before.passes_since).toBeNull();
    await coordinator.save({ name: "later", type: "procedural", command: ["cat"], tags: ["later"] });
    const runner = await coordinator.runner({ tags: ["later"] });
    const { run_id } = await coordinator.start("later");
    let run = await runner.claim();
    while (run.run_id !== run_id) run = await runner.claim();
    await runner.report(run, "started");
    const tally = {
      hook: "guard",
      event: "before_tool",
      outcome: "passed",
      count: 5,
      duration_ms: 1,
      durations: [5],
    };
    const tallies = { event_type: "hook_tallies", data: { tallies: [tally] } };
    await runner.report(run, "events", { first: 1, events: [tallies] });
    await runner.complete(run);
    await untilFolded(coordinator.served.coordinator.database);
    const { passes_since, recorded_since, current } = await read();
    const reported = (await coordinator.events(run_id)).find(
      ({ event_type }) => event_type === "hook_tallies",
    );
    expect(passes_since).toBe(reported?.timestamp);
    expect(recorded_since).toBe(before.recorded_since);
    expect(current.decisions.passed).toBe((before.current.decisions.passed ?? 0) + 5);
    expect(coordinator.errors).toEqual([]);
  });
});
