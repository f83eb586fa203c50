import { expect, test } from "vitest";
import { mergeEdits, settled } from "./merge-edits.ts";

const hook = (agent_name: string) => ({ type: "agent", agent_name, on_error: "block" });
const base = { name: "a", description: "old", tags: ["x"], hooks: { on_run_start: hook("one") } };

test("what only one side changed is as that side has it", () => {
  const merge = mergeEdits(base, { ...base, description: "mine" }, { ...base, tags: ["y"] });
  expect(merge).toMatchObject({ mine: ["description"], theirs: ["tags"], clashes: [] });
  expect(settled(merge, {})).toEqual({ ...base, description: "mine", tags: ["y"] });
});

test("two hooks of one agent are two fields", () => {
  const mine = { ...base, hooks: { ...base.hooks, on_result: hook("two") } };
  const theirs = { ...base, hooks: { on_run_start: hook("three") } };
  expect(settled(mergeEdits(base, mine, theirs), {})?.hooks).toEqual({
    on_run_start: hook("three"),
    on_result: hook("two"),
  });
});

test("what both changed waits for a person", () => {
  const merge = mergeEdits(base, { ...base, description: "mine" }, { ...base, description: "theirs" });
  expect(merge.clashes).toEqual([{ path: "description", mine: "mine", theirs: "theirs" }]);
  expect(settled(merge, {})).toBeUndefined();
  expect(settled(merge, { description: "mine" })?.description).toBe("mine");
  expect(settled(merge, { description: "theirs" })?.description).toBe("theirs");
});

test("what both changed in the same way is no clash", () => {
  const same = { ...base, description: "new" };
  expect(mergeEdits(base, same, { ...same })).toMatchObject({ mine: [], theirs: [], clashes: [] });
});

test("what I took away is gone, unless they changed it", () => {
  const { hooks: _, ...mine } = base;
  expect(settled(mergeEdits(base, mine, { ...base, tags: [] }), {})).toEqual({
    name: "a",
    description: "old",
    tags: [],
  });
  const theirs = { ...base, hooks: { on_run_start: hook("other") } };
  expect(mergeEdits(base, mine, theirs).clashes).toEqual([
    { path: "hooks.on_run_start", mine: undefined, theirs: hook("other") },
  ]);
});
