import type { AgentRecord, BlueprintInput } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialogFindings } from "./axe-findings.ts";
import { DESKTOP, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
});
afterAll(() => dashboard.close());

const put = (name: string, more: Partial<BlueprintInput> = {}) =>
  dashboard.fleet.put({ name, type: "procedural", command: ["cat"], ...more });
const saved = async (name: string) =>
  (await dashboard.fleet.demand<AgentRecord>("GET", `/agents/${name}`)).blueprint;

test("two users edit at once: separate changes are merged, and conflicts are resolved by choice", async () => {
  await put("shared", { description: "as it was" });
  const [ann, bob] = [await dashboard.open("/agents/shared"), await dashboard.open("/agents/shared")];
  await bob.getByLabel("Description").fill("by Bob");
  await bob.getByLabel("Attempts").fill("4");
  await ann.getByLabel("Description").fill("by Ann");
  await ann.getByRole("textbox", { name: "Timeout" }).fill("90");
  await ann.getByRole("button", { name: "Save", exact: true }).click();
  await ann.getByText("All changes saved").waitFor();
  await bob.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = bob.getByRole("dialog", { name: "A newer version was saved" });
  const differences = dialog.getByRole("region", { name: "Saved version compared with yours" });
  await differences.waitFor();
  await expect.poll(() => differences.textContent()).toMatch(/removed:.*by Ann.*added:.*by Bob/s);
  expect(await saved("shared")).toMatchObject({ description: "by Ann" });
  const apply = dialog.getByRole("button", { name: "Apply my changes" });
  await expect.poll(() => apply.isDisabled()).toBe(true);
  await dialog
    .getByRole("radiogroup", { name: "Conflict in description" })
    .getByLabel(/^Yours/)
    .check();
  await dialog.getByText("Changed only in the saved version: timeout_seconds").waitFor();
  expect(await dialogFindings(bob)).toEqual([]);
  await bob.setViewportSize(DESKTOP);
  await apply.click();
  // Nothing is saved before Bob presses Save.
  expect(await saved("shared")).toMatchObject({ description: "by Ann" });
  await expect.poll(() => bob.getByRole("textbox", { name: "Timeout" }).inputValue()).toBe("90 s");
  await bob.getByRole("button", { name: "Save", exact: true }).click();
  await bob.getByText("All changes saved").waitFor();
  expect(await saved("shared")).toMatchObject({
    description: "by Bob",
    max_attempts: 4,
    timeout_seconds: 90,
  });
});

test("using the saved version replaces the draft, which can be edited further", async () => {
  await put("yielding", { description: "as it was" });
  const page = await dashboard.open("/agents/yielding");
  await page.getByLabel("Description").fill("mine");
  await put("yielding", { description: "theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Use saved version" }).click();
  await page.getByText("All changes saved").waitFor();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("theirs");
  await page.getByLabel("Description").fill("theirs, and mine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await saved("yielding")).toMatchObject({ description: "theirs, and mine" });
});

test("an agent that was deleted while it was edited can be created again", async () => {
  await put("phoenix");
  const page = await dashboard.open("/agents/phoenix");
  await page.getByLabel("Description").fill("from the ashes");
  await dashboard.fleet.demand("DELETE", "/agents/phoenix");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("This was deleted").waitFor();
  await page.getByRole("button", { name: "Create again" }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await saved("phoenix")).toMatchObject({ description: "from the ashes" });
});

test("leaving with unsaved changes asks first, switching tabs does not", async () => {
  await put("left");
  const page = await dashboard.open("/agents/left");
  await page.getByLabel("Description").fill("unsaved");
  await page.getByRole("tab", { name: "Hooks" }).click();
  await page.getByRole("tab", { name: "Agent" }).click();
  const ask = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Runners" }).click();
  await ask.waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await ask.getByRole("button", { name: "Stay", exact: true }).click();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("unsaved");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("unsaved");
  await page.getByRole("link", { name: "Runners" }).click();
  await ask.getByRole("button", { name: "Discard and leave" }).click();
  await page.getByRole("heading", { name: "Runners", level: 1 }).waitFor();
});
