import type { AssignedRun, BlueprintInput, Insights, RunsPage } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { untilFolded } from "../testing/insight-problems.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;

const tally = (hook: string, outcome: string, count: number, tool?: string) => ({
  ...{ hook, event: "before_tool", ...(tool !== undefined && { tool }) },
  ...{ outcome, count, duration_ms: count, durations: [count] },
});
const step = (model: string | undefined) => ({
  event_type: "step_end",
  data: { step: 1, status: "completed", usage: { model, input_tokens: 10, output_tokens: 1 } },
});
const acted = (hook: string, action: string, more: object = {}) => ({
  event_type: "hook_acted",
  data: { event: "before_tool", hook, action, reason: "no", ...more },
});
const inSubagent = ({ event_type, data }: { event_type: string; data: object }) => ({
  event_type: "subagent",
  data: { subagent: "helper", tool_use_id: "c1", event: { event_type, ...data } },
});

/** What runs report, by the parameter that asks for it. */
const REPORTS: Readonly<Record<string, readonly object[]>> = {
  tallies: [
    {
      event_type: "hook_tallies",
      data: {
        tallies: [
          tally("guard", "passed", 7, "Shell"),
          tally("guard", "blocked", 2, "Shell"),
          tally("guard", "passed", 5, "Read"),
          tally("gate", "would_block", 3),
        ],
      },
    },
    acted("guard", "refuse", { tallied: true }),
    step("large"),
  ],
  early: [
    acted("old", "refuse"),
    acted("old", "go_on", { changed: ["tool_input"] }),
    acted("old", "go_on", { failed: true }),
    acted("old", "go_on", { not_enforced: "would_skip" }),
    acted("on_tool_call", "refuse"),
    inSubagent(acted("old", "skip")),
    inSubagent(inSubagent(acted("old", "recover"))),
    inSubagent(step("small")),
    step(undefined),
  ],
};

describe.each(["embedded", "server"] as const)("the runs behind insights in an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  let stop: () => Promise<void>;
  let insights: Insights;
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await TestCoordinator.open(url === undefined ? {} : { url });
    await coordinator.save({ name: "judge", type: "procedural", command: ["cat"] });
    await coordinator.admin.put("/hooks/tried", { ...judge, enforce: false });
    const agent = (name: string, hooks: BlueprintInput["hooks"] = {}): BlueprintInput => ({
      ...{ name, type: "procedural", command: ["cat"], hooks },
    });
    await coordinator.save(
      agent("plain"),
      agent("judged", { on_run_start: judge }),
      agent("trying", { on_run_start: { $ref: "tried" } }),
    );
    runner = await coordinator.runner({ name: "builder", concurrency: 4 });
    stop = runner.work(async (run) => (run.agent_name === "judge" ? judgement(run) : work(run)));
    const starts = [
      ["plain", { report: "tallies" }],
      ["plain", { report: "tallies" }],
      ["plain", { report: "early" }],
      ["plain", { report: "fail" }],
      ...["forbidden", "crash", "rewrite", "allowed"].map((topic) => ["judged", { topic }] as const),
      ...["forbidden", "rewrite", "allowed"].map((topic) => ["trying", { topic }] as const),
    ] as const;
    const runs = [];
    for (const [name, parameters] of starts) runs.push(await coordinator.start(name, parameters));
    for (const { run_id } of runs) await coordinator.ended(run_id);
    await untilFolded(coordinator.served.coordinator.database);
    insights = await read<Insights>("/insights?range=hour");
  });
  afterAll(async () => {
    await stop();
    await coordinator.close();
  });
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  function judgement({ parameters }: AssignedRun) {
    const text = JSON.stringify(parameters);
    if (text.includes("forbidden")) return { result_data: { action: "block", block_reason: "forbidden" } };
    if (text.includes("crash")) throw new Error("the judge is ill");
    if (text.includes("rewrite")) return { result_data: { action: "continue", parameters: { topic: "x" } } };
    return { result_data: { action: "continue" } };
  }

  async function work(run: AssignedRun) {
    await runner.report(run, "started");
    const { report = "" } = run.parameters as { readonly report?: string };
    const events = REPORTS[report];
    if (events !== undefined) await runner.report(run, "events", { first: 1, events });
    if (report === "fail") throw new Error("it was to fail");
    return { result_text: "done" };
  }

  async function read<T>(path: string): Promise<T> {
    const { status, body } = await coordinator.admin.get<T>(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  }
  const count = (query: string, { since, until } = insights as { since: string; until: string }) =>
    read<{ count: number; more: boolean; decisions?: number }>(
      `/runs/count?${query}&from=${since}&to=${until}`,
    );

  test("are as many as were counted, by status and over time", async () => {
    const { created, started, completed, failed, stopped } = insights.current.runs;
    expect([created, completed, failed, stopped]).toEqual([18, 14, 4, 0]);
    expect(await count("time=created")).toMatchObject({ count: created });
    expect(await count("time=started")).toMatchObject({ count: started });
    expect(await count("time=ended&status=completed")).toMatchObject({ count: completed });
    expect(await count("time=ended&status=failed")).toMatchObject({ count: failed });
    expect(await count("time=ended")).toMatchObject({ count: completed + failed });
    for (const [index, { since, runs }] of insights.series.entries()) {
      const until = insights.series[index + 1]?.since ?? insights.until;
      const found = await count("time=ended&status=completed", { since, until });
      expect([since, found.count]).toEqual([since, runs.completed]);
    }
  });

  test("have the decisions that were counted, by outcome, hook, tool and agent", async () => {
    const { decisions } = insights.current;
    expect(decisions).toEqual({
      ...{ passed: 26, blocked: 6, would_block: 7, changed: 2, failed: 2, skipped: 1, recovered: 1 },
      ...{ would_change: 1, would_skip: 1 },
    });
    for (const [outcome, calls] of Object.entries(decisions)) {
      expect([outcome, (await count(`time=active&decision=${outcome}`)).decisions]).toEqual([outcome, calls]);
    }
    for (const { hook, kind, decisions: ofHook } of insights.hooks.filter((each) => each.kind !== "inline")) {
      for (const [outcome, calls] of Object.entries(ofHook)) {
        const found = await count(`time=active&decision=${outcome}&hook=${kind}:${hook}`);
        expect([hook, outcome, found.decisions]).toEqual([hook, outcome, calls]);
      }
    }
    const inline = "hook=inline:judged/on_run_start";
    expect(await count(`time=active&decision=blocked,failed&${inline}`)).toEqual({
      ...{ count: 2, more: false, decisions: 2 },
    });
    expect(await count("time=active&decision=passed&tool=Read")).toMatchObject({ count: 2, decisions: 10 });
    expect(await count("time=active&decision=passed&agent=plain")).toMatchObject({ count: 2, decisions: 24 });
    for (const { tool, decisions: ofTool } of insights.decisions_by_tool) {
      for (const [outcome, calls] of Object.entries(ofTool)) {
        const found = await count(`time=active&decision=${outcome}&tool=${tool || "-"}`);
        expect([tool, outcome, found.decisions]).toEqual([tool, outcome, calls]);
      }
    }
    const toolless = await read<Insights>("/insights?range=hour&tool=-");
    expect(toolless.current.decisions).toEqual(
      insights.decisions_by_tool.find(({ tool }) => tool === "")?.decisions,
    );
    const unnamed = await read<Insights>("/insights?range=hour&model=-");
    expect(unnamed.models.map(({ model, calls }) => [model, calls])).toEqual([["", 1]]);
    expect(unnamed.current.usage.calls).toBe(1);
    // All but some of them.
    expect(await count("time=active&decision=passed&tool=!Shell,-")).toMatchObject({
      count: 2,
      decisions: 10,
    });
    expect(await count("time=active&decision=passed&tool=!Read,-")).toMatchObject({
      count: 2,
      decisions: 14,
    });
    const others = insights.decisions_by_agent.filter(({ agent }) => agent !== "plain");
    expect((await count("time=active&decision=passed&agent=!plain")).decisions).toBe(
      others.reduce((sum, row) => sum + (row.decisions.passed ?? 0), 0),
    );
    expect(await count("time=active&decision=passed&agent=!plain,judged,trying")).toMatchObject({
      decisions: 0,
    });
    // At any time of the run, whenever it was created.
    expect(await count("decision=would_block&hook=named:tried")).toMatchObject({ count: 1, decisions: 1 });
  });

  test("called the model, or were executed by the runner", async () => {
    expect(await count("time=active&model=large")).toMatchObject({ count: 2 });
    expect(await count("time=active&model=small")).toMatchObject({ count: 1 });
    expect(await count("time=active&model=-")).toMatchObject({ count: 1 });
    expect(await count("time=active&model=*")).toMatchObject({ count: 3 });
    expect(await count("time=active&executed_by=*")).toMatchObject({ count: insights.runners[0]?.attempts });
    expect(await count("time=active&model=other")).toMatchObject({ count: 0 });
    expect(await count("time=active&executed_by=builder")).toMatchObject({
      count: insights.runners[0]?.attempts,
    });
    expect(await count("time=active&executed_by=nobody")).toMatchObject({ count: 0 });
    // All but some of them.
    expect(await count("time=active&model=!large")).toMatchObject({ count: 1 });
    expect(await count("time=active&model=!small,-")).toMatchObject({ count: 2 });
    expect(await count("time=active&model=!small,large,-")).toMatchObject({ count: 0 });
    // A backslash is before a comma of a name, and before what would mean something else.
    expect(await count("time=active&model=!large\\,small")).toMatchObject({ count: 3 });
    expect(await count("time=active&model=\\*")).toMatchObject({ count: 0 });
    expect(await count("time=active&executed_by=!nobody,other")).toMatchObject({
      count: insights.runners[0]?.attempts,
    });
    expect(await count("time=active&executed_by=!builder")).toMatchObject({ count: 0 });
  });

  test("are listed page by page, without those of another time", async () => {
    const { since, until } = insights;
    const query = `time=active&decision=passed,blocked&from=${since}&to=${until}&limit=2`;
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: RunsPage = await read(`/runs?${query}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.runs.map(({ run_id }) => run_id));
      cursor = page.next_cursor;
    }
    const { count: all } = await count("time=active&decision=passed,blocked");
    expect([seen.length, new Set(seen).size]).toEqual([all, all]);
    for (const filter of [
      "time=ended",
      "time=started",
      "time=active&decision=passed",
      "time=active&model=large",
    ]) {
      const early = await count(filter, { since: "2020-01-01T00:00:00Z", until: since });
      expect([filter, early.count]).toEqual([filter, 0]);
      const late = await count(filter, { since: until, until: "2999-01-01T00:00:00Z" });
      expect([filter, late.count]).toEqual([filter, 0]);
    }
  });

  test("are found together with a search and a hook's results", async () => {
    expect(await count("time=ended&kind=client&search=forbidden")).toMatchObject({ count: 2 });
    expect(await count("time=ended&hook=named:tried&hook_outcome=passed")).toMatchObject({ count: 3 });
  });

  test("rejects a tool without a decision", async () => {
    const { status, body } = await coordinator.admin.get("/runs?tool=Shell");
    expect([status, body]).toMatchObject([400, { field: "tool" }]);
  });
});
