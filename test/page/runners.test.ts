import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { expireLeases } from "../../packages/coordinator/src/testing/expire-leases.ts";
import { dialogFindings } from "./axe-findings.ts";
import { DESKTOP, TestDashboard } from "./test-dashboard.ts";

test("without a runner the page shows how to start one; a new runner appears with its runs", async () => {
  const dashboard = await TestDashboard.start();
  const page = await dashboard.open("/runners");
  await page.getByText(`tenterhook runners start --url ${dashboard.url} --token …`).waitFor();
  const runner = await dashboard.fleet.runner(2);
  await dashboard.fleet.program(
    { name: "slow" },
    "await new Promise((resolve) => setTimeout(resolve, 600_000));",
  );
  const { run_id } = await dashboard.fleet.run("slow", {}, { execution_mode: "async_poll" });
  const card = page.getByRole("article", { name: "test" });
  await card.getByText("online").waitFor();
  await card.getByText("1 of 2 slots used").waitFor();
  const running = card.getByRole("list", { name: "Current runs" });
  await running.getByRole("link", { name: "slow" }).waitFor();
  await expect
    .poll(() => running.getByRole("link", { name: /^run_/ }).getAttribute("href"))
    .toBe(`/runs/${run_id}`);
  await card.getByRole("button", { name: "Machine" }).click();
  await card.getByText(runner.id ?? "").waitFor();
  await card.getByText(`Node ${process.versions.node}`).waitFor();

  await card.getByRole("button", { name: "Drain test" }).dblclick();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Its current run continues to the end.").waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole("button", { name: "Drain" }).click();
  await card.getByText("draining").waitFor();
  await card.getByRole("button", { name: "Undrain test" }).click();
  await dialog.getByRole("button", { name: "Undrain" }).click();
  await card.getByText("online").waitFor();

  // Without its polls, which find out that a runner has gone offline, the page learns of other users by events alone.
  await page.addInitScript(() => {
    const original = globalThis.setInterval;
    const withoutPolls = (callback: () => void, ms: number) => (ms === 5_000 ? 0 : original(callback, ms));
    Object.assign(globalThis, { setInterval: withoutPolls });
  });
  await page.reload();
  await card.getByText("online").waitFor();
  await dashboard.fleet.demand("POST", `/runners/${runner.id}/drain`, { draining: true });
  await card.getByText("draining").waitFor();
  await dashboard.fleet.demand("POST", `/runners/${runner.id}/drain`, { draining: false });
  await card.getByText("online").waitFor();

  const viewers = await dashboard.open("/runners", { scope: "viewer" });
  await viewers.getByRole("article", { name: "test" }).waitFor();
  expect(await viewers.getByRole("button", { name: "Drain test" }).count()).toBe(0);
});

test("an offline runner is listed separately with the time it was last seen", async () => {
  const dashboard = await TestDashboard.start({ limits: { leaseSeconds: 1 }, sweepMs: 100 });
  const runner = await dashboard.fleet.runner();
  const page = await dashboard.open("/runners");
  await page.getByRole("article", { name: "test" }).waitFor();
  await runner.stop();
  await page.getByRole("button", { name: "1 offline runner" }).click();
  await page.getByRole("heading", { name: "No runners connected" }).waitFor();
  await page.getByRole("list", { name: "Offline runners" }).getByText("last seen").waitFor();
});

test("a lost runner is called by its name wherever its run is shown, not by its id", async () => {
  const dashboard = await TestDashboard.start({ sweepMs: 100 });
  const { fleet } = dashboard;
  await fleet.put({ name: "patient", type: "procedural", command: ["cat"] });
  const runner = await TestRunner.register(new ApiClient(fleet.served.url, fleet.served.token), {
    name: "night shift",
  });
  const { run_id } = await fleet.run("patient", {}, { execution_mode: "async_poll" });
  const run = await runner.claim();
  await runner.report(run, "started");
  const page = await dashboard.open(`/runs/${run_id}`);
  await page.getByRole("link", { name: "night shift", exact: true }).waitFor();
  await expireLeases(fleet.served.coordinator.database);
  await page.getByText('the runner "night shift" stopped answering').first().waitFor();
  await page.getByRole("button", { name: /^Running failed/ }).click();
  await page.locator(`code[title="${runner.id}"]`).getByText("night shift", { exact: true }).waitFor();
  await page.getByRole("link", { name: "night shift", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByText("by night shift").first().waitFor();
  for (const address of [`/runs/${run_id}`, "/live", "/runs"]) {
    await page.goto(dashboard.url + address);
    await page.getByText('the runner "night shift" stopped answering').first().waitFor();
    // Its id is shown until the names of runners are read.
    await expect.poll(() => page.getByText(runner.id).count(), { message: address }).toBe(0);
  }
});
