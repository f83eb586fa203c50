import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalsPage, SessionsPage } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
let outermost: string;
let blocked: string;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(2);
  const then = (agent_name: string) => ({
    on_run_finish: { type: "agent", agent_name, on_error: "continue" } as const,
  });
  await fleet.answer({ name: "audit" }, { kept: true });
  await fleet.answer({ name: "guard" }, { action: "continue" });
  await fleet.answer({ name: "refuser" }, { action: "block", block_reason: "bad" });
  await fleet.answer({ name: "asker" }, { action: "ask", reason: "may I?" });
  const asks = { type: "agent", agent_name: "asker", on_error: "block" } as const;
  await fleet.answer({ name: "asking", hooks: { on_run_start: asks } }, {});
  const refuses = { type: "agent", agent_name: "refuser", on_error: "block" } as const;
  await fleet.answer({ name: "refused", hooks: { on_run_start: refuses } }, {});
  await fleet.answer({ name: "processor", hooks: then("audit") }, { processed: 3 });
  await fleet.answer(
    {
      name: "extractor",
      hooks: {
        on_run_start: { type: "agent", agent_name: "guard", on_error: "block" },
        ...then("processor"),
      },
    },
    { records: [1, 2, 3] },
  );
  await fleet.program(
    { name: "patient" },
    `const { existsSync } = await import("node:fs");
     while (!existsSync(input.file)) await new Promise((resolve) => setTimeout(resolve, 50));
     return { turn: input.turn };`,
  );
  blocked = (await fleet.run("refused")).session_id;
  outermost = (await fleet.run("extractor")).session_id;
  await vi.waitUntil(async () => (await sessionsOf("audit")).length === 1, { timeout: 120_000 });
});
afterAll(() => dashboard.close());

async function sessionsOf(agent: string): Promise<string[]> {
  const { sessions } = await dashboard.fleet.demand<SessionsPage>("GET", `/sessions?agent=${agent}`);
  return sessions.map(({ session_id }) => session_id);
}

test("sessions expand to their children, at any depth, by keyboard", async () => {
  const page = await dashboard.open("/sessions");
  const roots = page.getByRole("list", { name: "Sessions", exact: true });
  await roots.getByRole("link", { name: "extractor" }).waitFor();
  expect(await roots.getByRole("link", { name: "processor" }).count()).toBe(0);
  await page.getByRole("button", { name: /^Show 2 sessions of extractor/ }).focus();
  await page.keyboard.press("Enter");
  const below = page.getByRole("list", { name: `Sessions of ses_…${outermost.slice(-6)}` });
  await below.getByText("hook", { exact: true }).waitFor();
  await below.getByText("chained", { exact: true }).waitFor();
  await page.keyboard.press("Tab");
  const deeper = page.getByRole("button", { name: /^Show 1 session of processor/ });
  await deeper.click();
  await below.getByRole("link", { name: "audit" }).waitFor();
  await page.getByRole("button", { name: /^Hide 2 sessions of extractor/ }).click();
  await below.waitFor({ state: "hidden" });
});

test("a session whose last run was blocked says so", async () => {
  const page = await dashboard.open(`/sessions?search=${blocked}`);
  const list = page.getByRole("list", { name: "Sessions", exact: true });
  await list.getByText("blocked", { exact: true }).waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
});

test("a session whose last run waits for an approval says so, until it is decided", async () => {
  const page = await dashboard.open("/sessions?agent=asking");
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
  const { run_id } = await dashboard.fleet.run("asking", {}, { execution_mode: "async_poll" });
  const list = page.getByRole("list", { name: "Sessions", exact: true });
  await list.getByText("preparing: needs approval", { exact: true }).waitFor();
  const { approvals } = await dashboard.fleet.demand<ApprovalsPage>("GET", `/approvals?run=${run_id}`);
  await dashboard.fleet.demand("POST", `/approvals/${approvals[0]?.approval_id}`, { decision: "approve" });
  await list.getByText("completed", { exact: true }).waitFor();
});

test("a search finds sessions at any depth, shows their parents, and is part of the address", async () => {
  const [audit = ""] = await sessionsOf("audit");
  const [processor = ""] = await sessionsOf("processor");
  const page = await dashboard.open("/sessions");
  await page.getByLabel("Search sessions").fill(audit);
  const list = page.getByRole("list", { name: "Sessions", exact: true });
  await list.getByText("of").waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
  await expect
    .poll(() => list.getByText("of").getByRole("link").getAttribute("href"))
    .toBe(`/sessions/${processor}`);
  expect(new URL(page.url()).searchParams.get("search")).toBe(audit);
  await page.goto(`${dashboard.url}/sessions?agent=unknown`);
  await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
});

test("the page of a session shows its ancestors, its results and its children", async () => {
  const [processor = ""] = await sessionsOf("processor");
  const page = await dashboard.open(`/sessions/${processor}`);
  const breadcrumb = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect
    .poll(() => breadcrumb.getByRole("link", { name: /extractor/ }).getAttribute("href"))
    .toBe(`/sessions/${outermost}`);
  const id = page
    .getByRole("heading", { level: 1 })
    .getByText(`ses_…${processor.slice(-6)}`, { exact: true });
  await expect.poll(() => id.getAttribute("style")).toContain("monospace");
  await page.getByLabel("Result", { exact: true }).getByText('"processed": 3').waitFor();
  await page.getByText("completed").first().waitFor();
  const children = page.getByRole("list", { name: "Child sessions" });
  await children.getByRole("link", { name: "audit" }).waitFor();
  await page.goto(`${dashboard.url}/sessions/ses_none`);
  await page.getByRole("heading", { name: "Session not found" }).waitFor();
});

test("child sessions are sorted by the time that they show, the newest first, on the page and in the tree", async () => {
  const page = await dashboard.open(`/sessions/${outermost}`);
  const agents = (list: string) =>
    page.getByRole("list", { name: list }).locator("> li > div a:first-of-type").allTextContents();
  const newestFirst = ["processor", "guard"];
  const names = async (list: string) => (await agents(list)).filter((name) => newestFirst.includes(name));
  await expect.poll(() => names("Child sessions")).toEqual(newestFirst);
  await page.goto(`${dashboard.url}/sessions?search=${outermost}`);
  await page.getByRole("button", { name: /^Show 2 sessions of extractor/ }).click();
  await expect.poll(() => names(`Sessions of ses_…${outermost.slice(-6)}`)).toEqual(newestFirst);
});

test("a session can be resumed from its page, but not while it has an active run, which is linked", async () => {
  const file = join(dashboard.fleet.folder, "go");
  const first = await dashboard.fleet.run("patient", { file, turn: 1 }, { execution_mode: "async_poll" });
  const page = await dashboard.open(`/sessions/${first.session_id}`);
  const resume = page.getByRole("button", { name: "Resume" });
  await page.getByText("is active").waitFor();
  await expect
    .poll(() => page.getByText("is active").getByRole("link").getAttribute("href"))
    .toBe(`/runs/${first.run_id}`);
  await expect.poll(() => resume.isDisabled()).toBe(true);
  await writeFile(file, "");
  // Without a reload: the page gets the event.
  await expect.poll(() => resume.isEnabled()).toBe(true);
  await resume.click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Parameters").fill(JSON.stringify({ file, turn: 2 }));
  await form.getByRole("button", { name: "Start run" }).click();
  await page.getByRole("heading", { name: "2 runs" }).waitFor();
  await page.getByText('"turn": 2').waitFor();
});

test("a viewer cannot resume", async () => {
  const page = await dashboard.open(`/sessions/${outermost}`, { scope: "viewer" });
  await page.getByRole("heading", { name: "1 run" }).waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
});
