import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedId, storeRuns } from "./runs-stored.ts";
import { slowness } from "./slowness.ts";
import { TestDashboard } from "./test-dashboard.ts";

const COUNT = 10_000;
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await storeRuns(dashboard, COUNT);
  await dashboard.fleet.program({ name: "quick" }, "");
});
afterAll(() => dashboard?.close());

const rows = (page: Page) => page.locator("tbody tr");
/** The newest of the stored runs has the number 1. */
const stored = (page: Page, n: number) => page.locator(`[data-run="run_${String(n).padStart(20, "0")}"]`);
const scrollTo = (page: Page, y: number) => page.evaluate(`window.scrollTo(0, ${y})`);

async function openRuns(): Promise<Page> {
  const page = await dashboard.open("/runs");
  await rows(page).first().waitFor();
  return page;
}

/** The CPU time of the page's scripts, which does not depend on other processes. */
async function scriptClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0) * 1_000;
  };
}

/** Watches the time between two frames of a page that is idle now. Returns the function that expects no much longer one since then. */
async function watchFrames(page: Page): Promise<() => Promise<void>> {
  const before = await slowness(page);
  await page.evaluate(`
    const seen = (window.seen = { gap: 0, count: 0, last: performance.now() });
    const beat = () => {
      const now = performance.now();
      seen.gap = Math.max(seen.gap, now - seen.last);
      seen.last = now;
      seen.count++;
      requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);`);
  await expect.poll(() => page.evaluate<number>("window.seen.count")).toBeGreaterThan(100);
  const idle = await page.evaluate<number>("{ const { gap } = window.seen; window.seen.gap = 0; gap }");
  return async () => {
    const gap = await page.evaluate<number>("window.seen.gap");
    const slower = Math.max(before, await slowness(page));
    expect(gap).toBeLessThan(1_000 * slower + 10 * idle);
  };
}

test("ten thousand runs can be scrolled to the end, and only visible rows are rendered", async () => {
  const page = await openRuns();
  let most = 0;
  const isAtEnd = async () => {
    most = Math.max(most, await rows(page).count());
    await scrollTo(page, 10_000_000);
    return (await stored(page, COUNT).count()) === 1;
  };
  await expect.poll(isAtEnd, { timeout: 300_000, interval: 20 }).toBe(true);
  await page.getByText("10,000 runs").waitFor();
  expect(most).toBeLessThan(60);

  // Scroll up from the end: every step renders other rows.
  const steps = 20;
  const clock = await scriptClock(page);
  const before = await clock();
  for (let step = 1; step <= steps; step++) {
    await scrollTo(page, 300_000 - step * 800);
    await expect.poll(() => rows(page).first().isVisible(), { interval: 5 }).toBe(true);
  }
  const used = ((await clock()) - before) / steps;
  expect(used).toBeLessThan(100 * (await slowness(page)));
}, 360_000);

test("five thousand events of five thousand runs at once do not freeze the page", async () => {
  const page = await openRuns();
  const expectNoFreeze = await watchFrames(page);
  await dashboard.fleet.served.coordinator.database.run({
    name: "",
    text: `
      WITH changed AS (
        UPDATE runs SET state = 'failed' WHERE id IN (SELECT ${storedId("n")} FROM generate_series(1, 5000) AS n)
        RETURNING id, session_id
      )
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, 1, 'run_failed', '{}' FROM changed`,
  });
  await stored(page, 1).getByText("failed").waitFor();
  // The page responds while updates are pending.
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "failed" }).waitFor();
  await page.keyboard.press("Escape");
  await stored(page, 20).getByText("failed").waitFor();
  await expectNoFreeze();
});

test("a program that writes five thousand lines does not freeze the page", async () => {
  await dashboard.fleet.program(
    { name: "chatty" },
    "for (let n = 0; n < 5000; n++) console.error('line ' + n);",
  );
  const page = await openRuns();
  const expectNoFreeze = await watchFrames(page);
  await dashboard.fleet.runner();
  await dashboard.fleet.run("chatty");
  const row = page.getByRole("row", { name: /chatty/ });
  await row.getByText("completed").waitFor();
  await row.getByRole("link").first().click();
  await page.waitForURL(/\/runs\/run_/);
  await expectNoFreeze();
});

test("new runs do not move the visible rows, and a button scrolls to them", async () => {
  const page = await openRuns();
  await scrollTo(page, 3_000);
  const row = stored(page, 70);
  await row.waitFor();
  const offsetOf = async () => Math.round((await row.boundingBox())?.y ?? -1);
  const offset = await offsetOf();
  for (let n = 0; n < 2; n++) await dashboard.fleet.run("quick", {}, { execution_mode: "async_poll" });
  const pill = page.getByRole("button", { name: "2 new runs" });
  await pill.waitFor();
  expect(await offsetOf()).toBe(offset);
  await pill.click();
  await expect.poll(() => page.evaluate<number>("window.scrollY")).toBe(0);
  await expect.poll(() => pill.count()).toBe(0);
});

test("going back from a run restores the scroll position", async () => {
  const page = await openRuns();
  await scrollTo(page, 4_000);
  await stored(page, 95).getByRole("link").first().click();
  await page.waitForURL(/\/runs\/run_/);
  await page.goBack();
  await stored(page, 95).waitFor();
  await expect.poll(() => page.evaluate<number>("window.scrollY")).toBeGreaterThan(3_900);
});
