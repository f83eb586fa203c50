import { expect, test, vi } from "vitest";
import { DashboardWorld } from "./dashboard-world.ts";

// Long walks through a real browser, perhaps on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test("without a runner the page says how to start one here; one that comes is shown with what it does", async () => {
  const world = await DashboardWorld.start();
  const page = await world.open("/runners");
  await page.getByText(`tenterhook runner --url ${world.url} --token …`).waitFor();
  const runner = await world.fleet.runner(2);
  await world.fleet.program({ name: "slow" }, "await new Promise((resolve) => setTimeout(resolve, 60_000));");
  const { run_id } = await world.fleet.run("slow", {}, { execution_mode: "async_poll" });
  const card = page.getByRole("article", { name: "test" });
  await card.getByText("alive").waitFor();
  await card.getByText("1 of 2 slots used").waitFor();
  const running = card.getByRole("list", { name: "Running now" });
  await running.getByRole("link", { name: "slow" }).waitFor();
  expect(await running.getByRole("link", { name: /^run_/ }).getAttribute("href")).toBe(`/runs/${run_id}`);
  await card.getByRole("button", { name: "The machine" }).click();
  await card.getByText(runner.id ?? "").waitFor();
  await card.getByText(`Node ${process.versions.node}`).waitFor();

  await card.getByRole("button", { name: "Drain test" }).click();
  const question = page.getByRole("dialog");
  await question.getByText("The one that it has goes on to its end.").waitFor();
  await question.getByRole("button", { name: "Drain it" }).click();
  await card.getByText("draining").waitFor();
  await card.getByRole("button", { name: "Undrain test" }).click();
  await question.getByRole("button", { name: "Let it take runs" }).click();
  await card.getByText("alive").waitFor();

  const viewers = await world.open("/runners", { scope: "viewer" });
  await viewers.getByRole("article", { name: "test" }).waitFor();
  expect(await viewers.getByRole("button", { name: "Drain test" }).count()).toBe(0);
});

test("one that stopped answering is folded away, with when it was last seen", async () => {
  const world = await DashboardWorld.start({ limits: { leaseSeconds: 1 }, sweepMs: 100 });
  const runner = await world.fleet.runner();
  const page = await world.open("/runners");
  await page.getByRole("article", { name: "test" }).waitFor();
  await runner.stop();
  await page.getByRole("button", { name: "1 that is gone" }).click();
  await page.getByRole("heading", { name: "No runner is there" }).waitFor();
  await page.getByRole("list", { name: "Gone runners" }).getByText("last seen").waitFor();
});
