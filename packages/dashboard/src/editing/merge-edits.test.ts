import { expect, test } from "vitest";
import { mergeEdits, resolveMerge } from "./merge-edits.ts";

const hook = (agent_name: string) => ({ type: "agent", agent_name, on_error: "block" });
const base = { name: "a", description: "old", tags: ["x"], hooks: { on_run_start: hook("one") } };

test("a field that only one side changed has that side's value", () => {
  const merge = mergeEdits(base, { ...base, description: "mine" }, { ...base, tags: ["y"] });
  expect(merge).toMatchObject({ mine: ["description"], theirs: ["tags"], conflicts: [] });
  expect(resolveMerge(merge, {})).toEqual({ ...base, description: "mine", tags: ["y"] });
});

test("hooks of one agent are merged one by one", () => {
  const mine = { ...base, hooks: { ...base.hooks, on_result: hook("two") } };
  const theirs = { ...base, hooks: { on_run_start: hook("three") } };
  expect(resolveMerge(mergeEdits(base, mine, theirs), {})?.hooks).toEqual({
    on_run_start: hook("three"),
    on_result: hook("two"),
  });
});

test("a field that both changed is a conflict until the user decides", () => {
  const merge = mergeEdits(base, { ...base, description: "mine" }, { ...base, description: "theirs" });
  expect(merge.conflicts).toEqual([{ path: "description", mine: "mine", theirs: "theirs" }]);
  expect(resolveMerge(merge, {})).toBeUndefined();
  expect(resolveMerge(merge, { description: "mine" })?.description).toBe("mine");
  expect(resolveMerge(merge, { description: "theirs" })?.description).toBe("theirs");
});

test("the same change on both sides is no conflict", () => {
  const same = { ...base, description: "new" };
  expect(mergeEdits(base, same, { ...same })).toMatchObject({ mine: [], theirs: [], conflicts: [] });
});

test("a field that the user removed is removed, unless the other side changed it", () => {
  const { hooks: _, ...mine } = base;
  expect(resolveMerge(mergeEdits(base, mine, { ...base, tags: [] }), {})).toEqual({
    name: "a",
    description: "old",
    tags: [],
  });
  const theirs = { ...base, hooks: { on_run_start: hook("other") } };
  expect(mergeEdits(base, mine, theirs).conflicts).toEqual([
    { path: "hooks.on_run_start", mine: undefined, theirs: hook("other") },
  ]);
});
