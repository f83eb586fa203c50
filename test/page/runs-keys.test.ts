import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeRuns } from "./runs-stored.ts";
import { TestDashboard } from "./test-dashboard.ts";

const WIDE = { width: 1440, height: 900 } as const;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.program({ name: "first" }, "");
  await fleet.program({ name: "second" }, "");
  await storeRuns(dashboard, 300);
});
afterAll(() => dashboard?.close());

const link = (page: Page, n: number) => page.locator(`tbody tr[data-index="${n}"] a`).first();
const hasFocus = (page: Page, n: number) => link(page, n).and(page.locator(":focus")).waitFor();

test("the arrow keys enter the list of runs, from nowhere and from the search, and Enter opens the row", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE });
  await link(page, 0).waitFor();
  await page.keyboard.press("ArrowDown");
  await hasFocus(page, 0);
  await page.keyboard.press("ArrowDown");
  await hasFocus(page, 1);
  await page.keyboard.press("/");
  await page.getByRole("searchbox", { name: "Search runs" }).and(page.locator(":focus")).waitFor();
  // The row that had the focus last.
  await page.keyboard.press("ArrowDown");
  await hasFocus(page, 1);
  const href = await link(page, 1).getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${href}`);
});

test("Tab stops at one row only, also after scrolling", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE });
  await link(page, 0).waitFor();
  const stops = () => page.locator("tbody a[tabindex='0']").count();
  await expect.poll(stops).toBe(1);
  await link(page, 0).focus();
  await page.keyboard.press("Tab");
  expect(await page.locator("tbody :focus").count()).toBe(0);
  await page.evaluate("window.scrollTo(0, 4000)");
  await page.locator('tbody tr[data-index="100"]').waitFor();
  await expect.poll(stops).toBe(1);
});

test("after Back the focus is at the row that was opened, by keyboard and by mouse, and where the list was", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE });
  await link(page, 0).waitFor();
  await page.evaluate("window.scrollTo(0, 3000)");
  await link(page, 80).waitFor();
  for (const open of [
    async () => {
      await link(page, 80).focus();
      await page.keyboard.press("Enter");
    },
    () => link(page, 80).click(),
  ]) {
    await open();
    await page.getByRole("heading", { level: 1, name: "Run of quick" }).waitFor();
    await page.goBack();
    await hasFocus(page, 80);
    await expect.poll(() => page.evaluate("window.scrollY")).toBeGreaterThan(2_000);
  }
  await page.keyboard.press("ArrowDown");
  await hasFocus(page, 81);
});

test("the arrow keys move in other lists, and Back returns to their row", async () => {
  const page = await dashboard.open("/agents", { viewport: WIDE });
  const agent = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
  await agent("first").waitFor();
  await page.keyboard.press("ArrowDown");
  await agent("first").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  await agent("second").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/agents/second");
  await page.getByRole("heading", { level: 1, name: "second" }).waitFor();
  await page.goBack();
  await agent("second").and(page.locator(":focus")).waitFor();
});

test("ids are written in the monospaced font, in which 0x0 is not a multiplication sign", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE });
  await link(page, 0)
    .getByText(/^run_…/)
    .waitFor();
  const font = await page.evaluate<string>(
    `getComputedStyle(document.querySelector("tbody tr a span:last-child")).fontFamily`,
  );
  expect(font).toContain("JetBrains Mono");
});
