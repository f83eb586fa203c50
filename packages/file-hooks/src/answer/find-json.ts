import { JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";
import { readScalar, readString } from "./json-tokens.ts";

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
  /** Where the outermost value begins that the end of the text left open, and the token which more text would complete. */
  readonly open?: { readonly start: number; readonly token: number };
}

interface Open {
  readonly value: JsonObject | JsonNode[];
  readonly start: number;
  key: string | undefined;
  expects: "first" | "next" | "colon" | "value" | "comma";
}

/**
 * Finds the complete JSON objects and arrays in a text, the outermost of each. One pass with a stack: where the text stops
 * being JSON, what is open is given up and what was complete in it remains. Takes linear time on any text.
 */
export function findJson(text: string, depth: number = JSON_DOCUMENT_LIMITS.depth): JsonSearch {
  const found: FoundJson[] = [];
  const open: Open[] = [];
  let at = 0;
  /** Where the last token began, if it was a string: a stray quote may have swallowed the beginning of an object. */
  let string = -1;
  let cut: JsonSearch["open"];

  /** More text could complete a token. What follows it in this text is searched nevertheless. */
  const atEnd = (token: number) => {
    cut ??= { start: open[0]?.start ?? token, token };
  };
  const giveUp = () => {
    open.length = 0;
    if (string >= 0) at = string + 1;
    string = -1;
  };
  const begin = (isObject: boolean) => {
    if (open.length === depth) open.length = 0;
    open.push({
      value: isObject ? new JsonObject() : [],
      start: at,
      key: undefined,
      expects: "first",
    });
    string = -1;
    at++;
  };
  const put = (value: JsonNode) => {
    const top = open.at(-1);
    if (top === undefined) return;
    if (Array.isArray(top.value)) top.value.push(value);
    else top.value.entries.push([top.key ?? "", value]);
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
      at = nextBracket(text, at);
      if (at < 0) return cut === undefined ? { found } : { found, open: cut };
      begin(text[at] === "{");
      continue;
    }
    at = afterSpace(text, at);
    const isObject = !Array.isArray(top.value);
    const char = text[at];
    if (char === undefined) atEnd(at);
    if (char === (isObject ? "}" : "]") && (top.expects === "first" || top.expects === "comma")) close(top);
    else if (top.expects === "comma" && char === ",") {
      top.expects = isObject ? "next" : "value";
      string = -1;
      at++;
    } else if (top.expects === "colon" && char === ":") {
      top.expects = "value";
      string = -1;
      at++;
    } else if (top.expects === "comma" || top.expects === "colon") giveUp();
    else if (isObject && top.expects !== "value") {
      const key = readString(text, at);
      if (key === undefined || key === "cut") {
        if (key === "cut") atEnd(at);
        if (char === '"') string = at;
        giveUp();
        continue;
      }
      string = at;
      at = key.end;
      top.key = key.value;
      top.expects = "colon";
    } else if (char === "{" || char === "[") begin(char === "{");
    else {
      const scalar = char === '"' ? readString(text, at) : readScalar(text, at);
      if (char === '"') string = at;
      if (scalar === undefined || scalar === "cut") {
        if (scalar === "cut" || text.length - at < LONGEST_WORD) atEnd(at);
        giveUp();
        continue;
      }
      // More digits may follow.
      if (scalar.end === text.length) atEnd(at);
      at = scalar.end;
      put(scalar.value);
    }
  }
}

const LONGEST_WORD = "false".length;

function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) return at;
  }
  return -1;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}
