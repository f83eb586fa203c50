import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
let runner: TestRunner;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.put({ name: "writer", type: "procedural", command: ["true"], tags: ["by-hand"] });
  const client = new ApiClient(dashboard.url, fleet.served.token);
  runner = await TestRunner.register(client, { tags: ["by-hand"] });
});
afterAll(() => dashboard?.close());

const text = (step: number, written: string) => ({ event_type: "text", data: { step, text: written } });

/** A run whose runner reported these events. */
async function runOf(
  events: readonly object[],
  options: object = {},
): Promise<{ run_id: string; session_id: string }> {
  const run = await dashboard.fleet.run(
    "writer",
    { message: "Write **it**" },
    { execution_mode: "async_poll", ...options },
  );
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  for (let first = 1; first <= events.length; first += 400) {
    await runner.report(claimed, "events", { first, events: events.slice(first - 1, first + 399) });
  }
  await runner.complete(claimed, { result_text: "done" });
  return run;
}

const openTranscript = async (events: readonly object[]) => {
  const { run_id } = await runOf(events);
  const page = await dashboard.open(`/runs/${run_id}?tab=transcript`);
  return { page, entries: page.getByRole("region", { name: "Transcript" }).getByRole("article") };
};

const tagsIn = (element: Locator) =>
  element.locator("*").evaluateAll((all) => all.map(({ tagName }) => tagName.toLowerCase()));

const MARKDOWN = `# What I found

Two **files** in \`build\`:

1. one.js
2. two.js

> Quoted

| name | size |
|---|---|
| one.js | 12 |

\`\`\`js
const one = 1;
\`\`\`

See [the guide](https://docs.example/guide).`;

test("Markdown of the agent is formatted, and what the user wrote is shown as it was", async () => {
  const { page, entries } = await openTranscript([text(1, MARKDOWN)]);
  const agent = entries.filter({ hasText: "What I found" });
  await agent.getByRole("heading", { name: "What I found", level: 3 }).waitFor();
  await agent.getByRole("cell", { name: "12" }).waitFor();
  const tags = await tagsIn(agent);
  for (const tag of ["strong", "code", "ol", "li", "blockquote", "table", "pre"]) expect(tags).toContain(tag);
  const link = agent.getByRole("link", { name: "the guide" });
  expect(await link.getAttribute("href")).toBe("https://docs.example/guide");
  expect(await link.getAttribute("rel")).toContain("noopener");
  await agent.getByText("(docs.example)").waitFor();
  await entries.getByText("Write **it**", { exact: true }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

const ATTACKS = [
  "<script>globalThis.attacked = 1</script>",
  '<img src="https://tracker.example/a.png" onerror="globalThis.attacked = 1">',
  "![cat](https://tracker.example/b.png)",
  "[one](javascript:globalThis.attacked=1)",
  "[two](data:text/html,x)",
  "[three](java\u0001script:globalThis.attacked=1)",
  "<javascript:globalThis.attacked=1>",
  "[four][ref]",
  "[ref]: javascript:globalThis.attacked=1",
  "photo\u202egnp.exe &#x202e;end",
  "```sh hidden-words\nls\n```",
];

test("a hostile text of an agent loads nothing, runs nothing and hides nothing", async () => {
  const { run_id } = await runOf([text(1, ATTACKS.join("\n\n"))]);
  const page = await dashboard.open("/runs");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${dashboard.url}/runs/${run_id}?tab=transcript`);
  const agent = page.getByRole("article").filter({ hasText: "globalThis.attacked" });
  // Formatted: the code block is one.
  await agent.locator("pre").getByText("hidden-words").waitFor();
  const tags = await tagsIn(agent);
  for (const tag of ["script", "img", "iframe", "svg"]) expect(tags).not.toContain(tag);
  const links = agent.getByRole("link");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "https://tracker.example/b.png",
  ]);
  await links.getByText("Image: cat").waitFor();
  const shown = (await agent.textContent()) ?? "";
  for (const part of ["<script>", "onerror=", "[one](javascript:", "[two](data:", "[ref]: javascript:"])
    expect(shown).toContain(part);
  expect(shown).toContain("photo\\u{202e}gnp.exe \\u{202e}end");
  expect(shown).not.toContain("\u202e");
  expect(requested.filter((url) => !url.startsWith(dashboard.url))).toEqual([]);
  expect(await page.evaluate("globalThis.attacked")).toBeUndefined();
});

test("a text that is nested or long beyond measure is shown as it is, and the page works on", async () => {
  const hostile = [
    `${"> ".repeat(5_000)}deep`,
    "[".repeat(19_000),
    "*a_ ".repeat(4_900),
    "x".repeat(200_000),
  ];
  const { page, entries } = await openTranscript([
    ...hostile.map((written, index) => text(index + 1, written)),
    text(9, "The **end**."),
  ]);
  await entries.filter({ hasText: "> > > deep" }).waitFor();
  await entries.filter({ hasText: "> > > deep" }).getByRole("heading").first().waitFor();
  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("the end.");
  await entries.locator("strong").getByText("end", { exact: true }).waitFor();
});

const call = (id: string, tool_input: object, result: object) => [
  { event_type: "tool_start", data: { step: 1, tool_use_id: id, tool_name: "Shell", tool_input } },
  {
    event_type: "tool_end",
    data: { step: 1, tool_use_id: id, tool_name: "Shell", status: "completed", result, duration_ms: 1 },
  },
];

test("a command is shown as a command, with what it printed and how it failed", async () => {
  const { page, entries } = await openTranscript([
    ...call(
      "a",
      { command: 'npm test -- "a b"', timeout_ms: 5 },
      { exit_code: 1, stdout: "one\n", stderr: "two\n" },
    ),
    ...call("b", { command: "true" }, { exit_code: 0, stdout: "", stderr: "" }),
  ]);
  const failed = entries.filter({ hasText: "npm test" });
  await failed.locator("code").getByText('npm test -- "a b"', { exact: true }).waitFor();
  for (const shown of [
    "Other input",
    '"timeout_ms": 5',
    "Output",
    "one",
    "Error output",
    "two",
    "The command failed: exit code 1",
  ])
    await failed.getByText(shown, { exact: true }).or(failed.getByText(shown)).first().waitFor();
  await failed.getByRole("button", { name: "Copy the command" }).waitFor();
  await entries.getByText("The command printed nothing.").waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});

const focusedLabel = (page: Page) =>
  page.evaluate<string>("document.activeElement.getAttribute('aria-label')");

test("the transcript of ten thousand events is searched by keyboard, and what was found is marked", async () => {
  const events = Array.from({ length: 3_330 }, (_, index) => [
    text(index + 1, `Look at **number** ${index + 1}.`),
    ...call(
      `call-${index + 1}`,
      { command: `look ${index + 1}` },
      { exit_code: 0, stdout: `seen ${index + 1}\n`, stderr: "" },
    ),
  ]).flat();
  const { page, entries } = await openTranscript(events);
  await entries.first().waitFor();
  // All events are read.
  await page.getByRole("region", { name: "Transcript" }).locator('[aria-setsize="6661"]').first().waitFor();
  await page.keyboard.press("/");
  await expect.poll(() => focusedLabel(page)).toBe("Search the transcript");
  await page.keyboard.type("number 3300");
  const status = page.getByRole("search").getByRole("status");
  await expect.poll(() => status.textContent()).toBe("1 of 1");
  const current = page.locator("article[data-current]");
  await current.getByText("Look at number 3300.").waitFor();
  await expect
    .poll(() => page.evaluate("[...(CSS.highlights.get('transcript-found') ?? [])].map(String)"))
    .toEqual(["number 3300"]);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("seen 111");
  // 111 and 1110 to 1119.
  await expect.poll(() => status.textContent()).toBe("1 of 11");
  await page.keyboard.press("Enter");
  await expect.poll(() => status.textContent()).toBe("2 of 11");
  await current.getByText("seen 1110").waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => status.textContent()).toBe("11 of 11");
  await current.getByText("seen 1119").waitFor();
  expect(await page.getByRole("article").count()).toBeLessThan(100);
  await page.keyboard.press("Escape");
  await expect.poll(() => status.textContent()).toBe("");
  await page.keyboard.type("nowhere");
  await expect.poll(() => status.textContent()).toBe("Not found");
});

test("a search shows a match in the folded part of a long result", async () => {
  const stdout = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join("\n");
  const { page, entries } = await openTranscript(
    call("a", { command: "seq" }, { exit_code: 0, stdout, stderr: "" }),
  );
  await entries.getByRole("button", { name: /^Show all/ }).waitFor();
  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("line 199");
  await entries.getByText("line 199").waitFor();
});

test("a session shows the conversation over its runs, with a search over all of them", async () => {
  const first = await runOf([text(1, "I am the **writer**.")]);
  for (let turn = 2; turn <= 12; turn++)
    await runOf([text(1, `Answer number ${turn}.`)], { session_id: first.session_id });
  const page = await dashboard.open(`/sessions/${first.session_id}`);
  await page.getByRole("tab", { name: "Conversation" }).click();
  const entries = page.getByRole("region", { name: "Conversation" }).getByRole("article");
  await entries.getByText("Answer number 3.").waitFor();
  await page.getByText("The latest 10 of 12 runs.").waitFor();
  expect(await entries.getByText("I am the").count()).toBe(0);
  await page.getByRole("button", { name: "Show earlier runs" }).click();
  await entries.locator("strong").getByText("writer").waitFor();
  const links = page.getByRole("region", { name: "Conversation" }).getByRole("link", { name: /^run_/ });
  await expect.poll(() => links.first().getAttribute("href")).toBe(`/runs/${first.run_id}`);
  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("answer number");
  await expect.poll(() => page.getByRole("search").getByRole("status").textContent()).toBe("1 of 11");
  // No tooltip of what is under the pointer.
  await page.mouse.move(0, 0);
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  expect(await findingsAtBothWidths(page)).toEqual([]);
  // The open tab is part of the address.
  await page.reload();
  await entries.getByText("Answer number 12.").or(entries.first()).first().waitFor();
  expect(new URL(page.url()).searchParams.get("tab")).toBe("conversation");
});
