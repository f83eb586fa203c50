import { TenterhookError } from "./errors.ts";

export interface JsonLimits {
  /** How deep objects and arrays may be nested; `[]` is one level, a number none. */
  readonly depth: number;
  /** How long the value may be, written as JSON in UTF-8. */
  readonly bytes: number;
}

/**
 * The limits of every value that comes from outside: a tool's input, a hook's answer, a program's output, a request. What
 * reads such a value later may use recursion. `docs/decisions/2026-11-15-json-limits.md` has the reasons for the numbers.
 */
export const JSON_LIMITS: JsonLimits = { depth: 200, bytes: 32 * 1024 * 1024 };

/** The limits of a document that carries such values: a request's body, an event for a hook's process. */
export const JSON_DOCUMENT_LIMITS: JsonLimits = { ...JSON_LIMITS, depth: JSON_LIMITS.depth + 24 };

/** What exceeds a limit. `what` names the value ("the tool's input"), `measured` says how much there is, and where. */
function tooDeep(what: string, limits: JsonLimits, measured: string): TenterhookError {
  return new TenterhookError(
    "json_limit",
    `${what} is nested deeper than ${limits.depth} levels: ${measured}.`,
  );
}

function tooLong(what: string, limits: JsonLimits, measured: string): TenterhookError {
  return new TenterhookError("json_limit", `${what} is longer than ${limits.bytes} bytes: ${measured}.`);
}

const CYCLE = "it contains itself";

function cyclic(what: string, { depth }: JsonLimits, path: string): TenterhookError {
  const message = `${what} is nested deeper than ${depth} levels: ${CYCLE} at ${path}.`;
  return new TenterhookError("json_limit", message, { cause: CYCLE });
}

/** Whether a value is too deep because it contains itself: only code can make such a value, and no text. */
export function isCyclic(error: unknown): boolean {
  return isJsonLimit(error) && error.cause === CYCLE;
}

export function isJsonLimit(error: unknown): error is TenterhookError {
  return TenterhookError.isInstance(error) && error.code === "json_limit";
}

/**
 * Parses a text of unknown origin, with or without a byte order mark. `what` names it in errors ("the hook's answer").
 * Throws `json_limit` for a text that exceeds the limits, before anything is built from it, and else what `JSON.parse` throws.
 */
export function parseJson(text: string, what: string, limits: JsonLimits = JSON_LIMITS): unknown {
  // A character takes at least one byte.
  if (text.length > limits.bytes) throw tooLong(what, limits, `it has ${text.length} characters`);
  const { depth, deepestAt } = nesting(text);
  if (depth > limits.depth) throw tooDeep(what, limits, `it has ${depth} levels, at character ${deepestAt}`);
  return JSON.parse(withoutBom(text));
}

const QUOTE = 34;
const BACKSLASH = 92;
// Brackets and braces differ in the bit 0x20 only.
const OPENS = 0x5b;
const CLOSES = 0x5d;

/** How deep a JSON text is nested, and where it is deepest. Broken JSON gets any answer; the parser refuses it. */
function nesting(text: string): { readonly depth: number; readonly deepestAt: number } {
  let level = 0;
  let depth = 0;
  let deepestAt = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if ((code & ~0x20) === OPENS) {
      level++;
      if (level > depth) {
        depth = level;
        deepestAt = at;
      }
    } else if ((code & ~0x20) === CLOSES) level--;
  }
  return { depth, deepestAt };
}

/** Where the string that begins at `start` ends: its closing quote, which an odd number of backslashes would escape. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** A text without the byte order mark that some editors and shells of Windows put in front; `JSON.parse` refuses it. */
export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Checks a value before it is serialised, walked or stored. It needs no stack of its own size: any depth, and a value that
 * contains itself, is measured. `what` names the value in the error ("the tool's input"). Returns about how many bytes its
 * JSON takes. Throws `json_limit`.
 */
export function checkJson(value: unknown, what: string, limits: JsonLimits = JSON_LIMITS): number {
  const levels: Level[] = [];
  let bytes = 0;
  let next: unknown = jsonForm(value, "");
  for (;;) {
    if (typeof next === "object" && next !== null) {
      if (levels.length === limits.depth) {
        const isCyclic = levels.some(({ value }) => value === next);
        throw isCyclic
          ? cyclic(what, limits, formatPath(levels))
          : tooDeep(what, limits, `it continues at ${formatPath(levels)}`);
      }
      levels.push({
        value: next,
        keys: Array.isArray(next) ? undefined : Object.keys(next),
        at: -1,
      });
      bytes += 2;
    } else bytes += scalarBytes(next);
    if (bytes > limits.bytes) throw tooLong(what, limits, `it continues at ${formatPath(levels)}`);

    let level = levels.at(-1);
    while (level !== undefined && !advance(level)) {
      levels.pop();
      level = levels.at(-1);
    }
    if (level === undefined) return bytes;
    const key = readKey(level);
    next = jsonForm((level.value as Record<string | number, unknown>)[key], key);
    // A comma, and a key with its colon. JSON leaves out a key whose value it does not know.
    if (level.keys === undefined) bytes += 1;
    else if (next !== undefined) bytes += 2 + stringBytes(key as string);
  }
}

interface Level {
  readonly value: object;
  /** `undefined` for an array, whose keys are its indices. */
  readonly keys: readonly string[] | undefined;
  at: number;
}

function advance(level: Level): boolean {
  level.at++;
  return level.at < (level.keys ?? (level.value as readonly unknown[])).length;
}

function readKey({ keys, at }: Level): string | number {
  return keys?.[at] ?? at;
}

/** What `JSON.stringify` writes for a value: some have a form of their own, such as dates. */
function jsonForm(value: unknown, key: string | number): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
}

function scalarBytes(value: unknown): number {
  if (typeof value === "string") return stringBytes(value);
  // Written as null.
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return 4;
  return String(value).length;
}

const PLAIN = /^[ !#-[\]-~]*$/;

/** How long a string is as JSON in UTF-8. */
function stringBytes(text: string): number {
  // Most texts need no escapes, and the test is many times as fast as the loop.
  if (PLAIN.test(text)) return text.length + 2;
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += code >= 0x20 ? (code === 0x22 || code === 0x5c ? 2 : 1) : isShort(code) ? 2 : 6;
    else if (code < 0x800) bytes += 2;
    else if (code < 0xd800 || code > 0xdfff) bytes += 3;
    else if (code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      at++;
      bytes += 4;
    } else bytes += 6;
  }
  return bytes;
}

/** `\b \t \n \f \r`; every other control character is written with its number. */
function isShort(code: number): boolean {
  return code >= 8 && code <= 13 && code !== 11;
}

const MAX_KEYS = 8;
const LONGEST_KEY = 40;

/** `.a.b[0]`: the first keys that lead to what is looked at. They are quoted, because they may come from anywhere. */
function formatPath(levels: readonly Level[]): string {
  if (levels.length === 0) return "its beginning";
  const path = levels.slice(0, MAX_KEYS).map((level) => {
    const key = readKey(level);
    if (typeof key === "number") return `[${key}]`;
    if (/^\w{1,40}$/.test(key)) return `.${key}`;
    return `[${JSON.stringify(key.slice(0, LONGEST_KEY))}]`;
  });
  return `${path.join("")}${levels.length > MAX_KEYS ? "…" : ""}`;
}

/** Numbers of a text that become other numbers when they are parsed and printed again: what is parsed, and what the text has. */
type InexactNumbers = ReadonlyMap<number, string>;

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

/** JSON with sorted keys: the texts of two values are equal when they are the same JSON. Fields that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
