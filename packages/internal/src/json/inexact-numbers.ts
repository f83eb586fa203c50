import { endOfString } from "./parse-json.ts";

/** Numbers of a text that become other numbers when they are parsed and printed again: what is parsed, and what the text has. */
export type InexactNumbers = ReadonlyMap<number, string>;

/** The fewest digits that a double may not keep, or an exponent. Most texts have neither, and are not read further. */
const CANDIDATE = /\d{16}|\d[eE]/;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/**
 * Finds the numbers of a JSON text that JavaScript cannot print again: integers beyond 2^53 that are rounded, and numbers that are too
 * large or too small for a double (`1e400`). Decimal fractions that are rounded to the nearest double are not among them.
 */
export function findInexactNumbers(text: string): InexactNumbers {
  const found = new Map<number, string>();
  if (!CANDIDATE.test(text)) return found;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const [token, fraction, exponent] = NUMBER.exec(text) ?? [];
      if (token === undefined) continue;
      const value = Number(token);
      if (!isExact(token, value, fraction === undefined && exponent === undefined)) found.set(value, token);
      at += token.length - 1;
    }
  }
  return found;
}

function isExact(token: string, value: number, isInteger: boolean): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/[1-9]/.test(token.replace(/[eE].*$/, ""));
  return !isInteger || Number.isSafeInteger(value) || BigInt(token) === printedInteger(value);
}

/** The integer that a large number is printed as: `1.5e+21` is 1500000000000000000000. */
function printedInteger(value: number): bigint {
  const [digits = "", exponent = "0"] = String(value).split("e+");
  const [whole = "", fraction = ""] = digits.split(".");
  return BigInt(`${whole}${fraction.padEnd(Number(exponent), "0")}`);
}

/**
 * Where a value has one of these numbers: its path, as `.a[0]`, and how the text has it. The value must have passed `checkJson`: one
 * that contains itself has no end.
 */
export function findInexactNumber(
  value: unknown,
  numbers: InexactNumbers,
): { readonly path: string; readonly source: string } | undefined {
  if (numbers.size === 0) return undefined;
  const open: { readonly part: unknown; readonly path: string }[] = [{ part: value, path: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path } = next;
    const source = typeof part === "number" ? numbers.get(part) : undefined;
    if (source !== undefined) return { path, source };
    if (typeof part !== "object" || part === null) continue;
    const isArray = Array.isArray(part);
    for (const [key, inner] of Object.entries(part))
      open.push({ part: inner, path: `${path}${isArray ? `[${key}]` : `.${key}`}` });
  }
  return undefined;
}
