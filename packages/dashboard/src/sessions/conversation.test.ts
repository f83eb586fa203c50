import type { RunSummary } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { detailOf, eventsOf, moment } from "../run/timeline/timeline-fixtures.ts";
import { conversation } from "./conversation.ts";

const run = (run_id: string, message: string) =>
  detailOf({ run_id, parameters: { message }, finished_at: moment(9) });
const [one, two, three] = [run("run_1", "Hello"), run("run_2", "And now?"), run("run_3", "Bye")];
const read = new Map([
  ["run_1", { run: one, events: eventsOf(["text", 1, { step: 1, text: "Hi." }]) }],
  ["run_2", { run: two, events: eventsOf(["text", 1, { step: 1, text: "Later." }]) }],
]);

test("a conversation has the entries of all runs in their order, and knows where each run starts", () => {
  const { entries, starts } = conversation([one, two, three] as readonly RunSummary[], read);
  expect(entries.map((entry) => entry.role !== "tool" && entry.text)).toEqual([
    "Hello",
    "Hi.",
    "And now?",
    "Later.",
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(4);
  expect([...starts.values()].map(({ run_id }) => run_id)).toEqual(["run_1", "run_2"]);
});
