import { RE2JS } from "re2js";
import { messageOf, TenterhookError } from "../errors.ts";

/** What a flag is for the engine. Asked for when there is one: a bundle may load the engine when it is first used. */
function flagBit(flag: string): number | undefined {
  switch (flag) {
    case "i":
      return RE2JS.CASE_INSENSITIVE;
    case "m":
      return RE2JS.MULTILINE;
    case "s":
      return RE2JS.DOTALL;
    // These change how JavaScript iterates or counts, not what matches.
    case "u":
    case "g":
    case "d":
      return 0;
    default:
      return undefined;
  }
}

/** Atomic groups and possessive quantifiers, which other languages have. */
const FOREIGN = /\(\?>|[*+?}]\+/;

/** Named back-references, which the engine would read as something else. */
const NAMED_REFERENCE = /(?<!\\)(?:\\\\)*\\k</;

/** A regular expression's program for the linear-time engine; throws `bad_pattern` or `unsupported_pattern`. */
export function compileRegex(source: string, flags = ""): RE2JS {
  let bits = 0;
  for (const flag of flags) {
    const bit = flagBit(flag);
    if (bit === undefined) {
      const code = flag === "v" ? "unsupported_pattern" : "bad_pattern";
      throw refused(code, source, `it has the unknown flag "${flag}"`);
    }
    bits |= bit;
  }
  return compile(source, bits);
}

function compile(source: string, bits: number): RE2JS {
  if (NAMED_REFERENCE.test(source)) throw refused("unsupported_pattern", source, "it has a back-reference");
  try {
    return RE2JS.compile(RE2JS.translateRegExp(withJavaScriptSpaces(source)), bits);
  } catch (error) {
    // What JavaScript or another language accepts is not a mistake of the author, only beyond this engine.
    const code = isJavaScript(source) || FOREIGN.test(source) ? "unsupported_pattern" : "bad_pattern";
    throw refused(code, source, messageOf(error).replace(/^error parsing regexp: /, ""), error);
  }
}

function isJavaScript(source: string): boolean {
  return ["", "u"].some((flags) => {
    try {
      new RegExp(source, flags);
      return true;
    } catch {
      return false;
    }
  });
}

function refused(
  code: "bad_pattern" | "unsupported_pattern",
  source: string,
  why: string,
  cause?: unknown,
): TenterhookError {
  const hint =
    code === "unsupported_pattern"
      ? "Patterns meet text that a model wrote, so they run on a linear-time engine which lacks look-around, back-references and a few things more; use a predicate for this."
      : "Check the regular expression.";
  return new TenterhookError(code, `the pattern /${source}/ cannot be used: ${why}.`, { hint, cause });
}

/** JavaScript's white space beyond what linear-time engines call so: a guard must not be passed by another kind of blank. */
const MORE = "\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

/** All that is not white space, as ranges: what `\S` means inside a class. */
const NO_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

/** Writes `\s` and `\S` so that they mean what they mean in JavaScript. */
function withJavaScriptSpaces(source: string): string {
  let result = "";
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === "\\") {
      const escaped = source[++at] ?? "";
      if (escaped === "s") result += inClass ? `\\s${MORE}` : `[\\s${MORE}]`;
      else if (escaped === "S") result += inClass ? NO_SPACE : `[^\\s${MORE}]`;
      else result += `\\${escaped}`;
      continue;
    }
    if (character === "[" && !inClass) inClass = true;
    else if (character === "]" && inClass) inClass = false;
    result += character;
  }
  return result;
}
