import { RE2JS } from "re2js";
import { messageOf, TenterhookError } from "../errors.ts";
import { withJavaScriptSpaces } from "./white-space.ts";

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
