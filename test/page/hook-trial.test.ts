import type { HookTrial, Run, RunsPage } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, findingsAtBothWidths } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(2);
  await fleet.program({ name: "echo" }, "return input;");
  await fleet.program(
    { name: "judge" },
    `const { decision } = input.parameters;
     if (decision === "bad") return { action: "block", block_reason: "it is bad" };
     if (decision === "odd") return { action: "dance" };
     if (decision === "slow") await new Promise((resolve) => setTimeout(resolve, 600_000));
     return { action: "continue", parameters: { ...input.parameters, judged: true } };`,
  );
  const hook = { type: "agent", agent_name: "judge", on_error: "continue" };
  await fleet.demand("PUT", "/hooks/gate", hook);
  await fleet.put({
    name: "guarded",
    type: "procedural",
    command: ["cat"],
    hooks: { on_run_start: { $ref: "gate" } },
  });
});
afterAll(() => dashboard?.close());

const result = (page: Page) => page.getByRole("region", { name: "Result of the trial" });
const openForm = (page: Page) => page.getByRole("button", { name: "Try this hook" }).first().click();

async function tryInput(page: Page, input: object): Promise<void> {
  await page.getByLabel("Input", { exact: true }).fill(JSON.stringify(input));
  await page.getByRole("button", { name: "Try hook" }).click();
}

test("a named hook is tried against inputs, and the page explains what each answer would mean", async () => {
  const page = await dashboard.open("/hooks/gate", { scope: "client" });
  await openForm(page);
  await tryInput(page, { parameters: { a: 1 } });
  await result(page).getByText("The run would start with the changed parameters.").waitFor();
  const diff = result(page).getByRole("region", { name: "What the hook would change" });
  await expect.poll(() => diff.textContent()).toContain('"judged": true');
  await tryInput(page, { parameters: { decision: "bad" } });
  await result(page).getByText("it is bad").waitFor();
  await result(page).getByText("The run would not start, and would fail with this reason.").waitFor();
  await tryInput(page, { parameters: { decision: "odd" } });
  await result(page)
    .getByText(/^Its on_error is continue\./)
    .waitFor();
  const last = page.getByRole("region", { name: "Last trials" });
  await expect.poll(() => last.getByRole("listitem").count()).toBe(3);
  await expect
    .poll(() => last.getByRole("listitem").nth(1).textContent())
    .toMatch(/^block.+ by a client · .+ · it is bad/);
  expect(await axeFindings(page)).toEqual([]);
  await last.getByRole("link", { name: "View run" }).first().click();
  await page.getByText("trial of a hook").waitFor();
  const { runs } = await dashboard.fleet.demand<RunsPage>("GET", "/runs?agent=guarded");
  expect(runs).toEqual([]);
});

test("a trial of a named hook begins with the type that its agents use it for", async () => {
  await dashboard.fleet.demand("PUT", "/hooks/tools", {
    type: "agent",
    agent_name: "judge",
    on_error: "continue",
  });
  await dashboard.fleet.put({
    name: "tooled",
    type: "procedural",
    command: ["cat"],
    hooks: { on_run_start: { $ref: "gate" }, on_tool_call: { $ref: "tools" } },
  });
  const page = await dashboard.open("/hooks/tools");
  await openForm(page);
  await expect.poll(() => page.getByLabel("Type of hook").inputValue()).toBe("on_tool_call");
  await expect.poll(() => page.getByLabel("Input", { exact: true }).inputValue()).toContain('"tool_name"');
});

test("trials are marked as such on the hook's page and in lists, and the list of runs hides them by default", async () => {
  const page = await dashboard.open("/hooks/gate");
  await openForm(page);
  const responded = page.waitForResponse((response) => response.url().endsWith("/trial"));
  await tryInput(page, { parameters: { a: 1 } });
  const { run_id } = (await (await responded).json()) as HookTrial;
  await result(page).getByText("trial", { exact: true }).waitFor();
  const { run_id: own } = await dashboard.fleet.run("echo");
  const row = (id: string | null) => page.locator(`[data-run="${id}"]`);
  await page.goto(`${dashboard.url}/runs`);
  await row(own).waitFor();
  expect(await row(run_id).count()).toBe(0);
  await page.goto(`${dashboard.url}/runs?serving=true`);
  await row(run_id).getByText("trial", { exact: true }).waitFor();
  expect(await row(own).getByText("trial", { exact: true }).count()).toBe(0);
  const { session_id } = await dashboard.fleet.demand<Run>("GET", `/runs/${run_id}`);
  await page.goto(`${dashboard.url}/sessions?search=${session_id}`);
  const sessions = page.getByRole("list", { name: "Sessions", exact: true });
  await sessions.getByText("trial", { exact: true }).waitFor();
  await page.goto(`${dashboard.url}/sessions/${session_id}`);
  await page.getByRole("article").getByText("trial", { exact: true }).waitFor();
});

test("a hook of an agent is tried against a past run, and a refused input is shown at its field", async () => {
  const past = await dashboard.fleet.run("guarded", { b: 2 });
  const page = await dashboard.open("/agents/guarded?tab=hooks");
  await openForm(page);
  await tryInput(page, { parameters: 7 });
  await page.getByText(/It is not an input of on_run_start/).waitFor();
  await page.getByText("Past run", { exact: true }).click();
  const run = page.getByRole("combobox", { name: "Run" }).or(page.getByRole("textbox", { name: "Run" }));
  await run.fill("run_none");
  await page.getByRole("button", { name: "Try hook" }).click();
  await page.getByText('There is no run "run_none".').waitFor();
  await run.fill(past.run_id);
  const responded = page.waitForResponse((response) => response.url().endsWith("/trial"));
  await page.getByRole("button", { name: "Try hook" }).click();
  const trial = (await (await responded).json()) as HookTrial;
  expect(trial).toMatchObject({ outcome: "proceed", input: { run_id: past.run_id, parameters: { b: 2 } } });
  await result(page).waitFor();
});

test("cancelling ends the trial, and a viewer cannot begin one", async () => {
  const page = await dashboard.open("/hooks/gate");
  await openForm(page);
  await tryInput(page, { parameters: { decision: "slow" } });
  const latest = async () =>
    (await dashboard.fleet.demand<RunsPage>("GET", "/runs?agent=judge&limit=1")).runs[0]?.status;
  await expect.poll(latest).toBe("running");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached" });
  await expect.poll(latest).toBe("stopped");
  const viewed = await dashboard.open("/hooks/gate", { scope: "viewer" });
  await viewed.getByText("You have read-only access.").waitFor();
  expect(await viewed.getByRole("button", { name: "Try this hook" }).count()).toBe(0);
});

test("a trial is accessible in light and dark, and fits, on a desktop and a phone", async () => {
  const page = await dashboard.open("/hooks/gate");
  await openForm(page);
  await tryInput(page, { parameters: { a: 1 } });
  await result(page).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});
