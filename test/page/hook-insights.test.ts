import type { AgentRecord, NamedHook } from "@tenterhook/protocol/runs";
import { ApiClient, INSIGHT_CHECKS, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

/** Names as people, tools and generators write them. */
const ODD_NAMES = ["team/größe & <b>'no' push</b> 🪝?#%2F", `long-${"very-".repeat(80)}name`] as const;

/** As runners and the coordinator store it. */
const shortName = (name: string) => (name.length <= 200 ? name : `${name.slice(0, 199)}…`);

const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;
let dashboard: TestDashboard;
let stop: () => Promise<void>;
let runs: readonly string[];

beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  const program = { type: "procedural" as const, command: ["cat"] };
  for (const name of ["judge", "plain", "other"]) await fleet.put({ ...program, name });
  await fleet.demand("PUT", "/hooks/gate", { ...judge, enforce: false });
  await fleet.demand("PUT", "/hooks/idle", judge);
  await fleet.put({ ...program, name: "deploy", hooks: { on_run_start: { $ref: "gate" } } });
  await fleet.put({ ...program, name: "report", hooks: { on_run_start: { ...judge, enforce: false } } });
  const runner = await TestRunner.register(new ApiClient(fleet.served.url, fleet.served.token), {
    concurrency: 4,
  });
  stop = runner.work(async (run) => {
    if (run.agent_name === "judge") {
      return JSON.stringify(run.parameters).includes("forbidden")
        ? { result_data: { action: "block", block_reason: "this is forbidden" } }
        : { result_data: { action: "continue" } };
    }
    await runner.report(run, "started");
    const { events } = run.parameters as { readonly events?: readonly object[] };
    if (events !== undefined) await runner.report(run, "events", { first: 1, events });
    return {};
  });
  const started = [];
  for (const [agent, parameters] of STARTS) started.push(await fleet.run(agent, parameters));
  runs = started.map(({ run_id }) => run_id);
  await untilFolded();
}, 120_000);
afterAll(async () => {
  await stop();
  await dashboard.close();
});

const query = <R>(text: string) => dashboard.fleet.served.coordinator.database.run<R>({ name: "", text });

async function untilFolded(): Promise<void> {
  const [, text = ""] = INSIGHT_CHECKS[0] ?? [];
  await vi.waitFor(async () => expect(await query(text)).toEqual([]), { timeout: 60_000, interval: 100 });
}

function tally(hook: string, outcome: string, count: number, tool = "Shell", bucket = 4) {
  const durations = [...Array.from({ length: bucket }, () => 0), count];
  return { hook, event: "before_tool", tool, outcome, count, duration_ms: 2 * count, durations };
}
const tallies = (...rows: readonly object[]) => ({ event_type: "hook_tallies", data: { tallies: rows } });
const acted = (hook: string, more: object) => ({
  event_type: "hook_acted",
  data: { event: "before_tool", hook, action: "refuse", tallied: true, ...more },
});

/** What runs report: known numbers of every decision. */
const GUARDED = [
  tallies(tally("guard", "passed", 40), tally("guard", "passed", 7, "Read"), tally("guard", "blocked", 3)),
  acted("guard", { reason: "no rm" }),
  acted("guard", { reason: "no rm" }),
  acted("guard", { reason: "no curl" }),
  tallies(tally("trial", "passed", 12), tally("trial", "would_block", 2), tally("trial", "would_change", 1)),
  acted("trial", { action: "go_on", reason: "no force", not_enforced: "would_block" }),
  acted("trial", { action: "go_on", reason: "no force", not_enforced: "would_block" }),
  acted("trial", { action: "go_on", changed: ["toolInput"], not_enforced: "would_change" }),
  tallies(tally("broken", "failed", 2), tally("broken", "passed", 8)),
  acted("broken", { action: "go_on", failed: true, reason: "exited with 7" }),
  acted("broken", { action: "go_on", failed: true, reason: "exited with 7" }),
  tallies(tally("sleepy", "passed", 30, "Shell", 14)),
  tallies(tally("shaky", "passed", 3), tally("shaky", "would_block", 1), tally("shaky", "failed", 2)),
  tallies(tally("dead", "failed", 3)),
  tallies(tally("invented", "passed", 1, "Read\u{202e}txt.exe")),
  ...ODD_NAMES.flatMap((name) => [
    tallies(tally(shortName(name), "passed", 1)),
    acted(name, { action: "go_on", tallied: undefined, reason: "odd", not_enforced: "would_block" }),
  ]),
];

const STARTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["plain", { events: GUARDED }],
  ["other", { events: GUARDED.slice(0, 4) }],
  ["deploy", { topic: "forbidden" }],
  ["deploy", { topic: "forbidden" }],
  ["deploy", { topic: "fine" }],
  ["report", { topic: "forbidden" }],
];

const address = (hook: string) => `/hook?${new URLSearchParams({ hook })}`;

test("the numbers of a hook are those of its events, and each leads to its runs in the same time", async () => {
  const counted = await query<{ outcome: string; count: number }>(
    `SELECT tally->>'outcome' AS outcome, sum((tally->>'count')::int)::int AS count
     FROM events, jsonb_array_elements(data->'tallies') AS tally
     WHERE type = 'hook_tallies' AND tally->>'hook' = 'guard' GROUP BY 1`,
  );
  const count = (outcome: string) => counted.find((row) => row.outcome === outcome)?.count ?? 0;
  expect([count("passed"), count("blocked")]).toEqual([94, 6]);
  const page = await dashboard.open(address("runner:guard"));
  await page.getByRole("heading", { name: "guard", level: 1 }).waitFor();
  const numbers = page.getByLabel("Numbers of the hook");
  const link = async (name: string) =>
    new URL((await numbers.getByRole("link", { name }).getAttribute("href")) ?? "", page.url()).searchParams;
  expect(Object.fromEntries(await link(`${count("passed") + count("blocked")} calls: runs`))).toMatchObject({
    hook: "runner:guard",
    decision: expect.stringMatching(/passed/),
  });
  const blocked = await link(`${count("blocked")} blocked: runs`);
  expect(Object.fromEntries(blocked)).toMatchObject({ hook: "runner:guard", decision: "blocked" });
  const week = Date.parse(blocked.get("to") ?? "") - Date.parse(blocked.get("from") ?? "");
  expect(Math.round(week / 86_400_000)).toBe(7);
  await link(`${count("passed")} passed: runs`);
  await expect.poll(() => numbers.textContent()).toMatch(/p50 \(estimate\).*p95 \(estimate\)/);
  for (const percentile of ["p50 (estimate): runs", "p95 (estimate): runs"])
    expect((await link(percentile)).get("hook")).toBe("runner:guard");
  // Each of its calls was reported with two milliseconds.
  await page
    .getByText(
      /^100 measured calls took 200 ms together: .+ % of the time of the runs of its agents \(an estimate\)\.$/,
    )
    .waitFor();
  const legend = page.getByRole("region", { name: "Decisions by tool" }).getByLabel("Legend");
  await legend.getByRole("link", { name: "94 passed in all: runs" }).waitFor();

  const panel = (title: string) => page.getByRole("region", { name: title, exact: true });
  const cells = (title: string) => panel(title).getByRole("table").locator("tbody tr").allTextContents();
  for (const title of ["Decisions by agent", "Decisions by tool", "Decisions over time"])
    await panel(title).getByRole("button", { name: "Show as a table" }).click();
  await expect.poll(() => cells("Decisions by agent")).toEqual(["other473", "plain473"]);
  await expect.poll(() => cells("Decisions by tool")).toEqual(["Shell806", "Read140"]);
  await expect.poll(async () => (await cells("Decisions over time")).join()).toMatch(/946$/);
  const reasons = panel("Most frequent reasons");
  await expect.poll(() => reasons.getByRole("listitem").count()).toBe(2);
  await expect.poll(() => reasons.getByRole("listitem").first().textContent()).toMatch(/^no rm4 blocked at/);
  for (const id of [runs[0], runs[1]]) await reasons.locator(`a[href="/runs/${id}"]`).first().waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await numbers.getByRole("link", { name: `${count("blocked")} blocked: runs` }).click();
  await page.getByText("2 runs", { exact: false }).first().waitFor();
  for (const id of [runs[0], runs[1]]) await page.locator(`a[href="/runs/${id}"]`).first().waitFor();
  expect(await page.locator(`a[href="/runs/${runs[2]}"]`).count()).toBe(0);
});

test("a hook of a runner that is not enforced says what it would have done, and the command that enforces it", async () => {
  const page = await dashboard.open(address("runner:trial"));
  const notice = page.getByRole("note").filter({ hasText: "Not enforced" });
  await expect
    .poll(() => notice.textContent())
    .toContain("In the last week this would have blocked 2 and changed 1 of 15 calls");
  await notice.getByText("tenterhook enforce trial", { exact: true }).waitFor();
  const reasons = page.getByRole("region", { name: "Most frequent reasons" });
  await reasons.getByText("no force", { exact: true }).waitFor();
  await reasons.getByText("2 would have blocked").waitFor();
  await reasons.getByText("changes toolInput").waitFor();
  await page.getByText(/^hour$/i).click();
  await notice.getByText("In the last hour this would have", { exact: false }).waitFor();
  expect(new URL(page.url()).searchParams.get("range")).toBe("hour");
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("what a hook that is not enforced failed in is not said to be nothing", async () => {
  const page = await dashboard.open(address("runner:shaky"));
  await expect
    .poll(() => page.getByRole("note").filter({ hasText: "Not enforced" }).textContent())
    .toContain("In the last week this would have blocked 1 of 6 calls, and it failed in 2 of them.");
});

test("numbers keep the name of their period until those of another are here", async () => {
  const page = await dashboard.open(address("runner:trial"));
  const notice = page.getByRole("note").filter({ hasText: "Not enforced" });
  await notice.getByText("In the last week this would have", { exact: false }).waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/insights\?.*range=hour/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByText(/^hour$/i).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("range")).toBe("hour");
  expect(await notice.textContent()).toContain("In the last week this would have");
  await page.getByText("Compared with the week before.", { exact: false }).waitFor();
  release();
  await notice.getByText("In the last hour this would have", { exact: false }).waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

test("a name of a tool cannot turn the direction of its text", async () => {
  const page = await dashboard.open(address("runner:invented"));
  const panel = page.getByRole("region", { name: "Decisions by tool", exact: true });
  await panel.getByRole("button", { name: "Show as a table" }).click();
  await panel.getByRole("rowheader", { name: "Read\\u{202e}txt.exe" }).waitFor();
  expect(await panel.textContent()).not.toContain("\u{202e}");
});

test("the columns of a week are seen on a phone, and counts have no fractions on an axis", async () => {
  const page = await dashboard.open(address("runner:guard"), { viewport: PHONE });
  const bars = page
    .getByRole("region", { name: "Decisions over time" })
    .locator(".recharts-bar-rectangle path");
  await bars.first().waitFor({ state: "attached" });
  const seen = await bars.evaluateAll((paths) =>
    paths.map((path) => {
      const { width, height } = path.getBoundingClientRect();
      return { height, colored: width - Number.parseFloat(getComputedStyle(path).strokeWidth) };
    }),
  );
  const drawn = seen.filter(({ height }) => height > 0);
  expect(drawn.length).toBeGreaterThan(0);
  for (const { colored } of drawn) expect(colored).toBeGreaterThan(0.5);
  await page.goto(dashboard.url + address("runner:dead"));
  const ticks = page
    .getByRole("region", { name: "Decisions by agent" })
    .locator(".recharts-cartesian-axis-tick-value");
  await ticks.getByText("plain").waitFor();
  const texts = (await ticks.allTextContents()).filter((text) => text !== "plain");
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(text).toMatch(/^\d+$/);
});

test("a named hook is enforced with one click beside what it would have blocked", async () => {
  const viewer = await dashboard.open("/hooks/gate", { scope: "viewer" });
  await viewer.getByText("An administrator can enforce it.").waitFor();
  expect(await viewer.getByRole("button", { name: "Enforce hook" }).count()).toBe(0);
  const page = await dashboard.open("/hooks/gate");
  const notice = page.getByRole("note").filter({ hasText: "Not enforced" });
  await expect
    .poll(() => notice.textContent())
    .toContain("In the last week this would have blocked 2 of 3 calls");
  await notice.getByRole("link", { name: "2 calls that it would have blocked: runs" }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await notice.getByRole("button", { name: "Enforce hook" }).dblclick();
  await notice.waitFor({ state: "detached" });
  const { definition, revision } = await dashboard.fleet.demand<NamedHook>("GET", "/hooks/gate");
  expect([definition.enforce, revision]).toEqual([undefined, 2]);
});

test("a hook of a blueprint has a page, and is enforced in its agent", async () => {
  const page = await dashboard.open(address("inline:report/on_run_start"));
  await page.getByRole("heading", { name: "on_run_start of report", level: 1 }).waitFor();
  const notice = page.getByRole("note").filter({ hasText: "Not enforced" });
  await expect.poll(() => notice.textContent()).toContain("this would have blocked 1 of 1 call.");
  await page.getByRole("region", { name: "Most frequent reasons" }).getByText("this is forbidden").waitFor();
  await notice.getByRole("button", { name: "Enforce hook" }).click();
  await notice.waitFor({ state: "detached" });
  const { blueprint } = await dashboard.fleet.demand<AgentRecord>("GET", "/agents/report");
  expect(blueprint.hooks.on_run_start).toEqual({ ...judge, agent_name: "judge" });
});

test("sentences say that a hook never fired, fails, is slow or always passes", async () => {
  const page = await dashboard.open("/hooks/idle");
  await page.getByText("No run called it in the last week.", { exact: false }).waitFor();
  for (const [hook, sentence] of [
    ["runner:unheard-of", "No runner reported a call of it in the last week."],
    ["runner:broken", "2 of 10 calls failed in the last week (20 %)."],
    ["runner:sleepy", "All 30 calls passed in the last week"],
    ["runner:sleepy", "One call in twenty took 4.9 s or longer in the last week (an estimate)."],
  ] as const) {
    await page.goto(dashboard.url + address(hook));
    await page.getByText(sentence, { exact: false }).waitFor();
  }
  await page.goto(dashboard.url + address("nothing"));
  await page.getByRole("heading", { name: "Hook not found" }).waitFor();
});

test.each(ODD_NAMES)(
  "a hook with an odd name is listed, and its page opens on a desktop and a phone: %s",
  async (name) => {
    const shown = shortName(name);
    for (const viewport of [undefined, PHONE]) {
      const page = await dashboard.open("/hooks", viewport === undefined ? {} : { viewport });
      await page.getByRole("link", { name: shown, exact: true }).click();
      await page.getByRole("heading", { name: shown, level: 1, exact: true }).waitFor();
      await page.getByText("blocked 1 of 2 calls", { exact: false }).waitFor();
      expect(new URL(page.url()).searchParams.get("hook")).toBe(`runner:${shown}`);
      expect(await findingsAtBothWidths(page)).toEqual([]);
    }
  },
);

test("Live and a run's decisions lead to the page of a hook", async () => {
  const page = await dashboard.open(`/runs/${runs[3]}?tab=hooks`);
  await page.getByRole("link", { name: "Insights of the hook" }).first().click();
  await page.getByRole("heading", { name: "gate", level: 1 }).waitFor();
  // Only this run, which has ended: rows that arrive would move the one that is clicked.
  const { run_id } = await dashboard.fleet.run("other", { events: GUARDED.slice(0, 2) });
  const live = await dashboard.open(`/live?about=${run_id}`);
  await live.getByRole("button", { name: /^run_completed/ }).waitFor();
  await live.getByRole("button", { name: /^hook_acted: before_tool guard/ }).click();
  await live.getByRole("link", { name: "guard", exact: true }).click();
  await live.getByRole("heading", { name: "guard", level: 1 }).waitFor();
});
