import { JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";

/** An object as it was written: with every entry, also those whose key occurs twice. */
export class JsonObject {
  readonly entries: (readonly [key: string, value: JsonNode])[] = [];
}

export type JsonNode = JsonObject | JsonNode[] | string | number | boolean | null;

/** A complete object or array in a text. */
export interface FoundJson {
  readonly value: JsonObject | JsonNode[];
  readonly start: number;
  readonly end: number;
}

/** What was found in a text. */
export interface JsonSearch {
  readonly found: readonly FoundJson[];
  /** Where the values begin that the end of the text left open, the outermost first, and last the token that more text would complete. */
  readonly open: readonly number[];
}

interface Open {
  readonly value: JsonObject | JsonNode[];
  readonly start: number;
  key: string;
  expects: "first" | "key" | "colon" | "value" | "comma";
}

/**
 * Finds the complete JSON objects and arrays in a text, the outermost of each. One pass with a stack: where the text stops
 * being JSON, what is open is given up and what was complete in it remains. Takes linear time on any text.
 */
export function findJson(text: string): JsonSearch {
  const found: FoundJson[] = [];
  const open: Open[] = [];
  let at = 0;
  /** Where the last token began, if it was a string: a stray quote may have swallowed the beginning of an object. */
  let string = -1;
  let cut: readonly number[] | undefined;

  /** More text could complete a token. What follows it in this text is searched nevertheless. */
  const cutAt = (token: number) => {
    cut ??= [...open.map(({ start }) => start), token];
  };
  const giveUp = () => {
    open.length = 0;
    if (string >= 0) at = string + 1;
    string = -1;
  };
  const begin = () => {
    // Deeper than is read, the search begins anew.
    if (open.length === JSON_DOCUMENT_LIMITS.depth) open.length = 0;
    const value = text[at] === "{" ? new JsonObject() : [];
    open.push({ value, start: at, key: "", expects: "first" });
    string = -1;
    at++;
  };
  const put = (value: JsonNode) => {
    const top = open.at(-1);
    if (top === undefined) return;
    if (Array.isArray(top.value)) top.value.push(value);
    else top.value.entries.push([top.key, value]);
    top.expects = "comma";
  };
  const close = ({ value, start }: Open) => {
    open.pop();
    at++;
    string = -1;
    while ((found.at(-1)?.start ?? -1) > start) found.pop();
    found.push({ value, start, end: at });
    put(value);
  };

  for (;;) {
    const top = open.at(-1);
    if (top === undefined) {
      at = endOf(BRACKET, text, at) - 1;
      if (at < 0) return { found, open: cut ?? [] };
      begin();
      continue;
    }
    at = endOf(SPACE, text, at);
    const isObject = !Array.isArray(top.value);
    const { expects } = top;
    const char = text[at];
    if (char === undefined) cutAt(at);
    if (char === (isObject ? "}" : "]") && (expects === "first" || expects === "comma")) close(top);
    else if (expects === "comma" || expects === "colon") {
      if (char !== (expects === "comma" ? "," : ":")) {
        giveUp();
        continue;
      }
      top.expects = isObject && expects === "comma" ? "key" : "value";
      string = -1;
      at++;
    } else {
      const isKey = isObject && expects !== "value";
      if (!isKey && (char === "{" || char === "[")) {
        begin();
        continue;
      }
      const token = char === '"' ? readString(text, at) : isKey ? undefined : readScalar(text, at);
      if (char === '"') string = at;
      if (token === undefined || token === "cut") {
        if (token === "cut" || text.length - at < LONGEST_WORD) cutAt(at);
        giveUp();
        continue;
      }
      // More digits may follow.
      if (token.end === text.length) cutAt(at);
      at = token.end;
      if (isKey) {
        top.key = String(token.value);
        top.expects = "colon";
      } else put(token.value);
    }
  }
}

const LONGEST_WORD = "false".length;

const BRACKET = /[[{]/g;
const SPACE = /[ \n\r\t]*/y;

/** Where the next match ends; negative when there is none. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** A token's value, and where the text continues. */
interface Token {
  readonly value: string | number | boolean | null;
  readonly end: number;
}

/** Reads the string that begins here; `"cut"` when the text ends before it does. */
function readString(text: string, start: number): Token | "cut" | undefined {
  let isPlain = true;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = at + 1;
      const value = isPlain ? text.slice(start + 1, at) : (JSON.parse(text.slice(start, end)) as string);
      return { value, end };
    }
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    isPlain = false;
    const end = endOf(ESCAPE, text, at);
    if (end < 0) return text.length - at < LONGEST_ESCAPE ? "cut" : undefined;
    at = end - 1;
  }
  return "cut";
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LONGEST_ESCAPE = "\\u0000".length;

/** Reads a number, `true`, `false` or `null`. */
function readScalar(text: string, start: number): Token | undefined {
  const end = endOf(SCALAR, text, start);
  return end < 0 ? undefined : { value: JSON.parse(text.slice(start, end)) as number | boolean | null, end };
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
