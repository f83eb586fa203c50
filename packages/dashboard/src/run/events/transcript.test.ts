import { expect, test } from "vitest";
import { eventsOf, type Told } from "../timeline/timeline-fixtures.ts";
import { transcript } from "./transcript.ts";

const drawn = (...told: readonly Told[]) =>
  transcript(eventsOf(...told)).map(({ voice, speaker, text, isDiscarded }) =>
    [voice, ...(speaker === undefined ? [] : [speaker]), text, ...(isDiscarded ? ["discarded"] : [])].join(
      "|",
    ),
  );

test("what is said in one step is one passage, whatever the pieces", () => {
  expect(
    drawn(
      ["run_started", 0],
      ["text", 1, { step: 1, text: "Let " }],
      ["text", 2, { step: 1, text: "me see." }],
      ["tool_start", 3, { step: 1, tool_name: "Shell", tool_input: { command: "ls" } }],
      ["tool_end", 4, { step: 1 }],
      ["text", 5, { step: 2, text: "Done." }],
    ),
  ).toEqual(["agent|Let me see.", "tool|Shell: ls", "agent|Done."]);
});

test("lines of a program are one passage, apart from those of hooks", () => {
  expect(
    drawn(
      ["log", 1, { source: "stderr", text: "one" }],
      ["log", 2, { source: "stderr", text: "two" }],
      ["log", 3, { source: "hooks", text: "careful" }],
    ),
  ).toEqual(["program|one\ntwo\n", "hooks|careful\n"]);
});

test("an answer that does not count is marked, and the next one is not joined to it", () => {
  expect(
    drawn(
      ["text", 1, { step: 1, text: "Well" }],
      ["answer_discarded", 2, { step: 1, reason: "again" }],
      ["text", 3, { step: 1, text: "Better" }],
    ),
  ).toEqual(["agent|Well|discarded", "agent|Better"]);
});

test("a subagent speaks in its own name", () => {
  expect(
    drawn(
      ["text", 1, { step: 1, text: "I ask" }],
      [
        "subagent",
        2,
        { subagent: "scout", tool_use_id: "a", event: { event_type: "text", step: 1, text: "found" } },
      ],
    ),
  ).toEqual(["agent|I ask", "agent|scout|found"]);
});

test("very much of one voice is several passages", () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => ["log", index, { source: "stderr", text: "x".repeat(1_000) }] as const,
  );
  expect(transcript(eventsOf(...lines)).length).toBe(3);
});
