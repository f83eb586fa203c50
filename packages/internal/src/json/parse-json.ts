import { JSON_LIMITS, type JsonLimits, tooDeep, tooLong } from "./json-limits.ts";

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
export function endOfString(text: string, start: number): number {
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
