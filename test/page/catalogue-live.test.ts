import type { BlueprintInput } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner();
  await put("judge");
});
afterAll(() => dashboard.close());

const put = (name: string, more: Partial<BlueprintInput> = {}) =>
  dashboard.fleet.put({ name, type: "procedural", command: ["cat"], ...more });
const putHook = (name: string, more: object = {}) =>
  dashboard.fleet.demand("PUT", `/hooks/${name}`, {
    type: "agent",
    agent_name: "judge",
    on_error: "block",
    ...more,
  });
const remove = (path: string) => dashboard.fleet.demand("DELETE", path);
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

test("the list of agents shows what other users save and delete", async () => {
  const page = await dashboard.open("/agents");
  await link(page, "judge").waitFor();
  await put("newcomer", { description: "at first" });
  const row = page.getByRole("row", { name: /newcomer/ });
  await row.getByText("at first").waitFor();
  await put("newcomer", { description: "and then" });
  await row.getByText("and then").waitFor();
  await remove("/agents/newcomer");
  await row.waitFor({ state: "hidden" });
});

test("the list of hooks shows what other users save and delete, and which agents use a hook", async () => {
  const page = await dashboard.open("/hooks");
  await page.getByRole("heading", { name: "Hooks", level: 1 }).waitFor();
  await putHook("gate");
  const row = page.getByRole("row", { name: /gate/ });
  await row.waitFor();
  await putHook("gate", { timeout_seconds: 41 });
  await row.getByText("41 s").waitFor();
  await put("user", { hooks: { on_run_start: { $ref: "gate" } } });
  await row.getByRole("link", { name: "user" }).waitFor();
  await remove("/agents/user");
  await remove("/hooks/gate");
  await row.waitFor({ state: "hidden" });
});

test("the page of an agent without unsaved changes follows other users, and reports that they deleted it", async () => {
  await put("followed", { description: "at first" });
  const page = await dashboard.open("/agents/followed");
  await page.getByText("Revision 1, saved").waitFor();
  await put("followed", { description: "and then" });
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("and then");
  await page.getByText("Revision 2, saved").waitFor();
  await page.getByText("All changes saved").waitFor();
  await remove("/agents/followed");
  const notice = page.getByRole("alert").filter({ hasText: "This was deleted" });
  await notice.getByText("This page shows the last version.").waitFor();
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await notice.getByRole("button", { name: "Create again" }).click();
  await notice.waitFor({ state: "hidden" });
  await page.getByText("Revision 3, saved").waitFor();
});

test("the page of a hook follows other users; one that is edited shows that there is a newer version", async () => {
  await putHook("shared");
  const page = await dashboard.open("/hooks/shared");
  await page.getByText("No agent uses it.").waitFor();
  await putHook("shared", { timeout_seconds: 12 });
  await expect.poll(() => page.getByLabel("Timeout").inputValue()).toBe("12 s");
  await page.getByLabel("Timeout").fill("13");
  await putHook("shared", { timeout_seconds: 14 });
  await page.getByText("A newer version was saved").waitFor();
  await expect.poll(() => page.getByLabel("Timeout").inputValue()).toBe("13 s");
  await page.getByRole("button", { name: "Use saved version" }).click();
  await expect.poll(() => page.getByLabel("Timeout").inputValue()).toBe("14 s");
});

test("a session that another user deletes leaves the list", async () => {
  const { session_id } = await dashboard.fleet.run("judge");
  const page = await dashboard.open("/sessions");
  const row = page.getByRole("main").getByRole("link", { name: `ses_…${session_id.slice(-6)}` });
  await row.waitFor();
  await remove(`/sessions/${session_id}`);
  await row.waitFor({ state: "hidden" });
});

/** Opens a page whose stream of events begins only when the returned function is called. */
async function openBeforeStream(path: string) {
  const page = await dashboard.open("/runners");
  // The requests of a shared worker cannot be held.
  await page.addInitScript("delete window.SharedWorker");
  const held: (() => void)[] = [];
  await page.route(/\/events(?:\?|$)/, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(dashboard.url + path);
  await expect.poll(() => held.length).toBe(1);
  return { page, begin: () => held[0]?.() };
}

test("a change between opening a list and the begin of the stream of events is shown", async () => {
  const changes = [
    ["/agents", () => put("late")],
    ["/hooks", () => putHook("late")],
  ] as const;
  for (const [path, change] of changes) {
    const { page, begin } = await openBeforeStream(path);
    // The page is rendered, so that it would read its list now.
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await change();
    begin();
    await link(page, "late").waitFor();
  }
});

test("a page is read although the stream of events does not begin, and shows that it reconnects", async () => {
  const { page } = await openBeforeStream("/agents");
  await page.getByText("Reconnecting").waitFor();
  await link(page, "judge").waitFor();
});
