import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
});
afterAll(() => dashboard.close());

test("a sign-in link opens the dashboard, and every page is one click away", async () => {
  const page = await dashboard.open();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/overview");
  for (const name of ["Runs", "Approvals", "Sessions", "Agents", "Hooks", "Runners", "Live"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe(`${name} · Tenterhook`);
  }
});

test("the page asks for a token and accepts a valid one", async () => {
  const page = await dashboard.signedOut();
  await page.goto(`${dashboard.url}/agents`);
  await page.getByLabel("Token").fill("tenterhook_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The coordinator does not know this token").waitFor();
  await expect.poll(() => page.getByLabel("Token").inputValue()).toBe("tenterhook_wrong");
  await expect.poll(() => page.getByLabel("Token").getAttribute("aria-invalid")).toBe("true");
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel("Token").fill(await dashboard.token("viewer"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await page.getByRole("button", { name: /viewer/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
});

test("on a phone the navigation is a menu that closes after a choice", async () => {
  const page = await dashboard.open("/", { viewport: PHONE });
  const link = page.getByRole("link", { name: "Agents", exact: true });
  await page.getByRole("button", { name: "Open menu" }).click();
  await link.click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await expect.poll(() => link.isVisible()).toBe(false);
});
