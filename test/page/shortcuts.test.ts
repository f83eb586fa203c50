import { text as textOf } from "node:stream/consumers";
import type { Run } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { saveSampleAgents } from "./sample-agents.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { watchCopies } from "./watch-copies.ts";
import { watchText } from "./watch-text.ts";

const WIDE = { width: 1440, height: 900 } as const;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  await saveSampleAgents(dashboard);
});
afterAll(() => dashboard.close());

const isFocused = (page: Page, name: string) =>
  page.getByRole("searchbox", { name }).and(page.locator(":focus")).count();

test("/ focuses the search of the page and can be typed there; ? lists the keys", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE });
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await page.keyboard.press("/");
  await expect.poll(() => isFocused(page, "Search runs")).toBe(1);
  await page.keyboard.type("a/b?");
  await expect.poll(() => page.getByRole("searchbox", { name: "Search runs" }).inputValue()).toBe("a/b?");
  await page.getByRole("heading", { name: "Runs", level: 1 }).click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByText("Jump to a page, an agent, a hook or a run").waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
});

test.each(["light", "dark"] as const)(
  "Ctrl-K jumps to an agent, a hook, a page and a run, in %s",
  async (colorScheme) => {
    const { run_id } = await dashboard.fleet.run("quick");
    const page = await dashboard.open("/runners", {
      colorScheme,
      viewport: colorScheme === "light" ? WIDE : PHONE,
    });
    await page.getByRole("heading", { name: "Runners", level: 1 }).waitFor();
    const field = page.getByRole("combobox", { name: "Jump to" });
    const find = async (text: string, result: RegExp) => {
      await page.keyboard.press("Control+k");
      await field.fill(text);
      await page.getByRole("option", { name: result, selected: true }).waitFor();
    };
    const jumpTo = async (address: string) => {
      await page.keyboard.press("Enter");
      await page.waitForURL(address);
      await field.waitFor({ state: "detached" });
    };
    await find("curf", /curfew hook/);
    const complaints = (await axeFindings(page)).filter((complaint) => !complaint.startsWith("landmark-"));
    expect(complaints).toEqual([]);
    await jumpTo("**/hooks/curfew");
    await find("quick", /quick agent/);
    await jumpTo("**/agents/quick");
    await find("live", /Live page/);
    await jumpTo("**/live");
    await find(run_id, new RegExp(`quick ${run_id}, completed`));
    await jumpTo(`**/runs/${run_id}`);
  },
);

test("selected runs are retried and stopped together", async () => {
  const { fleet } = dashboard;
  const ended = [await fleet.run("quick", { n: 1 }), await fleet.run("quick", { n: 2 })];
  const queued = await fleet.run("waiting", {}, { execution_mode: "async_poll" });
  const page = await dashboard.open("/runs", { viewport: WIDE });
  const box = (id: string) => page.locator(`tr[data-run="${id}"]`).getByRole("checkbox");
  for (const { run_id } of [...ended, queued]) await box(run_id).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByText("3 runs selected").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const retried = await watchText(page, "Retried 2 runs");
  await bar.getByRole("button", { name: "Retry 2" }).click();
  await retried();
  await bar.waitFor({ state: "hidden" });
  await box(queued.run_id).check();
  await bar.getByRole("button", { name: "Stop 1" }).click();
  const requested = await watchText(page, "Stop requested for 1 run");
  await page.getByRole("dialog").getByRole("button", { name: "Stop 1 run" }).click();
  await requested();
  await expect
    .poll(async () => (await fleet.demand<Run>("GET", `/runs/${queued.run_id}`)).status)
    .toBe("stopped");
  const viewer = await dashboard.open("/runs", { scope: "viewer" });
  await viewer.locator("tbody tr").first().waitFor();
  expect(await viewer.getByRole("checkbox").count()).toBe(0);
});

test("the filtered list is shared by its address, as CSV and as JSON, and times have a zone", async () => {
  await dashboard.fleet.answer({ name: "listed" }, {});
  const rows = 2;
  for (let n = 0; n < rows; n++) await dashboard.fleet.run("listed");
  const page = await dashboard.open("/runs?agent=listed&status=completed", { viewport: WIDE });
  await expect.poll(() => page.locator("tbody tr").count()).toBe(rows);
  const copied = await watchCopies(page);
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  const saysSo = await watchText(page, "Address copied");
  await choose("Copy the address with its filters");
  expect(await copied()).toBe(page.url());
  await saysSo();
  // A page without TLS has no such function.
  await page.evaluate("navigator.clipboard.writeText('other')");
  await page.evaluate("delete navigator.clipboard.writeText; delete Clipboard.prototype.writeText");
  // Again, when another test file has copied something meanwhile.
  await expect
    .poll(async () => {
      await choose("Copy the address with its filters");
      await page.getByRole("menuitem").first().waitFor({ state: "hidden" });
      return page.evaluate("navigator.clipboard.readText()");
    })
    .toBe(page.url());
  for (const [name, file] of [
    ["Download as CSV", "runs.csv"],
    ["Download as JSON", "runs.json"],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), choose(name)]);
    expect(download.suggestedFilename()).toBe(file);
    const saved = await textOf(await download.createReadStream());
    if (file === "runs.json") expect(JSON.parse(saved)).toHaveLength(rows);
    else expect(saved.trim().split("\r\n")).toHaveLength(rows + 1);
  }
  await expect
    .poll(() => page.locator("tbody time").first().getAttribute("title"))
    .toMatch(/UTC|GMT|[A-Z]{3,4}$/);
});

/** Stands in for the notifications of the system, which a browser without a screen does not show. */
const RECORDER = `
  window.shown = [];
  window.Notification = class {
    static permission = "default";
    static requestPermission() { this.permission = "granted"; return Promise.resolve("granted"); }
    constructor(title, { body }) { window.shown.push(title + ": " + body); }
  };
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });`;

test("the user is notified of approvals only after asking for it", async () => {
  const page = await dashboard.open("/agents", { viewport: WIDE });
  await page.addInitScript(RECORDER);
  await page.reload();
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("menuitem", { name: "Notify me of questions" }).click();
  const stop = page.getByRole("menuitem", { name: "Stop notifying me of questions" });
  await stop.waitFor();
  await dashboard.fleet.run("asking", {}, { execution_mode: "async_poll" });
  await expect.poll(() => page.evaluate("window.shown")).toEqual(["Approval required: may I?"]);
  await stop.click();
  await page.getByRole("menuitem", { name: "Notify me of questions" }).waitFor();
});
