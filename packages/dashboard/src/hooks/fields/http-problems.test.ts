import { expect, test } from "vitest";
import { httpProblems } from "./http-problems.ts";

const http = (more: object) =>
  httpProblems({ type: "http", url: "https://a.example", ...more }, "hooks.on_result");

const variable = (name: string) => `\${${name}}`;

test("the form accepts headers with named variables", () =>
  expect(http({ headers: { Authorization: `Bearer ${variable("API_TOKEN")}`, "X-Team": "ops" } })).toEqual(
    [],
  ));

test.each([
  [{ url: "https://user:secret@a.example" }, "hooks.on_result.url", /password/],
  [{ headers: { "a b": "c" } }, "hooks.on_result.headers", /not a valid header name/],
  [{ headers: { "": "c" } }, "hooks.on_result.headers", /no name/],
  [{ headers: { Host: "c" } }, "hooks.on_result.headers", /coordinator sets it/],
  [{ headers: { "Tenterhook-Signature": "c" } }, "hooks.on_result.headers", /coordinator sets it/],
  [{ headers: { a: "1", A: "2" } }, "hooks.on_result.headers", /twice/],
  [{ headers: { a: variable("not a name") } }, "hooks.on_result.headers", /not a variable name/],
])("the form reports the problem of %j at its field", (more, path, message) =>
  expect(http(more)).toEqual([{ path, message: expect.stringMatching(message), isMissing: false }]),
);
