// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how variables are written
import { describe, expect, test } from "vitest";
import { configuredHeaders } from "./configured-headers.ts";

const VARIABLES = { TOKEN: "t0ken", NESTED: "${TOKEN}", EMPTY: "", LINES: "t0ken\n" };

test.each([
  ["Bearer ${TOKEN}", "Bearer t0ken"],
  ["${TOKEN}-${TOKEN}", "t0ken-t0ken"],
  ["a${EMPTY}b", "ab"],
  ["$TOKEN {TOKEN} $${", "$TOKEN {TOKEN} $${"],
  ["${NESTED}", "${TOKEN}"],
])("%s becomes %s", (text, filled) => {
  expect(configuredHeaders({ "X-Key": text }, VARIABLES)).toEqual({ "x-key": filled });
});

test.each(["PATH", "HOME", "constructor", "__proto__", "toString", "token"])(
  "%s does not exist, although it is set somewhere",
  (name) => {
    expect(() => configuredHeaders({ "X-Key": `\${${name}}` }, VARIABLES)).toThrow(
      expect.objectContaining({
        code: "unknown_variable",
        message: `The header X-Key asks for the variable ${name}, which the coordinator does not allow; start it with --allow-variable ${name}.`,
      }),
    );
  },
);

test.each(["${}", "${s3cret:-none}", "${s3cret b}"])("%s is an error that does not repeat it", (text) => {
  expect(() => configuredHeaders({ "X-Key": text }, VARIABLES)).toThrow(
    expect.objectContaining({
      code: "unknown_variable",
      message: expect.not.stringContaining("s3cret"),
    }),
  );
});

describe("a header is refused", () => {
  test.each([
    ["Host"],
    ["content-length"],
    ["Transfer-Encoding"],
    ["Connection"],
    ["Accept-Encoding"],
    ["Expect"],
    ["Idempotency-Key"],
    ["User-Agent"],
    ["Tenterhook-Signature"],
    ["TENTERHOOK-TIMESTAMP"],
    ["tenterhook-whatever-comes"],
  ])("when it is ours to set: %s", (name) => {
    expect(() => configuredHeaders({ [name]: "s3cret" }, VARIABLES)).toThrow(
      expect.objectContaining({
        code: "bad_header",
        message: `The header ${name} cannot be set: the coordinator sets it.`,
      }),
    );
  });

  test.each(["", "a b", "a:b", "a\r\nb", "é"])("when its name is %j", (name) => {
    expect(() => configuredHeaders({ [name]: "x" }, VARIABLES)).toThrow(
      expect.objectContaining({ code: "bad_header" }),
    );
  });

  test.each(["t0ken\r\nX-Other: 1", "t0ken\n", "t0ken\0", "t0ken☃", "${LINES}"])(
    "when its value is %j, which is not repeated",
    (value) => {
      expect(() => configuredHeaders({ "X-Key": value }, VARIABLES)).toThrow(
        expect.objectContaining({
          code: "bad_header",
          message: expect.not.stringContaining("t0ken"),
        }),
      );
    },
  );

  test("when it is there twice", () => {
    expect(() => configuredHeaders({ "X-Key": "1", "x-key": "2" }, VARIABLES)).toThrow(
      "The header x-key is given twice",
    );
  });
});
