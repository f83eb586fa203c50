import { expect, test } from "vitest";
import { draftOf } from "../../editing/draft.ts";
import { hookChoice, withHookChoice, withHookTarget } from "./hook-choice.ts";

const path = "hooks.on_run_start";
const inline = { type: "agent", agent_name: "guard", on_error: "block", timeout_seconds: 60 };
const draft = draftOf({ name: "a", hooks: { on_run_start: inline } });

test("a new hook has no on_error: the user must choose it", () => {
  const { value } = withHookChoice(draftOf({ name: "a" }), path, "inline");
  expect(value).toEqual({ name: "a", hooks: { on_run_start: { type: "agent" } } });
});

test("undoing a choice restores the hook", () => {
  const none = withHookChoice(draft, path, "none");
  expect(none.value).toEqual({ name: "a" });
  expect(withHookChoice(none, path, "inline").value).toEqual(draft.value);
  const named = withHookChoice(draft, path, "named");
  expect(named.value.hooks).toEqual({ on_run_start: { $ref: "" } });
  expect(withHookChoice(named, path, "inline").value).toEqual(draft.value);
});

test("changing the target keeps shared fields, and changing back restores the others", () => {
  const http = withHookTarget(draft, path, "http");
  expect(http.value.hooks).toEqual({
    on_run_start: { type: "http", on_error: "block", timeout_seconds: 60 },
  });
  expect(withHookTarget(http, path, "agent").value).toEqual(draft.value);
});

test("a choice changes the target of a hook that is the whole draft", () => {
  expect(withHookTarget(draftOf(inline), "", "http").value).toEqual({
    type: "http",
    on_error: "block",
    timeout_seconds: 60,
  });
});

test("changing the target of a new named hook keeps its name, and so does changing back", () => {
  const before = draftOf({ name: "gate", ...inline });
  const http = withHookTarget(before, "", "http");
  expect(http.value).toMatchObject({ name: "gate", type: "http" });
  const renamed = { ...http, value: { ...http.value, name: "door" } };
  expect(withHookTarget(renamed, "", "agent").value).toEqual({ name: "door", ...inline });
});

test.each([
  [undefined, "none"],
  [{ $ref: "x" }, "named"],
  [{ type: "http" }, "inline"],
])("the hook %j is the choice %s", (hook, choice) => expect(hookChoice(hook)).toBe(choice));
