import type { Approval, ApprovalsPage, Run } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { press } from "./press.ts";
import { saveFourEyes } from "./sample-agents.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  await saveFourEyes(dashboard);
  await dashboard.fleet.program(
    {
      name: "deployer",
      parameters_schema: {
        type: "object",
        required: ["environment"],
        properties: { environment: { type: "string" } },
        additionalProperties: false,
      },
      hooks: { on_run_start: { type: "agent", agent_name: "four-eyes", on_error: "block" } },
    },
    "return { deployed: input.environment };",
  );
});
afterAll(() => dashboard.close());

/** Starts a deployment that waits for approval. */
async function ask(environment: string): Promise<Approval> {
  const { run_id } = await dashboard.fleet.run("deployer", { environment }, { execution_mode: "async_poll" });
  const asked = async () =>
    (await dashboard.fleet.demand<ApprovalsPage>("GET", `/approvals?run=${run_id}`)).approvals;
  await expect.poll(asked).toHaveLength(1);
  const [approval] = await asked();
  if (approval === undefined) throw new Error("there is no approval");
  return approval;
}

const run = (id: string) => dashboard.fleet.demand<Run>("GET", `/runs/${id}`);
const question = (page: Page, environment: string) =>
  page.getByRole("article", { name: `deploy to ${environment}`, exact: true });
const decided = (page: Page, state: string, environment: string) =>
  page.getByRole("article", { name: `${state}: deploy to ${environment}` });

test("an approval appears with its details, the tab title shows the count, and approving continues the run", async () => {
  const page = await dashboard.open("/approvals", { name: "ana" });
  await page.getByRole("heading", { name: "No pending approvals" }).waitFor();
  const { run_id } = await ask("production");
  const card = question(page, "production");
  await card.waitFor();
  await expect.poll(() => page.title()).toBe("(1) Approvals · Tenterhook");
  await card.getByText("four-eyes asks before the run starts").waitFor();
  await card.getByText(/23 h 5\d min left/).waitFor();
  await card.getByRole("link", { name: "deployer" }).waitFor();
  await expect
    .poll(() => card.getByRole("link", { name: /^run_/ }).getAttribute("href"))
    .toBe(`/runs/${run_id}`);
  await card.getByText('"environment": "production"').waitFor();
  await press(card.getByRole("button", { name: "Approve", exact: true }));
  await decided(page, "approved", "production")
    .getByText(/approved by ana, /)
    .waitFor();
  await expect.poll(() => page.title()).toBe("Approvals · Tenterhook");
  await expect.poll(async () => (await run(run_id)).result_data).toEqual({ deployed: "production" });
});

test("a run continues with edited values; an invalid value is reported at the field and kept", async () => {
  const { run_id } = await ask("moon");
  const page = await dashboard.open("/approvals");
  const card = question(page, "moon");
  await press(card.getByRole("button", { name: "Edit and approve" }));
  const field = card.getByLabel("New parameters");
  await field.fill('{ "environment": 7 }');
  await press(card.getByRole("button", { name: "Approve with changes" }));
  await card.getByText(/environment.*string/).waitFor();
  await expect.poll(() => field.inputValue()).toBe('{ "environment": 7 }');
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await field.fill('{ "environment": "staging" }');
  await press(card.getByRole("button", { name: "Approve with changes" }));
  await decided(page, "approved", "moon")
    .getByText(/approved with changes by/)
    .waitFor();
  await expect.poll(async () => (await run(run_id)).result_data).toEqual({ deployed: "staging" });
});

test("the reason of a rejection becomes the reason of the run", async () => {
  const { run_id } = await ask("friday");
  const page = await dashboard.open("/approvals");
  const card = question(page, "friday");
  await press(card.getByRole("button", { name: "Reject" }));
  await card.getByLabel("Reason").fill("not on a Friday");
  await press(card.getByRole("button", { name: "Reject" }));
  await decided(page, "rejected", "friday")
    .getByText(/: not on a Friday/)
    .waitFor();
  expect((await run(run_id)).block_reason).toBe("not on a Friday");
});

test("decided approvals are in the order of their questions, whenever they were decided, and show both times", async () => {
  const [older, newer] = [await ask("older question"), await ask("newer question")];
  for (const { approval_id } of [newer, older]) {
    await dashboard.fleet.demand("POST", `/approvals/${approval_id}`, { decision: "approve" });
  }
  const page = await dashboard.open("/approvals");
  const names = () =>
    page
      .getByRole("region", { name: "Decided" })
      .getByRole("article")
      .evaluateAll((rows) => rows.slice(0, 2).map((row) => row.getAttribute("aria-label")));
  await expect
    .poll(names)
    .toEqual(["approved: deploy to newer question", "approved: deploy to older question"]);
  const row = page.getByRole("article", { name: "approved: deploy to older question" });
  await row.getByText(/Asked (?:just now|.+ ago) · approved by .+, (?:just now|.+ ago)/).waitFor();
});

test("a decision that fails with HTTP 500 is reported as such, and can be tried again", async () => {
  const { run_id } = await ask("broken");
  const page = await dashboard.open("/approvals");
  await page.route("**/approvals/*", (route) => route.fulfill({ status: 500, body: "out of order" }), {
    times: 1,
  });
  const card = question(page, "broken");
  const approve = card.getByRole("button", { name: "Approve", exact: true });
  await press(approve);
  await card.getByRole("alert").getByText("The response was HTTP 500, without an explanation.").waitFor();
  await press(approve);
  await decided(page, "approved", "broken").waitFor();
  await expect.poll(async () => (await run(run_id)).result_data).toEqual({ deployed: "broken" });
});

test("a user with an open form sees that another user has decided", async () => {
  const { approval_id } = await ask("twice");
  const page = await dashboard.open("/approvals");
  await press(question(page, "twice").getByRole("button", { name: "Reject" }));
  await dashboard.fleet.demand("POST", `/approvals/${approval_id}`, { decision: "approve" });
  await decided(page, "approved", "twice")
    .getByRole("status")
    .filter({ hasText: "Decision: approved by" })
    .waitFor();
  await page.getByRole("button", { name: "Clear decided" }).click();
  await page.getByRole("heading", { name: "No pending approvals" }).waitFor();
});

test("a viewer sees the approval, no buttons, and the reason", async () => {
  const { approval_id } = await ask("viewer");
  const page = await dashboard.open("/approvals", { scope: "viewer" });
  const card = question(page, "viewer");
  await card.waitFor();
  await page.getByText('your token has the scope "viewer"').waitFor();
  expect(await card.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
  await dashboard.fleet.demand("POST", `/approvals/${approval_id}`, { decision: "reject" });
  await decided(page, "rejected", "viewer").waitFor();
});

test("a run's own page asks its question and shows what was decided", async () => {
  const { run_id } = await ask("own-page");
  const page = await dashboard.open(`/runs/${run_id}`);
  const waiting = page.getByRole("region", { name: "Approval required" });
  await press(waiting.getByRole("button", { name: "Edit and approve" }));
  await waiting.getByLabel("New parameters").fill('{ "environment": "mars" }');
  await press(waiting.getByRole("button", { name: "Approve with changes" }));
  await page
    .getByRole("region", { name: "Approval decided" })
    .getByText(/^Decision: approved with changes by/)
    .waitFor();
  await page.getByText('"deployed": "mars"').first().waitFor();
  const refused = await ask("rejected-here");
  const other = await dashboard.open(`/runs/${refused.run_id}`);
  const question = other.getByRole("region", { name: "Approval required" });
  await press(question.getByRole("button", { name: "Reject" }));
  await question.getByLabel("Reason").fill("no");
  await press(question.getByRole("button", { name: "Reject" }));
  await other.getByRole("region", { name: /^Rejected by/ }).waitFor();
  expect(await axeFindings(other)).toEqual([]);
});

test("the link of a run shows only the approvals of that run", async () => {
  const here = await ask("here");
  await ask("elsewhere");
  const page = await dashboard.open(`/approvals?run=${here.run_id}`);
  await question(page, "here").waitFor();
  expect(await question(page, "elsewhere").count()).toBe(0);
  await page.getByRole("link", { name: "Show all" }).click();
  await question(page, "elsewhere").waitFor();
});
