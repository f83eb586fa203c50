import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
let runner: TestRunner;
beforeAll(async () => {
  dashboard = await TestDashboard.share({ prices: { models: { m: { input: 1_000, output: 2_000 } } } });
  const { fleet } = dashboard;
  await fleet.put({ name: "stepper", type: "procedural", command: ["true"], tags: ["by-hand"] });
  runner = await TestRunner.register(new ApiClient(dashboard.url, fleet.served.token), { tags: ["by-hand"] });
});
afterAll(() => dashboard?.close());

/** So long that it does not matter how long the run itself takes on a busy machine. */
const QUEUED_MS = 10 * 60_000;

/** A run of these steps, four events each. */
async function steppedRun(steps: number): Promise<string> {
  const { run_id } = await dashboard.fleet.run(
    "stepper",
    { message: "go" },
    { execution_mode: "async_poll" },
  );
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  for (let step = 1; step <= steps; step += 100) {
    const count = Math.min(100, steps - step + 1);
    const events = Array.from({ length: count }, (_, index) => stepEvents(step + index)).flat();
    await runner.report(claimed, "events", { first: (step - 1) * 5 + 1, events });
  }
  await runner.complete(claimed, { result_text: "done" });
  return run_id;
}

function stepEvents(step: number): readonly object[] {
  const call = { step, tool_use_id: `call-${step}`, tool_name: "Shell" };
  const act = { event: "after_tool", hook: "scrub", action: "proceed", changed: ["result"] };
  return [
    { event_type: "step_start", data: { step } },
    { event_type: "tool_start", data: { ...call, tool_input: { command: `look ${step}` } } },
    { event_type: "hook_acted", data: { ...act, step, tool_use_id: call.tool_use_id } },
    {
      event_type: "tool_end",
      data: { ...call, status: "completed", result: `seen ${step}`, duration_ms: 1 },
    },
    {
      event_type: "step_end",
      data: { step, status: "completed", usage: { model: "m", input_tokens: 1_000, output_tokens: 500 } },
    },
  ];
}

/** Opens a run that was created earlier, so that it has waited in the queue for so long. */
async function openQueued(id: string, queuedMs: number): Promise<Page> {
  const { database } = dashboard.fleet.served.coordinator;
  const earlier = `created_at = created_at - interval '${queuedMs} milliseconds'`;
  await database.run({ name: "", text: `UPDATE runs SET ${earlier} WHERE id = '${id}'` });
  const created = `run_id = '${id}' AND type = 'run_created'`;
  await database.run({ name: "", text: `UPDATE events SET ${earlier} WHERE ${created}` });
  return dashboard.open(`/runs/${id}`);
}

const row = (page: Page, name: RegExp) => page.getByRole("button", { name });
const barWidth = async (page: Page, name: RegExp) =>
  (await row(page, name).locator("[data-bar]").boundingBox())?.width ?? 0;
/** How long a runner takes from the claim to the start is part of the work, and differs. */
const workWidth = async (page: Page) =>
  (await barWidth(page, /^Claimed/)) + (await barWidth(page, /^Running/));
const scaleBox = async (page: Page) => {
  const box = await page.locator("[data-scale]").boundingBox();
  if (box === null) throw new Error("no scale");
  return box;
};

test("a long wait in the queue does not squeeze the work, and the whole run can be shown", async () => {
  const page = await openQueued(await steppedRun(2), QUEUED_MS);
  await row(page, /^Step 2/).waitFor();
  const { width } = await scaleBox(page);
  await expect.poll(() => workWidth(page)).toBeGreaterThan(width / 2);
  await page.getByText(/ of 10 min/).waitFor();
  await page.getByRole("button", { name: "Show whole run" }).click();
  await page.getByText(/^10 min.* total$/).waitFor();
  await expect.poll(() => workWidth(page)).toBeLessThan(width / 4);
  await page.getByRole("button", { name: "Fit work" }).click();
  await expect.poll(() => workWidth(page)).toBeGreaterThan(width / 2);
});

test("the timeline is zoomed by keys, moved, and shown as a whole again", async () => {
  const page = await openQueued(await steppedRun(2), QUEUED_MS);
  await row(page, /^Step 2/).waitFor();
  await row(page, /^Running/).focus();
  await page.keyboard.press("0");
  await page.getByText(/^10 min.* total$/).waitFor();
  await page.keyboard.press("+");
  await page.getByText(/^5 min.* of 10 min/).waitFor();
  // The middle half has neither the beginning of the queue nor the work.
  await row(page, /^Running/)
    .getByText("›")
    .waitFor();
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press("ArrowRight");
  await expect.poll(() => workWidth(page)).toBeGreaterThan(0);
  await page.keyboard.press("-");
  await page.getByText(/^10 min.* total$/).waitFor();
  await page.keyboard.press("f");
  await expect.poll(() => workWidth(page)).toBeGreaterThan(100);
  // The focus has stayed on its row.
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Running" }).waitFor();
});

test("the timeline is zoomed by dragging, which is not a click, and by the wheel", async () => {
  const page = await openQueued(await steppedRun(2), QUEUED_MS);
  await page.getByRole("button", { name: "Show whole run" }).click();
  await page.getByText(/^10 min.* total$/).waitFor();
  await row(page, /^Step 2/).waitFor();
  // Until it stays where it is, and is visible.
  await row(page, /^Queued/).hover();
  const queued = await row(page, /^Queued/).boundingBox();
  const { x, width } = await scaleBox(page);
  const y = (queued?.y ?? 0) + 15;
  await page.mouse.move(x + width * 0.25, y);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y);
  await page.locator("[data-selection]").waitFor();
  await page.mouse.move(x + width * 0.75, y);
  await page.mouse.up();
  await page.getByText(/^5 min.* of 10 min/).waitFor();
  expect(await page.locator("[data-selection]").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Close the details" }).count()).toBe(0);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.getByText(/^2 min.* of 10 min/).waitFor();
  await page.mouse.wheel(0, 4_000);
  await page.keyboard.up("Control");
  await page.getByText(/^10 min.* total$/).waitFor();
  // Without Ctrl the page scrolls.
  await page.mouse.wheel(0, 200);
  await page.getByText(/^10 min.* total$/).waitFor();
});

test("a row opens beside the timeline with input, output, decisions, tokens and cost", async () => {
  const page = await dashboard.open(`/runs/${await steppedRun(3)}`);
  await row(page, /look 2/).click();
  const panel = page.getByRole("region", { name: "Shell" });
  await panel.getByLabel("the input of the tool", { exact: true }).getByText("look 2").waitFor();
  await panel.getByLabel("the result of the tool", { exact: true }).getByText("seen 2").waitFor();
  await panel.getByText("The hook scrub at after_tool changed result").waitFor();
  await row(page, /^Running/).click();
  const running = page.getByRole("region", { name: "Running" });
  await running.getByText("m: 3,000 tokens in, 1,500 out, $6.00").waitFor();
  await running.getByLabel("the input of the run", { exact: true }).getByText("go").waitFor();
  await expect.poll(() => running.getByText("The hook scrub").count()).toBe(3);
  await running.getByRole("button", { name: "Zoom to this" }).click();
  // The same row closes it again.
  await row(page, /^Running/).click();
  await running.waitFor({ state: "detached" });
});

test("the details are read and closed by keyboard, and the focus returns to the row", async () => {
  const page = await dashboard.open(`/runs/${await steppedRun(2)}`);
  await row(page, /^Step 2/).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: "Step 2" });
  await panel.getByText("m: 1,000 tokens in, 500 out, $2.00").waitFor();
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toBe("Step 2");
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate<string>("document.activeElement.getAttribute('aria-label')"))
    .toBe("Close the details");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toMatch(/^Step 2/);
});

test("a row that an arrow key led to does not take the focus back from another", async () => {
  const page = await dashboard.open(`/runs/${await steppedRun(2)}`);
  await row(page, /^Step 2/).waitFor();
  await row(page, /^Step 1/).focus();
  const focused = await page.evaluate<string>(`(async () => {
    const first = document.activeElement;
    first.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    if (document.activeElement === first) return "the key did nothing";
    first.focus();
    for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
    return document.activeElement.textContent;
  })()`);
  expect(focused).toMatch(/^Step 1/);
});

test("the details and the zoomed timeline are accessible, and fit on a phone", async () => {
  const page = await openQueued(await steppedRun(2), QUEUED_MS);
  await row(page, /look 1/).click();
  await page.getByRole("region", { name: "Shell" }).waitFor();
  await page.mouse.move(0, 0);
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Close the details" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Show whole run" }).waitFor();
});

test("a run of ten thousand events is zoomed and opened, and only visible rows are rendered", async () => {
  const page = await dashboard.open(`/runs/${await steppedRun(1_999)}`);
  const rows = page.getByRole("region", { name: "Timeline rows" }).getByRole("listitem");
  // Three phases; steps with a call and an act each.
  await expect.poll(() => rows.first().getAttribute("aria-setsize")).toBe(String(3 + 3 * 1_999));
  await row(page, /^Running/).click();
  const panel = page.getByRole("region", { name: "Running" });
  await panel.getByText("m: 1,999,000 tokens in, 999,500 out, $3,998.00").waitFor();
  await expect.poll(() => panel.getByText("The hook scrub").count()).toBe(20);
  await panel.getByRole("button", { name: "Show all 1,999 decisions" }).waitFor();
  await row(page, /^Step 1\b/).focus();
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Show whole run" }).waitFor();
  await page.keyboard.press("End");
  await row(page, /^Step 1999\b/).waitFor();
  expect(await rows.count()).toBeLessThan(100);
});
