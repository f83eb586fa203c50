// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how variables are written
import { expect, test } from "vitest";
import { fillAll } from "./connect-mcp-servers.ts";

const environment = { TOKEN: "t0ken", NESTED: "${TOKEN}", EMPTY: "" };

test.each([
  ["Bearer ${TOKEN}", "Bearer t0ken"],
  ["${TOKEN}-${TOKEN}", "t0ken-t0ken"],
  ["a${EMPTY}b", "ab"],
  ["$TOKEN {TOKEN} $${", "$TOKEN {TOKEN} $${"],
  ["${NESTED}", "${TOKEN}"],
])("%s becomes %s", (text, filled) => {
  expect(fillAll({ key: text }, environment, "x")).toEqual({ key: filled });
});

test("a variable that is not set is named, with the field that uses it", () => {
  expect(() => fillAll({ A: "${GONE}" }, environment, 'MCP server "s": env')).toThrow(
    expect.objectContaining({
      code: "bad_agent",
      message: 'MCP server "s": env.A: the environment variable GONE is not set.',
    }),
  );
});

test.each(["${}", "${TOKEN:-none}", "${a b}"])("%s is an error and not a text", (text) => {
  expect(() => fillAll({ A: text }, environment, "x")).toThrow(`x.A: ${text} does not name a variable.`);
});

test.each(["constructor", "toString", "hasOwnProperty"])(
  "%s is not set only because objects have it",
  (name) => {
    expect(() => fillAll({ A: `\${${name}}` }, process.env, "x")).toThrow(`variable ${name} is not set`);
  },
);
