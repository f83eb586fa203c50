/** A token's value, and where the text continues. */
export interface Token<T> {
  readonly value: T;
  readonly end: number;
}

/** Reads a JSON string; `"cut"` when the text ends before it does, `undefined` when there is none. */
export function readString(text: string, start: number): Token<string> | "cut" | undefined {
  if (text[start] !== '"') return undefined;
  let isPlain = true;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = at + 1;
      if (isPlain) return { value: text.slice(start + 1, at), end };
      return { value: JSON.parse(text.slice(start, end)) as string, end };
    }
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    isPlain = false;
    at++;
    if (text[at] === "u") {
      if (!isHex(text, at + 1)) return at + 4 >= text.length ? "cut" : undefined;
      at += 4;
    } else if (!ESCAPES.has(text[at] ?? "")) return at >= text.length ? "cut" : undefined;
  }
  return "cut";
}

const ESCAPES = new Set('"\\/bfnrt');

function isHex(text: string, start: number): boolean {
  for (let at = start; at < start + 4; at++) if (!HEX.has(text[at] ?? "")) return false;
  return true;
}

const HEX = new Set("0123456789abcdefABCDEF");

/** Reads a number, `true`, `false` or `null`. */
export function readScalar(text: string, start: number): Token<number | boolean | null> | undefined {
  SCALAR.lastIndex = start;
  const token = SCALAR.exec(text)?.[0];
  if (token === undefined) return undefined;
  return { value: JSON.parse(token) as number | boolean | null, end: start + token.length };
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
