import type { RunHookDefinition, RunSummary } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterEach, describe, expect, test } from "vitest";
import { Endpoint } from "../testing/endpoint.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const SILENT_TARGETS = 20;
const RUNS_OF_EACH = 16;

const guard = (url: string): RunHookDefinition => ({
  type: "http",
  url,
  method: "POST",
  headers: {},
  on_error: "block",
  timeout_seconds: 300,
});

describe.each(["embedded", "server"] as const)("guards, over an %s database", (kind) => {
  const endpoints: Endpoint[] = [];
  let coordinator: TestCoordinator;
  afterEach(async () => {
    await coordinator.close();
    for (const endpoint of endpoints.splice(0)) endpoint.close();
  });

  async function endpoint(...respond: Parameters<typeof Endpoint.open>): Promise<Endpoint> {
    const opened = await Endpoint.open(...respond);
    endpoints.push(opened);
    return opened;
  }

  const save = (name: string, { url }: Endpoint) =>
    coordinator.save({ name, type: "procedural", command: ["cat"], hooks: { on_run_start: guard(url) } });

  async function open(calls?: { readonly awaited: number; readonly perTarget: number }): Promise<void> {
    coordinator = await TestCoordinator.open({
      ...(kind === "server" && { url: await freshPostgres() }),
      ...(calls !== undefined && { calls }),
      webhooks: { allowPrivate: ["127.0.0.1"] },
    });
  }

  /** Hooks become due when a runner comes for their runs. */
  async function prepare(): Promise<void> {
    const runner = await coordinator.runner();
    while ((await coordinator.admin.get<{ runs: unknown[] }>("/runs?status=pending")).body.runs.length > 0)
      expect(await runner.next(0)).toBeUndefined();
  }

  test("of a host that responds are not delayed by twenty hosts that do not", async () => {
    await open();
    const healthy = await endpoint((response) =>
      response.end(JSON.stringify({ action: "continue", parameters: {} })),
    );
    await save("healthy", healthy);
    const silent: Endpoint[] = [];
    for (let index = 0; index < SILENT_TARGETS; index++) {
      silent.push(await endpoint(() => undefined));
      await save(`silent-${index}`, silent[index] as Endpoint);
      await Promise.all(Array.from({ length: RUNS_OF_EACH }, () => coordinator.start(`silent-${index}`)));
    }
    await prepare();
    // Half of the slots are for any calls, and two for each host that comes after these were occupied.
    await expect.poll(() => silent.reduce((sum, { open }) => sum + open, 0)).toBeGreaterThanOrEqual(64);
    const runner = await coordinator.runner();
    for (let count = 0; count < 5; count++) {
      const { run_id } = await coordinator.start("healthy");
      await runner.complete(await runner.claim());
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
    }
    await expect.poll(() => Math.min(...silent.map(({ open }) => open))).toBeGreaterThanOrEqual(2);
    const reasons = async () => {
      const { body } = await coordinator.admin.get<{ runs: RunSummary[] }>("/runs?limit=200");
      return body.runs.filter(({ hook_waiting }) => hook_waiting?.includes("gets no more of the rest"));
    };
    await expect.poll(async () => (await reasons()).length).toBeGreaterThan(10);
  });

  test("are called as often at a time as the options say", async () => {
    await open({ awaited: 3, perTarget: 2 });
    const silent = [await endpoint(() => undefined), await endpoint(() => undefined)];
    for (const [index, each] of silent.entries()) {
      await save(`silent-${index}`, each);
      for (let run = 0; run < 8; run++) await coordinator.start(`silent-${index}`);
    }
    await prepare();
    await expect.poll(() => silent.reduce((sum, { open }) => sum + open, 0)).toBe(3);
    expect(Math.max(...silent.map(({ most }) => most))).toBe(2);
  });
});

test.each([
  [{ awaited: 0 }, "calls.awaited: 0 is not a whole number from 1 to 10000"],
  [{ perTarget: 1.5 }, "calls.perTarget: 1.5 is not a whole number from 1 to 10000"],
  [{ unawaited: Number.POSITIVE_INFINITY }, "calls.unawaited: Infinity is not a whole number"],
])("a coordinator refuses the limits %j", async (calls, message) => {
  await expect(TestCoordinator.open({ calls })).rejects.toThrow(message);
});
