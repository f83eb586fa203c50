import type { NamedHook } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, dialogFindings, findingsAtBothWidths } from "./axe-findings.ts";
import { DESKTOP, PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(2);
  await fleet.program(
    { name: "judge", parameters_schema: { type: "object", required: ["parameters", "agent_name"] } },
    `const { decision } = input.parameters;
     if (decision === "invalid") return { action: "dance" };
     if (decision === "unsure") return { action: "ask", reason: "really?" };
     return decision === "bad" ? { action: "block", block_reason: "no" } : { action: "continue", parameters: input.parameters };`,
  );
  await fleet.put({
    name: "narrow",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", required: ["nothing_has_this"] },
  });
});
afterAll(() => dashboard.close());

const hook = (name: string) => dashboard.fleet.demand<NamedHook>("GET", `/hooks/${name}`);
const put = (name: string, more: object = {}) =>
  dashboard.fleet.demand("PUT", `/hooks/${name}`, {
    type: "agent",
    agent_name: "judge",
    on_error: "block",
    ...more,
  });
const guarded = (name: string, ref: string) =>
  dashboard.fleet.put({ name, type: "procedural", command: ["cat"], hooks: { on_run_start: { $ref: ref } } });

test("a named hook is created, used by an agent, and its results are counted live", async () => {
  const page = await dashboard.open("/hooks");
  await page.getByRole("heading", { name: "No hooks yet" }).waitFor();
  await page.getByRole("link", { name: "New hook" }).click();
  const create = page.getByRole("button", { name: "Create" });
  await page.getByLabel("Name").fill("gate");
  for (const target of ["HTTP endpoint", "Agent"]) {
    await page.getByRole("radiogroup", { name: "Calls" }).getByText(target, { exact: true }).click();
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("gate");
  }
  await page.getByRole("combobox", { name: "Agent" }).click();
  await expect
    .poll(() => page.getByRole("option", { name: /narrow/ }).textContent())
    .toContain("nothing_has_this");
  await page.getByRole("option", { name: /judge/ }).click();
  // on_error is required.
  await expect.poll(() => create.isDisabled()).toBe(true);
  await page.getByRole("radio", { name: "Block" }).check();
  await page.getByLabel("Timeout").fill("45");
  await create.click();
  await page.getByRole("heading", { name: "gate", level: 1 }).waitFor();
  await page.getByText("No agent uses it.").waitFor();
  expect((await hook("gate")).definition).toMatchObject({
    agent_name: "judge",
    on_error: "block",
    timeout_seconds: 45,
  });

  await dashboard.fleet.put({ name: "guarded", type: "procedural", command: ["cat"] });
  await page.goto(`${dashboard.url}/agents/guarded?tab=hooks`);
  const card = page.getByRole("region", { name: "on_run_start" });
  await card.getByText("Named", { exact: true }).click();
  await card.getByRole("combobox", { name: "Named hook" }).click();
  await page.getByRole("option", { name: "gate" }).click();
  await card.getByText("Calls the agent judge").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();

  await page.getByRole("link", { name: "Hooks", exact: true }).click();
  const row = page.getByRole("row", { name: /gate/ });
  await expect
    .poll(() => row.getByRole("link", { name: "judge" }).getAttribute("href"))
    .toBe("/agents/judge");
  await row.getByRole("link", { name: "guarded" }).waitFor();
  expect(await row.getByRole("link", { name: /passed|blocked|failed/ }).count()).toBe(0);
  const runs = await Promise.all(
    ["good", "bad", "invalid"].map((decision) => dashboard.fleet.run("guarded", { decision })),
  );
  expect(runs.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
  for (const outcome of ["passed", "blocked", "failed"]) {
    await row.getByRole("link", { name: `1 ${outcome}: runs of gate` }).waitFor();
  }
  const durations = row.getByRole("img", { name: /^Durations: the latest 3 took/ });
  await expect.poll(() => durations.locator("rect").count()).toBe(3);
  const states = await durations
    .locator("rect")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-state")));
  expect(states.sort()).toEqual(["blocked", "done", "failed"]);
  await expect.poll(() => row.textContent()).toMatch(/p50 .* p95/);
});

test("every hook in use is listed, and each number opens its runs in the same time", async () => {
  const { fleet } = dashboard;
  await put("shared-gate");
  await fleet.put({
    name: "listed",
    type: "procedural",
    command: ["cat"],
    hooks: {
      on_run_start: { $ref: "shared-gate" },
      on_run_finish: { type: "agent", agent_name: "judge", on_error: "continue", mode: "sync" },
    },
  });
  const runs = await Promise.all(["good", "bad"].map((decision) => fleet.run("listed", { decision })));
  // As a runner stores what hooks of an agent did.
  await fleet.served.coordinator.database.run(
    {
      name: "",
      text: `INSERT INTO runner_hook_results (run_id, hook, event, outcome, agent_name, run_created_at, count)
        SELECT id, 'no-force-push', 'before_tool', 'blocked', agent_name, created_at, 3 FROM runs WHERE id = $1`,
    },
    [runs[0]?.run_id ?? ""],
  );
  const asked = await fleet.run("listed", { decision: "unsure" }, { execution_mode: "async_poll" });
  const page = await dashboard.open("/hooks");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await row("on_run_finish of listed")
    .getByRole("link", { name: "2 passed: runs of on_run_finish of listed" })
    .waitFor();
  await row("no-force-push").getByText("runner", { exact: true }).waitFor();
  await row("no-force-push").getByText("in 1 run").waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Time: Any time" }).click();
  // The address has it a moment after the click.
  await page.getByRole("radio", { name: "Last hour" }).click();
  await page.getByRole("button", { name: "Time: Last hour" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Last hour" }).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "1 blocked: runs of shared-gate" }).click();
  await page.waitForURL("**/runs?**");
  const address = new URL(page.url()).searchParams;
  expect(Object.fromEntries(address)).toEqual({
    hook: "named:shared-gate",
    hook_outcome: "blocked",
    since: "1h",
  });
  await page.getByRole("button", { name: "Hook: shared-gate blocked" }).waitFor();
  await page.getByText("1 run", { exact: true }).waitFor();
  await page.locator(`a[href="/runs/${runs[1]?.run_id}"]`).first().waitFor();
  expect(await page.locator(`a[href="/runs/${runs[0]?.run_id}"]`).count()).toBe(0);

  await page.goto(`${dashboard.url}/hooks`);
  await page.getByRole("link", { name: "1 asked: runs of shared-gate" }).click();
  await page.getByRole("button", { name: "Hook: shared-gate asked" }).waitFor();
  await page.locator(`a[href="/runs/${asked.run_id}"]`).first().waitFor();
  expect(await page.locator(`a[href="/runs/${runs[0]?.run_id}"]`).count()).toBe(0);

  await page.goto(`${dashboard.url}/hooks`);
  await page.getByRole("link", { name: "3 blocked in 1 run: runs of no-force-push" }).click();
  await page.locator(`a[href="/runs/${runs[0]?.run_id}"]`).first().waitFor();
  expect(await page.locator(`a[href="/runs/${runs[1]?.run_id}"]`).count()).toBe(0);

  await page.getByRole("button", { name: "Hook: no-force-push blocked" }).click();
  const dialog = page.getByRole("dialog", { name: "Hook" });
  await dialog.getByRole("checkbox", { name: "failed", exact: true }).click();
  await page.getByRole("button", { name: "Hook: no-force-push blocked failed" }).waitFor();
  await dialog.getByRole("checkbox", { name: "blocked", exact: true }).click();
  await page.getByRole("button", { name: "Hook: no-force-push failed" }).waitFor();
  await page.getByRole("heading", { name: "No matching runs" }).waitFor();
  await dialog.getByRole("combobox", { name: "Hook" }).click();
  await dialog.getByRole("option", { name: "on_run_finish of listed" }).click();
  await page.getByText("2 runs", { exact: true }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("a time without runs shows that nothing ran in it", async () => {
  await put("idle");
  await guarded("idler", "idle");
  await dashboard.fleet.run("idler", { decision: "good" });
  const page = await dashboard.open("/hooks?to=2026-01-01T00:00:00.000Z", { viewport: PHONE });
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: "idle", exact: true }) });
  await card.getByText("did not run in this time").waitFor();
  await page.goto(`${dashboard.url}/hooks`);
  await card.getByRole("link", { name: "1 passed: runs of idle" }).waitFor();
});

test("the history of a hook shows who saved what, and an older revision is restored through the editor", async () => {
  await put("kept", { timeout_seconds: 5 });
  await put("kept", { timeout_seconds: 7 });
  const page = await dashboard.open("/hooks/kept", { name: "clara" });
  await page.getByText("Revision 2, saved").waitFor();
  await page.getByRole("button", { name: "History" }).click();
  const revision = (number: number) => page.getByRole("article", { name: `Revision ${number}`, exact: true });
  await revision(2).getByText("current").waitFor();
  await revision(2).getByRole("button", { name: "Changes" }).click();
  const changes = revision(2).getByRole("region", { name: "Revision 2 compared with revision 1" });
  await expect
    .poll(() => changes.textContent())
    .toMatch(/removed:.*timeout_seconds": 5.*added:.*timeout_seconds": 7/s);
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await revision(1).getByRole("button", { name: "Edit revision 1" }).click();
  await expect.poll(() => page.getByLabel("Timeout").inputValue()).toMatch(/^5/);
  expect((await hook("kept")).revision).toBe(2);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await revision(3).getByText("by clara").waitFor();
  expect(await hook("kept")).toMatchObject({
    revision: 3,
    definition: { timeout_seconds: 5 },
    updated_by: "clara",
  });
  const viewer = await dashboard.open("/hooks/kept", { scope: "viewer" });
  await viewer.getByRole("button", { name: "History" }).click();
  await viewer.getByRole("article", { name: "Revision 1", exact: true }).waitFor();
  expect(await viewer.getByRole("button", { name: /^Edit revision/ }).count()).toBe(0);
});

test("a hook in use cannot be deleted, and its users are listed", async () => {
  await put("used");
  const page = await dashboard.open("/hooks/used");
  const dialog = page.getByRole("dialog", { name: "Delete the hook used?" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("No agent uses it").waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  // The page cannot read it yet.
  await page.route("**/hooks/used", (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  await guarded("user", "used");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText('The hook "used" is used by user').waitFor();
  await page.unroute("**/hooks/used");
  await dialog.getByRole("link", { name: "user" }).waitFor();
  expect((await dashboard.fleet.ask("GET", "/hooks/used")).status).toBe(200);
  await dashboard.fleet.demand("DELETE", "/agents/user");
  await page.goto(`${dashboard.url}/hooks/used`);
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Hooks", level: 1 }).waitFor();
  expect((await dashboard.fleet.ask("GET", "/hooks/used")).status).toBe(404);
});

test("a change that does not fit the users of a hook is refused with their names", async () => {
  await put("strict");
  await guarded("careful", "strict");
  await dashboard.fleet.put({
    name: "tools-only",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", required: ["tool_name"] },
  });
  const page = await dashboard.open("/hooks/strict");
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: /tools-only/ }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByRole("alert")
    .getByText(/"careful" uses it/)
    .waitFor();
  expect((await hook("strict")).definition).toMatchObject({ agent_name: "judge" });
});

test("an address that the coordinator would refuse to call is refused at its field when the hook is saved", async () => {
  const page = await dashboard.open("/new-hook");
  await page.getByLabel("Name").fill("metadata");
  await page.getByRole("radiogroup", { name: "Calls" }).getByText("HTTP endpoint", { exact: true }).click();
  const url = page.getByLabel("URL");
  await url.fill("http://169.254.169.254/latest");
  await page.getByRole("radio", { name: "Block" }).check();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText(/^169\.254\.169\.254 \(metadata\) may not be called by http hooks/).waitFor();
  await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
  expect((await dashboard.fleet.ask("GET", "/hooks/metadata")).status).toBe(404);
});

test("two users edit a hook at once without overwriting each other", async () => {
  await put("common");
  const [ann, bob] = [await dashboard.open("/hooks/common"), await dashboard.open("/hooks/common")];
  await ann.getByLabel("Timeout").fill("10");
  await bob.getByRole("radio", { name: "Continue" }).check();
  await ann.getByRole("button", { name: "Save", exact: true }).click();
  await ann.getByText("All changes saved").waitFor();
  await bob.getByRole("button", { name: "Save", exact: true }).click();
  const apply = bob.getByRole("dialog").getByRole("button", { name: "Apply my changes" });
  await apply.waitFor();
  expect(await dialogFindings(bob)).toEqual([]);
  await bob.setViewportSize(DESKTOP);
  await apply.click();
  await bob.getByRole("button", { name: "Save", exact: true }).click();
  await bob.getByText("All changes saved").waitFor();
  expect((await hook("common")).definition).toMatchObject({ timeout_seconds: 10, on_error: "continue" });
});

test("a viewer has read-only access to hooks", async () => {
  await put("read-only");
  const page = await dashboard.open("/hooks/read-only", { scope: "viewer" });
  await page.getByText("You have read-only access.").waitFor();
  expect(await page.getByRole("button", { name: /Save|Delete/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Hooks", exact: true }).click();
  await page.getByRole("row", { name: /read-only/ }).waitFor();
  expect(await page.getByRole("link", { name: "New hook" }).count()).toBe(0);
});

test("the pages fit on a phone and are accessible", async () => {
  await put("phoned", {
    type: "http",
    url: `https://audit.example.com/${"long".repeat(30)}`,
    agent_name: undefined,
  });
  const page = await dashboard.open("/hooks", { viewport: PHONE });
  await page.getByRole("link", { name: "phoned" }).waitFor();
  for (const path of ["/hooks", "/hooks/phoned"]) {
    await page.goto(dashboard.url + path);
    await page
      .getByText(/phoned/)
      .first()
      .waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    expect(await axeFindings(page)).toEqual([]);
  }
});

test("a hook that is not enforced is marked as such, is enforced with one click, and the editor has a switch", async () => {
  await put("trial", { enforce: false });
  await guarded("tried", "trial");
  const { run_id } = await dashboard.fleet.run("tried", { decision: "bad" });
  const page = await dashboard.open(`/runs/${run_id}?tab=hooks`);
  await page
    .getByText(/would have blocked/)
    .first()
    .waitFor();
  await expect.poll(() => page.getByText("completed", { exact: true }).count()).toBeGreaterThan(0);
  const list = await dashboard.open("/hooks");
  const row = list.getByRole("row").filter({ has: list.getByRole("link", { name: "trial", exact: true }) });
  await row.getByText("not enforced").waitFor();
  for (const width of [1440, PHONE.width]) {
    await list.setViewportSize({ width, height: 900 });
    await list.getByText("not enforced").first().waitFor();
    expect(await axeFindings(list)).toEqual([]);
  }
  await page.goto(new URL("/hooks/trial", page.url()).href);
  const enforce = page.getByRole("switch", { name: "Enforce" });
  await expect.poll(() => enforce.isChecked()).toBe(false);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Enforce hook" }).click();
  await expect.poll(() => enforce.isChecked()).toBe(true);
  expect((await hook("trial")).definition.enforce).toBeUndefined();
  await expect.poll(() => page.getByRole("button", { name: "Enforce hook" }).count()).toBe(0);
  await enforce.uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Enforce hook" }).waitFor();
  expect((await hook("trial")).definition.enforce).toBe(false);
});
