import { expect, test } from "vitest";
import { draftOf, invalidTexts, textAt, withField, withoutText, withText } from "./draft.ts";

const draft = draftOf({ name: "hello", parameters_schema: { type: "object" } });

test("valid JSON becomes the value and is shown as it was typed", () => {
  const typed = withText(draft, "parameters_schema", '{"type":"array"}');
  expect(typed.value.parameters_schema).toEqual({ type: "array" });
  expect(textAt(typed, "parameters_schema")).toEqual({ text: '{"type":"array"}' });
});

test("invalid JSON is kept with an error, and the value stays", () => {
  const typed = withText(draft, "parameters_schema", '{"type":');
  expect(typed.value).toEqual(draft.value);
  expect(textAt(typed, "parameters_schema")).toMatchObject({
    text: '{"type":',
    problem: expect.stringContaining("Invalid JSON"),
  });
  expect(invalidTexts(typed).map(({ path }) => path)).toEqual(["parameters_schema"]);
  expect(invalidTexts(withoutText(typed, "parameters_schema"))).toEqual([]);
});

test("the whole draft can be edited as JSON, and its fields show the result", () => {
  const typed = withText(draft, "", '{ "name": "hello", "description": "says hello" }');
  expect(typed.value).toEqual({ name: "hello", description: "says hello" });
  expect(textAt(typed, "parameters_schema")).toEqual({ text: "" });
});

test("the whole draft must be an object", () => {
  expect(invalidTexts(withText(draft, "", "[]"))).toHaveLength(1);
  expect(invalidTexts(withText(draft, "", ""))).toHaveLength(1);
});

test("a change in the form updates JSON that was typed before", () => {
  const typed = withText(draft, "", '{"name":"hello"}');
  expect(textAt(withField(typed, "description", "new"), "").text).toContain('"description": "new"');
});

test("an emptied JSON field has no value", () => {
  expect(withText(draft, "parameters_schema", " ").value).toEqual({ name: "hello" });
});
