import { expect, test, vi } from "vitest";
import { DashboardWorld, PHONE } from "./dashboard-world.ts";

// Long walks through a real browser, perhaps on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test("a link opens the page, and its pages are one click away", async () => {
  const world = await DashboardWorld.start();
  const page = await world.open();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/runs");
  for (const name of ["Approvals", "Sessions", "Agents", "Hooks", "Runners", "Live"]) {
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${name} · Tenterhook`);
  }
});

test("a stranger is asked for a token, and comes in with one", async () => {
  const world = await DashboardWorld.start();
  const page = await world.stranger();
  await page.goto(`${world.url}/agents`);
  await page.getByLabel("Token").fill("tenterhook_wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("token").nth(1).waitFor();
  await page.getByLabel("Token").fill(await world.token("viewer"));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await page.getByRole("button", { name: /viewer/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.getByLabel("Token").waitFor();
});

test("on a phone the pages are in a menu, which closes when one was chosen", async () => {
  const world = await DashboardWorld.start();
  const page = await world.open("/", { viewport: PHONE });
  const link = page.getByRole("link", { name: "Agents", exact: true });
  await page.getByRole("button", { name: "Open the menu" }).click();
  await link.click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await expect.poll(() => link.isVisible()).toBe(false);
});
