import { expect, test } from "vitest";
import { type EventSpec, eventsOf } from "../timeline/timeline-fixtures.ts";
import { transcript } from "./transcript.ts";

const textOf = (...specs: readonly EventSpec[]) =>
  transcript(eventsOf(...specs)).map(({ role, subagent, text, isDiscarded }) =>
    [role, ...(subagent === undefined ? [] : [subagent]), text, ...(isDiscarded ? ["discarded"] : [])].join(
      "|",
    ),
  );

test("the text of one step is one entry", () => {
  expect(
    textOf(
      ["run_started", 0],
      ["text", 1, { step: 1, text: "Let " }],
      ["text", 2, { step: 1, text: "me see." }],
      ["tool_start", 3, { step: 1, tool_name: "Shell", tool_input: { command: "ls" } }],
      ["tool_end", 4, { step: 1 }],
      ["text", 5, { step: 2, text: "Done." }],
    ),
  ).toEqual(["agent|Let me see.", "tool|Shell: ls", "agent|Done."]);
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
  expect(transcript(eventsOf(...lines)).length).toBe(3);
});
