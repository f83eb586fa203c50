import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialogFindings, findingsAtBothWidths } from "./axe-findings.ts";
import { storeRuns } from "./runs-stored.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

const WIDE = { width: 1440, height: 900 } as const;
const STORED = 423;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share({
    prices: { currency: "EUR", models: { large: { input: 3, output: 15 } } },
  });
  const { fleet } = dashboard;
  await fleet.program({ name: "reporter" }, "console.log('The figures are ready.');");
  await fleet.runner();
  await fleet.run("reporter", { prompt: "Sum up the <b>quarterly</b> figures.\nIn one line." });
  await fleet.run("reporter", { topic: "weather", days: 3 });
});
afterAll(() => dashboard?.close());

const heads = (page: Page) =>
  page.locator("thead th").evaluateAll((cells) => cells.map((cell) => cell.textContent));
const shows = (page: Page, ...labels: readonly string[]) => expect.poll(() => heads(page)).toEqual(labels);
const row = (page: Page, text: string) => page.locator("tbody tr").filter({ hasText: text });

test("a row shows the first line of what a run was asked, at both widths", async () => {
  for (const viewport of [WIDE, PHONE]) {
    const page = await dashboard.open("/runs?agent=reporter", { viewport });
    await page.getByText("Sum up the <b>quarterly</b> figures.", { exact: true }).waitFor();
    await page.getByText('{"days": 3, "topic": "weather"}', { exact: true }).waitFor();
    expect(await page.getByText("In one line.").count()).toBe(0);
  }
});

test("a search shows where it found its words, marked, and as text", async () => {
  const page = await dashboard.open("/runs?search=QUARTER+fig", { viewport: WIDE });
  await expect.poll(() => page.locator("tbody mark").allTextContents()).toEqual(["quarter", "fig"]);
  await page.getByRole("columnheader", { name: "Found" }).waitFor();
  const found = row(page, "reporter")
    .getByRole("cell")
    .filter({ has: page.locator("mark") });
  expect(await found.textContent()).toBe("input: Sum up the <b>quarterly</b> figures. In one line.");
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("empty columns, kind and session are off, columns can be chosen, and the browser remembers them", async () => {
  const page = await dashboard.open("/runs?agent=reporter", { viewport: WIDE, name: "chooser" });
  const byDefault = ["Status", "Agent", "Input", "Reason or result", "Created ↓", "Duration"];
  await shows(page, ...byDefault);
  const choose = page.getByRole("button", { name: "Columns" });
  await choose.click();
  await page.getByRole("checkbox", { name: "Session" }).check();
  await page.getByRole("checkbox", { name: "Input" }).uncheck();
  expect(await page.getByRole("checkbox", { name: "Kind" }).isChecked()).toBe(false);
  expect(await page.getByRole("checkbox", { name: "Tokens" }).isChecked()).toBe(false);
  const chosen = ["Status", "Agent", "Reason or result", "Session", "Created ↓", "Duration"];
  await shows(page, ...chosen);
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(WIDE);
  await page.keyboard.press("Escape");
  await page.reload();
  await shows(page, ...chosen);
  await page
    .getByRole("link", { name: /^ses_…/ })
    .first()
    .waitFor();
  await choose.click();
  await page.getByRole("button", { name: "Default columns" }).click();
  await shows(page, ...byDefault);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("tokens and cost have columns when a run has them", async () => {
  await dashboard.fleet.served.coordinator.database.run({
    name: "",
    text: `UPDATE runs SET usage = '[{"model": "large", "input_tokens": 1200000, "output_tokens": 20}]'
      WHERE agent_name = 'reporter' AND parameters ? 'prompt'`,
  });
  const page = await dashboard.open("/runs?agent=reporter", { viewport: WIDE });
  await shows(
    page,
    ...["Status", "Agent", "Input", "Reason or result", "Tokens", "Cost", "Created ↓", "Duration"],
  );
  const used = row(page, "quarterly");
  await used.getByText("1.2M", { exact: true }).waitFor();
  await used.getByText("€3.60", { exact: true }).waitFor();
  await expect.poll(() => used.getByTitle("1,200,000 tokens in, 20 out").count()).toBe(1);
  await expect.poll(() => row(page, "weather").getByText("–", { exact: true }).count()).toBe(2);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("the number of runs is exact although only a part is loaded, also in a relative period", async () => {
  await storeRuns(dashboard, STORED, { agent: "'stored'", state: "'failed'" });
  for (const filter of ["agent=stored", "agent=stored&since=1d", "status=failed"]) {
    const page = await dashboard.open(`/runs?${filter}`, { viewport: WIDE });
    await page.getByText(`${STORED} runs`, { exact: true }).waitFor();
  }
});

test("with every column on, the page does not scroll sideways at any width", async () => {
  const page = await dashboard.open("/runs", { viewport: WIDE, name: "everything" });
  await page.getByRole("button", { name: "Columns" }).click();
  const choices = page.getByRole("dialog", { name: "Columns" }).getByRole("checkbox");
  // All but the columns of status and agent, which are always shown.
  await expect.poll(() => choices.count()).toBe(10);
  for (const choice of await choices.all()) await choice.check();
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await heads(page)).length).toBe(12);
  for (const width of [1440, 1280, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    const beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    await expect.poll(() => page.evaluate(beyond)).toBe(0);
  }
});
