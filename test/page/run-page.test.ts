import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, pageFindings } from "./axe-findings.ts";
import { hoverUntil } from "./hover-until.ts";
import { PHONE, TestDashboard } from "./test-dashboard.ts";
import { watchCopies } from "./watch-copies.ts";
import { watchText } from "./watch-text.ts";

let dashboard: TestDashboard;
/** One run of each kind; nothing here changes any of them. */
const runs = { blocked: "", changed: "", stepped: "", asking: "" };

const startHook = (agent_name: string) => ({
  hooks: { on_run_start: { type: "agent", agent_name, on_error: "block" } },
});

beforeAll(async () => {
  dashboard = await TestDashboard.share({
    prices: { models: { scripted: { input: 1_000, output: 2_000 } } },
  });
  const { fleet } = dashboard;
  await fleet.runner(4);
  await Promise.all([
    fleet.program(
      { name: "refuser" },
      `return { action: "block", block_reason: "that would destroy data" };`,
    ),
    fleet.program(
      { name: "resolver" },
      `return { action: "continue", parameters: { ...input.parameters, path: "/data/q3", format: "html" } };`,
    ),
    fleet.program({ name: "asker" }, `return { action: "ask", reason: "production needs an approval" };`),
    fleet.program({ name: "broken" }, `console.error("no ledger"); throw new Error("the ledger is away");`),
  ]);
  await Promise.all([
    fleet.program({ name: "guarded", ...startHook("refuser") } as never, "return {};"),
    fleet.program({ name: "report", ...startHook("resolver") } as never, "return { pages: 3 };"),
    fleet.program({ name: "deployer", ...startHook("asker") } as never, "return {};"),
    fleet.put({
      name: "walker",
      type: "autonomous",
      model: {
        provider: "scripted",
        script: [
          {
            text: "A short look.",
            toolCalls: [{ name: "Shell", input: { command: "sleep 0.3; echo near" } }],
          },
          { text: "A long look.", toolCalls: [{ name: "Shell", input: { command: "sleep 0.9; echo far" } }] },
          "I have looked.",
        ],
      },
      tools: ["Shell"],
      hooks: { on_run_finish: { type: "agent", agent_name: "broken", on_error: "continue", mode: "sync" } },
    }),
  ]);
  const [blocked, changed, stepped, asking] = await Promise.all([
    fleet.run("guarded", { message: "DROP TABLE users" }),
    fleet.run("report", { report_id: "q3", format: "pdf" }),
    fleet.run("walker", { message: "look around" }),
    fleet.run("deployer", {}, { execution_mode: "async_poll" }),
  ]);
  Object.assign(runs, {
    blocked: blocked.run_id,
    changed: changed.run_id,
    stepped: stepped.run_id,
    asking: asking.run_id,
  });
});

afterAll(() => dashboard.close());

test("a run blocked by a start hook shows the reason at the top and links to the hook's run", async () => {
  const page = await dashboard.open(`/runs/${runs.blocked}`);
  const reason = page.getByRole("region", { name: "Blocked by a hook" });
  await reason.getByText("that would destroy data").waitFor();
  const [top = Number.NaN, below = Number.NaN] = await Promise.all(
    [reason, page.getByRole("tablist")].map(async (part) => (await part.boundingBox())?.y),
  );
  expect(top).toBeLessThan(below);
  await expect.poll(() => reason.textContent()).toContain("on_run_start");
  await reason.getByRole("link", { name: "View the hook's run" }).click();
  await page.getByRole("heading", { name: "Run of refuser", level: 1 }).waitFor();
  await page.getByText("runs a hook").first().waitFor();
  // And back, to the run whose hook it was.
  await page
    .getByRole("definition")
    .filter({ has: page.locator(`a[href="/runs/${runs.blocked}"]`) })
    .waitFor();
});

test("a run that completed although a hook failed shows a warning at the top", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  const warning = page.getByRole("region", { name: "Completed, but a hook failed" });
  await warning.getByText("broken on on_run_finish").waitFor();
});

test("a run with an unsatisfied stop gate has failed, with the code and advice", async () => {
  const { fleet } = dashboard;
  await fleet.put({ name: "gated", type: "procedural", command: ["true"], tags: ["by-hand"] });
  const { run_id } = await fleet.run("gated", {}, { execution_mode: "async_poll" });
  const client = new ApiClient(dashboard.url, fleet.served.token);
  const runner = await TestRunner.register(client, { tags: ["by-hand"] });
  const run = await runner.claim();
  await runner.report(run, "started");
  await runner.report(run, "failed", { error: "the gate tests failed", error_code: "gate_unsatisfied" });
  const page = await dashboard.open(`/runs/${run_id}`);
  const failure = page.getByRole("region", { name: "Failed" });
  await failure.getByText("gate_unsatisfied").waitFor();
  await expect.poll(() => failure.textContent()).toContain("stop gate was not satisfied");
});

test("parameters changed by a start hook are shown as a diff", async () => {
  const page = await dashboard.open(`/runs/${runs.changed}`);
  const diff = page.getByRole("region", { name: "Changes of the parameters" });
  await diff.waitFor();
  await expect
    .poll(() => diff.locator('[data-sign="−"]').allTextContents())
    .toEqual(['−removed:   "format": "pdf",']);
  await expect
    .poll(() => diff.locator('[data-sign="+"]').allTextContents())
    .toEqual(['+added:   "format": "html",', '+added:   "path": "/data/q3",']);
  await page.getByText("Original parameters").click();
  await expect
    .poll(() => page.getByLabel("the original parameters", { exact: true }).textContent())
    .toContain('"format": "pdf"');
});

test("a step of the timeline has the tokens of its model call, and its details the cost", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  const step = page.getByRole("button", { name: /^Step 1 [\d,]+ tokens in, [\d,]+ out/ });
  await step.click();
  await page.getByText(/^scripted: [\d,]+ tokens in, [\d,]+ out, \$[\d.]+$/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test("the timeline is drawn to scale: steps within the run, tools within steps", async () => {
  const { events } = await dashboard.fleet.demand<RunEventsPage>(
    "GET",
    `/runs/${runs.stepped}/events?limit=200`,
  );
  const at = (type: string, step: number) => Date.parse(find(events, type, step).timestamp);
  const lasted = (step: number) => at("step_end", step) - at("step_start", step);
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  const bar = async (name: RegExp) => {
    const box = await page.getByRole("button", { name }).locator("[data-bar]").boundingBox();
    if (box === null) throw new Error(`no bar for ${name}`);
    return box;
  };
  await page.getByRole("button", { name: /^Step 2/ }).waitFor();
  const ran =
    Date.parse(find(events, "run_finishing").timestamp) - Date.parse(find(events, "run_started").timestamp);
  // What the page still loads may change its width.
  await expect
    .poll(async () => (await bar(/^Step 1/)).width / (await bar(/^Running/)).width)
    .toBeCloseTo(lasted(1) / ran, 1);
  const [running, one, two, near] = [
    await bar(/^Running/),
    await bar(/^Step 1/),
    await bar(/^Step 2/),
    await bar(/near/),
  ];
  expect(two.width / one.width).toBeCloseTo(lasted(2) / lasted(1), 1);
  expect(one.width / running.width).toBeCloseTo(lasted(1) / ran, 1);
  expect(two.x).toBeGreaterThanOrEqual(one.x + one.width - 1);
  expect(one.x).toBeGreaterThanOrEqual(running.x - 1);
  expect(two.x + two.width).toBeLessThanOrEqual(running.x + running.width + 1);
  expect(near.x).toBeGreaterThanOrEqual(one.x - 1);
  // The last step took about a millisecond and is still visible.
  expect((await bar(/^Step 3/)).width).toBeGreaterThanOrEqual(3);
});

test("a row shows its details: input and result of a tool, output of a step, exact times", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  await hoverUntil(
    page.getByRole("button", { name: /far/ }),
    page.getByRole("tooltip", { name: EXACT_TIMES }),
  );
  await page.getByRole("button", { name: /far/ }).click();
  await expect
    .poll(() => page.getByLabel("the input of the tool", { exact: true }).textContent())
    .toContain("sleep 0.9");
  await expect
    .poll(() => page.getByLabel("the result of the tool", { exact: true }).textContent())
    .toContain("far");
  await page.getByRole("tabpanel").getByText(EXACT_TIMES).waitFor();
  await page.getByRole("button", { name: /^Step 2/ }).click();
  await page.getByText("Model output").waitFor();
});

test("the timeline can be used by keyboard, and zooms to a row and back", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  const step = page.getByRole("button", { name: /^Step 1/ });
  await step.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toContain("near");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Zoom to this" }).click();
  // Closing returns to the row.
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toContain("near");
  await page.getByRole("button", { name: "Show whole run" }).click();
  await page.getByText(/total$/).waitFor();
  await page.getByRole("button", { name: "Collapse Running" }).click();
  await step.waitFor({ state: "detached" });
});

test("the run of a hook unfolds in the timeline, to scale, and folds again", async () => {
  const page = await dashboard.open(`/runs/${runs.blocked}`, { viewport: { width: 1440, height: 900 } });
  const rows = page.getByRole("region", { name: "Timeline rows" }).getByRole("listitem");
  const hook = rows.filter({ hasText: "on_run_start" });
  await hook.waitFor();
  // This row comes with the events, which may arrive after the run.
  await rows.filter({ hasText: "Queued" }).waitFor();
  const before = await rows.count();
  await hook.getByRole("button", { name: "Show the run of on_run_start" }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  await rows.filter({ hasText: "Running" }).first().waitFor();
  // How far the first row of the hook's run reaches beyond that of the hook. Its events may arrive after the run.
  const beyond = () =>
    rows.evaluateAll((items) => {
      const bars = items.map((item) => item.querySelector("[data-bar]")?.getBoundingClientRect());
      const index = items.findIndex((item) => item.textContent?.includes("on_run_start"));
      const [own, child] = [bars[index], bars[index + 1]];
      if (own === undefined || child === undefined) return Number.POSITIVE_INFINITY;
      return Math.max(own.left - 2 - child.left, child.right - (own.right + 3));
    });
  await expect.poll(beyond).toBeLessThanOrEqual(0);
  expect(await axeFindings(page)).toEqual([]);
  await hook.getByRole("button", { name: "Hide the run of on_run_start" }).click();
  await expect.poll(() => rows.count()).toBe(before);
  // One meaning of duration, explained.
  const duration = page.getByRole("term").filter({ hasText: "Duration" });
  await hoverUntil(
    duration.locator("xpath=following-sibling::dd//span").first(),
    page.getByText(/^Waiting .*, .* total /),
  );
});

test("a hook that failed without stopping the run shows its full error and its settings", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}?tab=hooks`);
  const hook = page.getByRole("article", { name: /^on_run_finish/ });
  await hook.getByText("failed; the run continues").waitFor();
  await hook.getByText("the ledger is away").first().waitFor();
  await hook.getByRole("button", { name: "Details" }).click();
  for (const text of [
    "no ledger",
    "continue: the run continues without it",
    "sync: the run waits for it",
    "5 min",
  ]) {
    await expect.poll(() => hook.textContent()).toContain(text);
  }
  await hook.getByText("Input").click();
  await expect
    .poll(() => hook.getByLabel("the input of the hook", { exact: true }).textContent())
    .toContain('"status": "completed"');
  await page.getByRole("region", { name: "Runs started by hooks" }).getByText("broken").waitFor();
  await hook.getByRole("link", { name: "View the hook's run" }).click();
  await page.getByRole("heading", { name: "Run of broken", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Failed" }).getByText("program_failed").waitFor();
});

test("a run that waits for approval shows the question and how to decide it", async () => {
  const page = await dashboard.open(`/runs/${runs.asking}`);
  const question = page.getByRole("region", { name: "Approval required" });
  await question.getByText("production needs an approval").waitFor();
  await question.getByRole("button", { name: "Approve", exact: true }).waitFor();
  const viewer = await dashboard.open(`/runs/${runs.asking}`, { scope: "viewer" });
  const shown = viewer.getByRole("region", { name: "Approval required" });
  await shown.getByText('your token has the scope "viewer"').waitFor();
  expect(await shown.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
});

test("the result shows text and token usage, and the transcript the output of the agent", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`);
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("I have looked.").waitFor();
  const used = (await result.getByText(/tokens in, [\d,]+ out, \$[\d.]+$/).textContent()) ?? "";
  // The head of the run has both, too.
  const fact = (label: string) =>
    page.getByRole("term").filter({ hasText: label }).locator("xpath=following-sibling::dd").textContent();
  expect(used).toBe(`${(await fact("Tokens"))?.replace(" in,", " tokens in,")}, ${await fact("Cost")}`);
  const [input = 0, output = 0, cost = 0] = [...used.matchAll(/[\d.,]*\d/g)].map(([text]) =>
    Number(text.replaceAll(",", "")),
  );
  expect(input).toBeGreaterThan(0);
  expect(cost / ((input * 1_000 + output * 2_000) / 1_000_000)).toBeCloseTo(1, 1);
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("A short look.").waitFor();
  // The open tab is part of the address.
  expect(new URL(page.url()).searchParams.get("tab")).toBe("transcript");
  await page.reload();
  await page.getByText("A short look.").waitFor();
});

test("the transcript shows everything in order, refusals in red, and is copied as Markdown", async () => {
  const { fleet } = dashboard;
  await fleet.program(
    { name: "no-rm" },
    `return input.tool_input.command.startsWith("rm")
       ? { action: "block", block_reason: "it would delete files" }
       : { action: "continue" };`,
  );
  await fleet.put({
    name: "cleaner",
    type: "autonomous",
    model: {
      provider: "scripted",
      script: [
        { text: "I count.", toolCalls: [{ name: "Shell", input: { command: "seq 1 60" } }] },
        { text: "I clean.", toolCalls: [{ name: "Shell", input: { command: "rm -rf build" } }] },
        "Nothing was deleted.",
      ],
    },
    tools: ["Shell"],
    hooks: { on_tool_call: { type: "agent", agent_name: "no-rm", on_error: "block" } },
  });
  const { run_id } = await fleet.run("cleaner", { message: "tidy up" });
  const page = await dashboard.open(`/runs/${run_id}?tab=transcript`);
  const entries = page.getByRole("region", { name: "Transcript" }).getByRole("article");
  await entries.filter({ hasText: "Nothing was deleted." }).waitFor();
  await expect
    .poll(() => entries.locator("h2 > span:first-child").allTextContents())
    .toEqual(["User", "Agent", "Shell", "Agent", "Shell refused by no-rm", "Agent"]);
  const refused = entries.filter({ hasText: "refused by no-rm" });
  await refused.getByText("it would delete files").waitFor();
  await refused.getByText("rm -rf build", { exact: true }).waitFor();
  await expect.poll(() => refused.getAttribute("data-role")).toBe("refusal");
  // A long result is folded.
  const counted = entries.filter({ hasText: "seq 1 60" });
  expect(await counted.textContent()).not.toContain("\n59");
  await counted.getByRole("button", { name: /^Show all/ }).click();
  await expect.poll(() => counted.textContent()).toContain("\n59");
  const copied = await watchCopies(page);
  const saysSo = await watchText(page, "Copied");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  const markdown = await copied();
  await saysSo();
  expect(markdown).toContain("## User\n\ntidy up");
  expect(markdown).toContain("## Shell refused by no-rm");
  expect(markdown).toContain("> it would delete files");

  await page.getByRole("tab", { name: "Hooks" }).click();
  const blocked = page.getByRole("article", { name: "on_tool_call: Shell rm -rf build" });
  await blocked.getByText("it would delete files").waitFor();
  await blocked.getByText("refused", { exact: true }).waitFor();
  // The one that let the call proceed is a line.
  const quiet = page.getByRole("article", { name: "on_tool_call: Shell seq 1 60" });
  await expect.poll(async () => (await quiet.boundingBox())?.height).toBeLessThan(60);
  await quiet.getByRole("button", { name: /let it proceed/ }).click();
  await quiet.getByText("Target").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
});

test("events are filtered by type and shown in full", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}?tab=events&types=tool_end`);
  const list = page.getByRole("region", { name: "Events", exact: true });
  await list.getByText("tool_end").first().waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
  await list.getByRole("button").last().click();
  await expect.poll(() => list.getByLabel(/^event \d+$/).textContent()).toContain('"stdout": "far\\n"');
  await page.getByRole("button", { name: "All types" }).click();
  await list.getByText("run_completed").waitFor();
  // A failed hook is red here, too.
  const failed = list.getByText("hook_failed");
  await expect.poll(() => failed.getAttribute("data-failure")).toBe("true");
});

test("an unknown id shows that the run was not found", async () => {
  const page = await dashboard.open("/runs/run_nothing");
  await page.getByRole("heading", { name: "Run not found" }).waitFor();
  await page.getByRole("link", { name: "Go to runs" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});

test("the page fits on a phone", async () => {
  const page = await dashboard.open(`/runs/${runs.stepped}`, { viewport: PHONE });
  const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
  await page.getByRole("button", { name: /far/ }).click();
  await page.getByRole("region", { name: "Shell" }).waitFor();
  expect(await width()).toBe(PHONE.width);
  // The details cover the lower part of the screen.
  await page.getByRole("button", { name: "Close the details" }).click();
  for (const tab of ["Hooks", "Transcript", "Events"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel", { name: tab }).waitFor();
    expect(await width(), tab).toBe(PHONE.width);
  }
  for (const id of [runs.blocked, runs.changed, runs.asking]) {
    await page.goto(`${dashboard.url}/runs/${id}`);
    await page.getByRole("tabpanel").waitFor();
    expect(await width(), id).toBe(PHONE.width);
  }
});

test("the page is accessible in light and dark colours", async () => {
  const page = await dashboard.open(`/runs/${runs.blocked}`);
  const check = async () => expect(await pageFindings(page)).toEqual([]);
  await page.getByRole("button", { name: /^Preparing/ }).waitFor();
  await check();
  await page.goto(`${dashboard.url}/runs/${runs.changed}`);
  await page.getByText("Final parameters").click();
  await check();
  await page.goto(`${dashboard.url}/runs/${runs.asking}`);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await check();
  await page.goto(`${dashboard.url}/runs/${runs.stepped}`);
  await page.getByRole("button", { name: /far/ }).click();
  await page.getByRole("button", { name: /^on_run_finish/ }).click();
  await check();
  for (const tab of ["Hooks", "Transcript", "Events"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel").waitFor();
    await check();
  }
});

const EXACT_TIMES = /^\d\d:\d\d:\d\d\.\d\d\d to .* ms after the run was created$/;

function find(events: readonly RunEvent[], type: string, step?: number): RunEvent {
  const found = events.find(({ event_type, step: its }) => event_type === type && its === step);
  if (found === undefined) throw new Error(`no event ${type}`);
  return found;
}
