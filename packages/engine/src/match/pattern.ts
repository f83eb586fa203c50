import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { RE2JS } from "re2js";
import type { Match } from "./match.ts";
import { BudgetSpent, MeteredText, type PatternBudget } from "./pattern-budget.ts";
import { withJavaScriptSpaces } from "./white-space.ts";

/** A compiled pattern that runs in linear time and within a budget. */
export interface Pattern {
  readonly source: string;
  /** Whether the pattern is found anywhere in the text; `unknown` when the budget ran out first. */
  search(text: string, budget: PatternBudget): Match;
}

/** Program size times length below which a match cannot be slow (a few milliseconds at worst). */
const CHEAP = 50_000;

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

/** Compiles a regular expression for the linear-time engine; throws `bad_pattern` or `unsupported_pattern`. */
export function compilePattern(source: string, flags = ""): Pattern {
  const compiled = compileRegex(source, flags);
  const size = compiled.programSize();
  return {
    source,
    search(text, budget) {
      if (budget.isSpent) return "unknown";
      return budget.spend(() => {
        if (size * text.length <= CHEAP) return compiled.test(text) ? "yes" : "no";
        return metered(compiled, text, budget, size);
      });
    },
  };
}

/** The engine's own program for a regular expression, for those who need to know where it matches. */
export function compileRegex(source: string, flags: string): RE2JS {
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

function metered(compiled: RE2JS, text: string, budget: PatternBudget, size: number): Match {
  try {
    // A String object is text to the engine; its own `charCodeAt` is what lets us interrupt a match.
    return compiled.test(new MeteredText(text, budget, size) as unknown as string) ? "yes" : "no";
  } catch (error) {
    if (error instanceof BudgetSpent) return "unknown";
    throw error;
  }
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
