import type { NewToken } from "@tenterhook/protocol/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialogFindings, findingsAtBothWidths } from "./axe-findings.ts";
import { DESKTOP, TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
});
afterAll(() => dashboard.close());

const makeToken = (name: string, more: object = {}) =>
  dashboard.fleet.demand<NewToken>("POST", "/tokens", { name, scope: "viewer", ...more });

const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "People and tokens" }).getByRole("row").filter({ hasText: name });
const revoke = (page: Page, name: string) =>
  page.getByRole("button", { name: `Revoke ${name}`, exact: true });

async function statusOf(token: string): Promise<number> {
  return (await fetch(`${dashboard.url}/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;
}

test("the list says who has access, its scope, its last use, its maker and its end", async () => {
  const { token } = await makeToken("gpu machine", {
    scope: "runner",
    runner_name: "gpu-1",
    runner_tags: ["gpu"],
  });
  const page = await dashboard.open("/people", { name: "olga" });
  const machine = row(page, "gpu machine");
  await machine.getByText("runner (gpu-1; tags: gpu)").waitFor();
  await machine.getByText("never", { exact: true }).first().waitFor();
  expect(await statusOf(token)).toBe(200);
  const olga = row(page, "olga").filter({ hasText: "you" });
  await olga.getByText("person", { exact: true }).waitFor();
  await olga.getByText("admin", { exact: true }).waitFor();
  await row(page, "the coordinator").first().waitFor();
  // The use of the token is recorded after its response.
  await expect
    .poll(async () => {
      await page.reload();
      await machine.waitFor();
      return machine.getByText("never", { exact: true }).count();
    })
    .toBe(1);
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

test("a link for a new person is made in one step, signs in once, and the person is in the list", async () => {
  const page = await dashboard.open("/people");
  await page.getByRole("button", { name: "Invite a person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ana");
  expect(await dialogFindings(page)).toEqual([]);
  await dialog.getByLabel("Name").press("Enter");
  await dialog.getByRole("button", { name: "Done" }).waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  const link = (await dialog.getByText(/^http.*login\?code=/).textContent()) ?? "";
  const other = await dashboard.signedOut();
  await other.goto(link);
  await other.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  // A viewer sees no list of people, in the navigation and at its address.
  expect(await other.getByRole("link", { name: "People" }).count()).toBe(0);
  await other.goto(`${dashboard.url}/people`);
  await other.getByRole("heading", { name: "For administrators" }).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await row(page, "ana").getByText("viewer", { exact: true }).waitFor();
  // Revoked: the other window is signed out.
  await revoke(page, "ana").click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => row(page, "ana").count()).toBe(0);
  await other.reload();
  await other.getByRole("button", { name: "Sign in" }).waitFor();
});

test("a double click on Revoke revokes one token, and what it made ends with it", async () => {
  const maker = await makeToken("maker", { scope: "admin" });
  const made = await fetch(`${dashboard.url}/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${maker.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "made below", scope: "viewer" }),
  });
  const { token } = (await made.json()) as NewToken;
  const bystander = await makeToken("bystander");
  const page = await dashboard.open("/people");
  await row(page, "made below").getByText("maker", { exact: true }).waitFor();
  await revoke(page, "maker").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 token made with it ends too: made below.", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Revoke" }).dblclick();
  await expect.poll(() => row(page, "made below").count()).toBe(0);
  expect([await statusOf(token), await statusOf(bystander.token)]).toEqual([401, 200]);
});

test("who has invited others is told before the sign-out that they lose their access, and may stay", async () => {
  const page = await dashboard.open("/runs", { name: "host" });
  const response = await page.request.post(`${dashboard.url}/login-links`, {
    data: { name: "guest", scope: "viewer" },
    headers: { origin: dashboard.url },
  });
  const guest = await dashboard.signedOut();
  await guest.goto(((await response.json()) as { readonly url: string }).url);
  await guest.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const signOut = async () => {
    await page.getByRole("button", { name: /^Account:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await signOut();
  const dialog = page.getByRole("dialog", { name: "Sign out?" });
  await dialog.getByText("1 person made with it ends too: guest.", { exact: false }).waitFor();
  expect(await dialogFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await guest.reload();
  await guest.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  // Without a response the user stays signed in, and is told so.
  await page.route("**/logout", (route) => route.abort());
  await signOut();
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are still signed in").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.unroute("**/logout");
  await signOut();
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await guest.reload();
  await guest.getByRole("button", { name: "Sign in" }).waitFor();
});

test("your own session is revoked only after a warning is confirmed, and leads to the sign-in page", async () => {
  const page = await dashboard.open("/people", { name: "leaving" });
  const own = row(page, "leaving").filter({ hasText: "you" });
  await own.getByRole("button", { name: "Revoke leaving" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You will be signed out").waitFor();
  const confirm = dialog.getByRole("button", { name: "Revoke" });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  expect(await dialogFindings(page)).toEqual([]);
  await dialog.getByLabel("I understand").check();
  await confirm.click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("the last administrator cannot be locked out without a warning", async () => {
  const page = await dashboard.open("/people");
  await page
    .getByRole("row")
    .filter({ hasText: "the coordinator" })
    .getByRole("button", { name: /^Revoke/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("No administrator remains").waitFor();
  await dialog.getByText("You will be signed out").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Revoke" }).isDisabled()).toBe(true);
});
