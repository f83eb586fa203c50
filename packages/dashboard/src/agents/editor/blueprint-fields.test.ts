import { expect, test } from "vitest";
import { draftOf } from "../../editing/draft.ts";
import { fieldName, tabOf, withType } from "./blueprint-fields.ts";

test("fields of the other type are restored when the type is changed back", () => {
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
  ["unknown", "json"],
] as const)("the field %s of an autonomous agent is in the tab %s", (path, tab) =>
  expect(tabOf(path, "autonomous")).toBe(tab),
);

test("fields have readable names", () => {
  expect(fieldName("timeout_seconds")).toBe("timeout seconds");
  expect(fieldName("hooks.on_run_start.agent_name")).toBe("on_run_start: agent name");
});
