import type { Page } from "playwright-core";
import { test } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

/** More than the six connections that a browser opens to one server. */
const TABS = 8;

test("eight tabs of one browser share one event stream, and each shows every event", async () => {
  const dashboard = await TestDashboard.start({ url: undefined });
  await dashboard.fleet.answer({ name: "echo" }, {});
  const tabs: Page[] = [];
  for (let count = 0; count < TABS; count += 1) tabs.push(await dashboard.open("/live"));
  for (const tab of tabs) await tab.getByRole("heading", { name: "Live", level: 1 }).waitFor();
  const { run_id } = await dashboard.fleet.run("echo", { message: "all" }, { execution_mode: "async_poll" });
  const created = (tab: Page, id: string) =>
    tab.getByRole("log").getByRole("link", { name: `run_…${id.slice(-6)}` });
  for (const tab of tabs) await created(tab, run_id).first().waitFor();

  // The stream outlives the tab that opened it.
  await tabs.shift()?.close();
  const later = await dashboard.fleet.run("echo", { message: "later" }, { execution_mode: "async_poll" });
  for (const tab of tabs) await created(tab, later.run_id).first().waitFor();
});

test("a page that is reloaded while the coordinator is away shows its frame, and recovers by itself", async () => {
  const dashboard = await TestDashboard.start({ url: undefined });
  await dashboard.fleet.answer({ name: "echo" }, {});
  const page = await dashboard.open("/agents", { keepsPage: true });
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await page.evaluate("navigator.serviceWorker.ready");
  await dashboard.fleet.restart(async () => {
    await page.reload();
    await page.getByText("The page opens by itself when the coordinator responds.").waitFor();
    await page.goto(`${dashboard.url}/hooks`);
    await page.getByText("The page opens by itself when the coordinator responds.").waitFor();
  });
  await page.getByRole("heading", { name: "Hooks", level: 1 }).waitFor();
});
