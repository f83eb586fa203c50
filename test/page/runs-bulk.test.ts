import type { RunsPage } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialogFindings, findingsAtBothWidths } from "./axe-findings.ts";
import { storeRuns } from "./runs-stored.ts";
import { TestDashboard } from "./test-dashboard.ts";
import { watchText } from "./watch-text.ts";

const WIDE = { width: 1440, height: 900 } as const;
/** More than are loaded, and than one request takes. */
const STORED = 230;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await fill(dashboard, STORED);
});
afterAll(() => dashboard?.close());

/** Stores failed runs. No runner has the tag: a retry of them waits. */
async function fill(target: TestDashboard, count: number): Promise<void> {
  await target.fleet.program({ name: "quick", tags: ["absent"] }, "");
  await storeRuns(target, count, { state: "'failed'" });
}

const bar = (page: Page) => page.getByRole("region", { name: "Selection" });
const box = (page: Page, n: number) => page.locator(`tbody tr[data-index="${n}"]`).getByRole("checkbox");
const waits = () => dashboard.fleet.run("quick", {}, { execution_mode: "async_poll" });

test("Shift selects a range, by mouse and by keyboard, and the head selects all rows that are loaded", async () => {
  const page = await dashboard.open("/runs?status=failed", { viewport: WIDE });
  await box(page, 2).click();
  await box(page, 6).click({ modifiers: ["Shift"] });
  await bar(page).getByText("5 runs selected", { exact: true }).waitFor();
  await box(page, 4).click({ modifiers: ["Shift"] });
  await bar(page).getByText("2 runs selected", { exact: true }).waitFor();
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await bar(page).waitFor({ state: "detached" });

  const link = (n: number) => page.locator(`tbody tr[data-index="${n}"] a`).first();
  await link(1).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await link(3).and(page.locator(":focus")).waitFor();
  await bar(page).getByText("3 runs selected", { exact: true }).waitFor();

  await page.getByRole("checkbox", { name: "Select all 200 loaded runs" }).check();
  await bar(page).getByText("200 runs selected", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all 200 loaded runs" }).uncheck();
  await bar(page).waitFor({ state: "detached" });
});

test("all runs that match are selected with their number, and retried in batches after a question, with progress", async () => {
  const page = await dashboard.open("/runs?status=failed", { viewport: WIDE });
  await page.getByRole("checkbox", { name: "Select all 200 loaded runs" }).check();
  await bar(page)
    .getByRole("button", { name: `Select all ${STORED} that match` })
    .click();
  await bar(page).getByText(`${STORED} runs selected`, { exact: true }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.setViewportSize(WIDE);
  const sent: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/runs/retry")) sent.push(request.postDataJSON().ids.length);
  });
  await bar(page)
    .getByRole("button", { name: `Retry ${STORED}` })
    .click();
  const dialog = page.getByRole("dialog", { name: `Retry ${STORED} runs?` });
  await dialog.getByText("A new run starts for each of them").waitFor();
  const seenProgress = await watchText(page, `100 of ${STORED}`);
  const seenEnd = await watchText(page, `Retried ${STORED} runs`);
  await dialog.getByRole("button", { name: `Retry ${STORED} runs` }).click();
  await seenProgress();
  await expect.poll(() => sent).toEqual([100, 100, 30]);
  await seenEnd();
  await bar(page).waitFor({ state: "detached" });
  const { runs } = await dashboard.fleet.demand<RunsPage>("GET", "/runs?status=pending&limit=200");
  expect(new Set(runs.map(({ retry_of }) => retry_of)).size).toBe(200);
});

test("nothing more is offered when all are selected, although they are more than are counted", async () => {
  const own = await TestDashboard.start();
  await fill(own, 1_203);
  const page = await own.open("/runs?status=failed", { viewport: WIDE });
  await page.getByRole("checkbox", { name: "Select all 200 loaded runs" }).check();
  const all = bar(page).getByRole("button", { name: "Select all 1,000+ that match" });
  await all.click();
  await bar(page).getByText("1,203 runs selected", { exact: true }).waitFor();
  await bar(page).getByRole("button", { name: "Retry 1,203" }).waitFor();
  expect(await all.count()).toBe(0);
});

test("the browser asks before a retry is left, and a cancelled one says how many runs are left", async () => {
  const own = await TestDashboard.start();
  await fill(own, 150);
  const page = await own.open("/runs?status=failed", { viewport: WIDE });
  await page.getByRole("checkbox", { name: "Select all 150 loaded runs" }).check();
  await bar(page).getByRole("button", { name: "Retry 150" }).click();
  let answerFirst = () => {};
  const isCancelled = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  await page.route("**/runs/retry", async (route) => {
    await isCancelled;
    await route.continue();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Retry 150 runs" }).click();
  const working = page.getByRole("dialog", { name: "Retrying 150 runs" });
  await working.getByText("0 of 150").waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  const asked = page.waitForEvent("dialog");
  // Whether it is reloaded is up to the answer, so this does not wait for it.
  await page.evaluate("void setTimeout(() => location.reload())");
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await working.getByRole("button", { name: "Cancel" }).click();
  answerFirst();
  const summary = page.getByRole("dialog", { name: "Retried 100 of 150 runs" });
  await summary.getByText("Cancelled: 50 runs not retried.").waitFor();
  const mayLeave = `window.dispatchEvent(new Event("beforeunload", { cancelable: true }))`;
  await expect.poll(() => page.evaluate(mayLeave)).toBe(true);
});

test("a summary names the runs that were not retried, and why", async () => {
  const own = await TestDashboard.start();
  await fill(own, 3);
  // The session of the first one is busy afterwards.
  const busy = `run_${"1".padStart(20, "0")}`;
  await own.fleet.demand("POST", `/runs/${busy}/retry`, {});
  const page = await own.open("/runs?status=failed", { viewport: WIDE });
  await page.getByRole("checkbox", { name: "Select all 3 loaded runs" }).check();
  await bar(page).getByRole("button", { name: "Retry 3" }).click();
  const summary = page.getByRole("dialog", { name: "Retried 2 of 3 runs" });
  await summary.getByText("1 run not retried").waitFor();
  await summary.getByRole("link", { name: "run_…000001" }).waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(WIDE);
  await summary.getByRole("button", { name: "Close", exact: true }).last().click();
  await summary.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await own.fleet.demand<RunsPage>("GET", "/runs?status=pending")).runs.length)
    .toBe(3);
});

test("many runs are stopped in batches with progress, and a summary names the one that was not", async () => {
  const own = await TestDashboard.start();
  await own.fleet.program({ name: "quick", tags: ["absent"] }, "");
  const count = 130;
  const started: string[] = [];
  while (started.length < count) {
    const some = Array.from({ length: 10 }, () =>
      own.fleet.run("quick", {}, { execution_mode: "async_poll" }),
    );
    started.push(...(await Promise.all(some)).map(({ run_id }) => run_id));
  }
  const page = await own.open("/runs?status=pending", { viewport: WIDE });
  await page.getByRole("checkbox", { name: `Select all ${count} loaded runs` }).check();
  await bar(page)
    .getByRole("button", { name: `Stop ${count}` })
    .dblclick();
  const dialog = page.getByRole("dialog", { name: `Stop ${count} runs?` });
  await dialog.getByText("Their runners stop them.").waitFor();
  // It is removed while the page asks.
  const gone = started[7] ?? "";
  await own.fleet.served.coordinator.database.run({
    name: "",
    text: `DELETE FROM runs WHERE id = '${gone}'`,
  });
  const sent: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/runs/stop")) sent.push(request.postDataJSON().ids.length);
  });
  const seenProgress = await watchText(page, `100 of ${count}`);
  await dialog.getByRole("button", { name: `Stop ${count} runs` }).dblclick();
  await seenProgress();
  const summary = page.getByRole("dialog", { name: `Stop requested for ${count - 1} of ${count} runs` });
  await summary.getByText("1 run not stopped", { exact: true }).waitFor();
  await summary.locator(`a[href="/runs/${gone}"]`).waitFor();
  expect(sent).toEqual([100, 30]);
  expect(await dialogFindings(page)).toEqual([]);
  expect(await own.fleet.demand("GET", "/runs/count?status=stopped")).toEqual({
    count: count - 1,
    more: false,
  });
});

test("one run is asked about in the singular, and another filter has a selection of its own", async () => {
  const { run_id } = await waits();
  const page = await dashboard.open("/runs?agent=quick&status=pending", { viewport: WIDE });
  await page.locator(`tr[data-run="${run_id}"]`).getByRole("checkbox").check();
  await bar(page).getByRole("button", { name: "Stop 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop 1 run?" });
  await dialog.getByText("Its runner stops it.").waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(WIDE);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await bar(page).getByText("1 run selected", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Status: pending" }).click();
  await page.getByRole("checkbox", { name: "failed" }).click();
  await bar(page).waitFor({ state: "detached" });
});
