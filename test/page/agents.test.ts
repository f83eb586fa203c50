import type { AgentRecord, BlueprintInput } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { typeAtOnce } from "./type-at-once.ts";

const START_HOOK = { type: "object", required: ["parameters", "agent_name"] };
const TOKEN_HEADER = `Bearer \${API_TOKEN}`;
/** A reading that fails is tried again three times, the last time after four seconds. */
const LONGEST_PAUSE_MS = 5_000;
const TOOL_HOOK = { type: "object", required: ["tool_name"] };
const cat = (name: string, more: Partial<BlueprintInput> = {}): BlueprintInput => ({
  name,
  type: "procedural",
  command: ["cat"],
  ...more,
});

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.runner(2);
  await fleet.program(
    { name: "judge", description: "Refuses everything", parameters_schema: START_HOOK },
    `return { action: "block", block_reason: "not today" };`,
  );
  await fleet.put(cat("narrow", { description: "Knows tools only", parameters_schema: TOOL_HOOK }));
});
afterAll(() => dashboard.close());

const saved = async (name: string) =>
  (await dashboard.fleet.demand<AgentRecord>("GET", `/agents/${name}`)).blueprint;

test("an agent created with the form runs as it was saved", async () => {
  const page = await dashboard.open("/agents");
  await page.getByRole("link", { name: "New agent" }).click();
  const create = page.getByRole("button", { name: "Create" });
  await expect.poll(() => create.isDisabled()).toBe(true);
  await page.getByText("Required before saving").waitFor();
  await page.getByLabel("Name", { exact: false }).first().fill("echo");
  await page.getByLabel("System prompt").waitFor();
  await page.getByRole("radio", { name: "Procedural" }).check();
  await expect.poll(() => page.getByLabel("System prompt").count()).toBe(0);
  await page.getByLabel("Description").fill("Says what it hears");
  await page.getByRole("textbox", { name: "Command" }).fill("cat");
  await page.getByRole("textbox", { name: "Timeout" }).fill("30");
  await page.getByRole("tab", { name: "Schemas" }).click();
  await page.getByLabel("Parameters schema").fill('{ "type": "object", "required": ["word"] }');
  await create.click();
  await page.getByRole("heading", { name: "echo", level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/agents/echo");
  expect(await saved("echo")).toMatchObject({
    type: "procedural",
    description: "Says what it hears",
    command: ["cat"],
    timeout_seconds: 30,
  });
  expect(await dashboard.fleet.run("echo", { word: "hi" })).toMatchObject({
    status: "completed",
    result_data: { word: "hi" },
  });
  expect((await dashboard.fleet.ask("POST", "/runs", { agent_name: "echo", parameters: {} })).status).toBe(
    422,
  );
});

test("a name that is in use is reported at the name, and nothing is overwritten", async () => {
  await dashboard.fleet.put(cat("taken", { description: "was here first" }));
  const page = await dashboard.open("/new-agent?tab=json");
  await page.getByLabel("Blueprint").fill(JSON.stringify(cat("taken")));
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("This name is already in use").waitFor();
  await page.getByRole("tab", { name: /^Agent/ }).click();
  await expect
    .poll(() => page.getByLabel("Name", { exact: false }).first().getAttribute("aria-invalid"))
    .toBe("true");
  expect(await saved("taken")).toMatchObject({ description: "was here first" });
});

test("changes of the JSON appear in the form; invalid JSON is reported and kept", async () => {
  await dashboard.fleet.put(cat("texts"));
  const page = await dashboard.open("/agents/texts?tab=json");
  const json = page.getByLabel("Blueprint");
  await json.fill(JSON.stringify(cat("texts", { description: "from JSON", max_attempts: 3 })));
  await page.getByRole("tab", { name: "Agent" }).click();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("from JSON");
  await expect.poll(() => page.getByLabel("Attempts").inputValue()).toBe("3");
  await page.getByLabel("Description").fill("from the form");
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.poll(() => json.inputValue()).toContain('"from the form"');
  await json.fill('{ "name": "texts",');
  await page.getByText("Invalid JSON").first().waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("tab", { name: /^Agent/ }).click();
  await page.getByText("The JSON is not valid").waitFor();
  await page.getByRole("button", { name: "Continue editing the JSON" }).click();
  await expect.poll(() => json.inputValue()).toBe('{ "name": "texts",');
  await json.fill(JSON.stringify(cat("texts", { description: "whole again" })));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await saved("texts")).toMatchObject({ description: "whole again", max_attempts: 1 });
});

test("a hook from the Hooks tab blocks a run, and an unusable agent shows the reason", async () => {
  await dashboard.fleet.put(cat("guarded"));
  const page = await dashboard.open("/agents/guarded?tab=hooks");
  const hook = page.getByRole("region", { name: "on_run_start" });
  await hook.getByText("Fires before the run starts").waitFor();
  await hook.getByText("Inline").click();
  await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await hook.getByRole("combobox", { name: "Agent" }).click();
  const unfit = page.getByRole("option", { name: /narrow/ });
  await expect.poll(() => unfit.textContent()).toContain("tool_name");
  await expect.poll(() => unfit.getAttribute("data-combobox-disabled")).toBe("true");
  await expect
    .poll(() => page.getByRole("option", { name: /guarded/ }).textContent())
    .toContain("its own hook");
  await page.getByRole("option", { name: /judge/ }).click();
  // on_error has no default.
  await expect.poll(() => hook.getByRole("radio", { name: "Block" }).isChecked()).toBe(false);
  await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByRole("button", { name: "on_run_start: on error" }).click();
  await expect
    .poll(() => hook.getByRole("radio", { name: "Block" }).evaluate((radio) => radio.matches(":focus")))
    .toBe(true);
  await hook.getByRole("radio", { name: "Block" }).check();
  await hook.getByText("The run fails before its agent starts.").waitFor();
  await expect.poll(() => hook.getByRole("radio", { name: /^async/ }).isDisabled()).toBe(true);
  await hook.getByLabel("Timeout").fill("20");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();
  expect((await saved("guarded")).hooks.on_run_start).toEqual({
    type: "agent",
    agent_name: "judge",
    on_error: "block",
    timeout_seconds: 20,
  });
  expect(await dashboard.fleet.run("guarded")).toMatchObject({ status: "failed", block_reason: "not today" });
});

test("the default mode of a hook depends on its type and can be changed", async () => {
  await dashboard.fleet.put(cat("waited"));
  const page = await dashboard.open("/agents/waited?tab=hooks");
  const hook = page.getByRole("region", { name: "on_run_finish" });
  await hook.getByText("Inline").click();
  await expect.poll(() => hook.getByRole("radio", { name: /^async.*default/ }).isChecked()).toBe(true);
  await hook.getByRole("radio", { name: /^sync/ }).check();
  await hook.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: /judge/ }).click();
  await hook.getByRole("radio", { name: "Continue" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();
  expect((await saved("waited")).hooks.on_run_finish).toMatchObject({ mode: "sync", on_error: "continue" });
});

test("an invalid address is reported at its field and its tab before saving", async () => {
  await dashboard.fleet.put(cat("caller"));
  const page = await dashboard.open("/agents/caller?tab=hooks");
  const hook = page.getByRole("region", { name: "on_result" });
  await hook.getByText("Inline").click();
  await hook.getByText("HTTP endpoint").click();
  await hook.getByRole("radio", { name: "Continue" }).check();
  await hook.getByLabel("URL").fill("audit.example.com");
  await hook.getByText("Must be an http or https address").waitFor();
  await page.getByRole("tab", { name: /Hooks.*has errors/ }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await hook.getByLabel("URL").fill("https://audit.example.com/runs");
  await hook.getByRole("button", { name: "Add header" }).click();
  await hook.getByLabel("Name of header 1").fill("Authorization");
  await hook.getByLabel("Value of header 1").fill(TOKEN_HEADER);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();
  expect((await saved("caller")).hooks.on_result).toMatchObject({
    url: "https://audit.example.com/runs",
    method: "POST",
    headers: { Authorization: TOKEN_HEADER },
  });
});

test("an error that only the coordinator can detect is shown at its field", async () => {
  await dashboard.fleet.put(cat("fickle"));
  await dashboard.fleet.put(cat("trusting"));
  const page = await dashboard.open("/agents/trusting?tab=hooks");
  const hook = page.getByRole("region", { name: "on_run_start" });
  await hook.getByText("Inline").click();
  await hook.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: /fickle/ }).click();
  await hook.getByRole("radio", { name: "Block" }).check();
  // Now it no longer fits.
  await dashboard.fleet.put(cat("fickle", { parameters_schema: TOOL_HOOK }));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await hook.getByText(/does not take the input of on_run_start/).waitFor();
  await expect
    .poll(() => hook.getByRole("combobox", { name: "Agent" }).getAttribute("aria-invalid"))
    .toBe("true");
  expect((await saved("trusting")).hooks).toEqual({});
  await hook.getByText("None").click();
  await page.getByRole("tab", { name: "Schemas" }).click();
  const schema = page.getByLabel("Parameters schema");
  await schema.fill('{ "type": "text" }');
  await page
    .getByText(/type cannot be "text"/)
    .first()
    .waitFor();
  await schema.fill('{ "$ref": "#/nowhere" }');
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByText(/schema cannot be used/)
    .first()
    .waitFor();
  await expect.poll(() => schema.getAttribute("aria-invalid")).toBe("true");
});

test("the list searches agents, links to the form for a run, and shows hooks and tags", async () => {
  await dashboard.fleet.put(
    cat("tagged", {
      description: "Has everything",
      tags: ["gpu"],
      hooks: { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } },
    }),
  );
  const page = await dashboard.open("/agents");
  await page.getByLabel("Search agents").fill("gpu everything");
  const row = page.getByRole("row", { name: /tagged/ });
  await row.waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await expect.poll(() => row.textContent()).toMatch(/Has everything.*procedural.*on_run_start.*gpu.*1/);
  await expect.poll(() => new URL(page.url()).search).toBe("?search=gpu+everything");
  await expect
    .poll(() => row.getByRole("link", { name: "Start a run" }).getAttribute("href"))
    .toBe("/runs?start=tagged");
});

test("a search keeps every key of a user who types faster than the page renders", async () => {
  const page = await dashboard.open("/agents");
  const search = page.getByLabel("Search agents");
  await typeAtOnce(search, "refuses");
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await expect.poll(() => search.inputValue()).toBe("refuses");
  await expect.poll(() => new URL(page.url()).search).toBe("?search=refuses");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Agents" }).click();
  await expect.poll(() => search.inputValue()).toBe("");
});

test("an agent that runs hooks of others cannot be deleted, and its users are listed", async () => {
  await dashboard.fleet.put(cat("servant"));
  const hooks = { on_run_start: { type: "agent", agent_name: "servant", on_error: "block" } } as const;
  const page = await dashboard.open("/agents/servant");
  const dialog = page.getByRole("dialog", { name: "Delete the agent servant?" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("No new runs can be started").waitFor();
  // The page cannot read it, until it gives up.
  let failedAt = Date.now();
  await page.route("**/agents/servant", (route) => {
    if (route.request().method() !== "GET") return route.continue();
    failedAt = Date.now();
    return route.abort();
  });
  await dashboard.fleet.put(cat("master", { hooks }));
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText(/executes hooks of master/).waitFor();
  await expect.poll(() => Date.now() - failedAt, { timeout: 40_000 }).toBeGreaterThan(LONGEST_PAUSE_MS);
  await page.unroute("**/agents/servant");
  await dialog.getByRole("link", { name: "master" }).waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
  await dashboard.fleet.put(cat("master"));
  await page.goto(`${dashboard.url}/agents/servant`);
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  expect((await dashboard.fleet.ask("GET", "/agents/servant")).status).toBe(404);
});

test("a viewer has read-only access", async () => {
  const page = await dashboard.open("/agents/judge", { scope: "viewer" });
  await page.getByText("You have read-only access.").waitFor();
  await expect.poll(() => page.getByLabel("Description").getAttribute("readonly")).not.toBeNull();
  for (const name of ["Save", "Delete"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Start a run" }).count()).toBe(0);
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.poll(() => page.getByLabel("Blueprint").getAttribute("readonly")).not.toBeNull();
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("row", { name: /judge/ }).waitFor();
  expect(await page.getByRole("link", { name: "New agent" }).count()).toBe(0);
});

test("the pages fit on a phone and are accessible in dark colours", async () => {
  await dashboard.fleet.put(
    cat("full", {
      description: "x".repeat(200),
      hooks: { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } },
    }),
  );
  const page = await dashboard.open("/agents", { viewport: PHONE, colorScheme: "dark" });
  await page.getByRole("link", { name: "full", exact: true }).waitFor();
  const label = page.getByRole("link", { name: "Start a run of full" }).getByText("Start a run");
  await expect.poll(() => label.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  for (const path of ["/agents", "/agents/full", "/agents/full?tab=hooks", "/agents/full?tab=json"]) {
    await page.goto(dashboard.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page
      .getByText(/on_run_start|Description/)
      .first()
      .waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    const tops = await page
      .getByRole("tab")
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect(new Set(tops).size, "lines of tabs").toBeLessThanOrEqual(1);
    expect(await axeFindings(page)).toEqual([]);
  }
});
