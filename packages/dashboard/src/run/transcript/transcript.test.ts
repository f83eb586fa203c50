import { expect, test } from "vitest";
import { detailOf, type EventSpec, eventsOf, moment } from "../timeline/timeline-fixtures.ts";
import { transcript } from "./transcript.ts";
import type { ToolEntry } from "./transcript-entry.ts";
import { toolTitle } from "./transcript-labels.ts";
import { transcriptMarkdown } from "./transcript-markdown.ts";

const entriesOf = (...specs: readonly EventSpec[]) => transcript(detailOf(), eventsOf(...specs)).slice(1);

const textOf = (...specs: readonly EventSpec[]) =>
  entriesOf(...specs).map((entry) =>
    [
      entry.role,
      ...(entry.subagent === undefined ? [] : [entry.subagent]),
      ...(entry.role === "tool" ? toolOf(entry) : [entry.text, ...(entry.isDiscarded ? ["discarded"] : [])]),
    ].join("|"),
  );
const toolOf = (entry: ToolEntry) => [
  toolTitle(entry),
  JSON.stringify(entry.input),
  ...(entry.result === undefined ? [] : [`-> ${entry.result}`]),
  ...(entry.reason === undefined ? [] : [entry.reason]),
  ...entry.acts,
];

test("the text of one step is one entry", () => {
  expect(
    textOf(
      ["run_started", 0],
      ["text", 1, { step: 1, text: "Let " }],
      ["text", 2, { step: 1, text: "me see." }],
      ["tool_start", 3, { step: 1, tool_name: "Shell", tool_input: { command: "ls" } }],
      ["tool_end", 4, { step: 1, tool_name: "Shell", status: "completed", result: "a.txt" }],
      ["text", 5, { step: 2, text: "Done." }],
    ),
  ).toEqual(["agent|Let me see.", 'tool|Shell|{"command":"ls"}|-> a.txt', "agent|Done."]);
});

test("lines of a program are one entry, separate from those of hooks", () => {
  expect(
    textOf(
      ["log", 1, { source: "stderr", text: "one" }],
      ["log", 2, { source: "stderr", text: "two" }],
      ["log", 3, { source: "hooks", text: "careful" }],
    ),
  ).toEqual(["program|one\ntwo\n", "hooks|careful\n"]);
});

test("a discarded answer is marked, and the next answer is a new entry", () => {
  expect(
    textOf(
      ["text", 1, { step: 1, text: "Well" }],
      ["answer_discarded", 2, { step: 1, reason: "again" }],
      ["text", 3, { step: 1, text: "Better" }],
    ),
  ).toEqual(["agent|Well|discarded", "agent|Better"]);
});

test("the text of a subagent is an entry with its name", () => {
  expect(
    textOf(
      ["text", 1, { step: 1, text: "I ask" }],
      [
        "subagent",
        2,
        { subagent: "scout", tool_use_id: "a", event: { event_type: "text", step: 1, text: "found" } },
      ],
    ),
  ).toEqual(["agent|I ask", "agent|scout|found"]);
});

test("very long output is split into several entries", () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => ["log", index, { source: "stderr", text: "x".repeat(1_000) }] as const,
  );
  expect(entriesOf(...lines).length).toBe(3);
});

test("the message of the user comes first; parameters without one are shown as JSON", () => {
  const first = (parameters: Record<string, unknown>) => transcript(detailOf({ parameters }), [])[0];
  expect(first({ message: "Tidy up" })).toMatchObject({ role: "user", text: "Tidy up" });
  expect(first({ source: "here" })).toMatchObject({ role: "user", text: '{\n  "source": "here"\n}' });
});

const REFUSED = [
  [
    "hook_acted",
    1,
    { event: "before_tool", hook: "no-rm", action: "refuse", reason: "deletes files", tool_use_id: "t1" },
  ],
  [
    "tool_end",
    2,
    {
      step: 1,
      tool_use_id: "t1",
      tool_name: "Shell",
      tool_input: { command: "rm -rf build" },
      status: "blocked",
      reason: "deletes files",
      duration_ms: 1,
    },
  ],
] as const;

test("a refused call is an entry in its place, with the hook and the reason", () => {
  expect(textOf(["text", 0, { step: 1, text: "I clean." }], ...REFUSED)).toEqual([
    "agent|I clean.",
    'tool|Shell refused by no-rm|{"command":"rm -rf build"}|deletes files',
  ]);
});

test("a call that the run's own hook refused names the agent of the hook", () => {
  const [acted, ended] = REFUSED;
  expect(
    textOf(
      ["hook_blocked", 0, { hook_type: "on_tool_call", target_name: "guard", block_reason: "no" }],
      ["hook_acted", 1, { ...acted[2], hook: "on_tool_call" }],
      ended,
    ),
  ).toEqual(['tool|Shell refused by guard|{"command":"rm -rf build"}|deletes files']);
});

test("a hook that refuses or fails the run is an entry, and its reason is not repeated at the end", () => {
  const run = detailOf({ finished_at: moment(9), block_reason: "too late" });
  const events = eventsOf(
    ["hook_blocked", 1, { hook_type: "on_run_start", target_name: "curfew", block_reason: "too late" }],
    ["hook_failed", 2, { hook_type: "on_run_finish", hook_name: "audit", error: "exit 1" }],
  );
  expect(
    transcript(run, events)
      .slice(1)
      .map((entry) => entry.role !== "tool" && `${entry.role}|${entry.text}`),
  ).toEqual([
    "refusal|on_run_start by curfew refused: too late",
    "refusal|on_run_finish by audit failed: exit 1",
  ]);
});

test("the result of a run without text is its answer", () => {
  const run = detailOf({ finished_at: moment(9), result_data: { found: 3 } });
  expect(transcript(run, []).at(-1)).toMatchObject({ role: "agent", text: '{\n  "found": 3\n}' });
});

test("as Markdown it has a heading for each entry and fences that the text cannot close", () => {
  const entries = transcript(detailOf({ parameters: { message: "Show it" } }), [
    ...eventsOf(
      ["tool_start", 1, { step: 1, tool_use_id: "a", tool_name: "Read", tool_input: { path: "x.md" } }],
      [
        "tool_end",
        2,
        {
          step: 1,
          tool_use_id: "a",
          tool_name: "Read",
          status: "completed",
          result: "```\ncode\n```",
          duration_ms: 1,
        },
      ],
      ...REFUSED,
    ),
  ]);
  expect(transcriptMarkdown("Run run_1", entries)).toBe(
    [
      "# Run run_1",
      "## User\n\nShow it",
      '## Read\n\n```json\n{\n  "path": "x.md"\n}\n```',
      "Result:",
      "````\n```\ncode\n```\n````",
      '## Shell refused by no-rm\n\n```json\n{\n  "command": "rm -rf build"\n}\n```',
      "> deletes files\n",
    ].join("\n\n"),
  );
});
