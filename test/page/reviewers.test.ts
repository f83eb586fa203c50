import type { ApprovalsPage, NewToken, Run } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { press } from "./press.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  const asks =
    's/.*"environment": ?"([^"]*)".*/{"action": "ask", "reason": "deploy to \\1", "not_by": "requester"}/';
  await dashboard.fleet.put({ name: "other-eyes", type: "procedural", command: ["sed", "-E", asks] });
  await dashboard.fleet.program(
    {
      name: "deployer",
      hooks: { on_run_start: { type: "agent", agent_name: "other-eyes", on_error: "block" } },
    },
    "return { deployed: input.environment };",
  );
});
afterAll(() => dashboard.close());

/** Starts a deployment with a token of its own, and waits for the question. */
async function ask(environment: string): Promise<{ readonly runId: string; readonly token: string }> {
  const { token } = await dashboard.fleet.demand<NewToken>("POST", "/tokens", {
    name: "ana",
    scope: "admin",
  });
  const response = await fetch(`${dashboard.url}/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ agent_name: "deployer", parameters: { environment } }),
  });
  const { run_id: runId } = (await response.json()) as Run;
  const asked = async () =>
    (await dashboard.fleet.demand<ApprovalsPage>("GET", `/approvals?run=${runId}`)).approvals;
  await expect.poll(asked).toHaveLength(1);
  return { runId, token };
}

const question = (page: Page, environment: string) =>
  page.getByRole("article", { name: `deploy to ${environment}`, exact: true });

test("who started a run reads why another person must decide, and has no buttons", async () => {
  const { runId, token } = await ask("production");
  const page = await dashboard.signedOut();
  await page.goto(`${dashboard.url}/approvals`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  const card = question(page, "production");
  await card.getByText("You started this run; another person must decide").waitFor();
  await card.getByText("Not by the requester: ana").waitFor();
  await card.getByText("Deciding requires the scope reviewer or admin").waitFor();
  expect(await card.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${dashboard.url}/runs/${runId}`);
  await page.getByText("You started this run; another person must decide").waitFor();
  expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
});

test("a reviewer gets to the approvals from every address, sees nothing else in the navigation, and decides", async () => {
  const { runId } = await ask("staging");
  const page = await dashboard.open("/agents", { scope: "reviewer", name: "rita" });
  await page.waitForURL("**/approvals");
  const navigation = page.getByRole("navigation", { name: "Pages" });
  await expect
    .poll(() => navigation.getByRole("link").allTextContents())
    .toEqual([expect.stringContaining("Approvals")]);
  const card = question(page, "staging");
  await card.getByText("Not by the requester: ana").waitFor();
  expect(await card.getByRole("link", { name: "deployer" }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await card.getByRole("link", { name: /^run_/ }).click();
  await page.waitForURL(`**/runs/${runId}`);
  await page.getByRole("heading", { name: "Run of deployer" }).waitFor();
  await page.getByText('"environment": "staging"').first().waitFor();
  expect(await page.getByRole("button", { name: /Stop|Retry/ }).count()).toBe(0);
  await press(page.getByRole("button", { name: "Approve", exact: true }));
  await page
    .getByText(/approved by rita, /)
    .first()
    .waitFor();
  const run = () => dashboard.fleet.demand<Run>("GET", `/runs/${runId}`);
  await expect.poll(async () => (await run()).result_data).toEqual({ deployed: "staging" });
});

test("a reviewer's page shows a new question without being loaded again", async () => {
  const page = await dashboard.open("/", { scope: "reviewer", name: "rita" });
  await page.waitForURL("**/approvals");
  await page.getByRole("heading", { name: "Approvals" }).waitFor();
  await ask("mars");
  await page
    .getByText("deploy to mars")
    .or(page.getByRole("button", { name: "1 new" }))
    .first()
    .waitFor();
});
