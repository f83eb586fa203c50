import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { storeRuns } from "./runs-stored.ts";
import { TestDashboard } from "./test-dashboard.ts";

/** Runs 1 to 12, newest first, of different kinds and states. */
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.program({ name: "alpha" }, "");
  await dashboard.fleet.program({ name: "beta-report" }, "");
  await storeRuns(dashboard, 12, {
    agent: "CASE WHEN n <= 6 THEN 'alpha' ELSE 'beta-report' END",
    kind: "(ARRAY['client', 'hook', 'chained', 'callback'])[1 + n % 4]",
    state: "(ARRAY['completed', 'failed', 'stopped'])[1 + n % 3]",
    hasHooks: "n % 2 = 0",
    blockReason: "CASE WHEN n IN (4, 8) THEN 'not today' END",
    age: "n * interval '10 minutes'",
  });
});
afterAll(() => dashboard?.close());

/** The runs are as old as at the beginning, however long earlier tests took. */
beforeEach(async () => {
  await dashboard.fleet.served.coordinator.database.run({
    name: "",
    text: "UPDATE runs SET created_at = now() - substr(id, 5)::int * interval '10 minutes'",
  });
});

/** The numbers of the runs that are shown. */
async function shown(page: Page): Promise<number[]> {
  const ids = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-run")));
  return ids.map((id) => Number(id?.slice(4)));
}
const showsOnly = (page: Page, ...numbers: readonly number[]) =>
  expect.poll(() => shown(page)).toEqual(numbers);
const searchOf = (page: Page) => new URL(page.url()).search;

test.each<[string, string, readonly number[], string]>([
  ["states", "status=failed,stopped", [1, 2, 4, 5, 7, 8, 10, 11], "Status: failed, stopped"],
  ["kinds", "kind=hook,callback", [1, 3, 5, 7, 9, 11], "Kind: hook, callback"],
  ["hooks", "has_hooks=true", [2, 4, 6, 8, 10, 12], "Has hooks"],
  ["blocked runs", "status=blocked", [4], "Status: blocked"],
  ["the former parameter for blocked runs", "hook_blocked=true", [4], "Status: blocked"],
  ["a relative period", "since=15m", [1], "Last 15 minutes"],
  ["an id's beginning", "search=run_0000000000000000000", [1, 2, 3, 4, 5, 6, 7, 8, 9], "Clear all"],
  ["a part of an agent's name", "search=REPORT", [7, 8, 9, 10, 11, 12], "Clear all"],
  ["several at once", "agent=alpha&has_hooks=true&status=blocked", [4], "Status: blocked"],
])("a link with %s shows matching runs and the filter", async (_, search, numbers, button) => {
  const page = await dashboard.open(`/runs?serving=true&${search}`);
  await showsOnly(page, ...numbers);
  await page.getByRole("button", { name: button }).waitFor();
  await page.getByText(numbers.length === 1 ? "1 run" : `${numbers.length} runs`, { exact: true }).waitFor();
});

test("Ctrl-K and the menu lead to the same blocked runs, which are shown as blocked", async () => {
  const page = await dashboard.open("/runs");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: "Jump to" }).fill("blocked");
  await page.getByRole("option", { name: "Runs: blocked filter" }).waitFor();
  await page.keyboard.press("Enter");
  await showsOnly(page, 4);
  expect(searchOf(page)).toBe("?status=blocked");
  await page.locator("tbody").getByText("blocked", { exact: true }).waitFor();
  await page.goto(`${dashboard.url}/runs`);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "needs approval" }).waitFor();
  await page.getByRole("checkbox", { name: "blocked" }).click();
  await showsOnly(page, 4);
  expect(searchOf(page)).toBe("?status=blocked");
});

test("filters are in the address, and the history of the browser restores them", async () => {
  const page = await dashboard.open("/runs?serving=true");
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "failed" }).click();
  await showsOnly(page, 1, 4, 7, 10);
  expect(searchOf(page)).toBe("?status=failed&serving=true");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "alpha" }).click();
  await showsOnly(page, 1, 4);
  expect(searchOf(page)).toBe("?status=failed&serving=true&agent=alpha");
  await page.getByRole("button", { name: "Has hooks" }).click();
  await showsOnly(page, 4);
  await page.goBack();
  await showsOnly(page, 1, 4);
  await page.goBack();
  await showsOnly(page, 1, 4, 7, 10);
  await page.goForward();
  await showsOnly(page, 1, 4);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect.poll(() => shown(page)).toHaveLength(12);
  expect(searchOf(page)).toBe("?serving=true");
});

/** Clicks one after another, before the page can render anything. */
async function clickAtOnce(...elements: readonly Locator[]): Promise<void> {
  const handles = await Promise.all(elements.map((element) => element.elementHandle()));
  await elements[0]?.page().evaluate((clicked) => {
    for (const element of clicked) (element as unknown as { click(): void } | null)?.click();
  }, handles);
}

test("clicks that are faster than the page all count", async () => {
  const page = await dashboard.open("/runs");
  await page.getByRole("button", { name: "Status" }).click();
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await clickAtOnce(
    box("failed"),
    box("stopped"),
    page.getByRole("button", { name: "Has hooks" }),
    page.getByRole("switch", { name: "Runs of hooks and chains" }),
  );
  await showsOnly(page, 2, 4, 8, 10);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    ...{ status: "failed,stopped", has_hooks: "true", serving: "true" },
  });
  await clickAtOnce(box("failed"), page.getByRole("button", { name: "Has hooks" }));
  await showsOnly(page, 2, 5, 8, 11);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    status: "stopped",
    serving: "true",
  });
});

test("runs that serve others are hidden, unless a kind is chosen", async () => {
  const page = await dashboard.open("/runs");
  await showsOnly(page, 3, 4, 7, 8, 11, 12);
  await page.getByRole("button", { name: "Kind" }).click();
  await page.getByRole("checkbox", { name: "hook" }).click();
  await showsOnly(page, 1, 5, 9);
  expect(searchOf(page)).toBe("?kind=hook");
});

test("runs are filtered by fixed times", async () => {
  const page = await dashboard.open("/runs?serving=true");
  await page.getByRole("button", { name: /^Time/ }).click();
  const local = (minutesAgo: number) =>
    page.evaluate((minutes) => {
      const time = new Date(Date.now() - minutes * 60_000);
      return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, minutesAgo);
  await page.getByLabel("From").fill(await local(45));
  await showsOnly(page, 1, 2, 3, 4);
  await page.getByLabel("To").fill(await local(25));
  await showsOnly(page, 3, 4);
  expect(searchOf(page)).toMatch(/^\?serving=true&from=[^&]+Z&to=[^&]+Z$/);
  await page.getByRole("radio", { name: "Last hour" }).click();
  await showsOnly(page, 1, 2, 3, 4, 5);
  expect(searchOf(page)).toBe("?serving=true&since=1h");
});

test("a search starts after a pause in typing and adds no history entries", async () => {
  const page = await dashboard.open("/runs?serving=true");
  const box = page.getByRole("searchbox", { name: "Search runs" });
  await box.pressSequentially("beta");
  await showsOnly(page, 7, 8, 9, 10, 11, 12);
  expect(searchOf(page)).toBe("?serving=true&search=beta");
  await page.getByRole("button", { name: "Has hooks" }).click();
  await showsOnly(page, 8, 10, 12);
  await page.goBack();
  await showsOnly(page, 7, 8, 9, 10, 11, 12);
  await expect.poll(() => box.inputValue()).toBe("beta");
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect.poll(() => shown(page)).toHaveLength(12);
});

test("without matching runs the page offers to clear the filters", async () => {
  const page = await dashboard.open("/runs?status=pending");
  await page.getByRole("heading", { name: "No matching runs" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => shown(page)).toHaveLength(6);
});
