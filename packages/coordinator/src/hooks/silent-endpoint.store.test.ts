import type { BlueprintInput, RunDetail, RunHookDefinition } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Endpoint } from "../testing/endpoint.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const PROCEED = JSON.stringify({ action: "continue", parameters: {} });

type Hooks = BlueprintInput["hooks"];

const observer = (url: string): RunHookDefinition => ({
  type: "http",
  url,
  method: "POST",
  headers: {},
  on_error: "continue",
  timeout_seconds: 300,
});
const guard = (url: string): RunHookDefinition => ({ ...observer(url), on_error: "block" });

describe.each(["embedded", "server"] as const)("hooks that wait, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  const silent: Endpoint[] = [];
  let good: Endpoint;
  const finished: string[] = [];

  beforeAll(async () => {
    coordinator = await TestCoordinator.open({
      ...(kind === "server" && { url: await freshPostgres() }),
      webhooks: { allowPrivate: ["127.0.0.1"] },
    });
    good = await Endpoint.open((response) => response.end(PROCEED));
    for (let count = 0; count < 5; count++) silent.push(await Endpoint.open(() => undefined));
    const save = (name: string, hooks: Hooks) =>
      coordinator.save({ name, type: "procedural", command: ["cat"], hooks });
    await save("guarded", { on_run_start: guard(good.url) });
    await save("next", {});
    await save("followed", { on_run_finish: { type: "agent", agent_name: "next", on_error: "continue" } });
    for (const [index, { url }] of silent.entries()) {
      await coordinator.admin.put(`/hooks/audit-${index}`, observer(url));
      await save(`silent-${index}`, { on_run_finish: { $ref: `audit-${index}` } });
    }
    const runner = await coordinator.runner();
    // More than any limit, of more targets than there are slots for.
    for (const [index] of silent.entries()) {
      for (let count = 0; count < 20; count++) {
        finished.push((await coordinator.start(`silent-${index}`)).run_id);
        await runner.complete(await runner.claim());
      }
    }
  });
  afterAll(async () => {
    await coordinator.close();
    for (const endpoint of [good, ...silent]) endpoint.close();
  });

  test("leave one endpoint no more calls than its limit", async () => {
    await expect.poll(() => silent.reduce((sum, { open }) => sum + open, 0)).toBe(64);
    expect(Math.max(...silent.map(({ most }) => most))).toBeLessThanOrEqual(16);
  });

  test("say why they wait: for a slot of their host, or for any slot", async () => {
    const runs = () => Promise.all(finished.map((id) => coordinator.run(id)));
    const reasonOf = ({ hooks }: RunDetail) => hooks[0]?.waiting?.reason ?? "called";
    const counts = async () => {
      const reasons = (await runs()).map(reasonOf);
      return Object.fromEntries(
        reasons.map((reason) => [reason, reasons.filter((each) => each === reason).length]),
      );
    };
    // Four of the five hosts are called 16 times.
    await expect.poll(counts).toEqual({ called: 64, target_limit: 16, call_limit: 20 });
    for (const run of (await runs()).filter((each) => reasonOf(each) === "target_limit")) {
      const events = (await coordinator.events(run.run_id)).filter(
        (each) => each.event_type === "hook_waiting",
      );
      expect(events).toMatchObject([
        {
          reason: "target_limit",
          detail: "16 calls of its host for hooks that no run waits for are active, which is the limit",
          hook_name: run.hooks[0]?.name,
        },
      ]);
    }
  });

  test("say why they wait when many became due at the same moment", async () => {
    const { database } = coordinator.served.coordinator;
    const text = `
      INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, subject, definition, mode, target, state, input, due_at)
      SELECT 'same_' || n, run_id, agent_name, run_created_at, 'on_tool_call', n::text, definition, mode, target, 'pending', input, now()
      FROM run_hooks, generate_series(1, 250) AS n WHERE run_id = $1 AND hook_type = 'on_run_finish'`;
    await database.run({ name: "", text }, [finished[0]]);
    const silently = "SELECT id FROM run_hooks WHERE id LIKE 'same_%' AND waiting IS NULL";
    await expect.poll(() => database.run({ name: "", text: silently })).toEqual([]);
    await database.run({ name: "", text: "DELETE FROM run_hooks WHERE id LIKE 'same_%'" });
  });

  test("are counted by kind and name, with the age of the oldest", async () => {
    const { body } = await coordinator.admin.get<string>("/metrics");
    const queue = [
      ...body.matchAll(
        /^tenterhook_hook_queue\{kind="unawaited",type="on_run_finish",hook="(audit-\d)"\} (\d+)$/gm,
      ),
    ].map(([, hook, count]) => [hook, Number(count)]);
    expect(queue).toHaveLength(5);
    expect(queue.map(([, count]) => count).sort()).toEqual([20, 4, 4, 4, 4]);
    expect(body).toMatch(
      /^tenterhook_hook_queue_oldest_seconds\{kind="unawaited",type="on_run_finish",hook="audit-0"\} \d+\.\d/m,
    );
  });

  test("do not delay a guard that a run waits for", async () => {
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("guarded");
    await runner.complete(await runner.claim());
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
  });

  test("do not delay a guard at the very endpoint that leaves the others without an answer", async () => {
    const mixed = await Endpoint.open((response, request) => {
      if (request.url === "/guard") response.end(PROCEED);
    });
    onTestFinished(() => mixed.close());
    const hooks = { on_run_start: guard(`${mixed.url}/guard`), on_run_finish: observer(mixed.url) };
    await coordinator.save({ name: "mixed", type: "procedural", command: ["cat"], hooks });
    const runner = await coordinator.runner();
    for (let count = 0; count < 40; count++) {
      await coordinator.start("mixed");
      await runner.complete(await runner.claim());
    }
  });

  test("do not delay the run of a hook's agent", async () => {
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("followed");
    await runner.complete(await runner.claim());
    const next = await runner.claim();
    expect(next).toMatchObject({ agent_name: "next" });
    await runner.complete(next);
    await expect.poll(async () => (await coordinator.run(run_id)).hooks[0]?.state).toBe("done");
  });

  test("occupy no slot between attempts, and are called again when the pause is over", async () => {
    let isReady = false;
    const busy = await Endpoint.open((response, request) => {
      if (request.url === "/ready" || isReady) response.end(PROCEED);
      else response.writeHead(503, { "retry-after": "200" }).end();
    });
    onTestFinished(() => busy.close());
    const hooks = { on_run_finish: { ...observer(`${busy.url}/later`), mode: "sync" as const } };
    await coordinator.save({ name: "later", type: "procedural", command: ["cat"], hooks });
    await coordinator.save({
      name: "ready",
      type: "procedural",
      command: ["cat"],
      hooks: { on_run_start: guard(`${busy.url}/ready`) },
    });
    const runner = await coordinator.runner();
    const ids: string[] = [];
    // Together they would occupy every slot of the target.
    for (let count = 0; count < 20; count++) {
      ids.push((await coordinator.start("later")).run_id);
      await runner.complete(await runner.claim());
    }
    const waiting = { reason: "retry", detail: expect.stringContaining("503"), until: expect.any(String) };
    for (const id of ids)
      await expect
        .poll(async () => (await coordinator.run(id)).hooks)
        .toMatchObject([{ state: "pending", waiting }]);
    const { run_id } = await coordinator.start("ready");
    await runner.complete(await runner.claim());
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
    isReady = true;
    // All pauses end now, however long the runs above took.
    const due = "UPDATE run_hooks SET due_at = now() WHERE run_id = ANY($1)";
    await coordinator.served.coordinator.database.run({ name: "", text: due }, [ids]);
    for (const id of ids)
      expect((await coordinator.ended(id)).hooks).toMatchObject([{ state: "done", waiting: null }]);
    const events = await coordinator.events(ids[0] ?? "");
    expect(events.find(({ event_type }) => event_type === "hook_waiting")).toMatchObject({
      reason: "retry",
      detail: expect.stringContaining("503"),
      target_name: busy.url,
      until: expect.any(String),
    });
    expect(events.filter(({ event_type }) => event_type === "hook_start")).toHaveLength(1);
    // Each question has one key, however often it is asked.
    expect(new Set(busy.keys).size).toBe(21);
  });

  test("fail after their last attempt, with the number of attempts", async () => {
    const broken = await Endpoint.open((response) => response.writeHead(500).end());
    onTestFinished(() => broken.close());
    await coordinator.save({
      name: "broken",
      type: "procedural",
      command: ["cat"],
      hooks: { on_run_start: guard(broken.url) },
    });
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("broken");
    // Its start hook becomes due when a runner comes for the run.
    expect(await runner.next(0)).toBeUndefined();
    const { hooks } = await coordinator.ended(run_id);
    expect(hooks).toMatchObject([
      { state: "failed", attempt: 5, error: expect.stringContaining("It was tried 5 times.") },
    ]);
    expect(broken.keys).toHaveLength(5);
  });

  test("keep their pause and their attempts when the coordinator ends", async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    const options = { ...(url !== undefined && { url }), webhooks: { allowPrivate: ["127.0.0.1"] } };
    // The first pause is longer than the coordinator takes to end.
    const failing = await Endpoint.open((response) => {
      const pause = failing.keys.length === 1 ? "8" : "1";
      if (failing.keys.length < 3) response.writeHead(503, { "retry-after": pause }).end();
      else response.end(PROCEED);
    });
    onTestFinished(() => failing.close());
    const first = await TestCoordinator.open(options);
    const hooks = { on_run_start: guard(failing.url) };
    await first.save({ name: "patient", type: "procedural", command: ["cat"], hooks });
    const { run_id } = await first.start("patient");
    expect(await (await first.runner()).next(0)).toBeUndefined();
    const firstPause = async () =>
      (await first.events(run_id)).find(({ event_type }) => event_type === "hook_waiting");
    await expect.poll(firstPause).toMatchObject({ detail: expect.stringContaining("call 1 failed") });
    const due = Date.parse(String((await firstPause())?.until));
    await first.served.close();
    const second = await TestCoordinator.open({ ...options, folder: first.folder });
    onTestFinished(() => second.close());
    const runner = await second.runner();
    await runner.complete(await runner.claim());
    expect((await second.ended(run_id)).hooks).toMatchObject([{ state: "done", attempt: 3 }]);
    expect(Date.now()).toBeGreaterThan(due);
    expect(failing.keys).toHaveLength(3);
  });
});
