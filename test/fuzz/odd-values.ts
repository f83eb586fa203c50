import fc from "fast-check";

/*
 * Inputs name what is large instead of writing it out, so that a failing one can be read: `@@letters:70000@@` in a text, and
 * `"@@arrays:5000@@"` as a JSON value. `writeOut` replaces them by the real value.
 */

/** Values in a JSON text that stand for something large, or for something that JSON.stringify does not write. */
const LARGE: Readonly<Record<string, (size: number) => string>> = {
  arrays: (size) => "[".repeat(size) + "]".repeat(size),
  objects: (size) => `${'{"a":'.repeat(size)}1${"}".repeat(size)}`,
  mixed: (size) => `${'[{"a":'.repeat(size)}1${"}]".repeat(size)}`,
  unclosed: (size) => "[".repeat(size),
  wide: (size) => `[${"0,".repeat(size)}0]`,
  keys: (size) => `{${Array.from({ length: size }, (_, n) => `"k${n}":0`).join()}}`,
  exponent: (size) => `1e${size}`,
  digits: (size) => "9".repeat(size),
};

/** What a text with names stands for. */
export function writeOut(text: string, names: Readonly<Record<string, string>> = {}): string {
  if (!text.includes("@@")) return text;
  return text
    .replaceAll(
      /"@@(\w+):(\d+)@@"/g,
      (whole, kind: string, size: string) => LARGE[kind]?.(Number(size)) ?? whole,
    )
    .replaceAll(/@@letters:(\d+)@@/g, (_, size: string) => "x".repeat(Number(size)))
    .replaceAll(/@@(\w+)@@/g, (whole, name: string) => names[name] ?? whole);
}

/** Texts that are no name, no number and no date of anything, or almost. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\uFEFFtext",
    "\u202Egnp.exe",
    "\u001b[31mred",
    "ｆｕｌｌ",
    "👩‍👩‍👧‍👦",
    "e\u0301",
    "\r\nX-Injected: 1",
    "../../etc/passwd",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "null",
    "undefined",
    "NaN",
    "[object Object]",
    "'; DROP TABLE runs; --",
    "%",
    "_",
    "%s%n",
    "$" + "{HOME}",
    "$(id)",
    "\\",
    '"',
    "{}",
    "[]",
    "true",
    "0",
    "-1",
    "@@letters:64@@",
    "@@letters:300@@",
    "@@letters:70000@@",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    0.5,
    1e-7,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    2 ** 64,
    1e21,
    1e308,
    -1e308,
  ),
  fc.integer(),
);

export const oddDate: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "0000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "2026-02-30T00:00:00Z",
    "2026-11-15T24:00:00Z",
    "2026-11-15T00:00:60Z",
    "2026-11-15T00:00:00+23:59",
    "2026-11-15T00:00:00-24:00",
    "2026-11-15T00:00:00.123456789Z",
    "2026-11-15",
    "2026-11-15T00:00",
    "yesterday",
    "infinity",
    "1763164800000",
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

/** JSON values of every kind, large ones among them. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 1, arbitrary: oddDate },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: 1 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "@@arrays:65@@",
      "@@objects:100@@",
      "@@arrays:5000@@",
      "@@objects:5000@@",
      "@@mixed:2500@@",
      "@@arrays:100000@@",
      "@@unclosed:5000@@",
      "@@wide:1000@@",
      "@@wide:40000@@",
      "@@keys:1000@@",
      "@@keys:20000@@",
      "@@exponent:400@@",
      "@@digits:400@@",
    ),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown) },
);
