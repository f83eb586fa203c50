import {
  type ApprovalsPage,
  type BlueprintInput,
  type HookInUse,
  hooksInUseQuery,
  type RunCount,
  type RunsPage,
  runsQuery,
} from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { listHooksInUse } from "./hooks-in-use.ts";
import { listRuns } from "./run-list.ts";

const program: BlueprintInput = { name: "judge", type: "procedural", command: ["cat"] };
const judge = { type: "agent", agent_name: "judge", on_error: "continue" } as const;
const acted = (hook: string, more: object = {}) => ({
  event_type: "hook_acted",
  data: { event: "before_tool", hook, action: "refuse", ...more },
});

describe.each(["embedded", "server"] as const)("hooks in use, in an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let database: Database;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    database = coordinator.served.coordinator.database;
    await coordinator.save(program, { ...program, name: "plain" });
    await coordinator.admin.put("/hooks/gate", judge);
    await coordinator.admin.put("/hooks/unused", judge);
    await coordinator.save(
      {
        ...program,
        name: "deploy",
        hooks: { on_run_start: { $ref: "gate" }, on_run_finish: { ...judge, mode: "sync" } },
      },
      { ...program, name: "report", hooks: { on_run_start: { $ref: "gate" } } },
    );
    const runner = await coordinator.runner();
    stop = runner.work(async (run) => {
      const { parameters } = run as unknown as {
        parameters: { decision?: string; parameters?: { decision?: string } };
      };
      if (run.agent_name === "judge") {
        const decision = parameters.parameters?.decision;
        if (decision === "odd") return { result_data: { action: "dance" } };
        if (decision === "unsure") return { result_data: { action: "ask", reason: "really?" } };
        return {
          result_data: decision === "bad" ? { action: "block", block_reason: "no" } : { action: "continue" },
        };
      }
      if (run.agent_name !== "plain") return {};
      const first = {
        first: 1,
        events: [acted("no-rm"), acted("no-rm"), acted("tidy", { action: "go_on", changed: ["toolInput"] })],
      };
      await runner.report(run, "events", first);
      // A repeated report counts nothing twice.
      await runner.report(run, "events", first);
      const nested = {
        event_type: "subagent",
        data: {
          subagent: "a",
          tool_use_id: "t",
          event: { ...acted("no-rm", { failed: true }).data, event_type: "hook_acted" },
        },
      };
      await runner.report(run, "events", { first: 4, events: [nested, acted("no-rm", { hook: null })] });
      const row = { event: "before_tool", duration_ms: 1, durations: [] };
      const tallies = [
        { ...row, hook: "quiet", outcome: "passed", count: 1_000_000_000, tool: "Shell" },
        { ...row, hook: "quiet", outcome: "passed", count: 1_000_000_000, tool: "Read" },
        { ...row, hook: "quiet", outcome: "passed", count: 1_000_000_000 },
        { ...row, hook: "no-rm", outcome: "passed", count: 5 },
        { ...row, hook: "no-rm", outcome: "blocked", count: 2 },
      ];
      const trial = acted("trial", { action: "go_on", not_enforced: "would_block" });
      const passed = { first: 6, events: [{ event_type: "hook_tallies", data: { tallies } }, trial] };
      await runner.report(run, "events", passed);
      await runner.report(run, "events", passed);
      return {};
    });
    for (const [agent, decision] of [
      ["deploy", "good"],
      ["deploy", "bad"],
      ["deploy", "odd"],
      ["report", "good"],
      ["plain", "good"],
      ["plain", "good"],
    ] as const) {
      await coordinator.ended((await coordinator.start(agent, { decision })).run_id);
    }
  });
  afterAll(async () => {
    await stop();
    await coordinator.close();
  });

  const list = async (query: object = {}) =>
    (await listHooksInUse(database, hooksInUseQuery.parse(query))).hooks;
  const find = async (hook: string, query: object = {}) =>
    (await list(query)).find((found) => found.hook === hook);
  const counts = (hook: HookInUse | undefined) =>
    Object.fromEntries(hook?.results.map(({ outcome, calls, runs }) => [outcome, [calls, runs]]) ?? []);

  test("are all listed: named ones, those of blueprints, and those that acted on a runner", async () => {
    expect((await list()).map(({ hook, agents, events }) => [hook, agents, events])).toEqual([
      ["inline:deploy/on_run_finish", ["deploy"], ["on_run_finish"]],
      ["named:gate", ["deploy", "report"], ["on_run_start"]],
      ["named:unused", [], []],
      ["runner:no-rm", ["plain"], ["before_tool"]],
      ["runner:quiet", ["plain"], ["before_tool"]],
      ["runner:tidy", ["plain"], ["before_tool"]],
      ["runner:trial", ["plain"], ["before_tool"]],
    ]);
  });

  test("have exact numbers of calls and of runs", async () => {
    expect(counts(await find("named:gate"))).toEqual({ passed: [2, 2], blocked: [1, 1], failed: [1, 1] });
    expect(counts(await find("inline:deploy/on_run_finish"))).toEqual({ passed: [3, 3] });
    expect(counts(await find("runner:no-rm"))).toEqual({
      ...{ passed: [10, 2], blocked: [4, 2], failed: [2, 2] },
    });
    expect(counts(await find("runner:trial"))).toEqual({ would_block: [2, 2] });
    // More than the store counts in a run.
    expect(counts(await find("runner:quiet"))).toEqual({ passed: [4_000_000_000, 2] });
    expect(counts(await find("runner:tidy"))).toEqual({ changed: [2, 2] });
    expect(await find("named:unused")).toMatchObject({ results: [], p50_ms: null, latest: [] });
    expect((await find("named:gate"))?.latest.map(({ state }) => state)).toEqual([
      "done",
      "blocked",
      "failed",
      "done",
    ]);
  });

  test("have as many runs as the list of runs has with the same filters", async () => {
    for (const { hook, results } of await list()) {
      for (const { outcome, runs } of results) {
        const filter = `hook=${encodeURIComponent(hook)}&hook_outcome=${outcome}`;
        const { body: found } = await coordinator.admin.get<RunsPage>(`/runs?${filter}`);
        expect(found.runs, filter).toHaveLength(runs);
        const { body: count } = await coordinator.admin.get<RunCount>(`/runs/count?${filter}`);
        expect(count, filter).toEqual({ count: runs, more: false });
      }
    }
  });

  test("are filtered with the other filters, page by page", async () => {
    const names = async (query: object) =>
      (await listRuns(database, runsQuery.parse(query))).runs.map(({ agent_name }) => agent_name);
    expect(await names({ hook: "named:gate" })).toEqual(["report", "deploy", "deploy", "deploy"]);
    expect(await names({ hook: "named:gate", agent: "report" })).toEqual(["report"]);
    expect(await names({ hook: "named:gate", hook_outcome: "passed,failed" })).toEqual([
      "report",
      "deploy",
      "deploy",
    ]);
    expect(await names({ hook: "named:gate", status: "blocked" })).toEqual(["deploy"]);
    expect(await names({ hook: "named:gate", hook_outcome: "changed" })).toEqual([]);
    expect(await names({ hook: "runner:no-rm", hook_outcome: "passed" })).toEqual(["plain", "plain"]);
    expect(await names({ hook: "runner:tidy", hook_outcome: "passed" })).toEqual([]);
    expect(await names({ hook: "named:gate", search: "report" })).toEqual(["report"]);
    expect(await names({ hook: "named:gate", to: "2020-01-01T00:00:00Z" })).toEqual([]);
    const first = await listRuns(database, runsQuery.parse({ hook: "named:gate", limit: "3" }));
    const second = await listRuns(
      database,
      runsQuery.parse({ hook: "named:gate", limit: "3", cursor: first.next_cursor }),
    );
    expect(new Set([...first.runs, ...second.runs].map(({ run_id }) => run_id)).size).toBe(4);
    expect(second.next_cursor).toBeNull();
  });

  test("count the runs of a time only", async () => {
    const { runs } = await listRuns(database, runsQuery.parse({ hook: "named:gate" }));
    const newest = runs[0]?.created_at;
    expect(counts(await find("named:gate", { from: newest }))).toEqual({ passed: [1, 1] });
    expect(counts(await find("runner:no-rm", { to: newest }))).toEqual({});
    expect(await find("named:gate", { to: "2020-01-01T00:00:00Z" })).toMatchObject({
      results: [],
      latest: [],
    });
  });

  test("are read page by page, and one by its key", async () => {
    const { hooks, next_cursor } = await listHooksInUse(database, hooksInUseQuery.parse({ limit: "2" }));
    expect(hooks).toHaveLength(2);
    const rest = await list({ cursor: next_cursor });
    expect([...hooks, ...rest].map(({ hook }) => hook)).toEqual((await list()).map(({ hook }) => hook));
    expect((await list({ hook: "runner:tidy" })).map(({ hook }) => hook)).toEqual(["runner:tidy"]);
    expect(await list({ hook: "named:unknown" })).toEqual([]);
  });

  test("keep their results when their definition is deleted, until their runs are deleted", async () => {
    await coordinator.save({ ...program, name: "brief", hooks: { on_run_start: judge } });
    const run = await coordinator.ended((await coordinator.start("brief", {})).run_id);
    await coordinator.save({ ...program, name: "brief" });
    expect(await find("inline:brief/on_run_start")).toMatchObject({
      definition: null,
      results: [{ calls: 1 }],
    });
    await coordinator.admin.delete(`/sessions/${run.session_id}`);
    expect(await find("inline:brief/on_run_start")).toBeUndefined();
    const { run_id } = await coordinator.start("plain", {});
    const { session_id } = await coordinator.ended(run_id);
    expect(counts(await find("runner:tidy"))).toEqual({ changed: [3, 3] });
    await coordinator.admin.delete(`/sessions/${session_id}`);
    expect(counts(await find("runner:tidy"))).toEqual({ changed: [2, 2] });
  });

  test("say what they would have done where they are not enforced, and that leads to its runs", async () => {
    const tried = { ...judge, enforce: false };
    await coordinator.admin.put("/hooks/tried", tried);
    await coordinator.save(
      { ...program, name: "trying", hooks: { on_run_start: { $ref: "tried" } } },
      { ...program, name: "own-trying", hooks: { on_run_start: tried } },
    );
    for (const decision of ["bad", "bad", "good"])
      await coordinator.ended((await coordinator.start("trying", { decision })).run_id);
    await coordinator.ended((await coordinator.start("own-trying", { decision: "unsure" })).run_id);
    expect(counts(await find("named:tried"))).toEqual({ passed: [3, 3], would_block: [2, 2] });
    expect(counts(await find("inline:own-trying/on_run_start"))).toEqual({
      passed: [1, 1],
      would_ask: [1, 1],
    });
    const { body: count } = await coordinator.admin.get<RunCount>(
      "/runs/count?hook=named:tried&hook_outcome=would_block",
    );
    expect(count).toEqual({ count: 2, more: false });
    expect(counts(await find("named:tried", { to: "2020-01-01T00:00:00Z" }))).toEqual({});
  });

  test("count the questions that they asked, pending ones too, and these lead to their runs", async () => {
    await coordinator.admin.put("/hooks/four-eyes", judge);
    await coordinator.save(
      { ...program, name: "asker", hooks: { on_run_start: { $ref: "four-eyes" } } },
      { ...program, name: "own-asker", hooks: { on_run_start: judge } },
    );
    const start = async (agent: string) => (await coordinator.start(agent, { decision: "unsure" })).run_id;
    const own = await start("own-asker");
    const ids = [await start("asker"), await start("asker")];
    const questions = async () =>
      (await coordinator.admin.get<ApprovalsPage>("/approvals?state=pending")).body.approvals;
    await expect.poll(async () => (await questions()).length).toBe(3);
    expect(counts(await find("named:four-eyes"))).toEqual({ asked: [2, 2] });
    expect(counts(await find("inline:own-asker/on_run_start"))).toEqual({ asked: [1, 1] });
    const decided = (await questions()).find(({ run_id }) => run_id === ids[0]);
    await coordinator.admin.post(`/approvals/${decided?.approval_id}`, { decision: "approve" });
    await coordinator.ended(ids[0] ?? "");
    expect(counts(await find("named:four-eyes"))).toEqual({ passed: [1, 1], asked: [2, 2] });
    const found = async (query: object) => {
      const { runs } = await listRuns(database, runsQuery.parse(query));
      return runs.map(({ run_id }) => run_id);
    };
    const asked = { hook: "named:four-eyes", hook_outcome: "asked" };
    expect(await found(asked)).toEqual(ids.toReversed());
    expect(await found({ ...asked, search: "asker" })).toEqual(ids.toReversed());
    expect(await found({ ...asked, hook_outcome: "asked,passed", status: "preparing" })).toHaveLength(1);
    expect(await found({ hook: "inline:own-asker/on_run_start", hook_outcome: "asked" })).toEqual([own]);
    expect(await found({ ...asked, hook: "named:gate" })).toEqual([]);
    const { body: count } = await coordinator.admin.get<RunCount>(
      "/runs/count?hook=named:four-eyes&hook_outcome=asked",
    );
    expect(count).toEqual({ count: 2, more: false });
    expect(counts(await find("named:four-eyes", { to: "2020-01-01T00:00:00Z" }))).toEqual({});
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(counts(await find("named:four-eyes", { from: later }))).toEqual({});
  });

  test("hide the values of headers from those who may not define hooks", async () => {
    const headers = { authorization: "Bearer secret-of-use" };
    await coordinator.admin.put("/hooks/remote", {
      type: "http",
      url: "https://example.com/",
      headers,
      on_error: "block",
    });
    const viewer = await coordinator.client("viewer");
    expect(JSON.stringify((await viewer.get("/hooks-in-use")).body)).not.toContain("secret-of-use");
    expect(JSON.stringify((await coordinator.admin.get("/hooks-in-use")).body)).toContain("secret-of-use");
  });

  test.each([
    "hook=gate",
    "hook=inline:deploy",
    "hook=inline:a/b/c",
    "hook=runner:",
    "hook_outcome=blocked",
    "hook=named:gate&hook_outcome=danced",
  ])("are refused as a filter: %s", async (filter) => {
    expect((await coordinator.admin.get(`/runs?${filter}`)).body).toMatchObject({
      code: "bad_request",
      field: expect.stringMatching(/^hook(?:_outcome.*)?$/),
    });
  });

  test("are counted up to ten thousand calls, and no number is named as exact beyond", async () => {
    await database.run({
      name: "",
      text: `INSERT INTO runner_hook_results (run_id, hook, event, outcome, agent_name, run_created_at, count)
        SELECT 'run_many_' || n, 'busy', 'before_tool', 'blocked', 'plain', now() - n * interval '1 second', 2
        FROM generate_series(1, 10001) AS n`,
    });
    const [busy] = (await find("runner:busy"))?.results ?? [];
    expect(busy).toMatchObject({ outcome: "blocked", runs: 10_000, more: true });
  });
});
