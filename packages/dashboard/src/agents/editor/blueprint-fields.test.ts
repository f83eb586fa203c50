import { expect, test } from "vitest";
import { draftOf } from "../../editing/draft.ts";
import { fieldName, tabOf, withType } from "./blueprint-fields.ts";

test("what does not belong to the new type waits until the type is changed back", () => {
  const draft = draftOf({ name: "a", type: "autonomous", model: "fast", tools: ["Shell"], tags: ["x"] });
  const procedural = withType(draft, "procedural");
  expect(procedural.value).toEqual({ name: "a", type: "procedural", tags: ["x"] });
  expect(withType(procedural, "autonomous").value).toEqual(draft.value);
});

test.each([
  ["name", "agent"],
  ["model.provider", "agent"],
  ["parameters_schema.properties", "schemas"],
  ["hooks.on_run_start.url", "hooks"],
  ["command", "json"],
  ["nonsense", "json"],
] as const)("of an autonomous agent %s is in the tab %s", (path, tab) =>
  expect(tabOf(path, "autonomous")).toBe(tab),
);

test("fields have names that people can read", () => {
  expect(fieldName("timeout_seconds")).toBe("timeout seconds");
  expect(fieldName("hooks.on_run_start.agent_name")).toBe("on_run_start: agent name");
});
