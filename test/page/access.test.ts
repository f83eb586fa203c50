import type { NewToken } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
});
afterAll(() => dashboard.close());

test("a used sign-in link shows why it is invalid, and the form to sign in", async () => {
  const link = await dashboard.fleet.served.loginUrl();
  const first = await dashboard.signedOut();
  await first.goto(link);
  await first.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const second = await dashboard.signedOut();
  await second.goto(link);
  await second.getByText("This sign-in link was used already, or has expired").waitFor();
  await second.getByText("Print another with tenterhook tokens link").waitFor();
  await expect.poll(() => second.title()).toBe("Sign in · Tenterhook");
  await second.getByLabel("Token").fill(await dashboard.token("viewer"));
  await second.getByRole("button", { name: "Sign in" }).click();
  await second.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  // A signed-in user does not see the notice.
  await first.goto(link);
  await first.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
});

test("a mistyped sign-in link is called unknown, not used", async () => {
  const page = await dashboard.signedOut();
  await page.goto((await dashboard.fleet.served.loginUrl()).slice(0, -1));
  await page.getByText("The coordinator does not know this sign-in link").waitFor();
  await page.getByText("Open the whole link").waitFor();
  expect(await page.getByText("used already").count()).toBe(0);
});

test("a session that ends while the page is open leads to the sign-in form, and back to the same address", async () => {
  const { token, token_id } = await dashboard.fleet.demand<NewToken>("POST", "/tokens", {
    name: "ann",
    scope: "client",
  });
  const page = await dashboard.signedOut();
  await page.goto(`${dashboard.url}/sessions?search=ses_1`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
  await page.getByLabel("Search sessions").fill("ses_2");
  await page.waitForURL("**/sessions?search=ses_2");
  await dashboard.fleet.demand("DELETE", `/tokens/${token_id}`);
  await page.getByText("Your session has ended").waitFor();
  await page.getByLabel("Token").fill(await dashboard.token("viewer"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe("/sessions?search=ses_2");
  await page.getByRole("button", { name: /viewer/ }).waitFor();
});

test("a runner's token can sign in, and the page explains that it cannot read the dashboard", async () => {
  const page = await dashboard.signedOut();
  await page.goto(`${dashboard.url}/login`);
  await page.getByLabel("Token").fill(await dashboard.token("runner"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "This token cannot read the dashboard" }).waitFor();
  await page.getByRole("button", { name: "Use another token" }).click();
  await page.getByLabel("Token").fill(await dashboard.token("viewer"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
});
