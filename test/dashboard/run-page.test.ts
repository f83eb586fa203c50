import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { axeFindings } from "./axe-findings.ts";
import { DashboardWorld, PHONE } from "./dashboard-world.ts";

// Long walks through a real browser, perhaps on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let world: DashboardWorld;
/** One run of each kind; nothing here changes any of them. */
const runs = { blocked: "", changed: "", stepped: "", asking: "" };

const startHook = (agent_name: string) => ({
  hooks: { on_run_start: { type: "agent", agent_name, on_error: "block" } },
});

beforeAll(async () => {
  world = await DashboardWorld.share();
  const { fleet } = world;
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
    fleet.program({ name: "asker" }, `return { action: "ask", reason: "production is not for everybody" };`),
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
}, 60_000);

afterAll(() => world.close());

test("a run that a start hook blocked shows the reason before anything else, and leads to the hook's run", async () => {
  const page = await world.open(`/runs/${runs.blocked}`);
  const reason = page.getByRole("region", { name: "Blocked by a hook" });
  await reason.getByText("that would destroy data").waitFor();
  const [top = Number.NaN, below = Number.NaN] = await Promise.all(
    [reason, page.getByRole("tablist")].map(async (part) => (await part.boundingBox())?.y),
  );
  expect(top).toBeLessThan(below);
  expect(await reason.textContent()).toContain("on_run_start");
  await reason.getByRole("link", { name: "See the hook's own run" }).click();
  await page.getByRole("heading", { name: "Run of refuser", level: 1 }).waitFor();
  await page.getByText("carries out a hook").first().waitFor();
  // And back, to the run whose hook it was.
  await page
    .getByRole("definition")
    .filter({ has: page.locator(`a[href="/runs/${runs.blocked}"]`) })
    .waitFor();
});

test("a run that completed without the judgement of a hook says so before anything else", async () => {
  const page = await world.open(`/runs/${runs.stepped}`);
  const warning = page.getByRole("region", { name: "Completed, but a hook failed" });
  await warning.getByText("broken on on_run_finish").waitFor();
});

test("a run whose stop gate could not judge is failed, with the code and what to do", async () => {
  const { fleet } = world;
  await fleet.put({ name: "gated", type: "procedural", command: ["true"], tags: ["by-hand"] });
  const { run_id } = await fleet.run("gated", {}, { execution_mode: "async_poll" });
  const client = new ApiClient(world.url, fleet.served.token);
  const runner = await TestRunner.register(client, { tags: ["by-hand"] });
  const run = await runner.claim();
  await runner.report(run, "started");
  await runner.report(run, "failed", { error: "the gate tests failed", error_code: "gate_unsatisfied" });
  const page = await world.open(`/runs/${run_id}`);
  const failure = page.getByRole("region", { name: "Failed" });
  await failure.getByText("gate_unsatisfied").waitFor();
  expect(await failure.textContent()).toContain("stop gate was not satisfied");
});

test("parameters that a start hook changed are shown as a diff, with signs", async () => {
  const page = await world.open(`/runs/${runs.changed}`);
  const diff = page.getByRole("region", { name: "What was changed in the parameters" });
  await diff.waitFor();
  expect(await diff.locator('[data-sign="−"]').allTextContents()).toEqual(['−removed:   "format": "pdf",']);
  expect(await diff.locator('[data-sign="+"]').allTextContents()).toEqual([
    '+added:   "format": "html",',
    '+added:   "path": "/data/q3",',
  ]);
  await page.getByText("What the client sent").click();
  expect(await page.getByLabel("the original parameters", { exact: true }).textContent()).toContain(
    '"format": "pdf"',
  );
});

test("the timeline is drawn to scale, steps within the run and tools within steps", async () => {
  const { events } = await world.fleet.demand<RunEventsPage>("GET", `/runs/${runs.stepped}/events?limit=200`);
  const at = (type: string, step: number) => Date.parse(find(events, type, step).timestamp);
  const lasted = (step: number) => at("step_end", step) - at("step_start", step);
  const page = await world.open(`/runs/${runs.stepped}`);
  const bar = async (name: RegExp) => {
    const box = await page.getByRole("button", { name }).locator("[data-bar]").boundingBox();
    if (box === null) throw new Error(`there is no bar for ${name}`);
    return box;
  };
  await page.getByRole("button", { name: /^Step 2/ }).waitFor();
  const [running, one, two, near] = [
    await bar(/^Running/),
    await bar(/^Step 1/),
    await bar(/^Step 2/),
    await bar(/near/),
  ];
  const ran =
    Date.parse(find(events, "run_finishing").timestamp) - Date.parse(find(events, "run_started").timestamp);
  expect(two.width / one.width).toBeCloseTo(lasted(2) / lasted(1), 1);
  expect(one.width / running.width).toBeCloseTo(lasted(1) / ran, 1);
  expect(two.x).toBeGreaterThanOrEqual(one.x + one.width - 1);
  expect(one.x).toBeGreaterThanOrEqual(running.x - 1);
  expect(two.x + two.width).toBeLessThanOrEqual(running.x + running.width + 1);
  expect(near.x).toBeGreaterThanOrEqual(one.x - 1);
  // The last step took a millisecond or so, and is still seen.
  expect((await bar(/^Step 3/)).width).toBeGreaterThanOrEqual(3);
});

test("a row opens what is behind it: a tool's input and result, a step's words, exact times", async () => {
  const page = await world.open(`/runs/${runs.stepped}`);
  await page.getByRole("button", { name: /far/ }).hover();
  await page.getByRole("tooltip", { name: EXACT_TIMES }).waitFor();
  await page.getByRole("button", { name: /far/ }).click();
  expect(await page.getByLabel("the input of the tool", { exact: true }).textContent()).toContain(
    "sleep 0.9",
  );
  expect(await page.getByLabel("the result of the tool", { exact: true }).textContent()).toContain("far");
  await page.getByRole("tabpanel").getByText(EXACT_TIMES).waitFor();
  await page.getByRole("button", { name: /^Step 2/ }).click();
  await page.getByText("What the agent said").waitFor();
});

test("the timeline is gone through by keyboard, and zooms to a row and back", async () => {
  const page = await world.open(`/runs/${runs.stepped}`);
  const step = page.getByRole("button", { name: /^Step 1/ });
  await step.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toContain("near");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Zoom to this" }).click();
  await page.getByText("Shell alone").waitFor();
  await page.getByRole("button", { name: "Show the whole run" }).click();
  await page.getByText(/in all$/).waitFor();
  await page.getByRole("button", { name: "Fold Running" }).click();
  await step.waitFor({ state: "detached" });
});

test("a hook that failed without stopping the run shows its error in full, and what surrounded it", async () => {
  const page = await world.open(`/runs/${runs.stepped}?tab=hooks`);
  const hook = page.getByRole("article", { name: "on_run_finish" });
  await hook.getByText("the ledger is away").first().waitFor();
  const text = await hook.textContent();
  expect(text).toContain("no ledger");
  expect(text).toContain("continue: the run goes on without it");
  expect(text).toContain("sync: the run waits for it");
  expect(text).toContain("5 min");
  await hook.getByText("Input").click();
  expect(await hook.getByLabel("the input of the hook", { exact: true }).textContent()).toContain(
    '"status": "completed"',
  );
  await page.getByRole("region", { name: "Runs that its hooks started" }).getByText("broken").waitFor();
  await hook.getByRole("link", { name: /^run_/ }).click();
  await page.getByRole("heading", { name: "Run of broken", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Failed" }).getByText("program_failed").waitFor();
});

test("a run that waits for a person says so, and leads to where that is decided", async () => {
  const page = await world.open(`/runs/${runs.asking}`);
  const question = page.getByRole("region", { name: "A person must decide" });
  await question.getByText("production is not for everybody").waitFor();
  await question.getByRole("link", { name: "Decide" }).click();
  await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get("run")).toBe(runs.asking);
});

test("the result has its text and what it cost, and the transcript what the agent said", async () => {
  const page = await world.open(`/runs/${runs.stepped}`);
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("I have looked.").waitFor();
  await result.getByText(/\d+ tokens in, \d+ out/).waitFor();
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("A short look.").waitFor();
  // The address remembers where one was.
  expect(new URL(page.url()).searchParams.get("tab")).toBe("transcript");
  await page.reload();
  await page.getByText("A short look.").waitFor();
});

test("events are shown by type, and each in full", async () => {
  const page = await world.open(`/runs/${runs.stepped}?tab=events&types=tool_end`);
  const list = page.getByRole("region", { name: "Events", exact: true });
  await list.getByText("tool_end").first().waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
  await list.getByRole("button").last().click();
  expect(await list.getByLabel(/^event \d+$/).textContent()).toContain('"stdout": "far\\n"');
  await page.getByRole("button", { name: "All types" }).click();
  await list.getByText("run_completed").waitFor();
});

test("an id that nobody knows is told as such", async () => {
  const page = await world.open("/runs/run_nothing");
  await page.getByRole("heading", { name: "There is no such run" }).waitFor();
  await page.getByRole("link", { name: "Go to the runs" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
});

test("on a phone nothing pushes the page aside", async () => {
  const page = await world.open(`/runs/${runs.stepped}`, { viewport: PHONE });
  const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
  await page.getByRole("button", { name: /far/ }).click();
  expect(await width()).toBe(PHONE.width);
  for (const tab of ["Hooks", "Transcript", "Events"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel", { name: tab }).waitFor();
    expect(await width(), tab).toBe(PHONE.width);
  }
  for (const id of [runs.blocked, runs.changed, runs.asking]) {
    await page.goto(`${world.url}/runs/${id}`);
    await page.getByRole("tabpanel").waitFor();
    expect(await width(), id).toBe(PHONE.width);
  }
});

test("everybody can read and use it, in light colours and in dark ones", async () => {
  const page = await world.open(`/runs/${runs.blocked}`);
  const look = async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect(await axeFindings(page), colorScheme).toEqual([]);
    }
  };
  await page.getByRole("button", { name: /^Preparing/ }).waitFor();
  await look();
  await page.goto(`${world.url}/runs/${runs.changed}`);
  await page.getByText("What the agent got").click();
  await look();
  await page.goto(`${world.url}/runs/${runs.asking}`);
  await page.getByRole("link", { name: "Decide" }).waitFor();
  await look();
  await page.goto(`${world.url}/runs/${runs.stepped}`);
  await page.getByRole("button", { name: /far/ }).click();
  await page.getByRole("button", { name: /^on_run_finish/ }).click();
  await look();
  for (const tab of ["Hooks", "Transcript", "Events"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel").waitFor();
    await look();
  }
});

const EXACT_TIMES = /^\d\d:\d\d:\d\d\.\d\d\d to .* ms after the run was created$/;

function find(events: readonly RunEvent[], type: string, step?: number): RunEvent {
  const found = events.find(({ event_type, step: its }) => event_type === type && its === step);
  if (found === undefined) throw new Error(`there is no ${type}`);
  return found;
}
