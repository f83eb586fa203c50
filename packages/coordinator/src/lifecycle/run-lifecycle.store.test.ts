import { pause } from "@tenterhook/internal";
import { type BlueprintInput, blueprint } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { saveAgent } from "../agents/save-agent.ts";
import { Coordinator, type CoordinatorOptions } from "../coordinator.ts";
import type { Database, Queries } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import { registerRunner, renewLeases } from "../runners/runner-rows.ts";
import type { EventRow, HookRow, Json, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { sweep } from "../sweeps/sweep.ts";
import { expireLeases } from "../testing/expire-leases.ts";
import { claimHooks } from "./claim-hooks.ts";
import { type Claimant, type ClaimedRun, claimRuns } from "./claim-run.ts";
import { createRun } from "./create-run.ts";
import type { ReportedEvent } from "./report-events.ts";
import { reportCompleted } from "./reports.ts";
import { settled } from "./settle-hooks.ts";
import { askAboutTool } from "./tool-call.ts";
import { WaitingPollers } from "./waiting-pollers.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

/** A coordinator over a database of its own, and a runner that the test controls. */
class CoordinatorByHand {
  readonly database: Database;
  readonly coordinator: Coordinator;
  readonly calls: HookRow[] = [];

  constructor(database: Database, options: Partial<CoordinatorOptions>) {
    this.database = database;
    this.coordinator = new Coordinator(database, {
      callHttpHook: async (hook) => {
        this.calls.push(hook);
        return { type: "answered", value: {} };
      },
      sweepMs: 50,
      ...options,
    });
  }

  async save(...blueprints: readonly BlueprintInput[]): Promise<void> {
    for (const each of blueprints) {
      await this.database.transaction((queries) => saveAgent(queries, blueprint.parse(each), undefined));
    }
  }

  async start(agent_name: string, parameters: Json = {}, more: object = {}): Promise<RunRow> {
    const request = { agent_name, parameters, execution_mode: "async_poll", ...more } as const;
    return (await this.coordinator.startRun(request)).run;
  }

  async claim(more: { hasSlot?: boolean; tags?: string[]; waitMs?: number } = {}): Promise<ClaimedRun> {
    const assignment = await this.offer({ waitMs: 60_000, ...more });
    if (assignment?.type !== "run") throw new Error(`no run was offered, but ${JSON.stringify(assignment)}`);
    return assignment.run;
  }

  offer({ hasSlot = true, tags = [] as string[], waitMs = 5_000 } = {}) {
    const { leaseSeconds, hookWaitSeconds } = this.coordinator.limits;
    const claimant = { runnerId: "runner-1", tags, hasSlot, leaseSeconds, hookWaitSeconds };
    return this.coordinator.nextAssignment(claimant, waitMs, new AbortController().signal);
  }

  begin({ id, lease_token }: Pick<RunRow, "id" | "lease_token">) {
    return this.coordinator.lifecycle.reportStarted(id, lease_token ?? "");
  }

  complete(
    { id, lease_token }: Pick<RunRow, "id" | "lease_token">,
    result_data: Json | null = null,
    result_text: string | null = null,
  ) {
    return this.coordinator.completeRun(id, lease_token ?? "", { result_text, result_data });
  }

  async run(id: string): Promise<RunRow> {
    const run = await readRun(this.database, id);
    if (run === undefined) throw new Error("no such run");
    return run;
  }

  async ended(id: string): Promise<RunRow> {
    const run = await this.coordinator.waitForEnd(id, 60_000, new AbortController().signal);
    if (run?.finished_at == null) throw new Error(`the run is ${run?.state}`);
    return run;
  }

  async events(id: string): Promise<string[]> {
    const statement = { name: "", text: "SELECT * FROM events WHERE run_id = $1 ORDER BY number" };
    const rows = await this.database.run<EventRow>(statement, [id]);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    return rows.map(({ type }) => type);
  }
}

const KINDS = ["embedded", "server"] as const;

const EMPTY = {
  name: "",
  text: `TRUNCATE agents, blueprints, named_hooks, sessions, runs, run_hooks, approvals, events, runners, idempotency_keys`,
};

describe.each(KINDS)("over an %s database", (kind) => {
  let database: Database;
  const folder = temporaryFolder();
  beforeAll(async () => {
    database = await openDatabase({ folder, url: kind === "server" ? await freshPostgres() : undefined });
  });
  afterAll(() => database.close());

  let current: CoordinatorByHand | undefined;
  async function closeCurrent(): Promise<void> {
    const closing = current;
    current = undefined;
    await closing?.coordinator.close();
  }

  /** A coordinator over empty tables. The one before it is closed: a coordinator that still works would be in the way of emptying the tables. */
  async function openCoordinator(options: Partial<CoordinatorOptions> = {}): Promise<CoordinatorByHand> {
    await closeCurrent();
    await database.run(EMPTY);
    current = new CoordinatorByHand(database, options);
    onTestFinished(closeCurrent);
    await current.coordinator.start();
    return current;
  }

  test("a run goes from its request to its result, with an event for every step", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const { id } = await w.start("echo", { a: 1 });
    const claimed = await w.claim();
    expect(claimed).toMatchObject({
      id,
      state: "claimed",
      attempt: 1,
      parameters: { a: 1 },
    });
    expect(await w.begin(claimed)).toMatchObject({ type: "taken" });
    const events = [{ type: "step_start", data: { step: 1 }, msAgo: 0 }];
    expect(await w.coordinator.lifecycle.reportEvents(id, claimed.lease_token ?? "", 1, events)).toBe(true);
    expect(await w.coordinator.lifecycle.reportEvents(id, claimed.lease_token ?? "", 1, events)).toBe(true);
    expect(await w.complete(claimed, { b: 2 })).toMatchObject({ type: "taken" });
    expect(await w.complete(claimed, { b: 3 })).toMatchObject({ type: "repeated" });
    expect(await w.ended(id)).toMatchObject({ state: "completed", result_data: { b: 2 } });
    expect(await w.events(id)).toEqual([
      "run_created",
      "run_claimed",
      "run_started",
      "step_start",
      "run_completed",
    ]);
  });

  test("the tokens of model calls are counted by model, each report once, over all attempts", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const { id } = await w.start("echo");
    const claimed = await w.claim();
    await w.begin(claimed);
    const step = (model: string | undefined, input_tokens: number, output_tokens: number) => ({
      event_type: "step_end",
      step: 1,
      status: "completed",
      usage: { model, input_tokens, output_tokens },
    });
    const own = (data: Json) => ({ type: "step_end", data, msAgo: 0 });
    const subagent = (event: Json) => ({ type: "subagent", data: { subagent: "s", event }, msAgo: 0 });
    const report = (first: number, events: readonly ReportedEvent[]) =>
      w.coordinator.lifecycle.reportEvents(id, claimed.lease_token ?? "", first, events);
    const usage = async () => (await w.run(id)).usage;
    await report(1, [{ type: "step_start", data: { step: 1 }, msAgo: 0 }]);
    expect(await usage()).toBeNull();
    const first = [own(step("large", 100, 7)), subagent(step("small", 20, 1)), own(step("large", 10, 0.5))];
    await report(2, first);
    await report(2, first);
    expect(await usage()).toEqual([
      { model: "large", input_tokens: 110, output_tokens: 7.5 },
      { model: "small", input_tokens: 20, output_tokens: 1 },
    ]);
    // The last two of them are new.
    await report(4, [own(step("large", 10, 0.5)), own(step(undefined, 5, 5)), own(step("small", 1, 1))]);
    expect(await usage()).toEqual([
      { model: "large", input_tokens: 110, output_tokens: 7.5 },
      { model: "small", input_tokens: 21, output_tokens: 2 },
      { model: null, input_tokens: 5, output_tokens: 5 },
    ]);
    await report(
      7,
      Array.from({ length: 50 }, (_, n) => own(step(`model-${n}`, 1, 1))),
    );
    const models = (await usage()) ?? [];
    expect(models).toHaveLength(16);
    expect(models.reduce((sum, { input_tokens }) => sum + input_tokens, 0)).toBe(110 + 21 + 5 + 50);
  });

  test("parameters must fit, agents must exist, a session has one run at a time, and a key one run for ever", async () => {
    const w = await openCoordinator();
    await w.save({ ...echo, parameters_schema: { type: "object", required: ["a"] } });
    await expect(w.start("echo", {})).rejects.toMatchObject({
      code: "bad_parameters",
      field: "parameters.a",
    });
    await expect(w.start("nobody")).rejects.toMatchObject({ code: "unknown_agent" });
    const first = await w.start("echo", { a: 1 }, { session_id: "ses_x" });
    await expect(w.start("echo", { a: 1 }, { session_id: "ses_x" })).rejects.toMatchObject({
      code: "session_busy",
    });
    await w.complete(await w.claim());
    expect((await w.start("echo", { a: 2 }, { session_id: "ses_x" })).session_id).toBe(first.session_id);
    const request = { agent_name: "echo", parameters: { a: 3 }, execution_mode: "async_poll" } as const;
    const both = await Promise.all([
      w.coordinator.startRun(request, "k1"),
      w.coordinator.startRun(request, "k1"),
    ]);
    expect(new Set(both.map(({ run }) => run.id)).size).toBe(1);
    await expect(w.coordinator.startRun({ ...request, parameters: { a: 4 } }, "k1")).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
  });

  describe("a start hook", () => {
    const validator: BlueprintInput = { name: "validator", type: "procedural", command: ["cat"] };
    const guarded = (more: object = {}): BlueprintInput => ({
      ...echo,
      name: "guarded",
      hooks: { on_run_start: { type: "agent", agent_name: "validator", on_error: "block", ...more } },
    });

    test("is executed by the same runner that claims the run, beside its slots, and may change parameters", async () => {
      const w = await openCoordinator();
      await w.save(validator, guarded());
      const { id, session_id } = await w.start("guarded", { a: 1 });
      const hookRun = await w.claim();
      expect(hookRun).toMatchObject({
        kind: "hook",
        agent_name: "validator",
        parameters: { parameters: { a: 1 }, agent_name: "guarded", session_id, run_id: id },
      });
      expect(await w.run(id)).toMatchObject({ state: "preparing", waiting_for: "hook" });
      await w.complete(hookRun, { action: "continue", parameters: { a: 1, b: 2 } });
      const run = await w.claim();
      expect(run).toMatchObject({ id, parameters: { a: 1, b: 2 }, original_parameters: { a: 1 } });
      await w.complete(run);
      expect(await w.events(id)).toEqual([
        "run_created",
        "run_preparing",
        "hook_start",
        "hook_complete",
        "run_ready",
        "run_claimed",
        "run_completed",
      ]);
    });

    test("blocks the run with its reason", async () => {
      const w = await openCoordinator();
      await w.save(validator, guarded());
      const { id } = await w.start("guarded");
      await w.complete(await w.claim(), { action: "block", block_reason: "not allowed" });
      expect(await w.ended(id)).toMatchObject({
        state: "failed",
        block_reason: "not allowed",
        error_code: "hook_blocked",
      });
      expect(await w.events(id)).toContain("hook_blocked");
    });

    // "Transformed parameters": a hook that transforms nothing has none to return
    test("that continues without parameters leaves them as they are", async () => {
      const w = await openCoordinator();
      await w.save(validator, {
        ...guarded({ on_error: "block" }),
        parameters_schema: { type: "object", required: ["a"] },
      });
      const { id } = await w.start("guarded", { a: 1 });
      await w.complete(await w.claim(), { action: "continue" });
      await w.complete(await w.claim());
      expect(await w.ended(id)).toMatchObject({
        state: "completed",
        parameters: { a: 1 },
        original_parameters: null,
      });
      expect(await w.events(id)).not.toContain("hook_failed");
    });

    test.each([
      ["block", "failed"],
      ["continue", "completed"],
    ] as const)(
      "that answers an unknown action with on_error: %s lets the run be %s",
      async (on_error, state) => {
        const w = await openCoordinator();
        await w.save(validator, guarded({ on_error }));
        const { id } = await w.start("guarded", { a: 1 });
        await w.complete(await w.claim(), { action: "dance" });
        if (on_error === "continue") await w.complete(await w.claim());
        expect(await w.ended(id)).toMatchObject({ state, parameters: { a: 1 } });
        expect(await w.events(id)).toContain("hook_failed");
      },
    );

    test("whose run fails, or is stopped, has failed", async () => {
      const w = await openCoordinator();
      await w.save(validator, guarded());
      const { id } = await w.start("guarded");
      const hookRun = await w.claim();
      await w.coordinator.lifecycle.fail(hookRun.id, hookRun.lease_token ?? "", { error: "boom" });
      expect(await w.ended(id)).toMatchObject({ state: "failed", error_code: "hook_failed" });
    });

    test("that takes too long has failed, and its run is stopped", async () => {
      const w = await openCoordinator();
      await w.save(validator, guarded({ timeout_seconds: 1 }));
      const { id } = await w.start("guarded");
      const hookRun = await w.claim();
      await w.begin(hookRun);
      expect(await w.ended(id)).toMatchObject({ state: "failed" });
      expect(await w.events(id)).toEqual(expect.arrayContaining(["hook_timeout", "hook_failed"]));
      expect(await w.run(hookRun.id)).toMatchObject({ state: expect.stringMatching(/stopping|failed/) });
    });

    test("asks a person, who approves, edits or rejects", async () => {
      for (const [decision, expected] of [
        [{ type: "approve" }, { state: "completed", parameters: { a: 1 } }],
        [
          { type: "edit", value: { a: 5 } },
          { state: "completed", parameters: { a: 5 }, original_parameters: { a: 1 } },
        ],
        [
          { type: "reject", reason: "no way" },
          { state: "failed", block_reason: "no way" },
        ],
      ] as const) {
        const w = await openCoordinator();
        await w.save(validator, guarded());
        const { id } = await w.start("guarded", { a: 1 });
        await w.complete(await w.claim(), { action: "ask", reason: "is this wise?" });
        expect(await w.run(id)).toMatchObject({ state: "preparing", waiting_for: "approval" });
        const [approval] = await w.database.run<{ id: string }>({
          name: "",
          text: "SELECT id FROM approvals",
        });
        const settle = () =>
          w.coordinator.lifecycle.decide(approval?.id ?? "", decision, { name: "ann", lineage: [] });
        expect((await settle()).type).toBe("decided");
        expect((await settle()).type).toBe("settled");
        if (decision.type !== "reject") await w.complete(await w.claim());
        expect(await w.ended(id)).toMatchObject(expected);
      }
    });

    test("over http is called with the input, and its reply counts", async () => {
      const replies: HookReply[] = [
        { type: "answered", value: { action: "continue", parameters: { ok: true } } },
        { type: "failed", error: "no route" },
      ];
      const w = await openCoordinator({
        callHttpHook: async () => replies.shift() ?? { type: "failed", error: "none left" },
      });
      await w.save({
        ...echo,
        name: "guarded",
        hooks: { on_run_start: { type: "http", url: "https://example.com/check", on_error: "block" } },
      });
      const good = await w.start("guarded");
      await w.complete(await w.claim());
      expect(await w.ended(good.id)).toMatchObject({ state: "completed", parameters: { ok: true } });
      const bad = await w.start("guarded");
      const none = w.offer({ waitMs: 300 });
      expect(await w.ended(bad.id)).toMatchObject({
        state: "failed",
        error: expect.stringMatching(/no route/),
      });
      expect(await none).toBeUndefined();
    });
  });

  test("a result hook judges the result before it is shown", async () => {
    const w = await openCoordinator();
    await w.save(
      { name: "judge", type: "procedural", command: ["cat"] },
      {
        ...echo,
        name: "judged",
        hooks: { on_result: { type: "agent", agent_name: "judge", on_error: "block" } },
      },
    );
    const { id } = await w.start("judged");
    await w.complete(await w.claim(), { secret: 1 });
    expect(await w.run(id)).toMatchObject({ state: "finishing", waiting_for: "hook", result_data: null });
    const hookRun = await w.claim({ hasSlot: false });
    expect(hookRun.parameters).toMatchObject({ result_data: { secret: 1 } });
    await w.complete(hookRun, { action: "continue", result_data: { public: 1 } });
    expect(await w.ended(id)).toMatchObject({ state: "completed", result_data: { public: 1 } });
  });

  test("a finish hook starts the next agent as a child session, and the client has its result at once", async () => {
    const w = await openCoordinator();
    await w.save(echo, {
      ...echo,
      name: "first",
      hooks: { on_run_finish: { type: "agent", agent_name: "echo", on_error: "block" } },
    });
    const { id, session_id } = await w.start("first", { a: 1 });
    await w.complete(await w.claim(), { records: [1] });
    expect((await w.run(id)).state).toBe("completed");
    const next = await w.claim();
    expect(next).toMatchObject({ kind: "chained", agent_name: "echo", depth: 1 });
    expect(next.parameters).toMatchObject({
      status: "completed",
      result_data: { records: [1] },
      session_id,
      run_id: id,
    });
    const [session] = await w.database.run<{ parent_session_id: string }>(
      { name: "", text: "SELECT parent_session_id FROM sessions WHERE id = $1" },
      [next.session_id],
    );
    expect(session?.parent_session_id).toBe(session_id);
  });

  test("a finish hook that is waited for keeps the run finishing until it has ended", async () => {
    const w = await openCoordinator();
    await w.save(echo, {
      ...echo,
      name: "first",
      hooks: { on_run_finish: { type: "agent", agent_name: "echo", on_error: "block", mode: "sync" } },
    });
    const { id } = await w.start("first");
    await w.complete(await w.claim(), { x: 1 });
    expect((await w.run(id)).state).toBe("finishing");
    await w.complete(await w.claim());
    expect(await w.ended(id)).toMatchObject({ state: "completed", result_data: { x: 1 } });
  });

  test("finish hooks that start each other end at a depth", async () => {
    const w = await openCoordinator({ limits: { maxDepth: 3 } });
    await w.save({ ...echo, name: "ring" });
    await w.save({
      ...echo,
      name: "ring",
      hooks: { on_run_finish: { type: "agent", agent_name: "ring", on_error: "continue" } },
    });
    await w.start("ring");
    const depths = [];
    for (let n = 0; n < 4; n++) {
      const run = await w.claim();
      depths.push(run.depth);
      await w.complete(run);
    }
    expect(depths).toEqual([0, 1, 2, 3]);
    expect(await w.offer({ waitMs: 200 })).toBeUndefined();
  });

  test("a tool hook answers for each call, once", async () => {
    const w = await openCoordinator();
    await w.save(
      { name: "judge", type: "procedural", command: ["cat"] },
      {
        ...echo,
        name: "worker",
        hooks: { on_tool_call: { type: "agent", agent_name: "judge", on_error: "block" } },
      },
    );
    await w.start("worker");
    const run = await w.claim();
    const call = { tool_use_id: "c1", tool_name: "Shell", tool_input: { command: "rm -rf /" } };
    const ask = () => w.coordinator.lifecycle.askAboutTool(run.id, run.lease_token ?? "", call);
    expect(await ask()).toEqual({ action: "wait" });
    const hookRun = await w.claim({ hasSlot: false });
    expect(hookRun.parameters).toMatchObject({ tool_name: "Shell", tool_input: { command: "rm -rf /" } });
    await w.complete(hookRun, { action: "block", block_reason: "never" });
    expect(await ask()).toEqual({ action: "block", block_reason: "never" });
  });

  test("an asynchronous tool hook is executed, also when its run has ended before, and requests no approval", async () => {
    const w = await openCoordinator();
    const on_tool_call = {
      type: "agent",
      agent_name: "watcher",
      on_error: "continue",
      mode: "async",
    } as const;
    const on_run_finish = {
      type: "agent",
      agent_name: "closer",
      on_error: "continue",
      mode: "sync",
    } as const;
    await w.save(
      { ...echo, name: "watcher" },
      { ...echo, name: "closer" },
      { ...echo, name: "worker", hooks: { on_tool_call, on_run_finish } },
    );
    const { id } = await w.start("worker");
    const run = await w.claim();
    const call = { tool_use_id: "c1", tool_name: "Shell", tool_input: { command: "ls" } };
    // The hook is stored, and the run ends, before the worker has claimed due hooks.
    await w.database.transaction(async (queries) => {
      const { limits } = w.coordinator;
      const verdict = await askAboutTool(queries, run.id, run.lease_token ?? "", call, limits);
      expect(verdict).toEqual({ action: "continue" });
      const result = { result_text: "x", result_data: null };
      await settled(queries, limits, (transition) =>
        reportCompleted(transition, id, run.lease_token ?? "", result),
      );
    });
    w.coordinator.wake("hooks");
    const hookRuns = [await w.claim({ hasSlot: false }), await w.claim({ hasSlot: false })];
    const by = (name: string) => hookRuns.find(({ agent_name }) => agent_name === name) ?? run;
    await w.complete(by("closer"));
    expect(await w.ended(id)).toMatchObject({ state: "completed" });
    await w.complete(by("watcher"), { action: "ask", reason: "is that so?" });
    expect((await w.events(id)).slice(-2)).toEqual(["run_completed", "hook_complete"]);
  });

  test("a runner that stops answering loses its run, and its late report changes nothing", async () => {
    const w = await openCoordinator();
    await w.save(echo, { ...echo, name: "stubborn", max_attempts: 2 });
    const once = await w.start("echo");
    const lost = await w.claim();
    await w.begin(lost);
    await expireLeases(database);
    expect(await w.ended(once.id)).toMatchObject({ state: "failed", error_code: "runner_lost" });
    expect(await w.complete(lost, { late: true })).toEqual(expect.objectContaining({ type: "repeated" }));
    expect((await w.run(once.id)).result_data).toBeNull();

    const twice = await w.start("stubborn");
    const first = await w.claim();
    await w.begin(first);
    await expireLeases(database);
    const second = await w.claim();
    expect(second).toMatchObject({ id: twice.id, attempt: 2 });
    expect(await w.complete(first, { late: true })).toEqual({ type: "lost" });
    await w.complete(second, { fine: true });
    expect(await w.ended(twice.id)).toMatchObject({ state: "completed", result_data: { fine: true } });
  });

  test("a heartbeat keeps a lease, and only those that are still held", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    await registerRunner(
      w.database,
      { id: "runner-1", name: "one", tags: [], concurrency: 1, info: {} },
      { id: "tok_1", isAdmin: false },
    );
    await w.start("echo");
    const run = await w.claim();
    const renewed = await renewLeases(
      w.database,
      "runner-1",
      [run.lease_token ?? "", crypto.randomUUID()],
      30,
    );
    expect(renewed.map(({ id }) => id)).toEqual([run.id]);
  });

  test("a stop ends what waits at once, and orders the runner of what runs to stop", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const waiting = await w.start("echo");
    await w.coordinator.lifecycle.stop(waiting.id, "by hand");
    expect((await w.run(waiting.id)).state).toBe("stopped");
    const { id } = await w.start("echo");
    const run = await w.claim();
    await w.coordinator.lifecycle.stop(id, "by hand");
    expect(await w.offer({ waitMs: 60_000 })).toEqual({
      type: "stop",
      runId: id,
      leaseToken: run.lease_token,
    });
    await w.coordinator.lifecycle.reportStopped(id, run.lease_token ?? "", undefined);
    expect(await w.ended(id)).toMatchObject({ state: "stopped" });
  });

  test("a run that exceeds its timeout fails, and its timeout hook is called", async () => {
    const w = await openCoordinator();
    await w.save({
      ...echo,
      timeout_seconds: 1,
      hooks: { on_timeout: { type: "http", url: "https://example.com/late", on_error: "continue" } },
    });
    const { id } = await w.start("echo");
    await w.begin(await w.claim());
    expect(await w.ended(id)).toMatchObject({ state: "failed", error_code: "timeout", timed_out: true });
    await expect.poll(() => w.calls.map(({ hook_type }) => hook_type)).toEqual(["on_timeout"]);
  });

  test("an http hook that takes longer than a lease is called once", async () => {
    const calls: HookRow[] = [];
    const w = await openCoordinator({
      limits: { leaseSeconds: 6 },
      callHttpHook: async (hook, signal) => {
        calls.push(hook);
        await pause(7_000, signal);
        return { type: "answered", value: { action: "continue", parameters: { slow: true } } };
      },
    });
    await w.save({
      ...echo,
      hooks: { on_run_start: { type: "http", url: "https://example.com/slow", on_error: "block" } },
    });
    const { id } = await w.start("echo");
    await w.complete(await w.claim());
    expect(await w.ended(id)).toMatchObject({ state: "completed", parameters: { slow: true } });
    expect(calls).toHaveLength(1);
  });

  test("a hook whose coordinator died between claiming and beginning it is recorded as started, once", async () => {
    await database.run(EMPTY);
    // Its lease has ended; those of runs begin anew when a coordinator starts, which must not delay it.
    const w = new CoordinatorByHand(database, { limits: { leaseSeconds: 600 } });
    await w.save({
      ...echo,
      name: "guarded",
      hooks: { on_run_start: { type: "http", url: "https://example.com/check", on_error: "continue" } },
    });
    const { id } = await w.start("guarded");
    expect(await w.offer({ waitMs: 0 })).toBeUndefined();
    expect(
      await claimHooks(
        w.database,
        { sync: 1, syncBeyondFirst: 1, async: 0, firstCalls: 2, perTarget: 1, active: [] },
        0,
      ),
    ).toMatchObject([{ run_id: id, attempt: 1 }]);
    await w.coordinator.start();
    onTestFinished(() => w.coordinator.close());
    await w.complete(await w.claim());
    await w.ended(id);
    expect((await w.events(id)).filter((type) => type === "hook_start")).toHaveLength(1);
  });

  test("a callback whose runner was lost is tried again, though its session is busy with nothing but itself", async () => {
    const w = await openCoordinator();
    await w.save({ ...echo, max_attempts: 2 });
    const parent = await w.start("echo");
    await w.complete(await w.claim());
    const child = { parent_session_id: parent.session_id, execution_mode: "async_callback" };
    await w.start("echo", {}, child);
    await w.complete(await w.claim());
    const lost = await w.claim();
    expect(lost).toMatchObject({ kind: "callback", attempt: 1 });
    await w.begin(lost);
    await expireLeases(database);
    const again = await w.claim();
    expect(again).toMatchObject({ id: lost.id, attempt: 2 });
    await w.complete(again);
    expect(await w.ended(lost.id)).toMatchObject({ state: "completed" });
  });

  test("a callback resumes the parent's session with the result, once that is idle", async () => {
    const w = await openCoordinator();
    const on_run_start = { type: "http", url: "https://example.com/check", on_error: "continue" } as const;
    await w.save({ ...echo, hooks: { on_run_start } }, { ...echo, name: "helper" });
    const parent = await w.start("echo", {}, { session_id: "ses_parent" });
    const parentRun = await w.claim();
    const child = { parent_session_id: "ses_parent", execution_mode: "async_callback" };
    const { id } = await w.start("helper", {}, child);
    await w.complete(await w.claim(), { found: 1 });
    expect(await w.offer({ waitMs: 100 })).toBeUndefined();
    await w.complete(parentRun);
    const callback = await w.claim();
    expect(callback).toMatchObject({ kind: "callback", session_id: parent.session_id, agent_name: "echo" });
    // Its agent's hooks were asked about the callback as about any run.
    expect(w.calls.map(({ run_id }) => run_id)).toEqual([parent.id, callback.id]);
    expect(callback.parameters).toMatchObject({
      callback: { run_id: id, status: "completed", result_data: { found: 1 } },
    });
  });

  // An embedded database does one thing at a time.
  if (kind === "server")
    describe("one run at a time is under way in a session", () => {
      /** Two callbacks wait for one idle session. */
      async function twoCallbacks(): Promise<{ w: CoordinatorByHand; claimant: Claimant }> {
        const w = await openCoordinator({ sweepMs: 1_000_000 });
        await w.save(echo);
        const parent = await w.start("echo", {}, { session_id: "ses_parent" });
        const parentRun = await w.claim();
        const child = { parent_session_id: parent.session_id, execution_mode: "async_callback" };
        for (let n = 0; n < 2; n++) {
          await w.start("echo", {}, child);
          await w.complete(await w.claim());
        }
        await w.complete(parentRun);
        const { leaseSeconds, hookWaitSeconds } = w.coordinator.limits;
        return {
          w,
          claimant: { runnerId: "runner-2", tags: [], hasSlot: true, leaseSeconds, hookWaitSeconds },
        };
      }

      /** Claims while another transaction is about to commit a change of the session. */
      async function claimDuring(
        w: CoordinatorByHand,
        claimant: Claimant,
        other: (queries: Queries) => Promise<unknown>,
      ) {
        let claiming: Promise<ClaimedRun | undefined> | undefined;
        await w.database.transaction(async (queries) => {
          await other(queries);
          claiming = claimRuns(w.database, [claimant]).then(([run]) => run);
          await expect
            .poll(() => w.database.run({ name: "", text: "SELECT FROM pg_locks WHERE NOT granted" }))
            .toHaveLength(1);
        });
        return claiming;
      }

      test("of two callbacks that are claimed at the same moment, the second waits", async () => {
        const { w, claimant } = await twoCallbacks();
        const [first, second] = await w.database.transaction(async (queries) => [
          ...(await claimRuns(queries, [{ ...claimant, runnerId: "runner-1" }])),
          ...(await claimRuns(w.database, [claimant])),
        ]);
        expect([first?.kind, second]).toEqual(["callback", undefined]);
        await w.complete(first ?? { id: "", lease_token: null });
        expect(await w.claim()).toMatchObject({ kind: "callback", session_id: "ses_parent" });
      });

      test("a callback that is claimed while a client resumes the session waits for that", async () => {
        const { w, claimant } = await twoCallbacks();
        const claimed = await claimDuring(w, claimant, (queries) =>
          createRun(queries, {
            agentName: "echo",
            revision: 1,
            kind: "client",
            sessionId: "ses_parent",
            executionMode: "async_poll",
            parameters: {},
            hooks: {},
            tags: [],
            maxAttempts: 1,
            hasOutputSchema: false,
          }),
        );
        expect(claimed).toBeUndefined();
        const client = await w.claim();
        expect(client.kind).toBe("client");
        expect(await w.offer({ waitMs: 0 })).toBeUndefined();
        await w.complete(client);
        expect(await w.claim()).toMatchObject({ kind: "callback", session_id: "ses_parent" });
      });
    });

  test("tags: a run goes only to a runner that has all of them", async () => {
    const w = await openCoordinator();
    await w.save({ ...echo, tags: ["gpu", "eu"] });
    await w.start("echo");
    expect(await w.offer({ waitMs: 50, tags: ["gpu"] })).toBeUndefined();
    expect((await w.claim({ tags: ["eu", "gpu", "big"] })).agent_name).toBe("echo");
  });

  test("of runs that are asked for in the same moment, one that cannot be stored fails no other", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const texts = ["a", "b", "\u0000", "c", "d"];
    const outcomes = await Promise.allSettled(texts.map((text) => w.start("echo", { text })));
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, true]);
    const claimed = [await w.claim(), await w.claim(), await w.claim(), await w.claim()];
    expect(claimed.map(({ parameters }) => parameters.text).sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("claims of the same moment get a run each, as long as there are any", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const started = await Promise.all(Array.from({ length: 6 }, () => w.start("echo")));
    const offers = await Promise.all(Array.from({ length: 8 }, () => w.offer({ waitMs: 500 })));
    const claimed = offers.flatMap((offer) => (offer?.type === "run" ? [offer.run.id] : []));
    expect(claimed.sort()).toEqual(started.map(({ id }) => id).sort());
  });

  test("a run is created as claimed by a runner that waits for one, if that has the tags", async () => {
    const w = await openCoordinator();
    await w.save({ ...echo, tags: ["gpu"], timeout_seconds: 60 });
    const entered = vi.spyOn(WaitingPollers.prototype, "enter");
    const offers = [w.offer({ waitMs: 300 }), w.offer({ waitMs: 60_000, tags: ["gpu"] })];
    await expect.poll(() => entered.mock.calls.map(([{ tags }]) => tags)).toContainEqual(["gpu"]);
    entered.mockRestore();
    const run = await w.start("echo");
    expect(run).toMatchObject({ state: "claimed", runner_id: "runner-1", attempt: 1, event_count: 2 });
    const [without, offer] = await Promise.all(offers);
    expect(without).toBeUndefined();
    expect(offer).toMatchObject({ type: "run", run: { id: run.id, lease_token: run.lease_token } });
    const stored = await readRun(w.database, run.id);
    // `events_since` is the store's own: no other part of a run's work reads it.
    expect(stored).toEqual({ ...run, number: stored?.number, events_since: expect.any(String) });
    expect(stored?.deadline_at).not.toBeNull();
    expect(await w.complete(run)).toMatchObject({ type: "taken" });
  });

  test("reports of the same moment have an outcome each", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    await Promise.all(Array.from({ length: 3 }, () => w.start("echo")));
    const [a, b, c] = [await w.claim(), await w.claim(), await w.claim()];
    const reports = await Promise.all([
      w.complete(a, { n: 1 }, "one"),
      w.complete({ ...b, lease_token: c.lease_token }),
      w.complete(c, null, "three"),
      w.complete(c, null, "four"),
      w.complete({ ...a, id: "run_none" }),
    ]);
    expect(reports.map(({ type }) => type)).toEqual(["taken", "lost", "taken", "repeated", "unknown"]);
    expect(await readRun(w.database, a.id)).toMatchObject({ result_data: { n: 1 }, result_text: "one" });
    expect(await readRun(w.database, b.id)).toMatchObject({ state: "claimed" });
    expect(await readRun(w.database, c.id)).toMatchObject({ result_data: null, result_text: "three" });
  });

  test("two callbacks of one session are not claimed in the same moment", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const parent = await w.start("echo");
    await w.complete(await w.claim());
    const more = { execution_mode: "async_callback", parent_session_id: parent.session_id };
    await Promise.all([w.start("echo", {}, more), w.start("echo", {}, more)]);
    const children = [await w.claim(), await w.claim()];
    for (const child of children) await w.complete(child);
    const offers = await Promise.all([w.offer({ waitMs: 500 }), w.offer({ waitMs: 500 })]);
    expect(offers.filter((offer) => offer?.type === "run")).toHaveLength(1);
  });

  test("the feed emits every event once, in order, with many concurrent writers", async () => {
    const w = await openCoordinator();
    await w.save(echo);
    const received: EventRow[] = [];
    w.coordinator.feed.listen((events) => received.push(...events.filter(({ run_id }) => run_id !== null)));
    await Promise.all(Array.from({ length: 40 }, () => w.start("echo")));
    await expect.poll(() => received.length).toBe(40);
    expect(new Set(received.map(({ run_id }) => run_id)).size).toBe(40);
  });

  test("a sweep of nothing finds nothing", async () => {
    const w = await openCoordinator({ sweepMs: 1_000_000 });
    expect(await sweep(w.coordinator)).toBe(false);
  });
});
