import { expect, test } from "vitest";
import { detailOf, eventsOf } from "../timeline/timeline-fixtures.ts";
import { findEntries, searchTexts } from "./find-entries.ts";
import { transcript } from "./transcript.ts";

const entries = transcript(
  detailOf({ parameters: { message: "Tidy **up**" } }),
  eventsOf(
    ["text", 1, { step: 1, text: "I will **tidy** the `build` folder." }],
    ["tool_start", 2, { step: 1, tool_use_id: "a", tool_name: "Shell", tool_input: { command: 'echo "a"' } }],
    [
      "tool_end",
      3,
      { step: 1, tool_use_id: "a", tool_name: "Shell", status: "completed", result: { stdout: "one\ntwo" } },
    ],
  ),
);
const found = (sought: string) => findEntries(searchTexts(entries), sought);

test("entries are found by their text, whatever its case", () => {
  expect(found("tidy")).toEqual([0, 1]);
  expect(found("i will")).toEqual([1]);
});

test("the text of an agent is found as it is read and as it was written", () => {
  expect(found("tidy the build folder")).toEqual([1]);
  expect(found("**tidy**")).toEqual([1]);
});

test("a tool call is found by its name, its input and its result", () => {
  expect(found("shell")).toEqual([2]);
  expect(found('echo "a"')).toEqual([2]);
  expect(found("two")).toEqual([2]);
});

test("nothing is found by an empty text or one that is nowhere", () => {
  expect(found("")).toEqual([]);
  expect(found("three")).toEqual([]);
});
