import { join } from "node:path";
import { pageFolder } from "@tenterhook/dashboard";
import { freshPostgres, restartPort } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { LiveProcess } from "../faults/live-process.ts";
import { axeFindings } from "./axe-findings.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { PHONE } from "./test-dashboard.ts";

interface Served {
  readonly url: string;
  readonly token: string;
}

const folder = temporaryFolder();
let options: object;
let coordinator: LiveProcess<Served>;
/** All tabs of a window share one stream of events. */
let window: BrowserContext;
let addresses: readonly string[];
const errors: string[] = [];

beforeAll(async () => {
  options = {
    folder: join(folder, "data"),
    url: await freshPostgres(),
    page: pageFolder,
    port: await restartPort(),
  };
  coordinator = await LiveProcess.start<Served>("coordinator", options);
  await ask("PUT", "/agents/echo", { name: "echo", type: "procedural", command: ["true"] });
  await ask("PUT", "/hooks/curfew", { type: "agent", agent_name: "echo", on_error: "block" });
  const run = { agent_name: "echo", parameters: {}, execution_mode: "async_poll" };
  const { run_id, session_id } = await ask<{ run_id: string; session_id: string }>("POST", "/runs", run);
  window = await newWindow();
  addresses = [
    "/overview",
    "/runs",
    `/runs/${run_id}`,
    "/approvals",
    "/sessions",
    `/sessions/${session_id}`,
    "/agents",
    "/agents/echo",
    "/new-agent",
    "/hooks",
    "/hooks/curfew",
    "/new-hook",
    "/runners",
    "/live",
  ];
});

afterAll(async () => {
  await window?.close();
  await coordinator.kill();
});

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, token } = coordinator.ready;
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

async function newWindow(): Promise<BrowserContext> {
  // Without the service worker, whose requests a test cannot refuse, and which would hide what the page itself does.
  const opened = await (await sharedBrowser()).newContext({
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const { url } = await ask<{ url: string }>("POST", "/login-links");
  await opened.request.get(url, { maxRedirects: 0 });
  return opened;
}

async function newPage({ onTestFinished }: Pick<TestContext, "onTestFinished">): Promise<Page> {
  const page = await window.newPage();
  page.setDefaultTimeout(60_000);
  onTestFinished(() => page.close());
  return page;
}

async function open(address: string, context: TestContext): Promise<Page> {
  const page = await newPage(context);
  page.on("pageerror", (error) => errors.push(`${address}: ${error}`));
  await page.goto(coordinator.ready.url + address);
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const banner = (page: Page) => page.getByText("Reconnecting");
const menu = (page: Page) => page.getByRole("navigation", { name: "Pages" });

test("every page survives a killed coordinator, those that were never opened too, and recovers by itself", async (context) => {
  const tabs = await Promise.all(
    addresses.map(async (address) => [address, await open(address, context)] as const),
  );
  const walker = await open("/runs", context);
  // The code of the other pages is loaded ahead, and after it that of the dialogs.
  await expect
    .poll(() => walker.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()'))
    .toMatch(/palette-[^,]*\.js/);

  await coordinator.kill();
  await Promise.all(
    tabs.map(async ([address, page]) => {
      await banner(page).waitFor();
      await menu(page).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).count(), address).toBe(1);
    }),
  );
  await banner(walker).waitFor();
  for (const name of ["Overview", "Approvals", "Sessions", "Agents", "Hooks", "Runners", "Live"]) {
    await menu(walker)
      .getByRole("link", { name: new RegExp(`^${name}`) })
      .click();
    await walker.getByRole("heading", { name, level: 1 }).waitFor();
    await expect.poll(() => banner(walker).isVisible()).toBe(true);
  }
  await walker.setViewportSize(PHONE);
  expect(await axeFindings(walker)).toEqual([]);
  expect(await walker.getByText("Something went wrong").count()).toBe(0);

  coordinator = await LiveProcess.start<Served>("coordinator", options);
  await Promise.all(
    [...tabs, ["the walker", walker] as const].map(([address, page]) => recovers(address, page)),
  );
  expect(errors).toEqual([]);
});

/** Shows its data again: neither an error nor a place that is still empty. */
async function recovers(address: string, page: Page): Promise<void> {
  await banner(page).waitFor({ state: "hidden" });
  const main = page.getByRole("main");
  await expect
    .poll(
      async () => [
        await main.getByRole("alert").count(),
        await main.locator("[aria-label='Loading'], .mantine-Skeleton-root").count(),
      ],
      { message: address },
    )
    .toEqual([0, 0]);
}

// These refuse requests of their own page only, so they wait side by side.
test.concurrent("a page whose code cannot be loaded keeps the frame, shows that it loads, and opens when it can", async ({
  expect,
  onTestFinished,
}) => {
  // In a window of its own: code that another tab has loaded comes from the memory of the process that they share.
  const own = await newWindow();
  onTestFinished(() => own.close());
  const page = await own.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => errors.push(String(error)));
  let isBlocked = true;
  await page.route(/assets\/agents-page/, (route) => (isBlocked ? route.abort() : route.continue()));
  // By this the page learns whether a reload would help.
  await page.route(`${coordinator.ready.url}/`, (route) => (isBlocked ? route.abort() : route.continue()));
  await page.goto(`${coordinator.ready.url}/runs`);
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await menu(page).getByRole("link", { name: "Agents" }).click();
  await page.getByText("Loading the page").waitFor();
  await expect.poll(() => menu(page).isVisible()).toBe(true);
  isBlocked = false;
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  expect(errors).toEqual([]);
});

test.concurrent("a page that fails while it is rendered keeps the frame, reports the error, and is shown again by itself", async ({
  expect,
  onTestFinished,
}) => {
  const page = await newPage({ onTestFinished });
  let isBroken = true;
  // Code that fails while `isBroken` is set, in place of the page's own.
  await page.route(/assets\/hooks-page/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `export function HooksPage() {
        if (globalThis.isBroken) throw new Error("the drawing failed");
        return "drawn at last";
      }`,
    }),
  );
  await page.addInitScript("globalThis.isBroken = true");
  // Data that no coordinator sends, in place of the list of runners.
  await page.route(/\/runners\?/, (route) =>
    isBroken ? route.fulfill({ json: { runners: [null], next_cursor: null } }) : route.continue(),
  );
  await page.goto(`${coordinator.ready.url}/hooks`);
  const alert = page.getByRole("main").getByRole("alert");
  await alert.getByText("the drawing failed", { exact: false }).waitFor();
  await menu(page).waitFor();
  await page.evaluate("globalThis.isBroken = false");
  await page.getByText("drawn at last").waitFor();
  expect(await alert.count()).toBe(0);

  await menu(page).getByRole("link", { name: "Runners" }).click();
  await alert.getByText("This page failed").waitFor();
  isBroken = false;
  await page.getByRole("heading", { name: "Runners", level: 1 }).waitFor();
  await page.getByText("No runners connected").waitFor();
  await page.evaluate("globalThis.isBroken = true");
  await menu(page).getByRole("link", { name: "Hooks" }).click();
  await alert.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  // Another page is not held up by one that fails.
  await menu(page).getByRole("link", { name: "Agents" }).click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
});

test.concurrent("a page that is opened while the coordinator responds with errors opens by itself later", async ({
  expect,
  onTestFinished,
}) => {
  const page = await newPage({ onTestFinished });
  let isDown = true;
  await page.route(/\/whoami$/, (route) => (isDown ? route.abort() : route.continue()));
  await page.goto(`${coordinator.ready.url}/agents`);
  await page.getByText("The page opens by itself when the coordinator responds.").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  isDown = false;
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
});
