import type { NamedHook } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { DashboardWorld, PHONE } from "./dashboard-world.ts";

// Long walks through a real browser, perhaps on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let world: DashboardWorld;
beforeAll(async () => {
  world = await DashboardWorld.share();
  const { fleet } = world;
  await fleet.runner(2);
  await fleet.program(
    { name: "judge", parameters_schema: { type: "object", required: ["parameters", "agent_name"] } },
    `const { wish } = input.parameters;
     if (wish === "nonsense") return { action: "dance" };
     return wish === "bad" ? { action: "block", block_reason: "no" } : { action: "continue", parameters: input.parameters };`,
  );
  await fleet.put({
    name: "narrow",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", required: ["nothing_has_this"] },
  });
}, 60_000);
afterAll(() => world.close());

const hook = (name: string) => world.fleet.demand<NamedHook>("GET", `/hooks/${name}`);
const put = (name: string, more: object = {}) =>
  world.fleet.demand("PUT", `/hooks/${name}`, {
    type: "agent",
    agent_name: "judge",
    on_error: "block",
    ...more,
  });
const guarded = (name: string, ref: string) =>
  world.fleet.put({ name, type: "procedural", command: ["cat"], hooks: { on_run_start: { $ref: ref } } });

test("a hook gets a name on the page, an agent refers to it, and its runs are counted and drawn, live", async () => {
  const page = await world.open("/hooks");
  await page.getByRole("heading", { name: "No hook has a name yet" }).waitFor();
  await page.getByRole("link", { name: "New hook" }).click();
  const create = page.getByRole("button", { name: "Create" });
  await page.getByLabel("Name").fill("gate");
  await page.getByRole("combobox", { name: "Agent" }).click();
  expect(await page.getByRole("option", { name: /narrow/ }).textContent()).toContain("nothing_has_this");
  await page.getByRole("option", { name: /judge/ }).click();
  // It must be said what a failure means.
  expect(await create.isDisabled()).toBe(true);
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

  await world.fleet.put({ name: "guarded", type: "procedural", command: ["cat"] });
  await page.goto(`${world.url}/agents/guarded?tab=hooks`);
  const card = page.getByRole("region", { name: "on_run_start" });
  await card.getByText("A named one").click();
  await card.getByRole("combobox", { name: "Named hook" }).click();
  await page.getByRole("option", { name: "gate" }).click();
  await card.getByText("Asks the agent judge").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Everything is saved").waitFor();

  await page.getByRole("link", { name: "Hooks", exact: true }).click();
  const row = page.getByRole("row", { name: /gate/ });
  await row.getByText("has not run yet").waitFor();
  expect(await row.getByRole("link", { name: "judge" }).getAttribute("href")).toBe("/agents/judge");
  await row.getByRole("link", { name: "guarded" }).waitFor();
  const runs = await Promise.all(
    ["good", "bad", "nonsense"].map((wish) => world.fleet.run("guarded", { wish })),
  );
  expect(runs.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
  await row.getByRole("img", { name: "Outcomes: ran 3 times: 1 passed, 1 blocked, 1 failed" }).waitFor();
  const durations = row.getByRole("img", { name: /^Durations: the latest 3 took/ });
  expect(await durations.locator("rect").count()).toBe(3);
  const states = await durations
    .locator("rect")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-state")));
  expect(states.sort()).toEqual(["blocked", "done", "failed"]);
  expect(await row.textContent()).toMatch(/p50 .* p95/);
});

test("a hook that is in use is not deleted, and says by whom", async () => {
  await put("used");
  const page = await world.open("/hooks/used");
  const dialog = page.getByRole("dialog", { name: "Delete the hook used?" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("No agent uses it").waitFor();
  // The page does not know it yet; the coordinator does.
  await guarded("user", "used");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText('The hook "used" is used by user').waitFor();
  await dialog.getByRole("link", { name: "user" }).waitFor();
  expect((await world.fleet.ask("GET", "/hooks/used")).status).toBe(200);
  await world.fleet.demand("DELETE", "/agents/user");
  await page.goto(`${world.url}/hooks/used`);
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Hooks", level: 1 }).waitFor();
  expect((await world.fleet.ask("GET", "/hooks/used")).status).toBe(404);
});

test("a change that makes no sense for those who use it is refused with their names", async () => {
  await put("strict");
  await guarded("careful", "strict");
  await world.fleet.put({
    name: "tools-only",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", required: ["tool_name"] },
  });
  const page = await world.open("/hooks/strict");
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: /tools-only/ }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("alert")
    .getByText(/"careful" uses it/)
    .waitFor();
  expect((await hook("strict")).definition).toMatchObject({ agent_name: "judge" });
});

test("two people edit a hook at once, and neither overwrites the other", async () => {
  await put("common");
  const [ann, bob] = [await world.open("/hooks/common"), await world.open("/hooks/common")];
  await ann.getByLabel("Timeout").fill("10");
  await bob.getByRole("radio", { name: "Continue" }).check();
  await ann.getByRole("button", { name: "Save" }).click();
  await ann.getByText("Everything is saved").waitFor();
  await bob.getByRole("button", { name: "Save" }).click();
  await bob.getByRole("dialog").getByRole("button", { name: "Put mine on top of theirs" }).click();
  await bob.getByRole("button", { name: "Save" }).click();
  await bob.getByText("Everything is saved").waitFor();
  expect((await hook("common")).definition).toMatchObject({ timeout_seconds: 10, on_error: "continue" });
});

test("a viewer sees hooks and can change none", async () => {
  await put("looked-at");
  const page = await world.open("/hooks/looked-at", { scope: "viewer" });
  await page.getByText("You may look at it, and not change it.").waitFor();
  expect(await page.getByRole("button", { name: /Save|Delete/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Hooks", exact: true }).click();
  await page.getByRole("row", { name: /looked-at/ }).waitFor();
  expect(await page.getByRole("link", { name: "New hook" }).count()).toBe(0);
});

test("on a phone nothing is cut, and everything has a name", async () => {
  await put("phoned", {
    type: "http",
    url: `https://audit.example.com/${"long".repeat(30)}`,
    agent_name: undefined,
  });
  const page = await world.open("/hooks", { viewport: PHONE });
  await page.getByRole("link", { name: "phoned" }).waitFor();
  for (const path of ["/hooks", "/hooks/phoned"]) {
    await page.goto(world.url + path);
    await page
      .getByText(/phoned/)
      .first()
      .waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    expect(await axeFindings(page)).toEqual([]);
  }
});
