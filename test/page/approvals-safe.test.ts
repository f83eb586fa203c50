import type { Approval, ApprovalsPage } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { saveFourEyes } from "./sample-agents.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.runner(4);
  await saveFourEyes(dashboard);
  await dashboard.fleet.answer(
    {
      name: "deployer",
      hooks: { on_run_start: { type: "agent", agent_name: "four-eyes", on_error: "block" } },
    },
    {},
  );
});
afterAll(() => dashboard.close());

/** No question of an earlier test is pending. */
beforeEach(async () => {
  for (const { approval_id } of await list("pending")) {
    await dashboard.fleet.demand("POST", `/approvals/${approval_id}`, { decision: "reject" });
  }
});

async function list(state: string): Promise<readonly Approval[]> {
  return (await dashboard.fleet.demand<ApprovalsPage>("GET", `/approvals?state=${state}&limit=100`))
    .approvals;
}

async function ask(...environments: readonly string[]): Promise<void> {
  for (const environment of environments) {
    await dashboard.fleet.run("deployer", { environment }, { execution_mode: "async_poll" });
    await expect
      .poll(async () => (await list("pending")).map(({ reason }) => reason))
      .toContain(`deploy to ${environment}`);
  }
}

const approved = async () =>
  (await list("approved")).map(({ reason }) => reason.replace("deploy to ", "")).sort();
const card = (page: Page, environment: string) =>
  page.getByRole("article", { name: `deploy to ${environment}`, exact: true });
const decidedCard = (page: Page, environment: string) =>
  page.getByRole("article", { name: `approved: deploy to ${environment}`, exact: true });
const approve = (page: Page, environment: string) =>
  card(page, environment).getByRole("button", { name: "Approve", exact: true });

/** Where a button is, and a pointer would be. */
async function middleOf(page: Page, environment: string): Promise<[x: number, y: number]> {
  const box = await approve(page, environment).boundingBox();
  if (box === null) throw new Error("the button is not visible");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The button works: its card has not moved for a while. */
async function untilSteady(page: Page, environment: string): Promise<void> {
  await expect.poll(() => approve(page, environment).getAttribute("aria-disabled")).toBe("false");
}

test("a double click approves one question; its card stays and shows the decision", async () => {
  await ask("first", "second", "third");
  const before = await approved();
  // High enough for all three.
  const page = await dashboard.open("/approvals", { viewport: { width: 1280, height: 1_400 } });
  await untilSteady(page, "second");
  const top = (await card(page, "second").boundingBox())?.y;
  const below = (await card(page, "first").boundingBox())?.y;
  await page.mouse.dblclick(...(await middleOf(page, "second")));
  await decidedCard(page, "second")
    .getByText(/^Decision: approved by/)
    .waitFor();
  // Clicks as fast as they can be sent, in the same place.
  const [x, y] = await middleOf(page, "first");
  expect((await decidedCard(page, "second").boundingBox())?.y).toBe(top);
  expect((await card(page, "first").boundingBox())?.y).toBe(below);
  await page.mouse.click(x, y, { clickCount: 3, delay: 5 });
  await decidedCard(page, "first").waitFor();
  await expect.poll(() => card(page, "third").count()).toBe(1);
  expect(await approved()).toEqual([...before, "first", "second"].sort());
});

test("new questions wait behind a button and move no card", async () => {
  await ask("one");
  const page = await dashboard.open("/approvals");
  await untilSteady(page, "one");
  const place = await card(page, "one").boundingBox();
  await ask("two", "three", "four");
  const fresh = page.getByRole("button", { name: "3 new" });
  await fresh.waitFor();
  await expect.poll(() => page.getByRole("article", { name: /^deploy to/ }).count()).toBe(1);
  expect(await card(page, "one").boundingBox()).toEqual(place);
  await fresh.click();
  await card(page, "four").waitFor();
  await expect.poll(() => page.getByRole("article", { name: /^deploy to/ }).count()).toBe(4);
  await fresh.waitFor({ state: "hidden" });
});

/** Shows the new question and presses its button in three ways, so many milliseconds later by the clock of the page. */
const pressesAfter = (delay: number, name: string) => `(async () => {
  const text = (name) => (each) => each.textContent === name;
  const card = () =>
    [...document.querySelectorAll("article")].find((each) => each.querySelector("h3")?.textContent === "deploy to ${name}");
  // The clock stands still, so that a slow machine presses neither earlier nor later.
  const shown = performance.now();
  performance.now = () => shown;
  [...document.querySelectorAll("button")].find(text("1 new")).click();
  while (card() === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  performance.now = () => shown + ${delay};
  const target = [...card().querySelectorAll("button")].find(text("Approve"));
  const options = { bubbles: true, cancelable: true };
  for (const pressed of [
    new PointerEvent("pointerdown", { ...options, pointerType: "mouse" }),
    new PointerEvent("pointerdown", { ...options, pointerType: "touch" }),
    new KeyboardEvent("keydown", { ...options, key: "Enter" }),
  ]) {
    target.dispatchEvent(pressed);
    target.click();
  }
  delete performance.now;
})()`;

test.each([0, 100, 250, 400, 499])(
  "a press %d ms after its card took the place of another does not count, by pointer, touch or keyboard",
  async (delay) => {
    const [old, arrived] = [`old-${delay}`, `arrived-${delay}`] as const;
    await ask(old);
    const before = await approved();
    const page = await dashboard.open("/approvals", { viewport: PHONE });
    await untilSteady(page, old);
    await ask(arrived);
    await page.getByRole("button", { name: "1 new" }).waitFor();
    await page.evaluate(pressesAfter(delay, arrived));
    await untilSteady(page, arrived);
    expect(await approved()).toEqual(before);
    await approve(page, arrived).click();
    await decidedCard(page, arrived).waitFor();
  },
);

test("a press 500 ms after its card has come to rest counts", async () => {
  await ask("old-500");
  const page = await dashboard.open("/approvals");
  await untilSteady(page, "old-500");
  await ask("arrived-500");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  await page.evaluate(pressesAfter(500, "arrived-500"));
  await decidedCard(page, "arrived-500").waitFor();
});

test("a key that is held down decides one question, and the focus stays with its card", async () => {
  await ask("lower", "upper");
  const before = await approved();
  const page = await dashboard.open("/approvals");
  await untilSteady(page, "upper");
  await approve(page, "upper").focus();
  // Playwright repeats a key that is down already, as a keyboard does.
  for (let repeat = 0; repeat < 6; repeat++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await decidedCard(page, "upper").waitFor();
  await expect.poll(() => decidedCard(page, "upper").and(page.locator(":focus")).count()).toBe(1);
  expect(await approved()).toEqual([...before, "upper"].sort());
});

test("a board with decided and new questions is accessible in light and dark, on a desktop and a phone", async () => {
  await ask("here");
  const page = await dashboard.open("/approvals");
  const [name = ""] = (await list("pending")).map(({ reason }) => reason.replace("deploy to ", ""));
  await untilSteady(page, name);
  await approve(page, name).click();
  await decidedCard(page, name).first().waitFor();
  await ask("next");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});
