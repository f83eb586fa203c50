import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunView } from "../coordinator/local-fleet.ts";
import { dialogFindings } from "./axe-findings.ts";
import { DESKTOP, TestDashboard } from "./test-dashboard.ts";
import { watchCopies } from "./watch-copies.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(6);
  // Reading a named pipe blocks until it is written.
  await fleet.program(
    { name: "patient" },
    `const { readFileSync } = await import("node:fs");
     console.error("waiting at the gate");
     const word = readFileSync(input.gate, "utf8");
     console.error("came through with " + word);
     return { word };`,
  );
  await fleet.program({ name: "echo" }, "return input;");
  await fleet.program(
    { name: "talker" },
    `process.stderr.write(Array.from({ length: input.lines }, (_, index) => "line " + (index + 1)).join("\\n"));`,
  );
});

afterAll(() => dashboard.close());

/** A run that waits until its gate is opened. */
async function patientRun(): Promise<{
  readonly run: RunView;
  readonly open: (word: string) => Promise<void>;
}> {
  const gate = join(dashboard.fleet.folder, `gate-${Math.random().toString(36).slice(2)}`);
  execFileSync("mkfifo", [gate]);
  const run = await dashboard.fleet.run("patient", { gate }, { execution_mode: "async_poll" });
  return { run, open: (word) => writeFile(gate, word) };
}

const read = (id: string) => dashboard.fleet.demand<RunDetail>("GET", `/runs/${id}`);

/** The state in the header of the page. */
const state = (page: Page, name: string) => page.getByText(name, { exact: true }).first();

test("a run is followed to its end without reloading the page", async () => {
  const { run, open } = await patientRun();
  const page = await dashboard.open(`/runs/${run.run_id}`);
  await state(page, "running").waitFor();
  await page.getByRole("button", { name: /^Running in progress/ }).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("waiting at the gate").waitFor();
  await open("a smile");
  await page.getByText("came through with a smile").waitFor();
  await state(page, "completed").waitFor();
  await page.getByRole("tab", { name: "Overview" }).click();
  await page.getByRole("button", { name: /^Running completed/ }).waitFor();
  await page.getByLabel("the result", { exact: true }).getByText("a smile").waitFor();
  expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
});

test("a run is stopped with a reason after a confirmation", async () => {
  const { run } = await patientRun();
  const page = await dashboard.open(`/runs/${run.run_id}`);
  await state(page, "running").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).dblclick();
  await page.getByRole("dialog").getByLabel("Reason").fill("no longer needed");
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  expect((await read(run.run_id)).status).toBe("running");
  await page.getByRole("button", { name: "Stop the run" }).click();
  await page.getByRole("region", { name: "Stopped" }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  expect((await read(run.run_id)).status).toBe("stopped");
  await page.getByRole("button", { name: /^Stopping/ }).click();
  await page.getByText("no longer needed").last().waitFor();
});

test("retrying opens the new run", async () => {
  const first = await dashboard.fleet.run("echo", { message: "once" });
  const page = await dashboard.open(`/runs/${first.run_id}`);
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.poll(() => page.url()).not.toContain(first.run_id);
  const second = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await state(page, "completed").waitFor();
  expect(await read(second)).toMatchObject({ agent_name: "echo", parameters: { message: "once" } });
});

test("the copied curl command starts the same run", async () => {
  const parameters = { message: `it's "quoted", $HOME and \`id\`` };
  const { run_id } = await dashboard.fleet.run("echo", parameters);
  const page = await dashboard.open(`/runs/${run_id}`);
  const copied = await watchCopies(page);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  const command = await copied();
  expect(command).not.toContain(dashboard.fleet.served.token);
  const env = { ...process.env, TENTERHOOK_TOKEN: await dashboard.token("client") };
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
  const started = JSON.parse(stdout) as RunView;
  expect(started.run_id).not.toBe(run_id);
  expect(await read(started.run_id)).toMatchObject({ agent_name: "echo", parameters });
});

test("a viewer sees a run without its buttons", async () => {
  const { run, open } = await patientRun();
  const page = await dashboard.open(`/runs/${run.run_id}`, { scope: "viewer" });
  await state(page, "running").waitFor();
  await page.getByRole("button", { name: /^Running/ }).waitFor();
  for (const name of ["Stop", "Retry", "Copy as curl"]) {
    expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
  }
  await open("");
  await state(page, "completed").waitFor();
  expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
});

test("the page shows five thousand events of a run without freezing", async () => {
  const { run_id } = await dashboard.fleet.run("talker", { lines: 4_997 });
  const page = await dashboard.open("/runs");
  await page.addInitScript(OBSERVE_TASKS);
  await page.goto(`${dashboard.url}/runs/${run_id}?tab=events`);
  await page.getByText("5,001 events", { exact: true }).waitFor();
  const list = page.getByRole("region", { name: "Events", exact: true });
  await list.getByRole("button", { name: /run_created/ }).focus();
  await page.keyboard.press("End");
  await list.getByRole("button", { name: /run_completed/ }).waitFor();
  await list.getByRole("button", { name: /line 4997$/ }).waitFor();
  expect(await list.getByRole("listitem").count()).toBeLessThan(100);
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("line 1\nline 2", { exact: false }).first().waitFor();
  await page.getByRole("tab", { name: "Overview" }).click();
  await page.getByRole("button", { name: /^Running completed/ }).waitFor();
  expect(await longestTask(page)).toBeLessThan(LONGEST_TASK_MS);
});

test("the page shows a thousand steps live, and renders only the visible ones", async () => {
  const client = new ApiClient(dashboard.url, dashboard.fleet.served.token);
  const runner = await TestRunner.register(client, { tags: ["by-hand"] });
  await dashboard.fleet.program({ name: "stepper", tags: ["by-hand"] }, "");
  const { run_id } = await dashboard.fleet.run("stepper", {}, { execution_mode: "async_poll" });
  const page = await dashboard.open("/runs");
  await page.addInitScript(OBSERVE_TASKS);
  await page.goto(`${dashboard.url}/runs/${run_id}`);
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  for (let step = 1; step <= 1_000; step += 100) {
    const events = Array.from({ length: 100 }, (_, index) => stepEvents(step + index)).flat();
    await runner.report(claimed, "events", { first: (step - 1) * 4 + 1, events });
  }
  const rows = page.getByRole("region", { name: "Timeline rows" }).getByRole("listitem");
  // The run's record may count events that the page does not have yet; "End" goes to the last row that it has:
  // three phases, a thousand steps and their calls.
  await expect.poll(() => rows.first().getAttribute("aria-setsize")).toBe(String(3 + 2 * 1_000));
  await page.getByRole("button", { name: /^Step 1\b/ }).focus();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: /^Step 1000\b/ }).waitFor();
  expect(await rows.count()).toBeLessThan(100);
  await runner.complete(claimed, { result_text: "done" });
  await page.getByRole("region", { name: "Result" }).getByText("done", { exact: true }).waitFor();
  expect(await longestTask(page)).toBeLessThan(LONGEST_TASK_MS);
});

function stepEvents(step: number): readonly object[] {
  const call = { step, tool_use_id: `call-${step}`, tool_name: "Shell" };
  return [
    { event_type: "step_start", data: { step } },
    { event_type: "tool_start", data: { ...call, tool_input: { command: `look ${step}` } } },
    { event_type: "tool_end", data: { ...call, status: "completed", result: "seen", duration_ms: 1 } },
    { event_type: "step_end", data: { step, status: "completed" } },
  ];
}

/** Much more than needed, for busy machines; a frozen page took three times as long. */
const LONGEST_TASK_MS = 5_000;

const OBSERVE_TASKS = `
  globalThis.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask", buffered: true });
`;

const longestTask = (page: Page) => page.evaluate<number>("Math.max(0, ...tasks)");
