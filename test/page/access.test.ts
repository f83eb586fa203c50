import type { NewToken } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DashboardWorld } from "./dashboard-world.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await DashboardWorld.share();
});
afterAll(() => world.close());

test("a used sign-in link shows why it is invalid, and the form to sign in", async () => {
  const link = await world.fleet.served.loginUrl();
  const first = await world.signedOut();
  await first.goto(link);
  await first.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  const second = await world.signedOut();
  await second.goto(link);
  await second.getByText("This sign-in link was used already, or has expired").waitFor();
  await second.getByText("Print another with tenterhook tokens link").waitFor();
  await expect.poll(() => second.title()).toBe("Sign in · Tenterhook");
  await second.getByLabel("Token").fill(await world.token("viewer"));
  await second.getByRole("button", { name: "Sign in" }).click();
  await second.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  // A signed-in user does not see the notice.
  await first.goto(link);
  await first.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});

test("a session that ends while the page is open leads to the sign-in form, and back to the same address", async () => {
  const { token, token_id } = await world.fleet.demand<NewToken>("POST", "/tokens", {
    name: "ann",
    scope: "client",
  });
  const page = await world.signedOut();
  await page.goto(`${world.url}/sessions?search=ses_1`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
  await page.getByLabel("Search sessions").fill("ses_2");
  await page.waitForURL("**/sessions?search=ses_2");
  await world.fleet.demand("DELETE", `/tokens/${token_id}`);
  await page.getByText("Your session has ended").waitFor();
  await page.getByLabel("Token").fill(await world.token("viewer"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe("/sessions?search=ses_2");
  await page.getByRole("button", { name: /viewer/ }).waitFor();
});

test("a runner's token can sign in, and the page explains that it cannot read the dashboard", async () => {
  const page = await world.signedOut();
  await page.goto(`${world.url}/login`);
  await page.getByLabel("Token").fill(await world.token("runner"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "This token cannot read the dashboard" }).waitFor();
  await page.getByRole("button", { name: "Use another token" }).click();
  await page.getByLabel("Token").fill(await world.token("viewer"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});
