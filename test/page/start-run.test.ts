import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunView } from "../coordinator/local-fleet.ts";
import { axeFindings, pageFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.program(
    {
      name: "reporter",
      description: "Writes reports",
      parameters_schema: {
        type: "object",
        required: ["report", "pages"],
        properties: {
          report: {
            type: "string",
            title: "Report",
            description: "Which one",
            pattern: "^Q[1-4]$",
            examples: ["Q3"],
          },
          pages: { type: "integer", title: "Length", minimum: 1, maximum: 9, default: 2 },
          tone: { enum: ["plain", "proud"], title: "Tone" },
          isUrgent: { type: "boolean", title: "Urgent" },
          body: { type: "string", title: "Body", maxLength: 5_000 },
          tags: { type: "array", title: "Tags", items: { type: "string" } },
          filter: {
            type: "object",
            title: "Filter",
            properties: { since: { type: "string", title: "Since", format: "date-time" } },
          },
          limit: { title: "Limit", oneOf: [{ type: "integer" }, { const: "all" }] },
        },
      },
    },
    "",
  );
  await dashboard.fleet.program({ name: "plain", description: "Takes anything" }, "");
});
afterAll(() => dashboard?.close());

const startButton = (page: Page) => page.getByRole("button", { name: "Start", exact: true });

/** The run whose page is open. */
async function startedRun(page: Page): Promise<RunView> {
  await page.waitForURL(/\/runs\/run_/);
  return dashboard.fleet.demand<RunView>("GET", new URL(page.url()).pathname);
}

test("without runs the page offers to start one, and starts it", async () => {
  const page = await dashboard.open("/runs");
  await page.getByRole("heading", { name: "No runs yet" }).waitFor();
  await page.getByRole("button", { name: "Start the first run" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await startButton(page).click();
  await dialog.getByText("Choose an agent.").waitFor();
  await dialog.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "plain Takes anything" }).click();
  await dialog.getByText("any JSON object is accepted").waitFor();
  await dialog.getByLabel("Parameters").fill('{ "a": [1] }');
  await startButton(page).click();
  expect(await startedRun(page)).toMatchObject({ agent_name: "plain", parameters: { a: [1] } });
});

test("every kind of field is sent with its type", async () => {
  const page = await dashboard.open("/runs?start=reporter");
  await page.getByRole("textbox", { name: /^Report/ }).fill("Q3");
  await page.getByLabel("Length").fill("7");
  await page.getByRole("combobox", { name: "Tone" }).click();
  await page.getByRole("option", { name: "proud" }).click();
  await page.getByRole("switch", { name: "Urgent" }).click();
  await page.getByLabel("Body").fill("one\ntwo");
  const add = page.getByRole("button", { name: "Add to Tags" });
  for (const [index, tag] of ["a", "b", "c"].entries()) {
    await add.click();
    await page.getByLabel(`Tags ${index + 1}`, { exact: true }).fill(tag);
  }
  await page.getByRole("button", { name: "Remove Tags 2" }).click();
  await page.getByLabel("Since").fill("2026-01-31T12:00:00Z");
  await page.getByLabel("Limit (JSON)").fill('"all"');
  await startButton(page).click();
  expect(await startedRun(page)).toMatchObject({
    parameters: {
      report: "Q3",
      pages: 7,
      tone: "proud",
      isUrgent: true,
      body: "one\ntwo",
      tags: ["a", "c"],
      filter: { since: "2026-01-31T12:00:00Z" },
      limit: "all",
    },
  });
});

test("missing and invalid values are reported at their fields, and nothing is sent", async () => {
  const page = await dashboard.open("/runs?start=reporter");
  await expect.poll(() => page.getByLabel("Length").inputValue()).toBe("2");
  await expect
    .poll(() => page.getByRole("textbox", { name: /^Report/ }).getAttribute("placeholder"))
    .toBe("Q3");
  await page.getByLabel("Length").fill("12");
  await startButton(page).click();
  await page.getByText("Must be 9 or less.").waitFor();
  await page.getByText("Required.").waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/runs");
});

test("an error of the coordinator is shown at its field until the value changes", async () => {
  const page = await dashboard.open("/runs?start=reporter");
  const report = page.getByRole("textbox", { name: /^Report/ });
  await report.fill("Q9");
  await startButton(page).click();
  const message = page.getByText(/must match pattern/);
  await message.waitFor();
  await expect.poll(() => report.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => report.evaluate((input) => input.matches(":focus"))).toBe(true);
  expect(await page.getByLabel("Length").getAttribute("aria-invalid")).not.toBe("true");
  await report.fill("Q4");
  await message.waitFor({ state: "detached" });
  await startButton(page).click();
  expect(await startedRun(page)).toMatchObject({ parameters: { report: "Q4", pages: 2 } });
});

test("the form and the JSON edit the same values", async () => {
  const page = await dashboard.open("/runs?start=reporter");
  await page.getByRole("textbox", { name: /^Report/ }).fill("Q1");
  await page.getByText("JSON", { exact: true }).click();
  const json = page.getByLabel("All parameters as JSON");
  await expect.poll(async () => JSON.parse(await json.inputValue())).toEqual({ report: "Q1", pages: 2 });
  await json.fill("{ oh");
  await page.getByText("Invalid JSON").waitFor();
  await json.fill('{ "report": "Q2", "pages": 3, "more": true }');
  await page.getByText("Form", { exact: true }).click();
  await expect.poll(() => page.getByRole("textbox", { name: /^Report/ }).inputValue()).toBe("Q2");
  await startButton(page).click();
  expect(await startedRun(page)).toMatchObject({ parameters: { report: "Q2", pages: 3, more: true } });
});

test("a session is chosen under More options, and its errors are shown there", async () => {
  const page = await dashboard.open("/runs?start=plain");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Parent session").fill("ses_nowhere");
  await page.getByRole("textbox", { name: "Session", exact: true }).fill("my-session");
  await startButton(page).click();
  await page.getByText(/there is no session "ses_nowhere"/i).waitFor();
  await page.getByLabel("Parent session").fill("");
  await startButton(page).click();
  expect(await startedRun(page)).toMatchObject({ session_id: "my-session" });
});

test("a run is retried with changes from the form, filled with its parameters", async () => {
  const first = await dashboard.fleet.run("plain", { a: 1 }, { execution_mode: "async_poll" });
  await dashboard.fleet.demand("POST", `/runs/${first.run_id}/stop`, {});
  const reported = await dashboard.fleet.run(
    "reporter",
    { report: "Q1", pages: 4, tags: ["x"] },
    { execution_mode: "async_poll" },
  );
  await dashboard.fleet.demand("POST", `/runs/${reported.run_id}/stop`, {});
  const page = await dashboard.open(`/runs/${reported.run_id}`, { viewport: PHONE });
  await page.getByRole("button", { name: "Retry with changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry a run of reporter" });
  const report = dialog.getByRole("textbox", { name: /^Report/ });
  await expect.poll(() => report.inputValue()).toBe("Q1");
  await expect.poll(() => dialog.getByLabel("Length").inputValue()).toBe("4");
  expect(await dialog.getByRole("combobox", { name: "Agent" }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await report.fill("Q9");
  await dialog.getByRole("button", { name: "Retry run" }).click();
  await dialog.getByText(/must match pattern/).waitFor();
  await expect.poll(() => report.getAttribute("aria-invalid")).toBe("true");
  await report.fill("Q4");
  await dialog.getByRole("button", { name: "Retry run" }).click();
  await page.waitForURL((url) => /runs\/run_/.test(url.pathname) && !url.pathname.includes(reported.run_id));
  await page.getByText("Retry of").waitFor();
  expect(await startedRun(page)).toMatchObject({
    agent_name: "reporter",
    parameters: { report: "Q4", pages: 4, tags: ["x"] },
    retry_of: reported.run_id,
  });
  // Parameters of an agent without a schema are edited as JSON.
  await page.goto(`${dashboard.url}/runs/${first.run_id}`);
  await page.getByRole("button", { name: "Retry with changes" }).click();
  await page.getByRole("dialog").getByLabel("Parameters").fill('{ "a": 2 }');
  await page.getByRole("button", { name: "Retry run" }).click();
  await page.waitForURL((url) => !url.pathname.includes(first.run_id));
  expect(await startedRun(page)).toMatchObject({ parameters: { a: 2 }, retry_of: first.run_id });
});

test("going back closes the form and keeps the filters", async () => {
  const page = await dashboard.open("/runs?status=pending");
  await page.getByRole("button", { name: "Start a run" }).click();
  await page.getByRole("dialog", { name: "Start a run" }).waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).search).toBe("?status=pending");
});

test("the form is accessible in light and dark, and fits, on a phone", async () => {
  const page = await dashboard.open("/runs?start=reporter", { viewport: PHONE });
  await page.getByRole("textbox", { name: /^Report/ }).waitFor();
  await startButton(page).click();
  await page.getByText("Required.").waitFor();
  expect(await pageFindings(page)).toEqual([]);
});
