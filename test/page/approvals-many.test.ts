import type { ApprovalsPage } from "@tenterhook/protocol/runs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { press } from "./press.ts";
import { saveFourEyes } from "./sample-agents.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

const WIDE = { width: 1440, height: 900 } as const;
const COUNT = 12;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(4);
  await saveFourEyes(dashboard);
  await fleet.answer({ name: "second-look" }, { action: "ask", reason: "look again" });
  const asks = (agent_name: string) => ({
    hooks: { on_run_start: { type: "agent", agent_name, on_error: "block" } as const },
  });
  await fleet.answer({ name: "deployer", ...asks("four-eyes") }, {});
  await fleet.answer({ name: "cleaner", ...asks("second-look") }, {});
  await fleet.run("cleaner", {}, { execution_mode: "async_poll" });
  for (let number = 1; number < COUNT; number++) {
    await fleet.run("deployer", { environment: `place ${number}` }, { execution_mode: "async_poll" });
  }
  await vi.waitUntil(async () => (await pending()).length === COUNT, { timeout: 120_000 });
});
afterAll(() => dashboard.close());

const pending = async () =>
  (await dashboard.fleet.demand<ApprovalsPage>("GET", "/approvals?state=pending&limit=100")).approvals;
const cards = (page: Page) => page.getByRole("region", { name: "Pending" }).getByRole("article");
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
/** In the document: Playwright may scroll to what it presses. */
const topOf = (card: Locator) =>
  card.evaluate(
    (element) => element.getBoundingClientRect().top + element.ownerDocument.documentElement.scrollTop,
  );
const fits = (page: Page) =>
  cards(page).evaluateAll(
    (all, height) => all.filter((each) => each.getBoundingClientRect().bottom <= height).length,
    page.viewportSize()?.height ?? 0,
  );

test("ten questions fit on a screen, and are accessible at both widths, in light and dark", async () => {
  const page = await dashboard.open("/approvals", { viewport: WIDE });
  await expect.poll(() => cards(page).count()).toBe(COUNT);
  await expect.poll(() => fits(page)).toBeGreaterThanOrEqual(10);
  await card(page, "deploy to place 3").getByText('{"environment":"place 3"}').waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("on a phone the header shows the number of pending approvals, which leads to them", async () => {
  const page = await dashboard.open("/runs", { viewport: PHONE });
  const pendingLink = page.getByRole("banner").getByRole("link", { name: `${COUNT} pending approvals` });
  await pendingLink.click();
  await expect.poll(() => cards(page).count()).toBe(COUNT);
  await expect.poll(() => fits(page)).toBeGreaterThanOrEqual(5);
  await page.setViewportSize(WIDE);
  await expect.poll(() => pendingLink.isVisible()).toBe(false);
});

test("approvals are filtered by agent and by hook, in the address", async () => {
  const page = await dashboard.open("/approvals", { viewport: WIDE });
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "cleaner" }).click();
  await expect.poll(() => cards(page).count()).toBe(1);
  await card(page, "look again").waitFor();
  expect(new URL(page.url()).searchParams.get("agent")).toBe("cleaner");
  await page.goto(`${dashboard.url}/approvals?hook=four-eyes`);
  await expect.poll(() => cards(page).count()).toBe(COUNT - 1);
  await page.goto(`${dashboard.url}/approvals?hook=four-eyes&agent=cleaner`);
  await page.getByRole("heading", { name: "No matching approvals are pending" }).waitFor();
  // Only for pointers: the keyboard empties the field.
  await page.locator('[aria-label="Any agent"]').click();
  await expect.poll(() => cards(page).count()).toBe(COUNT - 1);
});

test("details open in place, presses just after they moved do not count, and a decided card keeps its place", async () => {
  const page = await dashboard.open("/approvals", { viewport: WIDE });
  const [upper, lower] = [card(page, "deploy to place 9"), card(page, "deploy to place 8")];
  await upper.getByRole("button", { name: "Details" }).click();
  await upper.getByText("four-eyes asks before the run starts").waitFor();
  await upper.getByRole("button", { name: "Edit and approve" }).waitFor();
  // The card below has moved.
  await expect
    .poll(() => lower.getByRole("button", { name: "Approve", exact: true }).getAttribute("aria-disabled"))
    .toBe("false");
  const top = await topOf(lower);
  await press(upper.getByRole("button", { name: "Approve", exact: true }));
  await page.getByRole("article", { name: "approved: deploy to place 9" }).waitFor();
  expect(await topOf(lower)).toBe(top);
  const third = await topOf(card(page, "deploy to place 7"));
  await press(lower.getByRole("button", { name: "Reject" }));
  await lower.getByLabel("Reason").fill("not today");
  await lower.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => topOf(card(page, "deploy to place 7"))).toBe(third);
  await press(lower.getByRole("button", { name: "Approve", exact: true }));
  await page
    .getByRole("article", { name: "approved: deploy to place 8" })
    .getByText(/^Decision: approved/)
    .waitFor();
  expect(await topOf(card(page, "deploy to place 7"))).toBe(third);
});
