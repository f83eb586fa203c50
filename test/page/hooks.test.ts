import type { NamedHook } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(2);
  await fleet.program(
    { name: "judge", parameters_schema: { type: "object", required: ["parameters", "agent_name"] } },
    `const { decision } = input.parameters;
     if (decision === "invalid") return { action: "dance" };
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
  await page.getByRole("heading", { name: "No named hooks yet" }).waitFor();
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
  await row.getByText("has not run yet").waitFor();
  await expect
    .poll(() => row.getByRole("link", { name: "judge" }).getAttribute("href"))
    .toBe("/agents/judge");
  await row.getByRole("link", { name: "guarded" }).waitFor();
  const runs = await Promise.all(
    ["good", "bad", "invalid"].map((decision) => dashboard.fleet.run("guarded", { decision })),
  );
  expect(runs.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
  await row.getByRole("img", { name: "Outcomes: ran 3 times: 1 passed, 1 blocked, 1 failed" }).waitFor();
  const durations = row.getByRole("img", { name: /^Durations: the latest 3 took/ });
  await expect.poll(() => durations.locator("rect").count()).toBe(3);
  const states = await durations
    .locator("rect")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-state")));
  expect(states.sort()).toEqual(["blocked", "done", "failed"]);
  await expect.poll(() => row.textContent()).toMatch(/p50 .* p95/);
});

test("a hook in use cannot be deleted, and its users are listed", async () => {
  await put("used");
  const page = await dashboard.open("/hooks/used");
  const dialog = page.getByRole("dialog", { name: "Delete the hook used?" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("No agent uses it").waitFor();
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
  await bob.getByRole("dialog").getByRole("button", { name: "Apply my changes" }).click();
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
