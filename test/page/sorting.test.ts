import type { BlueprintInput } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const put = (name: string, more: Partial<BlueprintInput> = {}) =>
    dashboard.fleet.put({ name, type: "procedural", command: ["cat"], ...more });
  await put("step-10");
  await put("step-9", { description: "first" });
  await put("step-9", { description: "second" });
  await put("alpha", { tags: ["gpu"] });
  const hook = (name: string, timeout_seconds: number) =>
    dashboard.fleet.demand("PUT", `/hooks/${name}`, {
      type: "agent",
      agent_name: "alpha",
      on_error: "block",
      timeout_seconds,
    });
  await hook("quick", 5);
  await hook("patient", 100);
  await hook("usual", 30);
});
afterAll(() => dashboard.close());

/** The links of the first column, from top to bottom. */
const names = (page: Page, list: string) =>
  page
    .getByLabel(list, { exact: true })
    .locator("tbody tr td:first-child a, li a:first-of-type")
    .allTextContents();
const head = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });

test("agents are sorted by the column that is clicked, then the other way round, and the address keeps it", async () => {
  const page = await dashboard.open("/agents");
  await expect.poll(() => names(page, "Agents")).toEqual(["alpha", "step-9", "step-10"]);
  await expect.poll(() => head(page, "Name").getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => head(page, "Updated").getAttribute("aria-sort")).toBe("none");
  await head(page, "Updated").getByRole("button").click();
  await expect.poll(() => names(page, "Agents")).toEqual(["alpha", "step-9", "step-10"]);
  await expect.poll(() => head(page, "Updated").getAttribute("aria-sort")).toBe("descending");
  await head(page, "Updated").getByRole("button").click();
  await expect.poll(() => names(page, "Agents")).toEqual(["step-10", "step-9", "alpha"]);
  // By keyboard.
  await head(page, "Revision").getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => names(page, "Agents")).toEqual(["step-9", "alpha", "step-10"]);
  await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("-revision");
  // The order stays while the list is searched, and after a reload.
  await page.getByLabel("Search agents").fill("step");
  await expect.poll(() => names(page, "Agents")).toEqual(["step-9", "step-10"]);
  await page.reload();
  await expect.poll(() => names(page, "Agents")).toEqual(["step-9", "step-10"]);
  expect(await axeFindings(page)).toEqual([]);
});

test("hooks are sorted by the numbers that they show, on a phone as well", async () => {
  await storeResults("quick", 2);
  await storeResults("patient", 30);
  await storeResults("usual", 4);
  const page = await dashboard.open("/hooks");
  await expect.poll(() => names(page, "Hooks in use")).toEqual(["patient", "quick", "usual"]);
  await head(page, "Blocked").getByRole("button").click();
  await expect.poll(() => names(page, "Hooks in use")).toEqual(["patient", "usual", "quick"]);
  const phone = await dashboard.open("/hooks?sort=-blocked", { viewport: PHONE });
  await phone.getByRole("link", { name: "quick", exact: true }).waitFor();
  const order = async () =>
    (await phone.getByRole("listitem").allTextContents()).map((text) => /^[a-z]+?(?=named)/.exec(text)?.[0]);
  await expect.poll(order).toEqual(["patient", "usual", "quick"]);
  await phone.getByRole("button", { name: "Reverse the order" }).click();
  await expect.poll(order).toEqual(["quick", "usual", "patient"]);
  await phone.getByLabel("Sort by").selectOption("name");
  await expect.poll(order).toEqual(["patient", "quick", "usual"]);
  expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
  expect(await axeFindings(phone)).toEqual([]);
});

/** Stores so many calls that a named hook has blocked. */
async function storeResults(name: string, count: number): Promise<void> {
  await dashboard.fleet.served.coordinator.database.run(
    {
      name: "",
      text: `INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, definition, name, mode, state, input, finished_at)
        SELECT $1 || n, 'run_' || $1 || n, 'alpha', now(), 'on_run_start', '{}', $1, 'sync', 'blocked', '{}', now()
        FROM generate_series(1, $2::int) AS n`,
    },
    [name, count],
  );
}

test("runners are sorted by name, and by what else their cards show", async () => {
  // Here, because a runner that does not poll is soon offline.
  const register = (name: string, concurrency: number) =>
    dashboard.fleet.demand("POST", "/runner/register", { name, concurrency });
  await register("build-2", 1);
  await register("build-10", 3);
  await register("attic", 2);
  const page = await dashboard.open("/runners");
  const order = () => page.getByRole("article").getByRole("heading", { level: 2 }).allTextContents();
  await expect.poll(order).toEqual(["attic", "build-2", "build-10"]);
  await page.getByLabel("Sort by").selectOption("free");
  await expect.poll(order).toEqual(["build-10", "attic", "build-2"]);
});
