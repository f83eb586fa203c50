import type { Approval, ApprovalsPage, Run } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageFindings } from "./axe-findings.ts";
import { press } from "./press.ts";
import { saveSampleAgents } from "./sample-agents.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { watchText } from "./watch-text.ts";

const WIDE = { width: 1440, height: 900 } as const;
/** As wide as a name can be, and written from right to left. */
const LONG = `עינת ${"w".repeat(59)}`;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share({ user: "olga" });
  await dashboard.fleet.runner(2);
  await saveSampleAgents(dashboard);
});
afterAll(() => dashboard.close());

const later = { execution_mode: "async_poll" } as const;
const fact = (page: Page, label: string) =>
  page.locator("dl > div").filter({ has: page.locator(`dt:text-is("${label}")`) });
const change = (text: string) => dashboard.fleet.served.coordinator.database.run({ name: "", text });

async function asked(): Promise<Approval> {
  const { run_id } = await dashboard.fleet.run("asking", {}, later);
  const found = async () =>
    (await dashboard.fleet.demand<ApprovalsPage>("GET", `/approvals?run=${run_id}`)).approvals;
  await expect.poll(found).toHaveLength(1);
  return (await found())[0] as Approval;
}

test("the account menu shows the name of the link, on a phone too", async () => {
  const wide = await dashboard.open("/agents", { viewport: WIDE, name: "ana" });
  await wide.getByRole("button", { name: "Account: ana" }).waitFor();
  const phone = await dashboard.open("/agents", { viewport: PHONE, name: "ana" });
  await phone.getByRole("button", { name: /^Account:/ }).click();
  await phone.getByText("Signed in as ana").waitFor();
  expect((await pageFindings(phone)).filter((complaint) => !complaint.startsWith("landmark-"))).toEqual([]);
});

test("a decision shows everyone who made it and when, on the card, the run and its hook", async () => {
  const { run_id } = await asked();
  const bruno = await dashboard.open("/approvals", { viewport: WIDE, name: "bruno" });
  const ana = await dashboard.open("/approvals", { viewport: WIDE, name: "ana" });
  await press(ana.getByRole("article", { name: "may I?" }).getByRole("button", { name: "Reject" }));
  await ana.getByLabel("Reason").waitFor();
  await press(ana.getByRole("button", { name: "Reject", exact: true }).last());
  await ana.getByText(/Decision: rejected by ana, /).waitFor();
  await bruno.getByText(/rejected by ana, /).waitFor();
  await bruno.goto(`${dashboard.url}/runs/${run_id}?tab=hooks`);
  await bruno
    .getByText(/rejected by ana/)
    .first()
    .waitFor();
  await bruno.goto(`${dashboard.url}/runs/${run_id}?tab=events`);
  await bruno.getByText("reject · by ana").waitFor();
  expect(await pageFindings(bruno)).toEqual([]);
});

test.each([WIDE, PHONE])(
  "a run shows who started, stopped and retried it, at $width pixels",
  async (viewport) => {
    const { run_id } = await dashboard.fleet.run("waiting", {}, later);
    const page = await dashboard.open(`/runs/${run_id}`, { viewport, name: LONG });
    await fact(page, "Created")
      .getByText(/ by olga$/)
      .waitFor();
    expect(await fact(page, "Stopped").count()).toBe(0);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop the run" }).click();
    await fact(page, "Stopped").getByText(LONG).waitFor();
    expect(await pageFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await fact(page, "Retry of").getByRole("link").waitFor();
    await expect
      .poll(() => fact(page, "Retry of").getByRole("link").getAttribute("href"))
      .toBe(`/runs/${run_id}`);
    await fact(page, "Created").getByText(LONG).waitFor();
    expect(await pageFindings(page)).toEqual([]);
  },
);

test("selected runs are retried by one request, and the new runs have the name of the user", async () => {
  const ended = [await dashboard.fleet.run("quick"), await dashboard.fleet.run("quick")];
  const page = await dashboard.open("/runs?agent=quick", { viewport: WIDE, name: "ana" });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  for (const { run_id } of ended) {
    await page.locator(`tr[data-run="${run_id}"]`).getByRole("checkbox").check();
  }
  const retried = await watchText(page, "Retried 2 runs");
  await page.getByRole("button", { name: "Retry 2" }).click();
  await retried();
  expect(sent).toEqual(["/runs/retry"]);
  const { runs } = await dashboard.fleet.demand<{ runs: Run[] }>("GET", "/runs?agent=quick&limit=2");
  expect(new Set(runs.map(({ retry_of }) => retry_of))).toEqual(new Set(ended.map(({ run_id }) => run_id)));
  expect(runs.map(({ created_by }) => created_by)).toEqual(["ana", "ana"]);
});

test("agents and named hooks show who saved them, and the stream shows it at once", async () => {
  const events = await dashboard.open("/live", { viewport: WIDE });
  await events.getByRole("log", { name: "Events" }).waitFor();
  const token = await dashboard.fleet.demand<{ token: string }>("POST", "/tokens", {
    name: "ana",
    scope: "admin",
  });
  const put = (path: string, body: object) =>
    fetch(dashboard.url + path, {
      method: "PUT",
      headers: { authorization: `Bearer ${token.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await put("/agents/edited", { type: "procedural", command: ["true"] });
  await put("/hooks/curfew", { type: "agent", agent_name: "asker", on_error: "continue" });
  await events.getByText("edited · revision 1 · by ana").waitFor();
  await events.getByText("curfew · revision 2 · by ana").waitFor();
  const agents = await dashboard.open("/agents", { viewport: PHONE });
  await agents.getByText(/revision 1, .* by ana$/).waitFor();
  await agents.goto(`${dashboard.url}/agents/edited`);
  await agents.getByText(/^Revision 1, saved .* by ana\.$/).waitFor();
  expect(await pageFindings(agents)).toEqual([]);
  await agents.goto(`${dashboard.url}/hooks/curfew`);
  await agents.getByText(/Revision 2, saved .* by ana\. No agent uses it\./).waitFor();
  expect(await pageFindings(events)).toEqual([]);
});

test("what was stored before names were kept shows nothing in their place", async () => {
  const { approval_id, run_id } = await asked();
  await dashboard.fleet.demand("POST", `/approvals/${approval_id}`, {
    decision: "reject",
    reason: "not now",
  });
  await dashboard.fleet.put({ name: "old", type: "procedural", command: ["true"] });
  await change("UPDATE approvals SET decided_by = NULL");
  await change("UPDATE runs SET created_by = NULL, stopped_by = NULL, retry_of = NULL");
  await change("UPDATE agents SET updated_by = NULL");
  await change("UPDATE named_hooks SET updated_by = NULL");
  const page = await dashboard.open(`/runs/${run_id}`, { viewport: WIDE });
  await fact(page, "Created").waitFor();
  expect(await fact(page, "Created").textContent()).not.toContain(" by ");
  await page.goto(`${dashboard.url}/approvals`);
  await page.getByText(/rejected: not now, /).waitFor();
  await page.goto(`${dashboard.url}/agents/old`);
  await page.getByText(/^Revision 1, saved [^.]* ago\.$|^Revision 1, saved just now\.$/).waitFor();
  for (const address of ["/agents", "/hooks", "/runs"]) {
    await page.goto(dashboard.url + address);
    await page.getByRole("main").getByRole("link").first().waitFor();
    expect(await page.getByRole("main").textContent()).not.toMatch(/\bnull\b|undefined| by $/m);
  }
});
