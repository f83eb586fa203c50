import type { AgentRecord, BlueprintInput, Run, RunsPage } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickTwice } from "./click-twice.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

/** As long as a name can be, without a place to break it. */
const LONG = "x".repeat(63);

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  await put("quick");
  await put("stuck", { tags: ["nowhere"] });
});
afterAll(() => dashboard.close());

const put = (name: string, more: Partial<BlueprintInput> = {}) =>
  dashboard.fleet.put({ name, type: "procedural", command: ["cat"], ...more });
const agent = (name: string) => dashboard.fleet.demand<AgentRecord>("GET", `/agents/${name}`);
const runsOf = async (name: string) =>
  (await dashboard.fleet.demand<RunsPage>("GET", `/runs?agent=${name}`)).runs;

test("a double click on Retry starts one run", async () => {
  const { run_id } = await dashboard.fleet.run("quick", { n: 1 });
  const page = await dashboard.open(`/runs/${run_id}`);
  const retry = page.getByRole("button", { name: "Retry", exact: true });
  await retry.waitFor();
  await clickTwice(retry);
  await page.waitForURL((url) => !url.pathname.endsWith(run_id));
  await page.getByText("Retry of").waitFor();
  expect((await runsOf("quick")).filter(({ retry_of }) => retry_of === run_id)).toHaveLength(1);
});

test("a double click on Start starts one run", async () => {
  await put("started");
  const page = await dashboard.open("/runs?start=started");
  await page.getByLabel("Parameters").fill("{}");
  await clickTwice(page.getByRole("button", { name: "Start", exact: true }));
  await page.waitForURL(/\/runs\/run_/);
  await page.getByRole("heading", { name: "Run of started", level: 1 }).waitFor();
  expect(await runsOf("started")).toHaveLength(1);
});

test("a double click on Create or Save saves one revision and reports no conflict", async () => {
  const page = await dashboard.open("/new-agent?tab=json");
  await page
    .getByLabel("Blueprint")
    .fill(JSON.stringify({ name: "twice", type: "procedural", command: ["cat"] }));
  await clickTwice(page.getByRole("button", { name: "Create" }));
  await page.getByText("Revision 1, saved").waitFor();
  await page.getByRole("tab", { name: "Agent", exact: true }).click();
  await page.getByLabel("Description").fill("saved twice");
  await clickTwice(page.getByRole("button", { name: "Save", exact: true }));
  await page.getByText("Revision 2, saved").waitFor();
  await page.getByText("All changes saved").waitFor();
  // What another user saves does not open a comparison with nothing.
  await put("twice", { description: "by another" });
  await page.getByText("Revision 3, saved").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await agent("twice")).toMatchObject({ revision: 3 });
});

test("a bulk stop after the session has ended leads to the sign-in form, and stops nothing", async () => {
  const waiting = await dashboard.fleet.run("stuck", {}, { execution_mode: "async_poll" });
  const page = await dashboard.open("/runs");
  await page.locator(`tr[data-run="${waiting.run_id}"]`).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Stop 1" }).click();
  // The session ends with this request, before another request of the page can find that out.
  await page.route("**/stop", async (route) => {
    await page.context().clearCookies();
    await route.continue();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Stop 1 run" }).click();
  await page.getByText("Your session has ended").waitFor();
  expect(await dashboard.fleet.demand<Run>("GET", `/runs/${waiting.run_id}`)).toMatchObject({
    status: "pending",
  });
});

test("the back button asks before it discards a form, and the form is kept", async () => {
  const page = await dashboard.open("/agents");
  await page.getByRole("main").getByRole("link", { name: "quick", exact: true }).click();
  await page.getByLabel("Description").fill("half a sentence");
  await page.evaluate("history.back()");
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Stay", exact: true })
    .click();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("half a sentence");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/agents/quick");
});

test("the longest names fit on a phone, on every page that shows them", async () => {
  await put(LONG, { description: "y".repeat(300), tags: ["z".repeat(63)] });
  await dashboard.fleet.demand("PUT", `/hooks/h${LONG.slice(1)}`, {
    type: "agent",
    agent_name: LONG,
    on_error: "block",
  });
  await put("long-user", { hooks: { on_run_start: { $ref: `h${LONG.slice(1)}` } } });
  const run = await dashboard.fleet.run(LONG, {}, { execution_mode: "async_poll" });
  const page = await dashboard.open("/agents", { viewport: PHONE, name: "w".repeat(64) });
  await page.getByRole("main").getByRole("link", { name: LONG, exact: true }).waitFor();
  const tooWide: string[] = [];
  for (const path of [
    "/agents",
    `/agents/${LONG}`,
    `/agents/${LONG}?tab=history`,
    "/hooks",
    `/hooks/h${LONG.slice(1)}`,
    "/runs",
    `/runs/${run.run_id}`,
    "/sessions",
    `/sessions/${run.session_id}`,
    "/live",
  ]) {
    await page.goto(dashboard.url + path);
    // Some columns are hidden on a phone.
    await page.getByRole("main").getByText(/x{20}/).filter({ visible: true }).first().waitFor();
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (width !== PHONE.width) tooWide.push(`${path}: ${width}`);
  }
  expect(tooWide).toEqual([]);
});
