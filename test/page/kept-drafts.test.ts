import type { AgentRecord, NewToken, Scope } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeFindings, pageFindings } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.put({ name: "notes", type: "procedural", command: ["cat"], description: "Writes notes" });
  await fleet.put({
    name: "report",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
  });
});
afterAll(() => dashboard.close());

const NOTICE = "Your unsaved changes were restored";
const keptIn = (page: Page) =>
  page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.startsWith('tenterhook.draft '))");

async function signIn(page: Page, name: string, scope: Scope = "admin"): Promise<NewToken> {
  const made = await dashboard.fleet.demand<NewToken>("POST", "/tokens", { name, scope });
  await page.getByLabel("Token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  return made;
}

/** Opens an address as a person. `end` ends the session: the page finds out with the next thing that is done. */
async function openAs(name: string, path: string) {
  const page = await dashboard.signedOut();
  await page.goto(dashboard.url + path);
  const { token_id } = await signIn(page, name);
  return { page, end: () => dashboard.fleet.demand("DELETE", `/tokens/${token_id}`) };
}

/** Presses a button if it is there: the page may have found out already that the session has ended. */
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).evaluateAll((buttons) => {
    for (const button of buttons) (button as unknown as { click(): void }).click();
  });

const isSignedOut = (page: Page) => page.getByText("Your session has ended").waitFor();

test("an agent's draft is restored after the session has ended, and can be discarded", async () => {
  const { page, end } = await openAs("ana", "/agents/notes");
  const description = page.getByLabel("Description");
  await description.fill("Writes long notes");
  await end();
  await press(page, "Save");
  await isSignedOut(page);
  await signIn(page, "ana");
  await page.getByText(NOTICE).waitFor();
  await expect.poll(() => description.inputValue()).toBe("Writes long notes");
  expect(await pageFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Discard restored changes" }).click();
  await page.getByText("All changes saved").waitFor();
  await expect.poll(() => description.inputValue()).toBe("Writes notes");
  await expect.poll(() => page.getByText(NOTICE).count()).toBe(0);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("a hook's draft is restored and saved", async () => {
  const url = "https://audit.example.com/runs";
  await dashboard.fleet.demand("PUT", "/hooks/audit", { type: "http", url, on_error: "continue" });
  const { page, end } = await openAs("ana", "/hooks/audit");
  await page.getByRole("textbox", { name: "URL" }).fill(`${url}/new`);
  await end();
  await press(page, "Save");
  await isSignedOut(page);
  await signIn(page, "ana");
  await page.getByText(NOTICE).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await dashboard.fleet.demand("GET", "/hooks/audit")).toMatchObject({
    definition: { url: `${url}/new` },
  });
  await expect.poll(() => page.getByText(NOTICE).count()).toBe(0);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("the draft of a new agent is restored and saved", async () => {
  const { page, end } = await openAs("ana", "/new-agent");
  const create = page.getByRole("button", { name: "Create" });
  await page.getByLabel("Name", { exact: false }).first().fill("kept");
  await page.getByRole("radio", { name: "Procedural" }).check();
  await page.getByRole("textbox", { name: "Command" }).fill("cat");
  await expect.poll(() => create.isEnabled()).toBe(true);
  await end();
  await press(page, "Create");
  await isSignedOut(page);
  await signIn(page, "ana");
  await page.getByText(NOTICE).waitFor();
  await create.click();
  await page.getByRole("heading", { name: "kept", level: 1 }).waitFor();
  expect(await page.getByText(NOTICE).count()).toBe(0);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("what was typed to start a run is restored, and starts it", async () => {
  const { page, end } = await openAs("ana", "/runs?start=report");
  const topic = page.getByRole("textbox", { name: /^topic/i });
  await topic.fill("tides");
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByRole("textbox", { name: "Session", exact: true }).fill("my-session");
  await end();
  await press(page, "Start");
  await isSignedOut(page);
  await signIn(page, "ana");
  await page.getByText(NOTICE).waitFor();
  await expect.poll(() => topic.inputValue()).toBe("tides");
  await expect
    .poll(() => page.getByRole("textbox", { name: "Session", exact: true }).inputValue())
    .toBe("my-session");
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/run_/);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("parameters that are not valid JSON yet are restored as they were typed", async () => {
  const { page, end } = await openAs("ana", "/runs?start=notes");
  const parameters = page.getByLabel("Parameters", { exact: true });
  await parameters.fill('{ "topic": "tides" }');
  await parameters.fill('{ "topic": "tides", "since');
  await end();
  await page.reload();
  await signIn(page, "ana");
  await page.getByText(NOTICE).waitFor();
  await expect.poll(() => parameters.inputValue()).toBe('{ "topic": "tides", "since');
  await page.getByText(/^Invalid JSON/).waitFor();
  await parameters.fill('{ "topic": "winds" }');
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/run_/);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("a form that is closed keeps nothing, and one that was discarded has its first values again", async () => {
  const { page } = await openAs("ana", "/runs?start=report");
  const topic = page.getByRole("textbox", { name: /^topic/i });
  await topic.fill("tides");
  await page.reload();
  await page.getByText(NOTICE).waitFor();
  await page.getByRole("button", { name: "Discard restored changes" }).click();
  await expect.poll(() => topic.inputValue()).toBe("");
  await expect.poll(() => keptIn(page)).toEqual([]);
  await topic.fill("winds");
  await expect.poll(() => keptIn(page)).toHaveLength(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("one user's draft is never shown to another, and is gone from the tab", async () => {
  const { page, end } = await openAs("ana", "/agents/notes");
  await page.getByLabel("Description").fill("Known to Ana only");
  await end();
  await press(page, "Save");
  await isSignedOut(page);
  await expect.poll(() => keptIn(page)).toHaveLength(1);
  await signIn(page, "bob");
  await page.getByText("All changes saved").waitFor();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Writes notes");
  expect(await page.getByText(NOTICE).count()).toBe(0);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test("a restored draft does not overwrite what another user saved meanwhile", async () => {
  await dashboard.fleet.put({ name: "shared", type: "procedural", command: ["cat"], description: "First" });
  const { page, end } = await openAs("ana", "/agents/shared");
  await page.getByLabel("Description").fill("Ana's");
  await end();
  await press(page, "Save");
  await isSignedOut(page);
  await dashboard.fleet.put({ name: "shared", type: "procedural", command: ["cat"], description: "Bob's" });
  await signIn(page, "ana");
  await page.getByText("A newer version was saved").waitFor();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Ana's");
  const { blueprint } = await dashboard.fleet.demand<AgentRecord>("GET", "/agents/shared");
  expect(blueprint.description).toBe("Bob's");
  // Leaving is a decision, too.
  await page.getByRole("link", { name: "Runners" }).click();
  await page.getByRole("button", { name: "Discard and leave" }).click();
  await page.getByRole("heading", { name: "Runners", level: 1 }).waitFor();
  await expect.poll(() => keptIn(page)).toEqual([]);
});

describe("a draft of something that was deleted meanwhile", () => {
  const saveAgent = (name: string) =>
    dashboard.fleet.put({ name, type: "procedural", command: ["cat"], description: "As it was" });

  /** Types a description, and comes back to the list of agents after the session has ended and the agent was deleted. */
  async function comeBack(name: string) {
    await saveAgent(name);
    const { page, end } = await openAs("ana", `/agents/${name}`);
    await page.getByLabel("Description").fill("As I want it");
    await end();
    await dashboard.fleet.demand("DELETE", `/agents/${name}`);
    await page.goto(`${dashboard.url}/agents`);
    await signIn(page, "ana");
    const notice = page.getByRole("status", { name: `Unsaved changes of the deleted agent ${name}` });
    await notice.waitFor();
    return { page, notice };
  }

  test("is offered in the list of agents, and creates the agent again", async () => {
    const { page, notice } = await comeBack("wanted");
    expect(await pageFindings(page)).toEqual([]);
    await notice.getByRole("link", { name: "Review changes" }).click();
    await page.getByText("This was deleted").waitFor();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("As I want it");
    expect(await page.getByRole("tab", { name: "History" }).count()).toBe(0);
    expect(await pageFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Create again" }).click();
    await page.getByRole("button", { name: "Delete" }).waitFor();
    expect(await page.getByText(NOTICE).count()).toBe(0);
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("As I want it");
    const { blueprint } = await dashboard.fleet.demand<AgentRecord>("GET", "/agents/wanted");
    expect(blueprint.description).toBe("As I want it");
    await expect.poll(() => keptIn(page)).toEqual([]);
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByRole("link", { name: "wanted", exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  test("can be discarded in the list", async () => {
    const { page, notice } = await comeBack("unwanted");
    await notice.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => notice.count()).toBe(0);
    await expect.poll(() => keptIn(page)).toEqual([]);
    await page.goto(`${dashboard.url}/agents/unwanted`);
    await page.getByText("Agent unwanted not found").waitFor();
  });

  test("is no longer offered when the agent exists again", async () => {
    const { page, notice } = await comeBack("back-again");
    await saveAgent("back-again");
    await expect.poll(() => notice.count()).toBe(0);
    await expect.poll(() => keptIn(page)).toHaveLength(1);
  });

  test("is not offered to a user who cannot change agents", async () => {
    const { page, notice } = await comeBack("viewed");
    await page.context().clearCookies();
    await page.reload();
    await signIn(page, "ana", "viewer");
    await page.getByRole("link", { name: "notes", exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  test("creates a hook again", async () => {
    const definition = { type: "http", url: "https://audit.example.com/old", on_error: "continue" };
    await dashboard.fleet.demand("PUT", "/hooks/lost", definition);
    const { page, end } = await openAs("ana", "/hooks/lost");
    await page.getByRole("textbox", { name: "URL" }).fill("https://audit.example.com/new");
    await end();
    await dashboard.fleet.demand("DELETE", "/hooks/lost");
    await page.goto(`${dashboard.url}/hooks`);
    await signIn(page, "ana");
    await page.getByRole("link", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Create again" }).click();
    await page.getByText("All changes saved").waitFor();
    expect(await dashboard.fleet.demand("GET", "/hooks/lost")).toMatchObject({
      definition: { url: "https://audit.example.com/new" },
    });
    await expect.poll(() => keptIn(page)).toEqual([]);
  });
});
