import { memorySessions } from "@tenterhook/agent";
import { expect, test } from "vitest";
import { RunHistory } from "./run-history.ts";

const hi = { role: "user", content: "Hi" } as const;

test("what a run adds is in the conversation when the run has ended, and not before", async () => {
  const store = memorySessions();
  const run = new RunHistory(store, "s1");
  await run.append("any", [{ type: "messages", messages: [hi] }]);
  expect(await new RunHistory(store, "s1").load()).toBeUndefined();
  await run.keep();
  expect(await new RunHistory(store, "s1").load()).toEqual([hi]);
  await run.keep();
  expect(await store.load("s1")).toEqual([hi]);
});
