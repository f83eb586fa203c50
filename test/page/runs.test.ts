import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(4);
  await fleet.program({ name: "quick" }, "");
  // It runs until the file exists.
  await fleet.program(
    { name: "patient" },
    `const { existsSync } = await import("node:fs");
     while (!existsSync(input.file)) await new Promise((resolve) => setTimeout(resolve, 20));`,
  );
  await fleet.program(
    { name: "gate" },
    `if (input.parameters.decision === "no") return { action: "block", block_reason: "not on a Friday" };
     if (input.parameters.decision === "ask") return { action: "ask", reason: "is it fine?" };
     return { action: "continue", parameters: input.parameters };`,
  );
  await fleet.program(
    { name: "guarded", hooks: { on_run_start: { type: "agent", agent_name: "gate", on_error: "block" } } },
    "",
  );
});
afterAll(() => dashboard?.close());

const rowOf = (page: Page, id: string) => page.locator(`[data-run="${id}"]`);
const start = (agent: string, parameters = {}) =>
  dashboard.fleet.run(agent, parameters, { execution_mode: "async_poll" });

test("a run appears when it is started, counts its seconds, and is updated in place", async () => {
  const page = await dashboard.open("/runs");
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  const file = join(dashboard.fleet.folder, "continue");
  const { run_id } = await start("patient", { file });
  const row = rowOf(page, run_id);
  await row.getByText("running", { exact: true }).waitFor();
  await expect.poll(() => row.getAttribute("data-index")).toBe("0");
  const counted = await row.locator("td").last().textContent();
  await expect.poll(() => row.locator("td").last().textContent()).not.toBe(counted);
  await writeFile(file, "");
  await row.getByText("completed", { exact: true }).waitFor();
});

test("a run that no longer matches the filters disappears, and a matching one appears", async () => {
  const page = await dashboard.open("/runs?status=running,completed&agent=patient&search=patient");
  const file = join(dashboard.fleet.folder, "go-away");
  const { run_id } = await start("patient", { file });
  const under = await dashboard.open("/runs?status=running");
  await rowOf(page, run_id).getByText("running").waitFor();
  await rowOf(under, run_id).waitFor();
  await writeFile(file, "");
  await rowOf(page, run_id).getByText("completed").waitFor();
  await rowOf(under, run_id).waitFor({ state: "detached" });
});

test("blocked is a status of its own, with the reason beside it", async () => {
  const { run_id } = await dashboard.fleet.run("guarded", { decision: "no" });
  const page = await dashboard.open("/runs");
  const row = rowOf(page, run_id);
  await row.getByText("blocked", { exact: true }).waitFor();
  expect(await row.getByText("failed").count()).toBe(0);
  await row.getByRole("cell", { name: "not on a Friday", exact: true }).waitFor();
  await row.click();
  await page.getByRole("heading", { name: "Run of guarded", level: 1 }).waitFor();
  await page.getByRole("main").getByText("blocked", { exact: true }).first().waitFor();
});

test("a long agent name is shortened, and leaves the id of the run visible", async () => {
  const name = `nightly-${"reconciliation-".repeat(3)}agent`;
  await dashboard.fleet.program({ name }, "");
  const { run_id } = await start(name);
  const page = await dashboard.open("/runs", { viewport: { width: 1440, height: 900 } });
  const row = rowOf(page, run_id);
  const id = row.getByText(`run_…${run_id.slice(-6)}`);
  await id.waitFor();
  const [cell, text] = [await row.getByRole("cell").nth(1).boundingBox(), await id.boundingBox()];
  if (cell === null || text === null) throw new Error("the row is not visible");
  expect(text.width).toBeGreaterThan(0);
  expect(text.x + text.width).toBeLessThanOrEqual(cell.x + cell.width);
});

test("runs of hooks are shown when the switch is on, and the address keeps it", async () => {
  const { run_id } = await dashboard.fleet.run("guarded", {});
  const page = await dashboard.open("/runs");
  await rowOf(page, run_id).waitFor();
  const hooks = page.getByRole("row", { name: /gate .* hook/ });
  expect(await hooks.count()).toBe(0);
  await page.getByRole("switch", { name: "Runs of hooks and chains" }).click();
  await hooks.first().waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("serving")).toBe("true");
  await page.reload();
  await hooks.first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test("a run that waits for approval shows it until the decision", async () => {
  const { run_id } = await start("guarded", { decision: "ask" });
  const page = await dashboard.open("/runs");
  const row = rowOf(page, run_id);
  await row.getByText("needs approval").waitFor();
  const { approvals } = await dashboard.fleet.demand<{ approvals: { approval_id: string }[] }>(
    "GET",
    `/approvals?run=${run_id}`,
  );
  await dashboard.fleet.demand("POST", `/approvals/${approvals[0]?.approval_id}`, { decision: "approve" });
  await row.getByText("completed").waitFor();
  await expect.poll(() => row.getByText("needs approval").count()).toBe(0);
  await row.getByText("has hooks").waitFor({ state: "attached" });
});

test("hook runs show their kind", async () => {
  await dashboard.fleet.run("guarded", {});
  const page = await dashboard.open("/runs?kind=hook");
  await page
    .getByRole("row", { name: /gate .* hook/ })
    .first()
    .waitFor();
});

test("rows are links: arrow keys move between them, Enter and a click anywhere open a run", async () => {
  for (let n = 0; n < 2; n++) await dashboard.fleet.run("quick");
  const page = await dashboard.open("/runs?agent=quick");
  const links = page.locator("tbody tr td:nth-child(2) a");
  await links.nth(1).waitFor();
  const second = await links.nth(1).getAttribute("href");
  expect(second).toMatch(/^\/runs\/run_/);
  await links.first().focus();
  await page.keyboard.press("ArrowDown");
  await links.nth(1).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${second}`);
  await page.goBack();
  // In the empty middle of the row.
  await page
    .locator("tbody tr")
    .nth(1)
    .click({ position: { x: 400, y: 20 } });
  await page.waitForURL(`**${second}`);
});

test("on a phone a run is a card of three lines, and the page fits", async () => {
  const { run_id } = await dashboard.fleet.run("guarded", { decision: "no" });
  const page = await dashboard.open("/runs", { viewport: PHONE });
  await rowOf(page, run_id).getByText("blocked", { exact: true }).waitFor();
  await expect.poll(async () => (await rowOf(page, run_id).boundingBox())?.height).toBe(88);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "blocked" }).click();
  await page.getByRole("button", { name: "Filters (1)" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
});

test("a viewer cannot start a run", async () => {
  await dashboard.fleet.run("quick");
  const page = await dashboard.open("/runs?start=quick", { scope: "viewer" });
  await page.getByRole("row", { name: /quick/ }).first().waitFor();
  expect(await page.getByRole("button", { name: "Start a run" }).count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(0);
});
