import { startPostgres } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

test("numbers stay while the database is away, the page says why, and continues by itself", async ({
  onTestFinished,
}) => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const errors: unknown[] = [];
  const dashboard = await TestDashboard.start({
    url: await postgres.freshDatabase(),
    report: (error) => void errors.push(error),
  });
  const { fleet } = dashboard;
  await fleet.runner();
  await fleet.program({ name: "alpha" }, "return {}");
  await fleet.run("alpha", {});
  const overview = await dashboard.open("/overview");
  const hook = await dashboard.open("/hook?hook=runner%3Aguard");
  const runs = overview.getByRole("region", { name: "Runs", exact: true });
  await runs.getByRole("link", { name: "1 completed: runs" }).waitFor();
  await hook.getByText("Never fired").waitFor();

  await postgres.stop();
  for (const page of [overview, hook]) {
    const note = page.getByRole("status").filter({ hasText: "The latest numbers could not be read" });
    await expect.poll(() => note.textContent()).toContain("The database is away.");
  }
  await runs.getByRole("link", { name: "1 completed: runs" }).waitFor();
  expect(await axeFindings(overview)).toEqual([]);
  expect(errors.map(String).join()).toContain("The database cannot be reached");

  await postgres.start();
  for (const page of [overview, hook])
    await page.getByText("The latest numbers could not be read").waitFor({ state: "detached" });
  await fleet.run("alpha", {});
  await runs.getByRole("link", { name: "2 completed: runs" }).waitFor();
});
