import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { axeFindings, findingsAtBothWidths, pageFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { visit } from "./visit.ts";

let dashboard: TestDashboard;
let addresses: readonly string[];
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  addresses = await fillDashboard(dashboard);
});
afterAll(() => dashboard.close());

test.each([1440, 390])(
  "every page is accessible in light and dark, and fits, at %d pixels",
  async (width) => {
    const page = await dashboard.open("/runs", { viewport: { width, height: 900 } });
    const found: string[] = [];
    for (const address of addresses) {
      await visit(page, address);
      found.push(...(await pageFindings(page)).map((finding) => `${address}: ${finding}`));
    }
    expect(found).toEqual([]);
  },
);

test("menus, forms and dialogs are accessible", async () => {
  const page = await dashboard.open("/approvals");
  const found: string[] = [];
  const open = async (address: string, button: RegExp, opened: Locator) => {
    await visit(page, address);
    await page.getByRole("button", { name: button }).first().click();
    await opened.waitFor();
    // The header of the library's dialogs is reported as a second page header.
    const findings = (await axeFindings(page)).filter((complaint) => !complaint.startsWith("landmark-"));
    found.push(...findings.map((complaint) => `${address} ${button}: ${complaint}`));
    await page.keyboard.press("Escape");
  };
  await open("/agents", /^Account:/, page.getByRole("menuitem", { name: "Sign out" }));
  await open("/approvals", /^Edit and approve/, page.getByLabel("New parameters"));
  await open("/sessions", /^Show 1 session/, page.getByRole("list", { name: /^Sessions of/ }));
  await open("/live", /^run_created/, page.getByLabel("event", { exact: true }));
  await open("/people", /^Invite a person/, page.getByRole("dialog").getByLabel("Name"));
  await open("/people", /^Revoke/, page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
  await open("/runners", /^Drain/, page.getByRole("dialog").getByRole("button", { name: "Drain" }));
  expect(found).toEqual([]);
});

test("the sign-in page is accessible", async () => {
  const page = await dashboard.signedOut({ colorScheme: "dark", viewport: PHONE });
  await page.goto(`${dashboard.url}/login?code=mistyped`);
  await page.getByText("The coordinator does not know this sign-in link").waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("the tab and enter keys are enough to skip to the content, open a run, return and decide", async () => {
  const page = await dashboard.open("/sessions");
  await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
  const skip = page.getByRole("link", { name: "Skip to content" });
  await tabTo(page, skip);
  await page.keyboard.press("Enter");
  await expect.poll(() => isFocused(page, page.locator("#content"))).toBe(true);
  const approvals = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /Approvals/ });
  await tabTo(page, approvals);
  await page.keyboard.press("Enter");
  const question = page.getByRole("article", { name: "a person must agree" });
  await question.waitFor();
  await tabTo(page, question.getByRole("link", { name: /^run_/ }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\/run_/);
  await page.getByRole("heading", { name: "Run of deployer", level: 1 }).waitFor();
  await tabTo(page, approvals);
  await page.keyboard.press("Enter");
  const approve = question.getByRole("button", { name: "Approve", exact: true });
  await tabTo(page, approve);
  await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false");
  await page.keyboard.press("Enter");
  // The focused button is gone; the focus moves to its card.
  const decided = page.getByRole("article", { name: "approved: a person must agree" });
  await expect.poll(() => isFocused(page, decided)).toBe(true);
});

/** Creates data for all pages; returns the address of every page. */
async function fillDashboard({ fleet }: TestDashboard): Promise<string[]> {
  await fleet.runner(2);
  const hook = (agent_name: string) => ({ type: "agent", agent_name, on_error: "block" }) as const;
  await fleet.answer({ name: "guard" }, { action: "block", block_reason: "it would drop a table" });
  await fleet.answer({ name: "four-eyes" }, { action: "ask", reason: "a person must agree" });
  await fleet.program({ name: "audit" }, 'console.error("kept"); return { kept: true };');
  await fleet.answer(
    { name: "extractor", description: "Finds records", hooks: { on_run_finish: hook("audit") } },
    { records: [1, 2, 3] },
  );
  await fleet.program({ name: "guarded", hooks: { on_run_start: hook("guard") } }, "");
  const schema = {
    type: "object",
    required: ["environment"],
    properties: { environment: { type: "string" } },
  };
  await fleet.answer(
    { name: "deployer", parameters_schema: schema, hooks: { on_run_start: hook("four-eyes") } },
    {},
  );
  await fleet.demand("PUT", "/hooks/curfew", hook("guard"));
  const chained = await fleet.run("extractor", { source: "here" });
  const blocked = await fleet.run("guarded", { sql: "drop table users" });
  const asked = await fleet.run("deployer", { environment: "moon" }, { execution_mode: "async_poll" });
  await vi.waitUntil(
    async () => {
      const { approvals } = await fleet.demand<{ approvals: unknown[] }>("GET", "/approvals?state=pending");
      const { runs } = await fleet.demand<{ runs: unknown[] }>("GET", "/runs?agent=audit&status=completed");
      return approvals.length > 0 && runs.length > 0;
    },
    { timeout: 120_000 },
  );
  return [
    "/overview",
    "/runs",
    `/runs/${blocked.run_id}`,
    `/runs/${chained.run_id}`,
    `/runs/${asked.run_id}`,
    "/approvals",
    "/sessions",
    `/sessions/${chained.session_id}`,
    "/agents",
    "/agents/deployer",
    "/new-agent",
    "/hooks",
    "/hooks/curfew",
    "/new-hook",
    "/runners",
    "/live",
    "/people",
    "/unknown",
  ];
}

/** More than the focusable elements of any of these pages. */
const MAX_TABS = 80;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press("Tab");
    if (await isFocused(page, target)) return;
  }
  throw new Error(`the tab key does not reach ${target}`);
}

async function isFocused(page: Page, target: Locator): Promise<boolean> {
  return (await target.and(page.locator(":focus")).count()) > 0;
}
