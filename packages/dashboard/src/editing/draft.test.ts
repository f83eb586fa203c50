import { expect, test } from "vitest";
import { draftOf, textAt, unreadTexts, withField, withoutText, withText } from "./draft.ts";

const draft = draftOf({ name: "hello", parameters_schema: { type: "object" } });

test("text that is JSON becomes the value, and is shown as it was typed", () => {
  const typed = withText(draft, "parameters_schema", '{"type":"array"}');
  expect(typed.value.parameters_schema).toEqual({ type: "array" });
  expect(textAt(typed, "parameters_schema")).toEqual({ text: '{"type":"array"}' });
});

test("text that is no JSON is kept and told, and the value stays", () => {
  const typed = withText(draft, "parameters_schema", '{"type":');
  expect(typed.value).toEqual(draft.value);
  expect(textAt(typed, "parameters_schema")).toMatchObject({
    text: '{"type":',
    problem: expect.stringContaining("no JSON yet"),
  });
  expect(unreadTexts(typed).map(({ path }) => path)).toEqual(["parameters_schema"]);
  expect(unreadTexts(withoutText(typed, "parameters_schema"))).toEqual([]);
});

test("the whole can be written as JSON, and its fields show it", () => {
  const typed = withText(draft, "", '{ "name": "hello", "description": "says hello" }');
  expect(typed.value).toEqual({ name: "hello", description: "says hello" });
  expect(textAt(typed, "parameters_schema")).toEqual({ text: "" });
});

test("the whole must be an object", () => {
  expect(unreadTexts(withText(draft, "", "[]"))).toHaveLength(1);
  expect(unreadTexts(withText(draft, "", ""))).toHaveLength(1);
});

test("what changes in the form is seen in JSON that was typed before", () => {
  const typed = withText(draft, "", '{"name":"hello"}');
  expect(textAt(withField(typed, "description", "new"), "").text).toContain('"description": "new"');
});

test("a field of JSON that is emptied is gone", () => {
  expect(withText(draft, "parameters_schema", " ").value).toEqual({ name: "hello" });
});
