import type { Insights } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { CountedDashboard, PRICES } from "./counted-dashboard.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let counted: CountedDashboard;
let dashboard: TestDashboard;
beforeAll(async () => {
  counted = await CountedDashboard.open();
  dashboard = counted.dashboard;
  await counted.fill();
});
afterAll(() => counted.close());

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The sums of the columns of the table behind a chart. */
async function tableSums(page: Page, title: string): Promise<Record<string, number>> {
  const panel = region(page, title);
  const opener = panel.getByRole("button", { name: "Show as a table" });
  await opener.waitFor();
  if ((await opener.getAttribute("aria-expanded")) === "false") await opener.click();
  const table = panel.getByRole("table", { name: title });
  await table.waitFor();
  const texts = await table.getByRole("row").allInnerTexts();
  const [heads = [], ...rows] = texts.map((text) => text.split("\t").map((cell) => cell.trim()));
  const number = (text = "") =>
    Number(text.replace(/[^0-9.]/g, "")) * ({ K: 1e3, M: 1e6 }[text.at(-1) ?? ""] ?? 1);
  return Object.fromEntries(
    heads
      .slice(1)
      .map((head, column) => [head, rows.reduce((sum, cells) => sum + number(cells[column + 1]), 0)]),
  );
}

/** Milliseconds of `12 ms`, `4.9 s` or `2 min 3 s`. */
function readDuration(text: string): number {
  const units = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };
  return [...text.matchAll(/([\d.,]+) (ms|s|min|h)/g)].reduce(
    (sum, [, number = "", unit]) => sum + Number(number.replace(",", "")) * units[unit as keyof typeof units],
    0,
  );
}

/** Durations are shown in milliseconds, tenths of seconds, or seconds. */
function roundingMs(ms: number): number {
  if (ms < 1_000) return 1;
  return ms < 60_000 ? 100 : 1_000;
}

/** Calls of hooks by outcome, counted from the events. */
async function countDecisions(): Promise<Record<string, number>> {
  const rows = await counted.query<{ outcome: string; count: number }>(`
    SELECT outcome, sum(count)::int AS count FROM (
      SELECT tally->>'outcome' AS outcome, (tally->>'count')::int AS count
      FROM events, jsonb_array_elements(data->'tallies') AS tally WHERE type = 'hook_tallies'
      UNION ALL
      SELECT CASE WHEN type = 'hook_failed' THEN 'failed' WHEN data->>'action' = 'block' THEN 'blocked'
        WHEN data ? 'changed' THEN 'changed' ELSE 'passed' END, 1
      FROM events WHERE type IN ('hook_complete', 'hook_failed')) AS calls
    GROUP BY outcome`);
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

/** Tokens of all steps, and the cost of those that have a price, counted from the events. */
async function countUsage(): Promise<{ input: number; output: number; cost: number }> {
  const rows = await counted.query<{ model: string; input: number; output: number }>(`
    SELECT data->'usage'->>'model' AS model, sum((data->'usage'->>'input_tokens')::int)::int AS input,
      sum((data->'usage'->>'output_tokens')::int)::int AS output
    FROM events WHERE type = 'step_end' GROUP BY 1`);
  const costs = rows.map(({ model, input, output }) => {
    const price = Object.entries(PRICES.models).find(([name]) => name === model)?.[1];
    return price === undefined ? 0 : (input * price.input + output * price.output) / 1e6;
  });
  const add = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  return {
    ...{ input: add(rows.map(({ input }) => input)), output: add(rows.map(({ output }) => output)) },
    cost: add(costs),
  };
}

async function countRuns(): Promise<Record<string, number>> {
  const rows = await counted.query<{ type: string; count: number }>(
    "SELECT type, count(*)::int AS count FROM events WHERE type LIKE 'run!_%' ESCAPE '!' GROUP BY type",
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

test("is the first page, names period and time zone, and every chart has the numbers of the events", async () => {
  const page = await dashboard.open();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/overview");
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await expect.poll(() => links.first().textContent()).toBe("Overview");
  const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
  await page.getByText(`time zone ${zone}`).waitFor();
  await page.getByText("Compared with the day before.").waitFor();

  const runs = await countRuns();
  expect(await tableSums(page, "Runs")).toEqual({
    Completed: runs.run_completed,
    Failed: runs.run_failed,
  });
  const decisions = await countDecisions();
  expect(decisions).toEqual({
    passed: 25,
    blocked: 5,
    kept_running: 2,
    would_block: 6,
    changed: 1,
    failed: 1,
  });
  expect(await tableSums(page, "Decisions of hooks")).toEqual({
    ...{ Passed: 25, Changed: 1, Blocked: 7, Failed: 1, "Would have acted": 6 },
  });
  const used = await countUsage();
  expect(used).toEqual({ input: 2_001_000, output: 200_100, cost: 9 });
  // By agent they are shown in millions and thousands.
  expect(await tableSums(page, "Tokens by agent")).toEqual({
    "Input tokens": expect.closeTo(used.input, -4),
    "Output tokens": expect.closeTo(used.output, -3),
  });
  expect(await tableSums(page, "Cost by agent")).toEqual({ Cost: used.cost });
  await page.getByRole("radiogroup", { name: "Tokens and cost by" }).getByText("Model").click();
  expect(await tableSums(page, "Tokens by model")).toEqual({
    "Input tokens": used.input,
    "Output tokens": used.output,
  });
  await page.getByText("2 of 4 steps called models without a price").waitFor();
  expect(await tableSums(page, "Cost by model")).toEqual({ Cost: used.cost });
  const busy = region(page, "Use of runners");
  await busy.getByRole("button", { name: "Show as a table" }).click();
  await busy.getByRole("rowheader", { name: "builder" }).waitFor();
  // Times, the use of runners and what hooks took depend on the machine: they are compared with the events in the store.
  expect(await counted.problems()).toEqual([]);
  const { current, runners } = await dashboard.fleet.demand<Insights>("GET", "/insights?range=day");
  expect(runners.map(({ runner, attempts }) => [runner, attempts])).toEqual([["builder", runs.run_started]]);
  expect(runners[0]?.busy_ms).toBe(current.busy_ms);
  expect([current.time_to_start.count, current.duration.count]).toEqual([runs.run_started, runs.run_started]);
  const times = region(page, "Waiting and duration");
  for (const [label, ms] of [
    ["time to start, p50", current.time_to_start.p50_ms],
    ["time to start, p95", current.time_to_start.p95_ms],
    ["duration, p50", current.duration.p50_ms],
    ["duration, p95", current.duration.p95_ms],
  ] as const) {
    const shown = await times.getByRole("link", { name: `${label}: runs` }).textContent();
    const difference = Math.abs(readDuration(shown ?? "") - (ms ?? 0));
    expect(difference, `${label} is shown as ${shown}`).toBeLessThanOrEqual(roundingMs(ms ?? 0));
  }
  await busy.getByRole("link", { name: "time of execution: runs" }).waitFor();
});

test("sums in legends, percentiles and outcomes of a group lead to their runs, too", async () => {
  const page = await dashboard.open("/overview");
  const counts = await countRuns();
  const search = async (title: string, name: string | RegExp) => {
    const link = region(page, title).getByRole("link", { name });
    const address = new URL((await link.first().getAttribute("href")) ?? "", page.url()).searchParams;
    return Object.fromEntries([...address].filter(([key]) => key !== "from" && key !== "to"));
  };
  const all = { serving: "true" };
  expect(await search("Runs", `${counts.run_failed} failed in all: runs`)).toEqual({
    ...{ ...all, time: "ended", status: "failed" },
  });
  expect(await search("Decisions of hooks", "25 passed in all: runs")).toEqual({
    ...{ ...all, time: "active", decision: "passed" },
  });
  expect(await search("Decisions of hooks", "2 kept running alone: runs")).toEqual({
    ...{ ...all, time: "active", decision: "kept_running" },
  });
  expect(await search("Tokens by agent", /input tokens in all: runs/)).toEqual({
    ...{ ...all, time: "active", model: "*" },
  });
  expect(await search("Cost by agent", /cost in all: runs/)).toEqual({ ...all, time: "active", model: "*" });
  expect(await search("Use of runners", /time of execution in all: runs/)).toEqual({
    ...{ ...all, time: "active", executed_by: "*" },
  });
  expect(await search("Waiting and duration", /duration, p95, plain: runs/)).toEqual({
    ...{ ...all, time: "ended", agent: "plain" },
  });
  expect(await search("Waiting and duration", /time to start, p50, plain: runs/)).toEqual({
    ...{ ...all, time: "started", agent: "plain" },
  });
});

test("the axis names the time of each column", async () => {
  const page = await dashboard.open("/overview?range=day");
  const ticks = region(page, "Runs").locator(".recharts-cartesian-axis-tick-value", { hasText: ":" });
  // The chart is drawn to its width after the first rendering.
  await expect.poll(() => ticks.count()).toBeGreaterThan(3);
  const labels = await ticks.allTextContents();
  const { series } = await dashboard.fleet.demand<Insights>("GET", "/insights?range=day");
  const times = await page.evaluate(
    (steps) =>
      steps.map((since) =>
        new Date(since).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }),
      ),
    series.map(({ since }) => since),
  );
  expect(labels.length).toBeGreaterThan(3);
  expect(times.slice(-2)).toContain(labels.at(-1));
  // In the order of the day: the labels of a few columns are left out, evenly.
  const positions = labels.map((label) => times.indexOf(label));
  const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(1);
});

test("every number leads to the runs behind it, in the same time", async () => {
  const page = await dashboard.open("/overview");
  const runs = region(page, "Runs");
  const counts = await countRuns();
  const expected = [
    ["created", counts.run_created],
    ["completed", counts.run_completed],
    ["failed", counts.run_failed],
  ] as const;
  for (const [label, count = 0] of expected) {
    await runs.getByRole("link", { name: `${count} ${label}: runs` }).click();
    await page.waitForURL(/\/runs\?/);
    await page.getByText(`${count} runs`, { exact: true }).waitFor();
    await page.goBack();
  }
  const { since, until } = await dashboard.fleet.demand<{ since: string; until: string }>("GET", "/insights");
  const decisions = region(page, "Decisions of hooks");
  const outcomes = [
    ["25 passed", "25 calls of hooks: passed, in 3 runs.", "passed"],
    ["7 blocked", "7 calls of hooks: blocked, kept running, in 3 runs.", "blocked,kept_running"],
    ["6 would have acted", "6 calls of hooks: would have blocked, in 2 runs.", "would_block"],
    ["1 failed", "1 call of hooks: failed, in 1 run.", "failed"],
  ] as const;
  for (const [name, note, decision] of outcomes) {
    await decisions.getByRole("link", { name: `${name}: runs` }).click();
    await page.getByText(note).waitFor();
    const address = Object.fromEntries(new URL(page.url()).searchParams);
    expect(address.decision?.split(",").toSorted().join(",")).toBe(decision);
    expect(address).toMatchObject({ time: "active", serving: "true" });
    expect(Math.abs(Date.parse(address.from ?? "") - Date.parse(since))).toBeLessThanOrEqual(900_000);
    expect(Math.abs(Date.parse(address.to ?? "") - Date.parse(until))).toBeLessThanOrEqual(900_000);
    await page.goBack();
  }
  await page.getByRole("link", { name: "3 created, plain: runs" }).click();
  await page.getByText("3 runs", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Time: / }).waitFor();
});

test("a bar opens the runs of its time, and the filters of the list can be removed", async () => {
  const page = await dashboard.open("/overview?range=hour");
  // What needs a person is above the charts, and moves them when it is read.
  await region(page, "Needs you now").getByText("1 hook failed in the last day").waitFor();
  const chart = region(page, "Decisions of hooks").getByRole("img", {
    name: /^Decisions of hooks: 25 passed/,
  });
  await chart.locator(".recharts-bar-rectangle path").first().click();
  await page.waitForURL(/\/runs\?.*decision=/);
  const { from = "", to = "" } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(Date.parse(to) - Date.parse(from)).toBe(300_000);
  await page.getByText(/calls? of hooks: passed, in \d runs?\./).waitFor();
  await page.getByRole("button", { name: "Remove the filter Decided: passed" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("decision")).toBe(null);
});

test("runs of a model and of a runner are listed", async () => {
  const page = await dashboard.open("/overview");
  const tokens = region(page, "Tokens by agent");
  await tokens.getByRole("button", { name: "Show as a table" }).click();
  await tokens.getByRole("link", { name: /input tokens, plain: runs/ }).click();
  await page.getByText("2 runs", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove the filter Called a model" }).waitFor();
  await page.goBack();
  const runners = region(page, "Use of runners");
  await runners.getByRole("button", { name: "Show as a table" }).click();
  await runners.getByRole("link", { name: /time of execution, builder: runs/ }).click();
  const { run_started } = await countRuns();
  await page.getByText(`${run_started} runs`, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove the filter Executed by builder" }).waitFor();
});

test("the period is in the address, and chosen with the keyboard; so are the table and its links", async () => {
  const page = await dashboard.open("/overview?range=week");
  await page.getByText("Compared with the week before.").waitFor();
  await page.getByRole("radio", { name: "week" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("Compared with the month before.").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("range")).toBe("month");
  const panel = region(page, "Runs");
  await tabTo(page, panel.getByRole("button", { name: "Show as a table" }));
  await page.keyboard.press("Enter");
  await tabTo(page, panel.getByRole("table").getByRole("link").first());
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\?.*time=ended/);
});

test("is accessible and fits, with its tables open, in light and dark", async () => {
  const page = await dashboard.open("/overview");
  for (const title of ["Runs", "Decisions of hooks", "Tokens by agent", "Cost by agent", "Use of runners"])
    await tableSums(page, title);
  await page.locator(".recharts-surface").first().waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("says how many of the counted runs and decisions have been removed since", async () => {
  const page = await dashboard.open("/overview");
  const link = region(page, "Decisions of hooks").getByRole("link", { name: "6 would have acted: runs" });
  await link.waitFor();
  expect([await link.getAttribute("aria-label"), await link.getAttribute("title")]).toEqual([
    ...["6 would have acted: runs", null],
  ]);
  const { run_completed = 0 } = await countRuns();
  const [{ session_id } = {}] = await counted.query<{ session_id: string }>(
    "SELECT session_id FROM events WHERE type = 'hook_tallies' ORDER BY id LIMIT 1",
  );
  await dashboard.fleet.demand("DELETE", `/sessions/${session_id}`);
  await page.reload();
  await expect
    .poll(() => link.getAttribute("title"))
    .toBe("1 of the runs that ended in this time has been removed since.");
  const completed = region(page, "Runs").getByRole("link", { name: `${run_completed} completed: runs` });
  await expect
    .poll(() => completed.getAttribute("aria-label"))
    .toBe(`${run_completed} completed: runs. 1 of these runs has been removed since.`);
  await link.click();
  await page
    .getByText(
      "6 calls of hooks: would have blocked. 3 of them are in the runs below; 3 were in runs that have been removed since.",
    )
    .waitFor();
  await page.goBack();
  await completed.click();
  await page
    .getByText(`${run_completed} runs were counted in this time; 1 of them has been removed since.`)
    .waitFor();
});

test("shows what needs a person: approvals with their age, failing hooks, waiting runs and lost runners", async () => {
  const { fleet } = dashboard;
  const page = await dashboard.open("/overview", { viewport: PHONE });
  const needs = region(page, "Needs you now");
  await needs.getByText("1 hook failed in the last day").waitFor();
  await needs.getByText(/^curfew on on_run_start: 1 of 4 calls failed, mostly: .*ill/).waitFor();
  await fleet.put({ name: "elsewhere", type: "procedural", command: ["cat"], tags: ["no-such-runner"] });
  const { run_id } = await fleet.run("elsewhere", {}, { execution_mode: "async_poll" });
  // In hours, which this test does not take on any machine.
  await counted.query(`UPDATE runs SET created_at = created_at - interval '2 hours' WHERE id = '${run_id}'`);
  await counted.query(`
    INSERT INTO approvals (id, run_id, hook_type, asked_by, reason, subject, state, expires_at, created_at)
    VALUES ('apr_1', '${run_id}', 'on_run_start', 'four-eyes', 'deploy to moon', '{}', 'pending', now() + interval '1 day', now() - interval '3 hours')`);
  await TestRunner.register(new ApiClient(fleet.served.url, fleet.served.token), { name: "lost" });
  await counted.query(
    "UPDATE runners SET gone_at = now(), seen_at = now() - interval '10 hours' WHERE name = 'lost'",
  );
  await page.reload();
  await needs.getByText(/Asked 3 h ago by four-eyes in a run of elsewhere: deploy to moon/).waitFor();
  await needs.getByRole("link", { name: "1 run waits" }).waitFor();
  await needs.getByText(/of elsewhere, created 2 h ago: /).waitFor();
  await needs.getByText("1 runner stopped responding in the last day").waitFor();
  await needs.getByText(/^lost, last seen 10 h ago/).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  // One that was told to end is not lost, and a hook of a blueprint has the list of its runs.
  await counted.query("UPDATE runners SET left_at = gone_at WHERE name = 'lost'");
  const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;
  await fleet.put({ name: "inlined", type: "procedural", command: ["cat"], hooks: { on_run_start: judge } });
  await fleet.run("inlined", { topic: "crash" });
  await counted.untilCounted();
  await page.reload();
  await needs.getByText("2 hooks failed in the last day").waitFor();
  await needs.getByRole("link", { name: "1 of 1 call failed" }).click();
  await page.waitForURL(/\/runs\?/);
  const { hook, decision } = Object.fromEntries(new URL(page.url()).searchParams);
  expect([hook, decision]).toEqual(["inline:inlined/on_run_start", "failed"]);
  await page.getByText("1 run", { exact: true }).waitFor();
  await page.goBack();
  await needs.getByText("1 run waits").waitFor();
  expect(await needs.getByText("stopped responding").count()).toBe(0);
});

test("a new coordinator shows how to begin, and one with a run says that nothing needs a person", async () => {
  const empty = await TestDashboard.start();
  const page = await empty.open();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.getByRole("heading", { name: "No agents yet" }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await empty.fleet.runner();
  await empty.fleet.answer({ name: "quick" }, {});
  await empty.fleet.run("quick");
  await page.getByText(/^Nothing needs you: /).waitFor();
  await page.getByText("No hook was called in this time.").waitFor();
  await page.getByText("No model call reported tokens in this time.").waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

/** More than the focusable elements before the target. */
const MAX_TABS = 60;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press("Tab");
    if ((await target.and(page.locator(":focus")).count()) > 0) return;
  }
  throw new Error(`the tab key does not reach ${target}`);
}
