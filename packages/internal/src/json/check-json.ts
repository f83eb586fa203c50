import { cyclic, JSON_LIMITS, type JsonLimits, tooDeep, tooLong } from "./json-limits.ts";

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
