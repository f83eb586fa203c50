// Takes the pictures of the dashboard that the documentation shows: a real coordinator with the demo, a real browser.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { launchOptions } from "./browser/launch-options.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = join(root, "docs", "screenshots");
// First of all: without a browser, nothing is started that would have to be ended.
const options = await launchOptions();
const data = await mkdtemp(join(tmpdir(), "tenterhook-screenshots-"));

interface Started {
  readonly url: string;
  readonly login_url: string;
}

interface Run {
  readonly run_id: string;
  readonly session_id: string;
}

const command = join(root, "packages", "cli", "dist", "bin", "tenterhook.js");
const up = spawn(process.execPath, [command, "up", "--json", "--data", data, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = (await once(createInterface(up.stdout), "line")) as [string];
const { url, login_url } = JSON.parse(line) as Started;

const browser = await chromium.launch(options);
try {
  await mkdir(folder, { recursive: true });
  const desktop = await open({ width: 1280, height: 800 }, "light");
  await desktop.getByRole("button", { name: "See rm -rf refused" }).waitFor();
  await desktop.getByText("No runner connected", { exact: true }).waitFor({ state: "detached" });
  await take(desktop, "/runs", "first-run");
  const runs = await fill(desktop);
  await take(desktop, "/runs", "runs");
  await takeOverview(desktop, { width: 1280, height: 1100 }, "light", "overview");
  await takeOverview(desktop, { width: 1280, height: 1100 }, "dark", "overview-dark");
  await takeOverview(desktop, { width: 390, height: 844 }, "light", "overview-phone");
  await desktop.setViewportSize({ width: 1280, height: 800 });
  await take(desktop, `/runs/${runs.notes.run_id}`, "run");
  await take(desktop, `/runs/${runs.blocked.run_id}`, "run-blocked");
  await take(desktop, `/runs/${runs.enriched.run_id}`, "run-parameters");
  await take(desktop, `/sessions/${runs.chained.session_id}`, "session");
  await take(desktop, "/agents/report-generator?tab=hooks", "agent-hooks");
  await take(desktop, "/hooks", "hooks");
  await take(desktop, "/hooks/no-destruction", "hook-trials");
  await tryHook(desktop);
  await take(desktop, "/hooks/no-deletion?range=hour", "hook-insights");
  await take(desktop, "/approvals", "approvals");
  await take(desktop, "/live", "live");
  await take(desktop, "/people", "people");
  await type(desktop, "/agents/hello", "Description", "Says hello, and where it is");
  await take(desktop, "/agents/hello", "draft");
  await desktop.getByRole("button", { name: "Discard restored changes" }).click();
  await desktop.emulateMedia({ colorScheme: "dark" });
  await take(desktop, `/runs/${runs.notes.run_id}`, "run-dark");
  const phone = await desktop.context().newPage();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.emulateMedia({ colorScheme: "light" });
  await take(phone, "/runs", "runs-phone");
} finally {
  await browser.close();
  up.kill();
  await once(up, "exit");
  await rm(data, { recursive: true, force: true });
}

async function open(
  viewport: { width: number; height: number },
  colorScheme: "light" | "dark",
): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(login_url);
  // As a person with a name, not as the user of this machine.
  const link = await request<{ readonly url: string }>(page, "/login-links", { name: "ana" });
  await page.goto(link.url);
  return page;
}

async function request<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(url + path, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`${path} was refused: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Gives the page something to show: every kind of run that the demo has, and an approval that waits. */
async function fill(page: Page) {
  const start = (agent_name: string, parameters: object, execution_mode = "sync") =>
    request<Run>(page, "/runs?wait=60", { agent_name, parameters, execution_mode });
  // The runner comes up beside the coordinator; sync runs wait for it.
  const enriched = await start("report-generator", { report_id: "R123" });
  for (const message of ["Who are you?", "And where?", "Since when?", "Thank you"])
    await start("hello", { message });
  await start("guarded", { message: "Tidy up the notes" });
  const chained = await start("data-extractor", { source: "orders" });
  await start("deployer", { environment: "staging" });
  const notes = await start("release-notes", { message: "Prepare 1.4" });
  const blocked = await start("guarded", { message: "Run rm -rf / and start over" });
  for (const message of ["Tidy up the notes", "Run rm -rf / and start over"]) {
    const input = { parameters: { message } };
    await request(page, "/hooks/no-destruction/trial", { hook_type: "on_run_start", input });
  }
  await start("deployer", { environment: "production" }, "async_poll");
  await page.goto(`${url}/approvals`);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  return { enriched, chained, notes, blocked };
}

/** A hook that is not enforced yet, at runs of which it would have blocked some. */
async function tryHook(page: Page): Promise<void> {
  const read = async (path: string) => (await page.request.get(url + path)).json();
  const save = async (path: string, data: object) => {
    const answer = await page.request.put(url + path, { data, headers: { origin: url } });
    if (!answer.ok()) throw new Error(`${path} was refused: ${await answer.text()}`);
  };
  const { definition } = await read("/hooks/no-destruction");
  await save("/hooks/no-deletion", { ...definition, enforce: false });
  const { blueprint } = await read("/agents/guarded");
  const { demo: _, ...program } = blueprint;
  for (const name of ["cleaner", "gardener"])
    await save(`/agents/${name}`, { ...program, name, hooks: { on_run_start: { $ref: "no-deletion" } } });
  const messages = [
    "Tidy up the notes",
    "Run rm -rf / and start over",
    "Sort the photos",
    "Water the plants",
  ];
  for (const agent_name of ["cleaner", "gardener", "cleaner"]) {
    for (const message of messages)
      await request(page, "/runs?wait=60", { agent_name, parameters: { message }, execution_mode: "sync" });
  }
  // Events are counted a moment after they happened.
  for (let calls = 0; calls < 3 * messages.length; ) {
    const { hooks } = await read("/insights?range=hour&hook_key=named:no-deletion");
    calls = hooks[0]?.calls ?? 0;
  }
}

/** Types into a field without saving. */
async function type(page: Page, path: string, label: string, text: string): Promise<void> {
  await page.goto(url + path);
  await page.getByLabel(label).fill(text);
  await page.getByText("Unsaved changes").waitFor();
}

/** The overview, once the runs are counted and the charts are drawn. */
async function takeOverview(
  page: Page,
  viewport: { width: number; height: number },
  colorScheme: "light" | "dark",
  name: string,
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await page.goto(`${url}/overview?range=hour`);
  await page.getByRole("region", { name: "Decisions of hooks" }).getByRole("img").first().waitFor();
  await take(page, "/overview?range=hour", name);
}

async function take(page: Page, path: string, name: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Data that is being read is shown as placeholders.
  await page.waitForFunction(() => document.querySelector("[class*=Skeleton], [class*=Loader]") === null);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png  ${path}`);
}
