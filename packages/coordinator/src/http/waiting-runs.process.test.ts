import type { BlueprintInput, RunDetail } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("a queued run, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save(
      echo,
      { ...echo, name: "tagged", tags: ["gpu", "eu"] },
      {
        ...echo,
        name: "guarded",
        hooks: { on_run_start: { type: "agent", agent_name: "tagged", on_error: "block" } },
      },
    );
  });
  afterAll(() => coordinator.close());
  afterEach(async () => {
    const { database } = coordinator.served.coordinator;
    await database.run({ name: "", text: "UPDATE runners SET gone_at = now()" });
    await database.run({ name: "", text: "DELETE FROM runs" });
    await database.run({ name: "", text: "DELETE FROM run_hooks" });
    expect(coordinator.errors.splice(0)).toEqual([]);
  });

  const waiting = async (id: string) => (await coordinator.run(id)).waiting;

  test("says that no runner is connected, also when the connected ones are draining", async () => {
    const { run_id } = await coordinator.start("echo");
    const none = { reason: "no_runner", position: 1, more: false, tags: [], run_id };
    expect(await waiting(run_id)).toEqual({ ...none, detail: "no runner is connected" });
    const runner = await coordinator.runner();
    await coordinator.admin.post(`/runners/${runner.id}/drain`);
    expect(await waiting(run_id)).toEqual({ ...none, detail: "every connected runner is draining" });
  });

  test("says that no connected runner has its tags", async () => {
    await coordinator.runner({ tags: ["gpu"] });
    const { run_id } = await coordinator.start("tagged");
    expect(await waiting(run_id)).toMatchObject({
      reason: "no_runner_with_tags",
      tags: ["gpu", "eu"],
      detail: "no connected runner has the tags gpu, eu",
    });
  });

  test("says that all slots are busy, and loses its reason when it is claimed", async () => {
    const runner = await coordinator.runner({ concurrency: 1 });
    await coordinator.start("echo");
    const first = await runner.claim();
    const { run_id } = await coordinator.start("echo");
    expect(await waiting(run_id)).toMatchObject({
      reason: "slots_busy",
      position: 1,
      detail: "the only slot of the runners that can execute it is busy",
    });
    await runner.complete(first);
    expect(await waiting(run_id)).toMatchObject({ reason: "position", position: 1 });
    const second = await runner.claim();
    expect((await coordinator.run(run_id)).status).toBe("claimed");
    expect(await waiting(run_id)).toBeNull();
    await runner.complete(second);
    expect(await waiting(run_id)).toBeNull();
  });

  test("has a position among the runs that its runners would claim before it", async () => {
    await coordinator.runner({ concurrency: 1 });
    const stuck = await coordinator.start("tagged");
    const [first, second, third] = [
      await coordinator.start("echo"),
      await coordinator.start("echo"),
      await coordinator.start("echo"),
    ];
    expect(await waiting(third.run_id)).toMatchObject({
      reason: "position",
      position: 3,
      more: false,
      detail: "2 runs are ahead of it in the queue",
    });
    // A runner that also has the tags would claim the tagged run first.
    await coordinator.runner({ tags: ["gpu", "eu"] });
    expect(await waiting(third.run_id)).toMatchObject({ position: 4 });
    expect(await waiting(stuck.run_id)).toMatchObject({ position: 1, detail: "it is the next in the queue" });
    await coordinator.admin.post(`/runs/${first.run_id}/stop`);
    expect(await waiting(second.run_id)).toMatchObject({ position: 2 });
  });

  test("stops counting its position at a thousand", async () => {
    const { run_id } = await coordinator.start("echo");
    await coordinator.served.coordinator.database.run({
      name: "",
      text: `INSERT INTO runs (id, number, session_id, agent_name, revision, kind, state, execution_mode, parameters)
        SELECT 'run_many_' || n, -n, 'ses_' || n, 'echo', 1, 'client', 'pending', 'async_poll', '{}'
        FROM generate_series(1, 1500) AS n`,
    });
    expect(await waiting(run_id)).toMatchObject({ position: 1_000, more: true });
    await coordinator.runner();
    expect(await waiting(run_id)).toMatchObject({
      reason: "position",
      detail: "more than 1,000 runs are ahead of it in the queue",
    });
  });

  test("of a hook is the reason why its run waits, and needs no slot", async () => {
    const runner = await coordinator.runner({ concurrency: 1 });
    const { run_id } = await coordinator.start("guarded");
    expect(await runner.next(0)).toBeUndefined();
    let detail: RunDetail | undefined;
    await expect
      .poll(async () => {
        detail = await coordinator.run(run_id);
        return detail.waiting;
      })
      .toMatchObject({ reason: "no_runner_with_tags", tags: ["gpu", "eu"] });
    const child = detail?.child_runs[0]?.run_id ?? "";
    expect(detail?.waiting?.run_id).toBe(child);
    expect((await coordinator.run(child)).waiting).toMatchObject({
      reason: "no_runner_with_tags",
      run_id: child,
    });
    const able = await coordinator.runner({ tags: ["gpu", "eu"], concurrency: 1 });
    await coordinator.start("echo");
    const busy = await able.claim(30, 0);
    expect(busy.run_id).toBe(child);
    expect(await waiting(run_id)).toBeNull();
  });

  test("of a callback says that its session is busy", async () => {
    const runner = await coordinator.runner();
    const parent = await coordinator.start("echo");
    const held = await runner.claim();
    await coordinator.start(
      "echo",
      {},
      { execution_mode: "async_callback", parent_session_id: parent.session_id },
    );
    await runner.complete(await runner.claim(), { result_text: "back" });
    const { body } = await coordinator.admin.get<{ runs: { run_id: string }[] }>("/runs?kind=callback");
    const callback = body.runs[0]?.run_id ?? "";
    expect(await waiting(callback)).toMatchObject({
      reason: "session_busy",
      detail: `another run of its session is active`,
    });
    await runner.complete(held);
    expect(await waiting(callback)).toMatchObject({ reason: "position" });
  });
});
