import type { NewToken } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DashboardWorld } from "./dashboard-world.ts";

// Long walks through a real browser, perhaps on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let world: DashboardWorld;
beforeAll(async () => {
  world = await DashboardWorld.share();
}, 60_000);
afterAll(() => world.close());

test("a link that was used explains itself and leads to the form, which lets in", async () => {
  const link = await world.fleet.served.loginUrl();
  const first = await world.stranger();
  await first.goto(link);
  await first.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  const second = await world.stranger();
  await second.goto(link);
  await second.getByText("This link works no more").waitFor();
  expect(await second.title()).toBe("Log in · Tenterhook");
  await second.getByLabel("Token").fill(await world.token("viewer"));
  await second.getByRole("button", { name: "Log in" }).click();
  await second.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  // Whoever is in already need not be told.
  await first.goto(link);
  await first.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});

test("a session that ends while the page is open leads to the form, and back to the same address", async () => {
  const { token, token_id } = await world.fleet.demand<NewToken>("POST", "/tokens", {
    name: "ann",
    scope: "client",
  });
  const page = await world.stranger();
  await page.goto(`${world.url}/sessions?search=ses_1`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "No session is like that" }).waitFor();
  await world.fleet.demand("DELETE", `/tokens/${token_id}`);
  await page.getByLabel("Search sessions").fill("ses_2");
  await page.getByText("You are no longer logged in").waitFor();
  await page.getByLabel("Token").fill(await world.token("viewer"));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "No session is like that" }).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe("/sessions?search=ses_2");
  await page.getByRole("button", { name: /viewer/ }).waitFor();
});

test("a runner's token gets in, is told that it cannot look, and how to change that", async () => {
  const page = await world.stranger();
  await page.goto(`${world.url}/login`);
  await page.getByLabel("Token").fill(await world.token("runner"));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "This token cannot look" }).waitFor();
  await page.getByRole("button", { name: "Use another token" }).click();
  await page.getByLabel("Token").fill(await world.token("viewer"));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});
