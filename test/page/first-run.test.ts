import type { RunsPage } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { clickTwice } from "./click-twice.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

/** The tests follow a new coordinator from its first page to its first runs. */
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
});
afterAll(() => dashboard?.close());

const demo = (page: Page, title: string) => page.getByRole("button", { name: title });
const runs = async () => (await dashboard.fleet.demand<RunsPage>("GET", "/runs?kind=client")).runs;

test("without agents the page says how to save the first one, with the command to copy", async () => {
  const page = await dashboard.open("/runs", { viewport: PHONE });
  await page.getByRole("heading", { name: "No agents yet" }).waitFor();
  await page.getByText(`tenterhook agents put agent.json --url ${dashboard.url} --token …`).waitFor();
  await page.getByRole("button", { name: "Copy the command" }).waitFor();
  await page.getByRole("link", { name: "Create an agent" }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("with agents that have no demos the page offers to start one of them", async () => {
  await dashboard.fleet.answer({ name: "own" }, {});
  const page = await dashboard.open("/runs");
  await page.getByRole("heading", { name: "No runs yet" }).waitFor();
  await page.getByText(`tenterhook run own --url ${dashboard.url} --token …`).waitFor();
  await page.getByText("they wait until a runner connects").waitFor();
  await page.getByRole("button", { name: "Start the first run" }).waitFor();
});

test("demos are buttons in the order in which they were saved, and the page says that no runner is connected", async () => {
  await dashboard.fleet.answer({ name: "asks" }, { action: "ask", reason: "this goes to production" });
  const onStart = { type: "agent", agent_name: "asks", on_error: "block" } as const;
  const schema = {
    type: "object",
    required: ["message"],
    properties: { message: { type: "string" } },
  };
  await dashboard.fleet.answer(
    {
      name: "worker",
      description: "Works in steps",
      parameters_schema: schema,
      demo: { title: "See rm -rf refused", parameters: { message: "Prepare 1.4" } },
    },
    {},
  );
  await dashboard.fleet.answer(
    {
      name: "deployer",
      description: "Deploys after approval",
      hooks: { on_run_start: onStart },
      demo: { title: "Approve a deployment", parameters: { environment: "production" } },
    },
    { deployed: true },
  );
  const page = await dashboard.open("/runs");
  await page.getByRole("heading", { name: "No runs yet. Start with a demo" }).waitFor();
  const buttons = page.getByRole("main").getByRole("button", { name: /Works in steps|Deploys after/ });
  await expect
    .poll(() => buttons.allTextContents())
    .toEqual(["See rm -rf refused Works in steps", "Approve a deployment Deploys after approval"]);
  await page.getByText("No runner connected", { exact: true }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("a demo whose parameters its agent would refuse is not saved", async () => {
  const { status, body } = await dashboard.fleet.ask("PUT", "/agents/broken", {
    name: "broken",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", required: ["message"] },
    demo: { title: "Fail", parameters: {} },
  });
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: "bad_blueprint", field: expect.stringMatching(/^demo\.parameters/) });
});

test("a viewer sees why there are no buttons", async () => {
  const page = await dashboard.open("/runs", { scope: "viewer" });
  await page.getByText("You are signed in with the scope viewer, which does not start runs.").waitFor();
  expect(await demo(page, "See rm -rf refused").count()).toBe(0);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("a demo that cannot be started says so, and can be started later", async () => {
  const page = await dashboard.open("/runs");
  await demo(page, "See rm -rf refused").waitFor();
  await dashboard.fleet.restart(async () => {
    await demo(page, "See rm -rf refused").click();
    await page
      .getByRole("alert")
      .getByText(/coordinator/)
      .first()
      .waitFor();
  });
  await demo(page, "See rm -rf refused").click();
  await page.waitForURL(/\/runs\/run_/);
  await expect.poll(runs).toMatchObject([{ agent_name: "worker" }]);
});

test("a double click starts one run and opens it with its question; the demos stay below the first runs", async () => {
  await dashboard.fleet.runner(2);
  const page = await dashboard.open("/runs");
  const region = page.getByRole("region", { name: "Demos" });
  await region.waitFor();
  await clickTwice(demo(page, "Approve a deployment"));
  await page.waitForURL(/\/runs\/run_/);
  await page.getByText("this goes to production").first().waitFor();
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  expect((await runs()).filter(({ agent_name }) => agent_name === "deployer")).toHaveLength(1);
  await page.goBack();
  await page.getByRole("row", { name: /deployer/ }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await demo(page, "See rm -rf refused").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Run of worker", level: 1 }).waitFor();
  const filtered = await dashboard.open("/runs?status=needs_approval");
  await filtered.getByRole("row", { name: /deployer/ }).waitFor();
  expect(await filtered.getByRole("region", { name: "Demos" }).count()).toBe(0);
});
