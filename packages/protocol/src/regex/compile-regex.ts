import { RE2JS } from "re2js";
import { messageOf, TenterhookError } from "../errors.ts";
import { withJavaScriptSpaces } from "./white-space.ts";

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // These change how JavaScript iterates or counts, not what matches.
  u: 0,
  g: 0,
  d: 0,
};

/** Atomic groups and possessive quantifiers, which other languages have. */
const FOREIGN = /\(\?>|[*+?}]\+/;

/** Named back-references, which the engine would read as something else. */
const NAMED_REFERENCE = /(?<!\\)(?:\\\\)*\\k</;

/** A regular expression's program for the linear-time engine; throws `bad_pattern` or `unsupported_pattern`. */
export function compileRegex(source: string, flags = ""): RE2JS {
  let bits = 0;
  for (const flag of flags) {
    const bit = FLAGS[flag];
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
    // What JavaScript or another language accepts is no mistake of the author's, only beyond this engine.
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
