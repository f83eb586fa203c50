import fc from "fast-check";
import { expect, test } from "vitest";
import { findInexactNumber, findInexactNumbers } from "./json.ts";

test.each([
  ["12345678901234567890", true],
  ["-9007199254740993", true],
  ["9007199254740992", false],
  ["12345678901234567168", true],
  ["12345678901234567000", false],
  ["100000000000000000000000", false],
  ["100000000000000000000001", true],
  ["1500000000000000000000", false],
  ["1e400", true],
  ["-1e400", true],
  ["1e-400", true],
  ["0e-400", false],
  ["0.0", false],
  ["-0", false],
  ["1e25", false],
  ["0.1", false],
  ["0.10000000000000001", false],
  ["123.4560000000000000001", false],
  ["1763342400000000000", false],
  ["1763342400123456789", true],
])("of the number %s it is %s that it is printed as another one", (source, isInexact) => {
  const text = `{"a": {"b": [1, ${source}]}}`;
  const numbers = findInexactNumbers(text);
  expect([...numbers.values()]).toEqual(isInexact ? [source] : []);
  const found = findInexactNumber(JSON.parse(text), numbers);
  expect(found).toEqual(isInexact ? { path: ".a.b[1]", source } : undefined);
});

test("digits in strings and keys are text, also after escaped quotes", () => {
  const text = JSON.stringify({ '1"12345678901234567890': '\\"12345678901234567890\\' });
  expect(findInexactNumbers(text).size).toBe(0);
});

test("what JSON.stringify prints is printed the same again", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findInexactNumbers(JSON.stringify(value)).size).toBe(0);
    }),
  );
});

test("an integer is found exactly when it is printed as another one", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), (integer) => {
      const printed = JSON.stringify(JSON.parse(String(integer)));
      const [digits = "", exponent = "0"] = printed.split("e+");
      const [whole = "", fraction = ""] = digits.split(".");
      const isSame = BigInt(whole + fraction.padEnd(Number(exponent), "0")) === integer;
      expect(findInexactNumbers(`[${integer}]`).size).toBe(isSame ? 0 : 1);
    }),
  );
});
