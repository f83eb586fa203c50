import type { AgentRecord, NewToken } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await save("olga", { description: "at first", tags: ["gpu"] });
  await save("ana", { description: "and then", tags: ["gpu"] });
  await save("bruno", { description: "and then", tags: ["gpu"], max_attempts: 3 });
});
afterAll(() => dashboard.close());

async function save(person: string, more: object): Promise<void> {
  const { token } = await dashboard.fleet.demand<NewToken>("POST", "/tokens", {
    name: person,
    scope: "admin",
  });
  const response = await fetch(`${dashboard.url}/agents/kept`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "kept", type: "procedural", command: ["cat"], ...more }),
  });
  if (!response.ok) throw new Error(await response.text());
}

test("the history of an agent shows who saved what, and an older revision is restored through the editor", async () => {
  const page = await dashboard.open("/agents/kept", { name: "clara" });
  await page.getByRole("tab", { name: "History" }).click();
  const revision = (number: number) => page.getByRole("article", { name: `Revision ${number}`, exact: true });
  await revision(3).getByText("current").waitFor();
  await revision(3).getByText("by bruno").waitFor();
  await revision(2).getByText("by ana").waitFor();
  await revision(2).getByRole("button", { name: "Changes" }).click();
  const changes = revision(2).getByRole("region", { name: "Revision 2 compared with revision 1" });
  await changes.waitFor();
  await expect.poll(() => changes.textContent()).toMatch(/removed:.*at first.*added:.*and then/s);
  expect(await changes.textContent()).not.toContain('max_attempts": 3');
  await revision(1).getByText("by olga").waitFor();
  await revision(1).getByRole("button", { name: "Changes" }).click();
  await revision(1).getByLabel("The first revision", { exact: true }).getByText('"at first"').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  expect(await revision(3).getByRole("button", { name: /Edit/ }).count()).toBe(0);
  await revision(1).getByRole("button", { name: "Edit revision 1" }).click();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("at first");
  await page.getByText("Unsaved changes").waitFor();
  // Nothing is saved before the user presses Save, and changes are not replaced by another revision.
  expect(await dashboard.fleet.demand<AgentRecord>("GET", "/agents/kept")).toMatchObject({ revision: 3 });
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByText("Save or discard your changes before").waitFor();
  await expect
    .poll(() => revision(2).getByRole("button", { name: "Edit revision 2" }).isDisabled())
    .toBe(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await revision(4).getByText("by clara").waitFor();
  expect(await dashboard.fleet.demand<AgentRecord>("GET", "/agents/kept")).toMatchObject({
    revision: 4,
    updated_by: "clara",
    blueprint: { description: "at first", max_attempts: 1 },
  });
  // What others save appears.
  await save("ana", { description: "at last" });
  await revision(5).getByText("by ana").waitFor();
});

test("a viewer reads the history and cannot restore; it fits on a phone", async () => {
  const page = await dashboard.open("/agents/kept?tab=history", {
    scope: "viewer",
    viewport: PHONE,
    colorScheme: "dark",
  });
  const first = page.getByRole("article", { name: "Revision 1", exact: true });
  await first.getByRole("button", { name: "Changes" }).click();
  await first.getByLabel("The first revision", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /Edit/ }).count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
  expect(await axeFindings(page)).toEqual([]);
});

test("a new agent has no history", async () => {
  const page = await dashboard.open("/new-agent?tab=history");
  await page.getByLabel("Name", { exact: false }).first().waitFor();
  expect(await page.getByRole("tab", { name: "History" }).count()).toBe(0);
});
