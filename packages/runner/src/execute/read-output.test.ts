import { expect, test } from "vitest";
import { readOutput } from "./read-output.ts";

const SCHEMA = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const data = (resultData: object | null, resultText: string | null = null) => ({
  type: "completed",
  resultText,
  resultData,
});

test.each([
  ['{"n": 1}\n', data({ n: 1 })],
  ["", data(null)],
  ["null", data(null)],
  ['"a text"', data(null, "a text")],
  ["[1, 2]", data(null, "[1, 2]")],
  ["done\n", data(null, "done")],
])("without a schema, %j is a result", (output, ending) => {
  expect(readOutput(output, undefined)).toEqual(ending);
});

test("the runner rejects text that begins like a JSON object and is none", () => {
  expect(readOutput('{"n": 1', undefined)).toMatchObject({ type: "failed", errorCode: "bad_output" });
});

test("a result that fits the schema is accepted, and any other is a failure with the reason", () => {
  expect(readOutput('{"n": 1}', SCHEMA)).toEqual(data({ n: 1 }));
  expect(readOutput('{"n": "one"}', SCHEMA)).toMatchObject({
    errorCode: "bad_output",
    error: expect.stringContaining("result/n must be number"),
  });
  expect(readOutput("done", SCHEMA)).toMatchObject({ type: "failed", errorCode: "bad_output" });
  expect(readOutput("[]", SCHEMA)).toMatchObject({ type: "failed", errorCode: "bad_output" });
});

test("an object that is nested too deep is a failure with that reason; a text with many brackets is a text", () => {
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  for (const schema of [undefined, SCHEMA]) {
    expect(readOutput(deep, schema)).toMatchObject({
      type: "failed",
      errorCode: "json_limit",
      error: expect.stringContaining("nested deeper than 200 levels: it has 5000 levels"),
    });
  }
  const brackets = "[".repeat(5_000);
  expect(readOutput(brackets, undefined)).toEqual(data(null, brackets));
});
