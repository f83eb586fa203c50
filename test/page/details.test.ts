import type { RunDetail, RunnersPage, SessionsPage } from "@tenterhook/protocol/runs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hoverUntil } from "./hover-until.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  await dashboard.fleet.program({ name: "plain", description: "Takes anything" }, "return input;");
});
afterAll(() => dashboard?.close());

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error("it is not visible");
  return box;
};

/** Hovers a row and expects its tooltip beside it, not over it. */
async function expectTooltipBeside(page: Page, hovered: Locator, row: Locator): Promise<void> {
  await hoverUntil(hovered, page.getByRole("tooltip").first());
  // A tooltip is rendered before it is moved to its position.
  const boxes = async () => {
    const [tip, own] = [await boxOf(page.getByRole("tooltip").first()), await boxOf(row)];
    return { isApart: tip.y + tip.height <= own.y + 1 || tip.y >= own.y + own.height - 1, tip, own };
  };
  await expect.poll(boxes).toMatchObject({ isApart: true });
}

test("the only agent is chosen when the form opens, and the only match when the field is left", async () => {
  const openForm = (on: Page) => on.getByRole("button", { name: "Start a run" }).first().click();
  const page = await dashboard.open("/runs");
  await openForm(page);
  const agent = page.getByRole("dialog").getByRole("combobox", { name: "Agent" });
  await expect.poll(() => agent.inputValue()).toBe("plain");
  await dashboard.fleet.program({ name: "another" }, "");
  const other = await dashboard.open("/runs");
  await openForm(other);
  const choice = other.getByRole("dialog").getByRole("combobox", { name: "Agent" });
  await choice.fill("anoth");
  // The agents are read.
  await other.getByRole("option", { name: "another" }).waitFor();
  await choice.press("Tab");
  await expect.poll(() => choice.inputValue()).toBe("another");
  await other.getByRole("button", { name: "Start", exact: true }).click();
  await other.waitForURL(/\/runs\/run_/);
});

test("a runner is shown by its name: in the facts, the timeline and the events", async () => {
  const { run_id } = await dashboard.fleet.run("plain", {});
  const { runner_id } = await dashboard.fleet.demand<RunDetail>("GET", `/runs/${run_id}`);
  const { runners } = await dashboard.fleet.demand<RunnersPage>("GET", "/runners");
  const name = runners.find((runner) => runner.runner_id === runner_id)?.name ?? "";
  expect(name).not.toBe("");
  const page = await dashboard.open(`/runs/${run_id}`);
  await page.getByRole("main").getByRole("link", { name, exact: true }).waitFor();
  await page.getByRole("button", { name: /^Running completed/ }).click();
  await page.getByText(`Runner ${name}`).waitFor();
  await page.getByRole("tab", { name: /^Events/ }).click();
  await page.getByText(`by ${name}`, { exact: true }).first().waitFor();
  await page.goto(`${dashboard.url}/live`);
  await page.getByText(`by ${name}`, { exact: true }).first().waitFor();
  expect(await page.getByText(`by ${runner_id}`).count()).toBe(0);
});

test("the revision of an agent stays on one line, also on a phone", async () => {
  const long = `an-agent-with-a-name-that-is-as-long-as-names-of-agents-may-be-6`;
  await dashboard.fleet.program({ name: long.slice(0, 63) }, "");
  const { run_id } = await dashboard.fleet.run(long.slice(0, 63), {});
  const page = await dashboard.open(`/runs/${run_id}`, { viewport: PHONE });
  const revision = page.getByText("r1", { exact: true });
  await expect.poll(() => revision.evaluate((element) => element.getClientRects().length)).toBe(1);
  expect((await boxOf(revision)).height).toBeLessThan(30);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
});

test("a tooltip does not cover the row that it is about", async () => {
  const { run_id } = await dashboard.fleet.run("plain", {});
  const page = await dashboard.open(`/runs/${run_id}`);
  const row = page.getByRole("button", { name: /^Running completed/ });
  await expectTooltipBeside(page, row, row);
  await page.mouse.move(0, 0);
  await page.getByRole("tooltip").first().waitFor({ state: "hidden" });
  const created = page.getByRole("main").locator("time").first();
  await expectTooltipBeside(page, created, created);
});

test("sessions are sorted by the time that the list shows, the newest first", async () => {
  const first = await dashboard.fleet.run("plain", {});
  await dashboard.fleet.run("plain", {});
  // A later run changes the session, but not when it was created.
  await dashboard.fleet.run("plain", {}, { session_id: first.session_id });
  const { sessions } = await dashboard.fleet.demand<SessionsPage>("GET", "/sessions?limit=200");
  const created = sessions.map(({ created_at }) => created_at);
  expect(created).toEqual(created.toSorted().toReversed());
  const page = await dashboard.open("/sessions");
  const times = page.getByRole("list", { name: "Sessions" }).locator("time");
  const readTimes = () => times.evaluateAll((all) => all.map((time) => time.getAttribute("datetime") ?? ""));
  await expect
    .poll(readTimes)
    .toContain(sessions.find(({ session_id }) => session_id === first.session_id)?.created_at);
  const shown = await readTimes();
  expect(shown).toEqual(shown.toSorted().toReversed());
});
