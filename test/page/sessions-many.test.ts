import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

const COUNT = 190;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await store(1, COUNT, "n * interval '1 minute'");
});
afterAll(() => dashboard?.close());

async function store(first: number, last: number, age: string): Promise<void> {
  await dashboard.fleet.served.coordinator.database.run({
    name: "",
    text: `INSERT INTO sessions (id, agent_name, kind, created_at, updated_at)
      SELECT 'ses_' || lpad(n::text, 20, '0'), 'agent ' || n, 'client', at, at
      FROM generate_series(${first}, ${last}) AS n, LATERAL (SELECT now() - ${age} AS at) AS time`,
  });
}

const list = (page: Page) => page.getByRole("list", { name: "Sessions", exact: true });
const session = (page: Page, n: number) =>
  page.locator(`a[href="/sessions/ses_${String(n).padStart(20, "0")}"]`);
const isFocused = async (page: Page, n: number) =>
  (await session(page, n).and(page.locator(":focus")).count()) === 1;

test("only the sessions near the viewport are rendered, and all can be scrolled to", async () => {
  const page = await dashboard.open("/sessions");
  await session(page, 1).waitFor();
  expect(await list(page).getByRole("listitem").count()).toBeLessThan(60);
  // Again, because the list becomes longer while its rows are measured.
  await expect
    .poll(async () => {
      await page.evaluate("window.scrollTo(0, 1_000_000)");
      return session(page, COUNT).isVisible();
    })
    .toBe(true);
  expect(await list(page).getByRole("listitem").count()).toBeLessThan(60);
  await expect.poll(() => session(page, 1).count()).toBe(0);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("the arrow keys reach sessions beyond the screen, and after Back the focus is where it was", async () => {
  const page = await dashboard.open("/sessions");
  await session(page, 1).focus();
  for (let n = 2; n <= 60; n++) {
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => isFocused(page, n), { interval: 10 }).toBe(true);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sessions\/ses_/);
  await page.getByRole("heading", { level: 1, name: /ses_…000060/ }).waitFor();
  await page.goBack();
  await expect.poll(() => isFocused(page, 60)).toBe(true);
});

test("a burst of new sessions is shown in order and whole, and the focus stays with its row", async () => {
  const page = await dashboard.open("/sessions");
  await session(page, 3).focus();
  await store(1_001, 1_008, "(n - 1_000) * interval '1 second'");
  // The event of a run lets the page read the list.
  await dashboard.fleet.put({ name: "newest", type: "procedural", command: ["true"], tags: ["absent"] });
  await dashboard.fleet.run("newest", {}, { execution_mode: "async_poll" });
  const firstAgents = () =>
    list(page)
      .locator('a[href^="/agents/"]')
      .evaluateAll((links) => links.slice(0, 10).map((link) => link.textContent));
  const expected = [
    "newest",
    ...Array.from({ length: 8 }, (_, index) => `agent ${1_001 + index}`),
    "agent 1",
  ];
  await expect.poll(firstAgents).toEqual(expected);
  await expect
    .poll(() => list(page).getByRole("listitem").first().getAttribute("aria-setsize"))
    .toBe(String(COUNT + 9));
  expect(await isFocused(page, 3)).toBe(true);
});
