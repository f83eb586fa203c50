import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { typeAtOnce } from "./type-at-once.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(2);
  await dashboard.fleet.program({ name: "echo" }, 'console.error("hello " + input.who); return {};');
  await dashboard.fleet.program(
    { name: "chatty" },
    'for (let n = 1; n <= input.lines; n++) console.error("line " + n); return {};',
  );
});
afterAll(() => dashboard.close());

const log = (page: Page) => page.getByRole("log", { name: "Events" });
const row = (page: Page, text: string | RegExp) => log(page).getByRole("button", { name: text });

test("the page shows the history, then live events, and a click expands an event", async () => {
  const before = await dashboard.fleet.run("echo", { who: "before" });
  const page = await dashboard.open("/live");
  await row(page, "log: hello before").waitFor();
  const { run_id } = await dashboard.fleet.run("echo", { who: "after" });
  const line = row(page, "log: hello after");
  await line.waitFor();
  // The last event of each run: rows that arrive would move the one that is clicked.
  await expect.poll(() => row(page, /^run_completed/).count()).toBe(2);
  expect(before.run_id).not.toBe(run_id);
  await log(page).getByRole("link", { name: "echo" }).first().waitFor();
  await expect
    .poll(() =>
      log(page)
        .getByRole("link", { name: `run_…${run_id.slice(-6)}` })
        .count(),
    )
    .toBeGreaterThan(3);
  await line.click();
  await log(page).getByText('"text": "hello after"').waitFor();
  await expect.poll(() => line.getAttribute("aria-expanded")).toBe("true");
});

test("on a phone the newest event is visible", async () => {
  const { run_id } = await dashboard.fleet.run("chatty", { lines: 60 });
  const page = await dashboard.open(`/live?about=${run_id}`, { viewport: PHONE });
  const newest = row(page, /^run_completed/);
  await newest.waitFor();
  const bottom = async (part: Locator) => {
    const box = await part.boundingBox();
    return box === null ? 0 : box.y + box.height;
  };
  await expect.poll(async () => (await bottom(newest)) <= (await bottom(log(page)))).toBe(true);
  await row(page, "log: line 60").waitFor();
});

test("a refusal names the hook, and its message is expanded in full", async () => {
  const reason = `not at night\n${"z".repeat(1_500)} until 06:00`;
  await dashboard.fleet.program(
    { name: "watchman" },
    `return { action: "block", block_reason: ${JSON.stringify(reason)} };`,
  );
  await dashboard.fleet.demand("PUT", "/hooks/curfew", {
    type: "agent",
    agent_name: "watchman",
    on_error: "block",
  });
  await dashboard.fleet.put({
    name: "guarded",
    type: "procedural",
    command: ["cat"],
    hooks: { on_run_start: { $ref: "curfew" } },
  });
  const { run_id } = await dashboard.fleet.run("guarded");
  const page = await dashboard.open(`/live?about=${run_id}&types=hooks`);
  await row(page, /^hook_blocked: on_run_start curfew \(watchman\).* not at night/).click();
  const message = log(page).locator("pre").filter({ hasText: "until 06:00" }).first();
  expect(await message.textContent()).toBe(reason);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("filters are in the address and select events", async () => {
  const one = await dashboard.fleet.run("echo", { who: "one" });
  const two = await dashboard.fleet.run("echo", { who: "two" });
  const page = await dashboard.open(`/live?about=${two.run_id}&types=words`);
  await row(page, "log: hello two").waitFor();
  await expect.poll(() => log(page).getByRole("button").count()).toBe(1);
  await page.getByLabel("Run or session").fill(one.session_id);
  await row(page, "log: hello one").waitFor();
  await row(page, "log: hello two").waitFor({ state: "hidden" });
  await expect.poll(() => new URL(page.url()).searchParams.get("about")).toBe(one.session_id);
  await page.goto(`${dashboard.url}/live?agent=echo&types=run_created`);
  await row(page, "run_created: echo").first().waitFor();
  await page.goto(`${dashboard.url}/live?agent=unknown`);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "log: hello two").waitFor();
  await typeAtOnce(page.getByLabel("Text", { exact: true }), "HELLO TWO");
  await expect.poll(() => log(page).getByRole("button").count()).toBe(1);
  await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("HELLO TWO");
});

test("events are counted while paused, and shown after resuming", async () => {
  await dashboard.fleet.run("echo", { who: "earlier" });
  const page = await dashboard.open("/live?types=run_created,log");
  // The history is read, which is shown also while paused.
  await row(page, "log: hello earlier").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await dashboard.fleet.run("echo", { who: "paused" });
  await page.getByText(/^[1-9]\d* new while paused$/).waitFor();
  expect(await row(page, "log: hello paused").count()).toBe(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await row(page, "log: hello paused").waitFor();
});

test("the page follows thousands of events without freezing; scrolling up stops following, and a button resumes it", async () => {
  const page = await dashboard.open("/live");
  await log(page).waitFor();
  await dashboard.fleet.run("chatty", { lines: 6_000 });
  await page.getByText("the latest 5,000 are kept").waitFor();
  await row(page, /^run_completed/)
    .last()
    .waitFor();
  // Only visible rows are rendered.
  expect(await log(page).getByRole("button").count()).toBeLessThan(80);
  await log(page).hover();
  await page.mouse.wheel(0, -20_000);
  const jump = page.getByRole("button", { name: "Jump to newest" });
  await jump.waitFor();
  // The visible rows stay in place although older rows are dropped.
  const top = await restingScrollTop(page);
  const visible = row(page, await middleRow(page));
  const offset = async () => (await visible.boundingBox())?.y ?? 0;
  const before = await offset();
  const { run_id } = await dashboard.fleet.run("echo", { who: "meanwhile" });
  await expect.poll(() => scrollTop(page)).toBeLessThan(top);
  await expect.poll(async () => Math.abs((await offset()) - before)).toBeLessThan(40);
  expect(await row(page, "log: hello meanwhile").count()).toBe(0);
  await jump.click();
  await row(page, "log: hello meanwhile").waitFor();
  await log(page)
    .getByRole("link", { name: `run_…${run_id.slice(-6)}` })
    .first()
    .waitFor();
  await jump.waitFor({ state: "hidden" });
});

function scrollTop(page: Page): Promise<number> {
  return log(page).evaluate((element) => element.scrollTop);
}

/** The scroll position once it has been the same for ten frames. */
function restingScrollTop(page: Page): Promise<number> {
  return log(page).evaluate(async (element) => {
    for (let [top, frames] = [element.scrollTop, 0]; frames < 10; frames++) {
      await new Promise((resolve) => setTimeout(resolve, 16));
      if (element.scrollTop !== top) [top, frames] = [element.scrollTop, 0];
    }
    return element.scrollTop;
  });
}

async function middleRow(page: Page): Promise<RegExp> {
  const rows = log(page).getByRole("button");
  const name = await rows.nth(Math.floor((await rows.count()) / 2)).getAttribute("aria-label");
  return new RegExp(`^${name}$`);
}
