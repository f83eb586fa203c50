import {
  type ApprovalsPage,
  type AssignedRun,
  type Insights,
  insights,
  type RunsPage,
} from "@tenterhook/protocol/runs";
import { checkCosts, fillEvents, freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database, Statement } from "../database/database.ts";
import { DEFAULT_RETENTION, trim } from "../sweeps/retention.ts";
import { foldAll, insightProblems, untilFolded } from "../testing/insight-problems.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { Wakeups } from "../wakeups.ts";
import { InsightFolder, prepareInsights, readProgress } from "./insight-folder.ts";
import { REMOVED, ROLLUP_TABLES, stepsOf } from "./rollup-tables.ts";
import { STEPS } from "./slots.ts";

const PRICES = { currency: "EUR", models: { large: { input: 3, output: 15 } } };

/** Longer than what an index of the store accepts. */
const LONG_NAME = Array.from({ length: 4_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join("");

const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;

describe.each(["embedded", "server"] as const)("the roll-ups of an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  let stop: () => Promise<void>;
  let url: string | undefined;
  const database = (): Database => coordinator.served.coordinator.database;
  const query = <R>(text: string) => database().run<R>({ name: "", text });

  beforeAll(async () => {
    url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await TestCoordinator.open({ ...(url !== undefined && { url }), prices: PRICES });
    await coordinator.save({ name: "judge", type: "procedural", command: ["cat"] });
    await coordinator.admin.put("/hooks/named-judge", judge);
    await coordinator.save(
      { name: "plain", type: "procedural", command: ["cat"] },
      { name: "judged", type: "procedural", command: ["cat"], hooks: { on_run_start: judge } },
      {
        name: "checked",
        type: "procedural",
        command: ["cat"],
        hooks: { on_result: { $ref: "named-judge" } },
      },
    );
    runner = await coordinator.runner({ name: "builder", concurrency: 4 });
    stop = runner.work(async (run) => (run.agent_name === "judge" ? judgement(run) : work(run)));
  });
  afterAll(async () => {
    await stop();
    await coordinator.close();
  });
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  /** What the judge is asked about decides what it answers. */
  function judgement({ parameters }: AssignedRun) {
    const text = JSON.stringify(parameters);
    if (text.includes("forbidden"))
      return { result_data: { action: "block", block_reason: "this is forbidden" } };
    if (text.includes("crash")) throw new Error("the judge is ill");
    if (text.includes("rewrite"))
      return { result_data: { action: "continue", parameters: { topic: "other" } } };
    return { result_data: { action: "continue" } };
  }

  async function work(run: AssignedRun) {
    await runner.report(run, "started");
    const { events } = run.parameters as { readonly events?: readonly object[] };
    if (events !== undefined) await runner.report(run, "events", { first: 1, events });
    if ("fail" in run.parameters) throw new Error("it was to fail");
    return { result_text: "done" };
  }

  const tally = (hook: string, outcome: string, count: number, tool?: string) => ({
    ...{ hook, event: "before_tool", ...(tool !== undefined && { tool }) },
    ...{ outcome, count, duration_ms: 2 * count, durations: [0, 0, 0, 0, count] },
  });
  const usage = (model: string, input_tokens: number, output_tokens: number) => ({
    event_type: "step_end",
    data: { step: 1, status: "completed", usage: { model, input_tokens, output_tokens } },
  });
  const EVENTS = [
    {
      event_type: "hook_tallies",
      data: { tallies: [tally("guard", "passed", 7, "Shell"), tally("guard", "blocked", 2, "Shell")] },
    },
    {
      event_type: "hook_tallies",
      data: { tallies: [tally("guard", "passed", 5, "Read"), tally("gate", "kept_running", 1)] },
    },
    {
      event_type: "hook_acted",
      data: { event: "before_tool", hook: "guard", action: "refuse", reason: "no rm", tallied: true },
    },
    {
      event_type: "hook_acted",
      data: { event: "before_tool", hook: "old-guard", action: "refuse", reason: "as before" },
    },
    {
      event_type: "hook_acted",
      data: { event: "before_tool", hook: null, action: "refuse", reason: "by the host" },
    },
    usage("large", 1_000, 100),
    usage("small", 10, 1),
    {
      event_type: "subagent",
      data: {
        ...{ subagent: "helper", tool_use_id: "c1" },
        event: { event_type: "step_end", ...usage("large", 500, 50).data },
      },
    },
    { event_type: "text", data: { text: "not counted" } },
  ];

  /** What a hook that is not enforced would have done: each verdict once, as runners of this version and of others report it. */
  const NOT_ENFORCED = [
    {
      event_type: "hook_tallies",
      data: { tallies: [tally("trial", "passed", 30, "Shell"), tally("trial", "would_block", 2, "Shell")] },
    },
    ...["no force", "no force"].map((reason) => ({
      event_type: "hook_acted",
      data: {
        ...{ event: "before_tool", hook: "trial", action: "go_on", reason },
        ...{ tallied: true, not_enforced: "would_block" },
      },
    })),
    ...["would_change", "would_ask", "would_stop", "would_skip", "would_recover", "would_dance"].map(
      (not_enforced) => ({
        event_type: "hook_acted",
        data: {
          ...{ event: "before_tool", hook: "trial", action: "go_on", not_enforced },
          ...(not_enforced === "would_change" ? { changed: ["toolInput"] } : { reason: "sure?" }),
        },
      }),
    ),
    {
      event_type: "subagent",
      data: {
        ...{ subagent: "helper", tool_use_id: "c1" },
        event: {
          ...{ event_type: "hook_acted", event: "before_tool", hook: LONG_NAME, action: "go_on" },
          ...{ reason: "in a subagent", tallied: true, not_enforced: "would_block" },
        },
      },
    },
  ];

  async function runAll(starts: readonly (readonly [string, object])[]): Promise<void> {
    const runs = [];
    for (const [agent, parameters] of starts) runs.push(await coordinator.start(agent, parameters));
    for (const { run_id } of runs) await coordinator.ended(run_id);
  }

  /** A coordinator that leaves its events to the test. */
  async function openUnfolded(): Promise<TestCoordinator> {
    const server = kind === "server" && { url: await freshPostgres() };
    return TestCoordinator.open({ ...server, foldInsights: false });
  }

  async function prepareFolder({ served: { coordinator: unfolded } }: TestCoordinator) {
    const { database: store, feed } = unfolded;
    await prepareInsights(store);
    return { store, folder: new InsightFolder(store, feed, new Wakeups(store), PRICES) };
  }

  test("are what a count of the events gives", async () => {
    await runAll([["plain", { events: EVENTS }]]);
    await untilFolded(database());
    await runAll([
      ["plain", { events: EVENTS }],
      ["plain", { fail: true }],
      ["judged", { topic: "forbidden" }],
      ["judged", { topic: "crash" }],
      ["judged", { topic: "rewrite" }],
      ["judged", { topic: "allowed" }],
      ["checked", {}],
    ]);
    await untilFolded(database());
    expect(await insightProblems(database())).toEqual([]);
    const [, wrongCosts] = checkCosts(PRICES);
    expect(await query(wrongCosts)).toEqual([]);
    expect(
      await query(
        "SELECT hook, kind, tool, outcome, count FROM hook_rollups WHERE step = 1440 ORDER BY hook, kind, tool, outcome",
      ),
    ).toEqual([
      { hook: "gate", kind: "runner", tool: "", outcome: "kept_running", count: 2 },
      { hook: "guard", kind: "runner", tool: "Read", outcome: "passed", count: 10 },
      { hook: "guard", kind: "runner", tool: "Shell", outcome: "blocked", count: 4 },
      { hook: "guard", kind: "runner", tool: "Shell", outcome: "passed", count: 14 },
      { hook: "judge", kind: "inline", tool: "", outcome: "blocked", count: 1 },
      { hook: "judge", kind: "inline", tool: "", outcome: "changed", count: 1 },
      { hook: "judge", kind: "inline", tool: "", outcome: "failed", count: 1 },
      { hook: "judge", kind: "inline", tool: "", outcome: "passed", count: 1 },
      { hook: "named-judge", kind: "named", tool: "", outcome: "passed", count: 1 },
      { hook: "old-guard", kind: "runner", tool: "", outcome: "blocked", count: 2 },
    ]);
    expect(
      await query(
        "SELECT model, calls, input_tokens, output_tokens, cost, unpriced_calls FROM model_rollups WHERE step = 1440 ORDER BY model",
      ),
    ).toEqual([
      {
        model: "large",
        calls: 4,
        input_tokens: 3_000,
        output_tokens: 300,
        cost: expect.closeTo(0.0135, 9),
        unpriced_calls: 0,
      },
      { model: "small", calls: 2, input_tokens: 20, output_tokens: 2, cost: 0, unpriced_calls: 2 },
    ]);
    expect(
      await query(
        "SELECT hook, outcome, reason, count, cardinality(examples) AS examples FROM reason_rollups WHERE step = 1440 ORDER BY hook, outcome, reason",
      ),
    ).toMatchObject([
      { hook: "guard", outcome: "blocked", reason: "no rm", count: 2, examples: 2 },
      { hook: "judge", outcome: "blocked", reason: "this is forbidden", count: 1, examples: 1 },
      { hook: "judge", outcome: "failed", reason: "the judge is ill", count: 1, examples: 1 },
      { hook: "old-guard", outcome: "blocked", reason: "as before", count: 2, examples: 2 },
    ]);
    expect((await readProgress(database()))?.value).toMatchObject({
      since: expect.any(String),
      tallies_since: expect.any(String),
    });
  });

  test.each([
    ["range=hour", "5_minutes"],
    ["range=day&timezone=America/New_York", "15_minutes"],
    ["range=week&timezone=Asia/Kathmandu", "hour"],
    ["range=month", "day"],
    ["range=month&timezone=Pacific/Auckland", "day"],
    [`since=${new Date(Date.now() - 20 * 86_400_000).toISOString()}&timezone=Asia/Kolkata`, "day"],
  ])("are answered exactly for %s, in steps of %s also in a young store", async (asked, step) => {
    await untilFolded(database());
    const { status, body } = await coordinator.admin.get<Insights>(`/insights?${asked}`);
    expect(status).toBe(200);
    expect(insights.safeParse(body).error).toBeUndefined();
    expect([body.step, body.timezone]).toEqual([step, new URLSearchParams(asked).get("timezone") ?? "UTC"]);
    const counts = await query<{ type: string; count: number }>(
      "SELECT type, count(*) AS count FROM events GROUP BY type",
    );
    const counted = (type: string) => counts.find((row) => row.type === type)?.count ?? 0;
    const runs = {
      created: counted("run_created"),
      started: counted("run_started"),
      completed: counted("run_completed"),
      failed: counted("run_failed"),
      stopped: 0,
    };
    const decisions = { passed: 26, blocked: 7, kept_running: 2, changed: 1, failed: 1 };
    const usage = { calls: 6, input_tokens: 3_020, output_tokens: 302, cost: 0.0135, unpriced_calls: 2 };
    expect(body.current).toMatchObject({
      runs,
      decisions,
      usage: { ...usage, cost: expect.closeTo(0.0135, 9) },
    });
    expect(body.current.time_to_start.count).toBe(runs.started);
    expect(body.previous).toMatchObject({
      runs: { created: 0 },
      decisions: {},
      usage: { calls: 0 },
      busy_ms: 0,
    });
    const add = (read: (point: Insights["series"][number]) => number) =>
      body.series.reduce((sum, point) => sum + read(point), 0);
    expect(add(({ runs: { created } }) => created)).toBe(runs.created);
    expect(add(({ runs: { failed } }) => failed)).toBe(runs.failed);
    expect(add(({ decisions: { passed = 0 } }) => passed)).toBe(26);
    expect(add(({ usage: { input_tokens } }) => input_tokens)).toBe(3_020);
    expect(body.series.map(({ since }) => since)).toEqual(body.series.map(({ since }) => since).toSorted());
    expect(body.agents.reduce((sum, agent) => sum + agent.runs.created, 0)).toBe(runs.created);
    expect(body.hooks.find(({ hook }) => hook === "guard")).toMatchObject({
      ...{ kind: "runner", event: "before_tool", calls: 28, decisions: { passed: 24, blocked: 4 } },
      duration: { count: 28, p50_ms: expect.closeTo(1.75), p95_ms: expect.closeTo(2.425) },
      duration_ms: 56,
    });
    expect(body.decisions_by_tool.find(({ tool }) => tool === "Shell")).toEqual({
      ...{ tool: "Shell", calls: 18, decisions: { passed: 14, blocked: 4 } },
    });
    expect(body.decisions_by_agent.map(({ agent, calls }) => [agent, calls])).toEqual([
      ["plain", 32],
      ["judged", 4],
      ["checked", 1],
    ]);
    expect(body.models.map(({ agent, model, calls }) => [agent, model, calls])).toEqual([
      ["plain", "large", 4],
      ["plain", "small", 2],
    ]);
    expect(body.runners).toEqual([
      { runner: "builder", busy_ms: expect.any(Number), attempts: runs.started },
    ]);
    expect(body.reasons).toHaveLength(4);
    expect(body.reasons[0]).toMatchObject({ hook: "guard", reason: "no rm", count: 2 });
    expect(body.behind_seconds).toBe(0);
    expect(body).toMatchObject({
      currency: "EUR",
      passes_since: expect.any(String),
      recorded_since: expect.any(String),
    });
  });

  test("have room in their pages for the next version of a row", async () => {
    const tables = await query(
      "SELECT relname AS name FROM pg_class WHERE relname LIKE '%\\_rollups' AND 'fillfactor=60' = ANY (reloptions) ORDER BY relname COLLATE \"C\"",
    );
    const added = ROLLUP_TABLES.filter((name) => name !== REMOVED);
    expect(tables).toEqual(added.toSorted().map((name) => ({ name })));
  });

  test("name the runs of decisions that were not enforced, of hooks on runners and of runs", async () => {
    await coordinator.admin.put("/hooks/trial", { ...judge, enforce: false });
    const tried = { ...judge, enforce: false };
    await coordinator.save(
      { name: "tried", type: "procedural", command: ["cat"], hooks: { on_run_start: { $ref: "trial" } } },
      { name: "inlined", type: "procedural", command: ["cat"], hooks: { on_run_start: tried } },
    );
    const runs: string[] = [];
    for (const [agent, parameters] of [
      ["plain", { events: NOT_ENFORCED }],
      ["tried", { topic: "forbidden" }],
      ["tried", { topic: "rewrite" }],
      ["tried", { topic: "allowed" }],
      ["tried", { topic: "crash" }],
      ["inlined", { topic: "forbidden" }],
    ] as const) {
      const { run_id } = await coordinator.start(agent, parameters);
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "completed" });
      runs.push(run_id);
    }
    await untilFolded(database());
    expect(await insightProblems(database())).toEqual([]);
    const read = async (key: string) =>
      (await coordinator.admin.get<Insights>(`/insights?range=week&hook_key=${encodeURIComponent(key)}`))
        .body;
    const reasons = ({ reasons: found }: Insights) =>
      found.map(({ outcome, reason, count, example_runs }) => [outcome, reason, count, example_runs]);

    const onRunner = await read("runner:trial");
    expect(onRunner.current.decisions).toEqual({
      ...{ passed: 30, would_block: 2, would_change: 1, would_ask: 1, would_stop: 1, would_skip: 1 },
      ...{ would_recover: 1, would_dance: 1 },
    });
    expect(reasons(onRunner)[0]).toEqual(["would_block", "no force", 2, [runs[0]]]);
    expect(reasons(onRunner).slice(1)).toEqual(
      expect.arrayContaining([
        ["would_change", "changes toolInput", 1, [runs[0]]],
        ...["ask", "stop", "skip", "recover", "dance"].map((verdict) => [
          ...[`would_${verdict}`, "sure?", 1, [runs[0]]],
        ]),
      ]),
    );

    const named = await read("named:trial");
    expect(named.current.decisions).toEqual({ passed: 1, would_block: 1, would_change: 1, failed: 1 });
    expect(reasons(named)).toEqual([
      ["would_change", "no reason given", 1, [runs[2]]],
      ["failed", "the judge is ill", 1, [runs[4]]],
      ["would_block", "this is forbidden", 1, [runs[1]]],
    ]);
    expect(named.series.reduce((sum, { decisions: { would_block = 0 } }) => sum + would_block, 0)).toBe(1);

    const inline = await read("inline:inlined/on_run_start");
    expect(inline.current.decisions).toEqual({ would_block: 1 });
    expect(reasons(inline)).toEqual([["would_block", "this is forbidden", 1, [runs[5]]]]);
    expect((await read(`runner:${LONG_NAME.slice(0, 199)}…`)).reasons).toMatchObject([{ count: 1 }]);

    const list = async (hook: string, outcome: string) =>
      (
        await coordinator.admin.get<RunsPage>(
          `/runs?hook=${encodeURIComponent(hook)}&hook_outcome=${outcome}`,
        )
      ).body.runs.map(({ run_id }) => run_id);
    expect(await list("runner:trial", "would_block")).toEqual([runs[0]]);
    expect(await list("runner:trial", "passed")).toEqual([runs[0]]);
    expect(await list("named:trial", "would_block")).toEqual([runs[1]]);
    expect(await list("named:trial", "would_change")).toEqual([runs[2]]);
    expect(await list("named:trial", "would_ask")).toEqual([]);
    expect(await list("named:trial", "would_block,would_change")).toEqual([runs[2], runs[1]]);
    expect(await list("inline:inlined/on_run_start", "would_block")).toEqual([runs[5]]);
  });

  test("count a question of a run's hook when it is asked, and once, also one of an earlier coordinator", async () => {
    const other = await openUnfolded();
    try {
      const { store, folder } = await prepareFolder(other);
      const fold = () => foldAll(folder, store);
      await other.save({ name: "judge", type: "procedural", command: ["cat"] });
      await other.admin.put("/hooks/four-eyes", judge);
      await other.save({
        ...{ name: "asking", type: "procedural", command: ["cat"] },
        hooks: { on_run_start: { $ref: "four-eyes" } },
      });
      const working = (await other.runner({ concurrency: 4 })).work(({ agent_name }) =>
        agent_name === "judge" ? { result_data: { action: "ask", reason: "may it?" } } : {},
      );
      const runs: string[] = [];
      for (const _ of ["approve", "reject", "earlier"]) runs.push((await other.start("asking")).run_id);
      const questions = () => other.admin.get<ApprovalsPage>("/approvals?state=pending");
      await expect.poll(async () => (await questions()).body.approvals.length).toBe(3);
      // As a coordinator of an earlier version has recorded it.
      await store.run({
        name: "",
        text: `UPDATE events SET data = data - 'hook_name' - 'target_name' - 'duration_ms'
          WHERE type = 'approval_requested' AND run_id = '${runs[2]}'`,
      });
      await fold();
      const asked = async () => {
        const { body } = await other.admin.get<Insights>("/insights?range=hour&hook_key=named:four-eyes");
        const { body: list } = await other.admin.get<{ count: number; decisions: number }>(
          "/runs/count?decision=asked&hook=named:four-eyes",
        );
        const reasons = body.reasons.map(({ outcome, reason, count }) => [outcome, reason, count]);
        return [body.current.decisions, list.count, list.decisions, reasons];
      };
      expect(await asked()).toEqual([{ asked: 2 }, 2, 2, [["asked", "may it?", 2]]]);
      expect(await insightProblems(store)).toEqual([]);
      for (const { approval_id, run_id } of (await questions()).body.approvals) {
        const decision = run_id === runs[1] ? "reject" : "approve";
        await other.admin.post(`/approvals/${approval_id}`, { decision });
      }
      for (const run of runs) await other.ended(run);
      await fold();
      expect(await asked()).toEqual([{ asked: 3 }, 3, 3, [["asked", "may it?", 2]]]);
      expect(await insightProblems(store)).toEqual([]);
      await working();
    } finally {
      await other.close();
    }
  });

  test("are answered for an agent, a hook, a tool and a model", async () => {
    const read = async (asked: string) =>
      (await coordinator.admin.get<Insights>(`/insights?range=month&${asked}`)).body;
    const judged = await read("agent=judged");
    expect(judged.current.decisions).toEqual({ blocked: 1, changed: 1, failed: 1, passed: 1 });
    expect(judged.current.runs).toMatchObject({ created: 4, completed: 2, failed: 2 });
    expect(judged.current.usage.calls).toBe(0);
    const shell = await read("hook=guard&tool=Shell");
    expect(shell.current.decisions).toEqual({ passed: 14, blocked: 4 });
    expect(shell.series.reduce((sum, { decisions: { passed = 0 } }) => sum + passed, 0)).toBe(14);
    const small = await read("model=small");
    expect(small.current.usage).toMatchObject({ calls: 2, input_tokens: 20 });
    expect((await read("hook=absent")).hooks).toEqual([]);
  });

  test.each([
    "timezone=Mars/Olympus",
    "range=year",
    "range=day&since=2026-01-01T00:00:00Z",
    "until=2026-01-01T00:00:00Z",
    "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
    "since=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z",
    "since=0001-01-01T00:00:00Z&until=0001-01-02T00:00:00Z",
    "since=9999-12-31T00:00:00Z&until=9999-12-31T23:00:00Z",
    "since=yesterday",
  ])("are refused for %s", async (asked) => {
    expect((await coordinator.admin.get(`/insights?${asked}`)).status).toBe(400);
  });

  test("count the reasons beyond a limit together", async () => {
    const events = Array.from({ length: 30 }, (_, index) => ({
      event_type: "hook_acted",
      data: {
        event: "before_tool",
        hook: "chatty",
        action: "refuse",
        reason: `reason ${index}`,
        tallied: true,
      },
    }));
    await runAll([["plain", { events }]]);
    await untilFolded(database());
    await runAll([["plain", { events }]]);
    await untilFolded(database());
    const stored = await query<{ reason: string; count: number }>(
      "SELECT reason, count FROM reason_rollups WHERE step = 1440 AND hook = 'chatty' ORDER BY count DESC, reason",
    );
    expect(stored).toHaveLength(21);
    expect(stored[0]).toEqual({ reason: "", count: 20 });
    expect(stored[1]).toEqual({ reason: "reason 0", count: 2 });
    expect(await insightProblems(database())).toEqual([]);
  });

  test("lose and double nothing when the answer to a write is lost, or it never arrives", async () => {
    const folder = (through: Database) =>
      new InsightFolder(through, coordinator.served.coordinator.feed, new Wakeups(through), PRICES);
    for (const when of ["before", "after"] as const) {
      await runAll([["plain", { events: EVENTS }]]);
      await folder(failingOnce(database(), when))
        .fold()
        .catch(() => undefined);
    }
    await untilFolded(database());
    expect(await insightProblems(database())).toEqual([]);
  });

  test("are added by one of several coordinators that fold the same events", async () => {
    const folders = Array.from(
      { length: 4 },
      () =>
        new InsightFolder(database(), coordinator.served.coordinator.feed, new Wakeups(database()), PRICES),
    );
    for (let round = 0; round < 5; round++) {
      await runAll([
        ["plain", { events: EVENTS }],
        ["judged", { topic: "forbidden" }],
      ]);
      await Promise.all(folders.map((folder) => folder.fold()));
    }
    await untilFolded(database());
    expect(await insightProblems(database())).toEqual([]);
  });

  test("keep events until they are folded, and are removed after a time of their own", async () => {
    const other = await openUnfolded();
    try {
      const { store, folder } = await prepareFolder(other);
      const read = <R>(text: string) => store.run<R>({ name: "", text });
      await other.save({ name: "plain", type: "procedural", command: ["cat"] });
      await other.start("plain");
      const ends = await other.runner();
      const claimed = await ends.claim();
      await ends.report(claimed, "started");
      await ends.report(claimed, "events", { first: 1, events: EVENTS });
      await ends.complete(claimed);
      const [stored] = await read<{ count: number }>("SELECT count(*) AS count FROM events");
      await read("UPDATE events SET created_at = created_at - interval '50 days'");
      await read("UPDATE runs SET started_at = started_at - interval '50 days'");
      const shortly = { ...DEFAULT_RETENTION, insightDetailDays: 10, insightDays: 60 };
      await trim(store, shortly);
      expect(await read("SELECT count(*) AS count FROM events")).toEqual([stored]);
      await foldAll(folder, store);
      // No run was removed so far.
      for (const step of STEPS.filter((each) => each > 5))
        await read(
          `INSERT INTO removed_rollups (step, since, agent) VALUES (${step}, now() - interval '50 days', 'plain')`,
        );
      const steps = async () => {
        const found: Record<string, readonly number[]> = {};
        for (const table of ROLLUP_TABLES) {
          const rows = await read<{ step: number }>(`SELECT DISTINCT step FROM ${table} ORDER BY step`);
          found[table] = rows.map(({ step }) => step);
        }
        return found;
      };
      const all = (read: (table: string) => readonly number[]) =>
        Object.fromEntries(ROLLUP_TABLES.map((table) => [table, read(table)]));
      expect(await steps()).toEqual(all((table) => stepsOf(table).filter((step) => step > 5)));
      await trim(store, shortly);
      expect(await steps()).toEqual(all(() => [1440]));
      expect(await read("SELECT count(*) AS count FROM events")).toEqual([{ count: 0 }]);
      await trim(store, { ...shortly, insightDays: 30 });
      expect(await steps()).toEqual(all(() => []));
    } finally {
      await other.close();
    }
  });

  test("are exact in each list, also for days that are not those of UTC", async () => {
    const other = await openUnfolded();
    try {
      const { store, folder } = await prepareFolder(other);
      for (const text of fillEvents(2_400, 9_000)) await store.run({ name: "", text });
      await foldAll(folder, store);
      const time = (daysAgo: number, clock: string) =>
        `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T${clock}:00Z`;
      for (const [since, until] of [
        [time(20, "05:00"), time(3, "19:30")],
        [time(20, "18:15"), time(3, "08:45")],
      ]) {
        const { body } = await other.admin.get<Insights>(`/insights?since=${since}&until=${until}`);
        const count = (text: string) =>
          store.run<{ name: string; count: number }>({
            name: "",
            text: `SELECT ${text} AND events.created_at >= '${since}' AND events.created_at < '${until}' GROUP BY 1 ORDER BY 1`,
          });
        const tallies = `sum((tally->>'count')::int)::float8 AS count FROM events, jsonb_array_elements(data->'tallies') AS tally
          WHERE type = 'hook_tallies'`;
        expect(named(body.agents.map(({ agent, runs }) => [agent, runs.created]))).toEqual(
          await count(`agent_name AS name, count(*) AS count FROM events JOIN runs ON runs.id = run_id
            WHERE type = 'run_created'`),
        );
        expect(named(body.hooks.map(({ hook, calls }) => [hook, calls]))).toEqual(
          await count(`tally->>'hook' AS name, ${tallies}`),
        );
        expect(named(body.decisions_by_tool.map(({ tool, calls }) => [tool, calls]))).toEqual(
          await count(`tally->>'tool' AS name, ${tallies}`),
        );
        expect(body.agents).toHaveLength(20);
        const add = <R>(rows: readonly R[], read: (row: R) => number) =>
          rows.reduce((sum, row) => sum + read(row), 0);
        const { hook_duration, usage: used, busy_ms } = body.current;
        expect(add(body.hooks, ({ duration }) => duration.count)).toBe(hook_duration.count);
        expect(add(body.models, ({ input_tokens }) => input_tokens)).toBe(used.input_tokens);
        expect(add(body.runners, (each) => each.busy_ms)).toBe(busy_ms);
      }
    } finally {
      await other.close();
    }
  });

  test("are written for at most 4,000 rows of tallies at once, but for one event that has more", async () => {
    const other = await openUnfolded();
    try {
      const { store, folder } = await prepareFolder(other);
      /** Events with so many rows of tallies each. */
      const report = (sizes: readonly number[]) =>
        store.run({
          name: "",
          text: `INSERT INTO events (type, data) SELECT 'hook_tallies', jsonb_build_object('tallies', (
              SELECT jsonb_agg(jsonb_build_object('hook', 'guard', 'event', 'before_tool', 'outcome', 'passed', 'count', 1, 'duration_ms', 0,
                'durations', '[]'::jsonb)) FROM generate_series(1, size)))
            FROM unnest(ARRAY[${sizes.join(", ")}]) WITH ORDINALITY AS event (size, position) ORDER BY position`,
        });
      const counted = async () => {
        const [row] = await store.run<{ count: number | null }>({
          name: "",
          text: "SELECT sum(count)::float8 AS count FROM decision_rollups WHERE step = 1440",
        });
        return row?.count ?? 0;
      };
      await foldAll(folder, store);
      await report([...Array.from({ length: 41 }, () => 100), 4_500, 1]);
      const sums: number[] = [];
      // Other transactions of the server may still delay the stream.
      await expect
        .poll(() => other.served.coordinator.feed.read({ xid: "0", id: 0 }, {}, 100))
        .toHaveLength(43);
      for (let round = 0; round < 4; round++) {
        expect([round, await folder.fold()]).toEqual([round, round < 3 ? "more" : "all"]);
        sums.push(await counted());
      }
      expect(sums).toEqual([4_000, 4_100, 8_600, 8_601]);
      expect(await insightProblems(store)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("continue after the store was restored on a server with lower transaction ids", async () => {
    await untilFolded(database());
    const sums = () => query("SELECT * FROM decision_rollups ORDER BY step, since, outcome");
    const before = await sums();
    // As if every event so far were of a server that is far ahead.
    await query("UPDATE events SET xid = (xid::text::bigint + 1000000000)::text::xid8");
    await query(`UPDATE settings SET version = version + 1, value = jsonb_set(value, '{after,xid}',
      to_jsonb(((value->'after'->>'xid')::bigint + 1000000000)::text)) WHERE name = 'insights'`);
    await runAll([["plain", { events: EVENTS }]]);
    await expect
      .poll(async () => ((await sums()) as { count: number }[]).reduce((sum, { count }) => sum + count, 0))
      .toBe(
        (before as { count: number }[]).reduce((sum, { count }) => sum + count, 0) +
          STEPS.length * (7 + 2 + 5 + 1 + 1),
      );
  });
});

/** Counts by name, in the order of the names. */
function named(counts: readonly (readonly [name: string, count: number])[]) {
  return counts.map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A database whose first statement that writes roll-ups fails: before it was executed, or after. */
function failingOnce(database: Database, when: "before" | "after"): Database {
  let hasFailed = false;
  const run: Database["run"] = async <R>(statement: Statement, values?: Parameters<Database["run"]>[1]) => {
    const fails = !hasFailed && statement.name === "write-rollups";
    hasFailed ||= fails;
    if (fails && when === "before") throw new Error("the connection broke before the statement");
    const rows = await database.run<R>(statement, values);
    if (fails) throw new Error("the connection broke after the statement");
    return rows;
  };
  return Object.create(database, { run: { value: run } }) as Database;
}
